"""The Mandelbrot set, by arithmetic of whole arrays.

    python examples/cl/mandelbrot.py [picture.pgm]

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
else:
    import isthmus.cl.array as cl_array

WIDTH, HEIGHT = 768, 512
ITERATIONS = 40
FAR = np.float32(4)


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """How many steps each point stays near: an array of (HEIGHT, WIDTH)."""
    across = np.linspace(-2.1, 0.9, WIDTH, dtype=np.float32)
    down = np.linspace(-1, 1, HEIGHT, dtype=np.float32)
    host_x, host_y = np.meshgrid(across, down)
    cx = cl_array.to_device(queue, host_x, allocator=allocator)
    cy = cl_array.to_device(queue, host_y, allocator=allocator)
    x, y = cx.copy(), cy.copy()
    counts = cl_array.zeros(queue, cx.shape, np.int32, allocator=allocator)
    for _ in range(ITERATIONS):
        xx = x * x
        yy = y * y
        counts += (xx + yy < FAR).astype(np.int32)
        y = cl_array.minimum(2 * x * y + cy, FAR)  # points that left stay finite
        x = cl_array.minimum(xx - yy + cx, FAR)
        y = cl_array.maximum(y, -FAR)
        x = cl_array.maximum(x, -FAR)
    return counts.get()


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    inside = (result == ITERATIONS).mean()
    print(f"{100 * inside:.1f} % of the points stay for {ITERATIONS} steps")
    picture.write_if_asked(result)


if __name__ == "__main__":
    main()
