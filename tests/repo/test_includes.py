"""A file of the library includes what it uses, which a build of whole folders does not tell."""

from __future__ import annotations

import json
import pathlib
import shlex
import subprocess

import pytest

import isthmus as xp

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(xp.__file__).parents[2]
# All of them take minutes. Those that have just been written are those that can lack an include.
COMMITS = 4
AT_MOST = 8


def last_written() -> list[pathlib.Path]:
    """The newest files of the library, those not committed first."""
    names: list[str] = []
    for command in (
        ["git", "ls-files", "--others", "--modified", "--exclude-standard", "isthmus"],
        ["git", "log", f"-{COMMITS}", "--name-only", "--format=", "--", "isthmus"],
    ):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        names += done.stdout.split()
    found = [ROOT / name for name in dict.fromkeys(names) if name.endswith(".cpp")]
    # those of backends and of the loops for each instruction set are compiled with other options
    return [file for file in found if file.exists() and not is_apart(file)][:AT_MOST]


def is_apart(file: pathlib.Path) -> bool:
    return file.relative_to(ROOT).parts[1] in ("backend", "host")


def options() -> tuple[list[str], str]:
    """How the build compiles the library, without what it compiles, and where."""
    path = BUILD / "compile_commands.json"
    if not path.exists():
        pytest.skip("Isthmus was not built here")
    for entry in json.loads(path.read_text()):
        words = shlex.split(entry["command"])
        output = words[words.index("-o") + 1]
        if output.startswith("CMakeFiles/isthmus.dir/") and not output.endswith(".gch"):
            compiler = next(at for at, word in enumerate(words) if word.endswith("++"))
            given = words[compiler : words.index("-o")]
            if "-include" in given:  # the compiled header, which has what a file may lack
                at = given.index("-include")
                del given[at : at + 2]
            return [*given, "-O0", "-fsyntax-only"], entry["directory"]
    raise AssertionError(f"{path} does not say how the library is compiled")


def test_the_newest_files_compile_by_themselves() -> None:
    files = last_written()
    if not files:
        pytest.skip("git names no file of the last commits")
    command, folder = options()
    for file in files:
        done = subprocess.run([*command, file], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_a_file_without_an_include_is_found(tmp_path: pathlib.Path) -> None:
    command, folder = options()
    for text, compiles in [("", False), ("#include <vector>\n", True)]:
        file = tmp_path / "one.cpp"
        file.write_text(text + "std::vector<int> numbers;\n")
        done = subprocess.run([*command, file], cwd=folder, capture_output=True, text=True)
        assert (done.returncode == 0) is compiles, done.stderr
