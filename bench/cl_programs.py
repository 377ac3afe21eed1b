"""The programs of examples/cl with pyopencl.array and with isthmus.cl.array, on one runtime.

A call is the whole compute() of a program, which ends in .get(); kernels were compiled by a call
before. Each runtime is asked with arrays that have no allocator, and with pyopencl's MemoryPool.
pyopencl's reductions and scans need Mako: without it four programs are left out.
"""

from __future__ import annotations

import importlib.util
import math
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp  # first: it tells the loaders of the others where Intel's runtime is

xp.devices()
import pyopencl as cl  # noqa: E402
import pyopencl.tools  # noqa: E402

FOLDER = Path(__file__).parents[1] / "examples/cl"
NAMES = sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "picture")
NEEDS_MAKO = {"conjugate_gradients", "histogram", "k_means", "struct_reduction"}
THEIRS, OURS = "pyopencl.array", "isthmus.cl.array"
ROUNDS = 5


def load(name: str, arrays: str) -> Any:
    """The program with the imports that the variable chooses."""
    os.environ["ARRAYS"] = arrays
    spec = importlib.util.spec_from_file_location(f"{name}_{arrays}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def call_of(name: str, arrays: str, queue: Any, allocator: Any) -> Callable[[], Any]:
    module = load(name, arrays)
    return lambda: module.compute(queue, allocator)


def main() -> int:
    warnings.simplefilter("ignore")  # what compilers say
    sys.path.insert(0, str(FOLDER))
    has_mako = importlib.util.find_spec("mako") is not None
    chosen = [arg for arg in sys.argv[1:] if arg in NAMES]
    groups: list[Group] = []
    bars: list[Bar] = []
    for platform in cl.get_platforms():
        context = cl.Context(platform.get_devices()[:1])
        queue = cl.CommandQueue(context)
        pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue))
        ratios = []
        for name in chosen or NAMES:
            if name in NEEDS_MAKO and not has_mako:
                print(f"{name}: left out, pyopencl's side needs Mako")
                continue
            for allocator, of in ((None, "no allocator"), (pool, "MemoryPool")):
                calls = {
                    THEIRS: call_of(name, "pyopencl", queue, allocator),
                    OURS: call_of(name, "isthmus", queue, allocator),
                }
                group = interleave(f"{name}, {platform.name}, {of}", calls, ROUNDS)
                print_group(group, THEIRS)
                groups.append(group)
                ratios.append(group.ratio(OURS, THEIRS))
                bars.append(Bar(f"{group.name}, to {THEIRS}", ratios[-1], 1.0))
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            bars.append(Bar(f"{platform.name}: geometric mean, to {THEIRS}", mean, 0.2))
    return finish(groups, bars, "numpy", "pyopencl", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
