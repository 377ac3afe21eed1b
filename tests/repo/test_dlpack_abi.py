"""The structs of dlpack.h are laid out as in the reference, which apache-tvm-ffi brings."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import pytest

import isthmus as xp

ROOT = pathlib.Path(__file__).parents[2]
INCLUDE = pathlib.Path(xp.__file__).parent / "include"
HEADER = ROOT / "isthmus" / "exchange" / "dlpack.h"
VALUES = {
    "major_version": "DLPACK_MAJOR_VERSION",
    "minor_version": "DLPACK_MINOR_VERSION",
    "read_only_flag": "DLPACK_FLAG_BITMASK_READ_ONLY",
    "copied_flag": "DLPACK_FLAG_BITMASK_IS_COPIED",
    "padded_flag": "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
}


def members() -> dict[str, list[str]]:
    """Of each struct of ours."""
    found = {}
    text = HEADER.read_text()
    for name, body in re.findall(r"^struct (DL\w+) \{\n(.*?)^\};", text, re.M | re.S):
        names = []
        for declaration in re.sub(r"friend.*?;|///.*", "", body).split(";"):
            function = re.search(r"\(\*(\w+)\)", declaration)
            plain = re.findall(r"(\w+)(?:, (\w+))?\s*$", declaration)
            if function:
                names.append(function[1])
            elif plain:
                names += [part for part in plain[0] if part]
        found[name] = names
    return found


def test_structs_and_values_are_those_of_the_reference(tmp_path: pathlib.Path) -> None:
    libinfo = pytest.importorskip("tvm_ffi.libinfo", reason="pip install apache-tvm-ffi")
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    lines = ["#include <cstddef>", "#include <dlpack/dlpack.h>", "#include <isthmus/isthmus.h>"]
    lines += ["namespace own = isthmus::dlpack;"]
    structs = members()
    assert len(structs) == 8 and structs["DLTensor"][-1] == "byte_offset"
    assert structs["DLPackVersion"] == ["major", "minor"]
    for struct, names in structs.items():
        lines.append(f"static_assert(sizeof(own::{struct}) == sizeof({struct}));")
        for member in names:
            for what in (f"offsetof({{}}{struct}, {member})", f"sizeof({{}}{struct}::{member})"):
                lines.append(f"static_assert({what.format('own::')} == {what.format('')});")
    codes = re.findall(r"^  (kDL\w+) =", HEADER.read_text(), re.M)  # of devices and of dtypes
    assert len(codes) == 8 + 7
    for code in codes:
        lines.append(f"static_assert(int(own::{code}) == int({code}));")
    for own, theirs in VALUES.items():
        lines.append(f"static_assert(own::{own} == {theirs});")
    program = tmp_path / "abi.cpp"
    program.write_text("\n".join(lines) + "\nint main() {}\n")
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{INCLUDE}"]
    command += ["-isystem", libinfo.find_dlpack_include_path(), str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
