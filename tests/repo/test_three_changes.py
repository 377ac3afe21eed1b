"""A stranger adds an operation by one row, a backend by one folder and a protocol by one file."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PARTS = ("CMakeLists.txt", "cmake", "isthmus", "python")

ROW = """\
OP(cube, 1, same, none,
   NONE, (T)(1u * (U)x * (U)x * (U)x),
   x * x * x, c_mul(c_mul(x, x), x),
   "x * x * x", -100.0, 100.0, 1, 8, "Third power.")
"""

PROTOCOL = """\
// crate.cpp: objects whose attribute __crate__ is another array.
#include "isthmus/base/error.h"
#include "python/src/protocol.h"

namespace isthmus::python {

static bool speaks(nb::handle object) { return PyObject_HasAttrString(object.ptr(), "__crate__"); }

static Array import_array(nb::handle object, const ImportRequest&) {
  const nb::object inside = object.attr("__crate__");
  return require_array("__crate__", inside.ptr());
}

static Explanation explain_export(const Array&) {
  return {Explanation::Verdict::impossible, "crate: only for import"};
}

extern const Protocol crate = {"crate", 95, speaks, import_array, nullptr,
                               nullptr, nullptr, nullptr, explain_export};

}  // namespace isthmus::python
"""

PROGRAM = """\
import numpy as np
import isthmus

x = isthmus.asarray(np.array([1.0, 2.0, -3.0], dtype=np.float32))
assert np.array_equal(np.asarray(isthmus.cube(x)), [1, 8, -27])
assert np.array_equal(np.asarray(isthmus.cube(isthmus.asarray(np.arange(4)))), [0, 1, 8, 27])
assert "Third power." in isthmus.cube.__doc__

listed = isthmus.devices(verbose=True)
assert "stranger" in str(listed), listed
# of null's devices, 2 executes, in memory that the host cannot reach
y = isthmus.asarray([1.0, 2.0], dtype=isthmus.float32, device="stranger:2")
assert str(y.device) == "stranger:2", y.device
assert np.array_equal(np.asarray(isthmus.cube(y).to_device("cpu")), [1, 8])

assert "crate" in str(isthmus.protocols()), isthmus.protocols()

class Crate:
    __crate__ = x

assert np.array_equal(np.asarray(isthmus.asarray(Crate())), np.asarray(x))
print("all three")
"""


def add_row(tree: pathlib.Path) -> None:
    file = tree / "isthmus/core/ops.def"
    text = file.read_text()
    end = "// clang-format on"
    assert text.count(end) == 1
    file.write_text(text.replace(end, ROW + "\n" + end))


def add_backend(tree: pathlib.Path) -> None:
    folder = tree / "isthmus/backend/stranger"
    shutil.copytree(tree / "isthmus/backend/null", folder)
    for file in folder.iterdir():
        text = file.read_text()
        # null stays out of the lists of devices; a backend for users does not
        text = text.replace("isthmus_backend(null UNLISTED", "isthmus_backend(stranger")
        text = text.replace("backend/null/", "backend/stranger/")
        text = re.sub(r'"null\b', '"stranger', text)
        file.write_text(text)


def add_protocol(tree: pathlib.Path) -> None:
    (tree / "python/src/exchange/crate.cpp").write_text(PROTOCOL)


def run(*command: str, where: pathlib.Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=where,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-8000:]}"
    return done.stdout


@pytest.mark.slow
def test_a_row_a_folder_and_a_file_show_up_in_python(tmp_path: pathlib.Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree / part)
    add_row(tree)
    add_backend(tree)
    add_protocol(tree)

    bin_folder = str(pathlib.Path(sys.executable).parent)
    path = bin_folder + os.pathsep + os.environ["PATH"]
    configured = run(
        *("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DISTHMUS_TESTS=OFF"),
        *("-DISTHMUS_OPENCL=OFF", "-DISTHMUS_SYCL=OFF"),
        *(f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=None"),
        *("-DCMAKE_CXX_FLAGS=-O0", *os.environ.get("CMAKE_ARGS", "").split()),
        where=tree,
        PATH=path,
    )
    assert re.search(r"backends .*\bstranger\b", configured)
    declared = (tree / "build/include/isthmus/array/operations.h").read_text()
    assert re.search(
        r"/// Third power\.\n(///.*\n)*ISTHMUS_EXPORT Array cube\(Array x\);", declared
    )
    run("cmake", "--build", "build", "--target", "_isthmus", where=tree, PATH=path)
    shown = run(
        *(sys.executable, "-c", PROGRAM),
        where=tree / "build",
        PATH=path,
        PYTHONPATH=str(tree / "build/python"),
    )
    assert "all three" in shown
