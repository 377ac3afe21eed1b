"""Heat in a plate of two materials, in small steps.

    python examples/cl/heat_equation.py [picture.pgm]

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

SIDE = 512
STEPS = 50


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """Temperatures after all steps: an array of (SIDE, SIDE)."""
    down, across = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    warm = np.exp(-60 * ((across - 0.4) ** 2 + (down - 0.5) ** 2)).astype(np.float32)
    conducts = np.where(across + 0.2 * down > 0.6, 0.24, 0.04).astype(np.float32)
    u = cl_array.to_device(queue, warm.ravel(), allocator=allocator)
    k = cl_array.to_device(queue, conducts.ravel(), allocator=allocator)
    n = SIDE
    half = np.float32(0.5)
    for _ in range(STEPS):
        # heat that goes to the next column and to the next row, rows behind each other
        right = half * (k[:-1] + k[1:]) * (u[:-1] - u[1:])
        below = half * (k[:-n] + k[n:]) * (u[:-n] - u[n:])
        gained = right[n - 1 : -n] - right[n : 1 - n] + below[:-n] - below[n:]
        u[n:-n] += gained
    return u.get().reshape(SIDE, SIDE)


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print(f"mean {result.mean():.6f}, highest {result.max():.6f}")
    picture.write_if_asked(np.sqrt(np.maximum(result, 0)))


if __name__ == "__main__":
    main()
