"""Users' kernels beside pyopencl's own of the same text: what a call takes that is waited for.

Elementwise kernels into new memory and into memory that is there, reductions, and a kernel in a
text of its own, at a million elements and at one. All are launched; elementwise kernels also run
where they run by default, on the host, and the limits are for that. pyopencl works on arrays of its
own in a context of the same device. The first call, which builds, is not counted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from harness import Bar, Group, finish, interleave, print_group
from pyopencl.elementwise import ElementwiseKernel

import isthmus as xp

SCALE = """
__kernel void scale(__global const float* x, __global float* y, const float a, const int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i];
}
"""
COUNTS = (1_000_000, 1)


class Ours:
    """Kernels of Isthmus on arrays of a device."""

    def __init__(self, name: str, count: int) -> None:
        self.device, self.count = xp.Device(name), count
        self.x = xp.asarray(np.linspace(0, 1, count, dtype=np.float32), device=name, copy=True)
        self.y = (self.x + 1).eval()
        self.out = xp.zeros(count, dtype=xp.float32, device=name).eval()
        self.squares = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)")
        self.dot = xp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0)
        self.scale = xp.RawKernel(SCALE, "scale")
        self.groups, self.items = ((count + 255) // 256,), (min(count, 256),)

    def elementwise(self) -> None:
        self.squares(self.x, self.y).eval()
        xp.synchronize(self.device)

    def elementwise_into(self) -> None:
        self.squares(self.x, self.y, self.out)
        xp.synchronize(self.device)

    def reduction(self) -> None:
        self.dot(self.x, self.y).eval()
        xp.synchronize(self.device)

    def raw(self) -> None:
        self.scale(self.groups, self.items, (self.x, self.out, 2.0, self.count))
        xp.synchronize(self.device)


class Theirs:
    """The same of pyopencl."""

    def __init__(self, name: str, count: int) -> None:
        from pyopencl.reduction import ReductionKernel  # needs Mako

        # a queue that was handed over has its end behind a barrier from then on
        context = cl.Context([xp.Context(name).to_pyopencl().devices[0]])
        self.queue = cl.CommandQueue(context)
        self.x = cl_array.to_device(self.queue, np.linspace(0, 1, count, dtype=np.float32))
        self.y = self.x + 1
        self.out = cl_array.zeros(self.queue, count, np.float32)
        text = "z[i] = (x[i] - y[i]) * (x[i] - y[i])"
        self.squares = ElementwiseKernel(context, "float *x, float *y, float *z", text)
        self.dot = ReductionKernel(
            context, np.float32, "0", "a + b", "x[i] * y[i]", "__global float *x, __global float *y"
        )
        self.scale = cl.Kernel(cl.Program(context, SCALE).build(), "scale")
        self.count = np.int32(count)
        self.two = np.float32(2)
        self.items = ((count + 255) // 256 * min(count, 256),), (min(count, 256),)

    def elementwise(self) -> None:
        self.squares(self.x, self.y, cl_array.empty_like(self.x))
        self.queue.finish()

    def elementwise_into(self) -> None:
        self.squares(self.x, self.y, self.out)
        self.queue.finish()

    def reduction(self) -> None:
        self.dot(self.x, self.y, queue=self.queue)
        self.queue.finish()

    def raw(self) -> None:
        self.scale(self.queue, *self.items, self.x.data, self.out.data, self.two, self.count)
        self.queue.finish()


def agree(ours: Ours, theirs: Theirs, what: str) -> None:
    getattr(ours, what)()
    getattr(theirs, what)()
    np.testing.assert_allclose(ours.out.to_numpy(), theirs.out.get(), 1e-6)


ELEMENTWISE = ("elementwise", "elementwise_into")


def measure(name: str, rounds: int) -> tuple[list[Group], list[Bar]]:
    groups, bars = [], []
    for count in COUNTS:
        ours, theirs = Ours(name, count), Theirs(name, count)
        for what in (*ELEMENTWISE, "reduction", "raw"):
            by_default = what in ELEMENTWISE
            for inline in ("0", "auto") if by_default else ("0",):
                xp.config.inline = inline
                agree(ours, theirs, what)
                cases: dict[str, Callable[[], Any]] = {
                    "Isthmus": getattr(ours, what),
                    "pyopencl": getattr(theirs, what),
                }
                where = ", by default" if inline == "auto" else ""
                group = interleave(f"{what}, {count:,} float32 on {name}{where}", cases, rounds)
                print_group(group, "pyopencl")
                groups.append(group)
                if by_default and inline == "0":
                    continue
                limit = 1.0 if what == "raw" else 1 / 8 if count > 1 else 1 / 3
                bars.append(Bar(group.name, group.ratio("Isthmus", "pyopencl"), limit))
    return groups, bars


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", action="append", help="by default opencl:0")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--check", action="store_true", help="fail where a bar is missed")
    arguments, _ = parser.parse_known_args()
    if find_spec("mako") is None:
        print("pyopencl's reductions need Mako: pip install mako")
        return 0
    groups: list[Group] = []
    bars: list[Bar] = []
    for name in arguments.device or ["opencl:0"]:
        some, more = measure(name, arguments.rounds)
        groups += some
        bars += more
    return finish(groups, bars, "pyopencl", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
