"""Devices: the six-operation expression and small arrays beside the peers on one runtime.

The hand-written kernel has one work-item an element and no local size, and writes into memory that
is there; it is enqueued through PyOpenCL and waited for. Arrays of Isthmus are private and on the
device; every call ends with a wait. Small arrays are calculated inline, as users get it; large ones
are launched. dpnp runs on the same runtime through SYCL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import Bar, Group, finish, interleave, kernels_of, print_group

import isthmus as xp  # first: it tells the loaders of the others where Intel's runtime is

import dpnp  # isort: skip
import pyopencl as cl  # isort: skip
import pyopencl.array  # isort: skip
import pyopencl.clmath  # isort: skip

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
CONTEXTS: list[cl.Context] = []
SOURCE = """
#pragma OPENCL FP_CONTRACT OFF
__kernel void expression(__global const float* a, __global const float* b,
                         __global const float* c, __global const float* d, __global float* out) {
  size_t i = get_global_id(0);
  out[i] = 2 * a[i] + b[i] * sin(c[i]) - d[i] / 3;
}
"""


def expression(sin: Callable[[Any], Any], a: Any, b: Any, c: Any, d: Any) -> Any:
    return 2 * a + b * sin(c) - d / 3


def numbers(count: int, size: int) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    return [random.random(size, dtype=np.float32) for _ in range(count)]


def pyopencl_queue(device: xp.Device) -> cl.CommandQueue:
    """A queue of PyOpenCL's own on the runtime of a device of ours."""
    name = device.info["name"]
    for platform in cl.get_platforms():
        for found in platform.get_devices():
            if found.name == name:
                context = cl.Context([found])
                CONTEXTS.append(context)  # Intel's queues do not keep theirs alive
                return cl.CommandQueue(context)
    raise LookupError(f"PyOpenCL does not see {name}")


def hand_written(
    queue: cl.CommandQueue, arrays: list[np.ndarray[Any, Any]]
) -> tuple[Callable[[], object], Callable[[], np.ndarray[Any, Any]]]:
    """A call that waits, and what it wrote."""
    kernel = cl.Program(queue.context, SOURCE).build().expression
    buffers = [cl.array.to_device(queue, x) for x in arrays]
    out = cl.array.empty(queue, arrays[0].size, np.float32)
    kernel.set_args(*(x.data for x in buffers), out.data)
    shape = (arrays[0].size,)

    def call(_keep: object = buffers) -> None:  # a kernel does not keep its arguments alive
        cl.enqueue_nd_range_kernel(queue, kernel, shape, None).wait()

    return call, out.get


def large(device: xp.Device, size: int) -> Group:
    sources = numbers(4, size)
    ours = [xp.asarray(x, device=device, copy=True).eval() for x in sources]
    queue = pyopencl_queue(device)
    theirs = [cl.array.to_device(queue, x) for x in sources]
    raw, read = hand_written(queue, sources)

    def isthmus_call() -> None:
        expression(xp.sin, *ours).eval()
        xp.synchronize(device)

    def pyopencl_call() -> None:
        expression(cl.clmath.sin, *theirs)
        queue.finish()

    cases: dict[str, Callable[[], object]] = {
        "hand-written": raw,
        "isthmus": isthmus_call,
        "pyopencl.array": pyopencl_call,
    }
    if "PoCL" not in device.info["driver"] and "Portable" not in device.info["driver"]:
        others = [dpnp.asarray(x) for x in sources]

        def dpnp_call() -> None:
            expression(dpnp.sin, *others).sycl_queue.wait()

        cases["dpnp"] = dpnp_call
    raw()
    wanted = expression(np.sin, *sources)
    for got in (read(), np.asarray(expression(xp.sin, *ours).to_device("cpu"))):
        np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-5)
    group = interleave(f"expression on {device}, {size} float32", cases, 20)
    group.notes["kernels"] = kernels_of(isthmus_call)
    print_group(group, "hand-written")
    return group


def small(device: xp.Device) -> Group:
    """One addition of ten elements, seen by the host."""
    x, y = numbers(2, 10)
    a, b = (xp.asarray(v, device=device, copy=True).eval() for v in (x, y))
    queue = pyopencl_queue(device)
    p, q = (cl.array.to_device(queue, v) for v in (x, y))

    def pyopencl_call() -> None:
        (p + q).queue.finish()

    cases: dict[str, Callable[[], object]] = {
        "isthmus": lambda: (a + b).eval(),
        "pyopencl.array": pyopencl_call,
        "NumPy": lambda: x + y,
    }
    if "Portable" not in device.info["driver"]:
        r, s = dpnp.asarray(x), dpnp.asarray(y)
        cases["dpnp"] = lambda: (r + s).sycl_queue.wait()
    group = interleave(f"a + b on {device}, 10 float32", cases, 30)
    print_group(group, "isthmus")
    return group


def bars_of(device: xp.Device, groups: dict[int, Group], tiny: Group) -> list[Bar]:
    if "Portable" in device.info["driver"]:
        return []
    bars = [
        Bar(f"expression at {size}, {device}, to the hand-written kernel",
            groups[size].ratio("isthmus", "hand-written"), 1.3)
        for size in (1_000_000, 10_000_000)
    ]  # fmt: skip
    million = groups[1_000_000]
    for peer, factor in (("pyopencl.array", 8), ("dpnp", 20)):
        what = f"expression at 1000000, {device}, to a {factor}th of {peer}"
        bars.append(Bar(what, million.ratio("isthmus", peer) * factor, 1.0))
    for peer in ("pyopencl.array", "dpnp"):
        what = f"a + b of 10, {device}, to a tenth of {peer}"
        bars.append(Bar(what, tiny.ratio("isthmus", peer) * 10, 1.0))
    return bars


def main() -> int:
    groups, bars = [], []
    for device in xp.devices():
        if device.backend not in ("opencl", "sycl"):
            continue
        by_size = {size: large(device, size) for size in SIZES}
        tiny = small(device)
        groups += [*by_size.values(), tiny]
        bars += bars_of(device, by_size, tiny)
    return finish(groups, bars, "numpy", "pyopencl", "dpnp", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
