"""A histogram with atomic additions, its running sums, and the picture they make even.

    python examples/cl/histogram.py [picture.pgm]

ARRAYS=pyopencl in the environment takes pyopencl's arrays: the imports are all that differs.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import picture
import pyopencl as cl

if os.environ.get("ARRAYS") == "pyopencl":
    import pyopencl.array as cl_array
    from pyopencl.elementwise import ElementwiseKernel
else:
    import isthmus.cl.array as cl_array
    from isthmus.cl.elementwise import ElementwiseKernel

SIDE = 1024
LEVELS = 256


def dark_picture() -> np.ndarray[Any, Any]:
    """Waves, most of them dark: numbers from 0 to below 1."""
    down, across = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    wave = np.sin(20 * across + 5 * np.sin(9 * down)) * np.cos(14 * down)
    return (((wave + 1) / 2.001) ** 4).astype(np.float32)


DARK = dark_picture()


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """The picture with all levels equally frequent: an array of (SIDE, SIDE)."""
    count = ElementwiseKernel(
        queue.context, "int *levels, int *counts", "atomic_inc(counts + levels[i])", "count"
    )
    grey = cl_array.to_device(queue, DARK.ravel(), allocator=allocator)
    levels = (LEVELS * grey).astype(np.int32)
    counts = cl_array.zeros(queue, LEVELS, np.int32, allocator=allocator)
    count(levels, counts)
    sums = cl_array.cumsum(counts)
    even = cl_array.take(sums, levels).astype(np.float32) * np.float32(1 / SIDE**2)
    return even.get().reshape(SIDE, SIDE)


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print(f"mean grey {DARK.mean():.4f}, then {result.mean():.4f}")
    picture.write_if_asked(result)


if __name__ == "__main__":
    main()
