"""The same program with pyopencl.array and with isthmus.cl.array, on one runtime.

Each case is a function of the module that is given. Every call ends with values on the host.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp  # first: it tells the loaders of the others where Intel's runtime is

import isthmus.cl.array as ours  # isort: skip
import isthmus.cl.clmath as our_math  # isort: skip
import pyopencl as cl  # isort: skip
import pyopencl.array as theirs  # isort: skip
import pyopencl.clmath as their_math  # isort: skip

SIZES = (1_000, 1_000_000)
CASES = ("expression", "in place", "to_device and get", "slices")


def case(name: str, module: Any, math: Any, queue: Any, hosts: list[Any]) -> Callable[[], Any]:
    a, b, c, d = (module.to_device(queue, host) for host in hosts)

    def expression() -> Any:
        return (2 * a + b * math.sin(c) - d / 3).get()

    def in_place() -> Any:
        x = a + b
        x *= 2
        x += c
        x -= d
        return x.get()

    def both_ways() -> Any:
        return module.to_device(queue, hosts[0]).get()

    def slices() -> Any:
        n = hosts[0].size // 2
        return (a[:n] + b[n:]).get()

    functions = (expression, in_place, both_ways, slices)
    return dict(zip(CASES, functions, strict=True))[name]


def main() -> int:
    xp.devices()
    groups: list[Group] = []
    bars = []
    for platform in cl.get_platforms():
        context = cl.Context(platform.get_devices()[:1])
        queue = cl.CommandQueue(context)
        for size in SIZES:
            random = np.random.default_rng(1)
            hosts = [random.random(size, dtype=np.float32) for _ in range(4)]
            for name in CASES:
                calls = {
                    "pyopencl.array": case(name, theirs, their_math, queue, hosts),
                    "isthmus.cl": case(name, ours, our_math, queue, hosts),
                }
                np.testing.assert_allclose(
                    *(call() for call in calls.values()), rtol=1e-5, atol=1e-6
                )
                group = interleave(f"{name}, {platform.name}, {size} float32", calls, 10)
                print_group(group, "pyopencl.array")
                groups.append(group)
                ratio = group.ratio("isthmus.cl", "pyopencl.array")
                bars.append(Bar(f"{group.name}, to pyopencl.array", ratio, 1.0))
    return finish(groups, bars, "numpy", "pyopencl", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
