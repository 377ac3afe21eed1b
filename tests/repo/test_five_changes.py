"""A stranger follows the five recipes of docs/adding.md, with the code of that page."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PARTS = ("CMakeLists.txt", "cmake", "isthmus", "python")

LISTINGS = (ROOT / "docs/adding.md").read_text()

BINDING = """\
// bind_stranger.cpp: what the stranger added, as functions.
#include "isthmus/array/array.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"

namespace isthmus {
inline namespace ISTHMUS_ABI {
Array rank(Array x, std::int64_t axis);
}

namespace python {

void bind_stranger(nb::module_& m) {
  m.def("width", [](nb::handle x) {
    return nb::steal(wrap(reduce(Reduction::width, require_array("width", x.ptr()), {}, false)));
  });
  m.def("rank", [](nb::handle x, std::int64_t axis) {
    return nb::steal(wrap(rank(require_array("rank", x.ptr()), axis)));
  });
}

}  // namespace python
}  // namespace isthmus
"""

PROGRAM = """\
import numpy as np
import isthmus
from isthmus import _isthmus

x = isthmus.asarray(np.array([1.0, 2.0, -3.0], dtype=np.float32))
assert np.array_equal(np.asarray(isthmus.cube(x)), [1, 8, -27])
assert np.array_equal(np.asarray(isthmus.cube(isthmus.asarray(np.arange(4)))), [0, 1, 8, 27])
assert "Third power." in isthmus.cube.__doc__

assert _isthmus.width(x + 1).item() == 5
noise = np.random.default_rng(1).normal(size=(3, 2000)).astype(np.float32)
assert _isthmus.width(isthmus.asarray(noise)).item() == np.ptp(noise)

def ranks(rows, axis):
    return (np.expand_dims(rows, axis) < np.expand_dims(rows, axis + 1)).sum(axis + 1)

small = noise[:, :50]
for axis in (0, 1):
    made = _isthmus.rank(isthmus.asarray(small) * 2, axis) + 1
    assert np.array_equal(np.asarray(made), ranks(small, axis) + 1), axis
assert "rank" in str(isthmus.show(_isthmus.rank(isthmus.asarray(small) * 2, 1)))

listed = isthmus.devices(verbose=True)
assert "stranger" in str(listed), listed
# of null's devices, 2 executes, in memory that the host cannot reach
y = isthmus.asarray([1.0, 2.0], dtype=isthmus.float32, device="stranger:2")
assert str(y.device) == "stranger:2", y.device
assert np.array_equal(np.asarray(isthmus.cube(y).to_device("cpu")), [1, 8])

z = isthmus.asarray(small).to_device("stranger:2")
assert np.array_equal(np.asarray(_isthmus.rank(z, 1).to_device("cpu")), ranks(small, 1))
assert _isthmus.width(z).item() == np.ptp(small)
text = isthmus.source(_isthmus.rank(z, 0))
assert "kernel void rank(" in text, text

assert "crate" in str(isthmus.protocols()), isthmus.protocols()

class Crate:
    __crate__ = x

assert np.array_equal(np.asarray(isthmus.asarray(Crate())), np.asarray(x))
print("all five")
"""


def listing(first_line: str) -> str:
    """The block of the page that begins so."""
    blocks = re.findall(r"^```\n(.*?)^```", LISTINGS, re.M | re.S)
    found = [str(block) for block in blocks if block.startswith(first_line)]
    assert len(found) == 1, first_line
    return found[0]


def put_before(file: pathlib.Path, place: str, text: str) -> None:
    whole = file.read_text()
    assert whole.count(place) == 1, f"{file}: {place}"
    file.write_text(whole.replace(place, text + place))


def add_operation(tree: pathlib.Path) -> None:
    row = listing("OP(cube")
    put_before(tree / "isthmus/core/ops.def", "// clang-format on", row + "\n")


def add_reduction(tree: pathlib.Path) -> None:
    file = tree / "isthmus/core/reductions.def"
    put_before(file, "// clang-format on", listing("STATE(width") + "\n")


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
    (tree / "python/src/exchange/crate.cpp").write_text(listing("// crate.cpp"))


def add_shape(tree: pathlib.Path) -> None:
    row, header, alternative, overload = listing("SHAPE(rank").splitlines()
    put_before(tree / "isthmus/core/shapes.def", "#undef SHAPE", row + "\n")
    works = tree / "isthmus/graph/work/work.h"
    put_before(works, '#include "isthmus/graph/work/read.h"', header + "\n")
    put_before(works, "work::Guard>", alternative + ", ")
    lowering = tree / "isthmus/codegen/lower/lowering.h"
    put_before(lowering, "  std::uint16_t add(const work::Concat&", f"  {overload}\n")
    for first_line, file in {
        "// rank.h": "isthmus/graph/work/rank.h",
        "// lower/rank.cpp": "isthmus/codegen/lower/rank.cpp",
        "// emit/rank.cpp": "isthmus/codegen/emit/rank.cpp",
        "// rank_loop.cpp": "isthmus/host/rank_loop.cpp",
        "// sort/rank.cpp": "isthmus/array/sort/rank.cpp",
    }.items():
        (tree / file).write_text(listing(first_line))


def bind(tree: pathlib.Path) -> None:
    (tree / "python/src/bind/bind_stranger.cpp").write_text(BINDING)
    put_before(
        tree / "python/src/bind/bind.h",
        "void bind_scan(",
        "void bind_stranger(nanobind::module_& m);\n",
    )
    put_before(tree / "python/src/module.cpp", "  bind_scan(m);", "  bind_stranger(m);\n")


def run(*command: str, where: pathlib.Path, **environment: str) -> str:
    # so that a compiler's cache, if there is one, knows what an earlier tree had in its own folder
    environment |= {"CCACHE_BASEDIR": str(where), "CCACHE_NOHASHDIR": "1"}
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
def test_the_five_recipes_show_up_in_python(tmp_path: pathlib.Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree / part)
    for add in (add_operation, add_reduction, add_backend, add_protocol, add_shape, bind):
        add(tree)

    bin_folder = str(pathlib.Path(sys.executable).parent)
    path = bin_folder + os.pathsep + os.environ["PATH"]
    configured = run(
        *("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DISTHMUS_TESTS=OFF"),
        *("-DISTHMUS_OPENCL=OFF", "-DISTHMUS_SYCL=OFF", "-DCMAKE_UNITY_BUILD=ON"),
        "-DISTHMUS_INSTRUCTION_SETS=OFF",  # the rows once: the build is most of the test's time
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
    assert "all five" in shown
