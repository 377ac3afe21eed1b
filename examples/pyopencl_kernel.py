"""A hand-written OpenCL kernel between Isthmus' operations, and Isthmus between pyopencl's.

    python examples/pyopencl_kernel.py [--device opencl:0]

First Isthmus makes the data, a kernel of pyopencl smooths them on the same memory, and Isthmus uses
what came out. Then the program has a context and a queue of its own: Isthmus takes an array of
pyopencl's from there, and its result goes back as one. Nobody waits by hand, and nothing is copied.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import isthmus as xp

COUNT = 100_000
SMOOTH = """
__kernel void smooth(__global const float* in, __global float* out) {
  size_t i = get_global_id(0), last = get_global_size(0) - 1;
  out[i] = (in[max(i, (size_t)1) - 1] + 2 * in[i] + in[min(i + 1, last)]) / 4;
}
"""


def smooth(x: np.ndarray[Any, Any]) -> Any:
    """The kernel in NumPy."""
    padded = np.pad(x, 1, mode="edge")
    return (padded[:-2] + 2 * x + padded[2:]) / 4


def kernel_on_our_memory(device: str) -> bool:
    x = xp.arange(COUNT, dtype=xp.float32, device=device) % 100 / 100  # the teeth of a saw
    y = xp.empty_like(x)
    source, target = x.to_pyopencl(), y.to_pyopencl()
    kernel = cl.Program(source.context, SMOOTH).build().smooth
    kernel(source.queue, x.shape, None, source.base_data, target.base_data)
    total = xp.sum(xp.abs(y - x))  # comes behind the kernel by itself

    theirs = np.arange(COUNT, dtype=np.float32) % 100 / 100
    expected = smooth(theirs)
    change = np.sum(np.abs(expected - theirs))
    print(f"{y.device}: the kernel changed {float(total):.2f} in all, NumPy {change:.2f}")
    return np.allclose(target.get(), expected, atol=1e-6)


def expression_on_their_memory(device: str) -> bool:
    context = cl.Context([xp.Context(device).to_pyopencl().devices[0]])
    queue = cl.CommandQueue(context)
    theirs = cla.arange(queue, COUNT, dtype=np.float32)
    theirs *= np.float32(1e-3)

    ours = xp.from_pyopencl(theirs)
    with xp.fusing():  # nobody writes to it meanwhile
        result = xp.exp(-ours) * xp.cos(3 * ours) + ours / 10
    ours += 1  # in place: pyopencl's array has it
    back = result.to_pyopencl(queue=queue)
    mixed = back * 2 + theirs  # pyopencl's kernels, behind ours on its own queue

    x = np.arange(COUNT, dtype=np.float32) * np.float32(1e-3)
    wanted = 2 * (np.exp(-x) * np.cos(3 * x) + x / 10) + (x + 1)
    print(f"{ours.device}: pyopencl has {mixed.get()[-1]:.5f} at the end, NumPy {wanted[-1]:.5f}")
    return np.array_equal(theirs.get(), x + 1) and np.allclose(mixed.get(), wanted, rtol=1e-5)


def main() -> int:
    parser = argparse.ArgumentParser(description="pyopencl's kernels and Isthmus' on one memory.")
    parser.add_argument(
        "--device", default="opencl:0", help="an OpenCL device of python -m isthmus"
    )
    arguments = parser.parse_args()
    copies = xp.statistics()["copies"]
    if not kernel_on_our_memory(arguments.device):
        print("what the kernel wrote is not NumPy's", file=sys.stderr)
        return 1
    if not expression_on_their_memory(arguments.device):
        print("what pyopencl got back is not NumPy's", file=sys.stderr)
        return 1
    if copies := xp.statistics()["copies"] - copies:
        print(f"something was copied, {copies} times", file=sys.stderr)
        return 1
    print("Both directions agree with NumPy.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
