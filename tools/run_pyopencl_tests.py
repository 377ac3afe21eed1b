"""Runs pyopencl's own tests of arrays with isthmus.cl in the place of pyopencl's modules.

    python tools/run_pyopencl_tests.py /path/to/pyopencl/test --platform portable [--tb=short ...]

Arguments that it does not know go to pytest. The tests (github:inducer/pyopencl, folder test) lie
beside the repository and are never part of it. They need pytools, and Mako, without which
pyopencl's own reductions and scans do not run. --plain runs them on pyopencl as it is, to compare.

GenericScanKernel stands in for GenericDebugScanKernel, which is left out. Seven tests fail: three
of Bessel and Hankel functions, which are left out, too; three that expect a refusal where a right
answer is given; and one that looks for pyopencl's cache of kernels.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pathlib
import sys
import types

import pytest

MODULES = (
    *("array", "clmath", "clrandom", "algorithm", "elementwise", "reduction", "scan"),
    *("bitonic_sort", "cltypes", "tools"),
)
POOLS = ("AllocatorBase", "ImmediateAllocator", "DeferredAllocator", "MemoryPool")
FILES = (
    *("test_array.py", "test_clmath.py", "test_clrandom.py", "test_algorithm.py"),
    "test_arrays_in_structs.py",
)


def overlay(ours: types.ModuleType, theirs: types.ModuleType) -> types.ModuleType:
    """Our names, and theirs where we have none, or give theirs: pools for pyopencl's queues."""
    both = types.ModuleType(theirs.__name__)
    both.__dict__.update(theirs.__dict__)
    both.__dict__.update(
        {
            name: value
            for name, value in vars(ours).items()
            if not name.startswith("_") and name not in POOLS
        }
    )
    return both


def substitute() -> None:
    """Makes `import pyopencl.array` and its like give the modules of isthmus.cl.

    Programs that use loopy, or pytools' PersistentDict, need a XDG_CACHE_HOME of their own then:
    generated code that is kept there names modules by __name__, and would import those of
    isthmus.cl in later runs without this.
    """
    import pyopencl
    import pyopencl.tools

    for name in MODULES:
        ours = importlib.import_module(f"isthmus.cl.{name}")
        if name == "tools":  # pyopencl's generator of tests is there
            ours = overlay(ours, pyopencl.tools)
        if name == "scan":
            vars(ours)["GenericDebugScanKernel"] = vars(ours)["GenericScanKernel"]
        sys.modules[f"pyopencl.{name}"] = ours
        setattr(pyopencl, name, ours)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--platform", default="portable", help="as PYOPENCL_TEST has it")
    parser.add_argument("--plain", action="store_true")
    arguments, for_pytest = parser.parse_known_args()
    os.environ["PYOPENCL_TEST"] = arguments.platform
    import isthmus

    isthmus.devices()  # finds the runtimes of this environment
    if not arguments.plain:
        substitute()
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(arguments.tests)]
    files = [str(arguments.tests / name) for name in FILES]
    return pytest.main([*options, *files, *for_pytest])


if __name__ == "__main__":
    sys.exit(main())
