"""Two substances that react and spread: a kernel of our own between arithmetic of arrays.

    python examples/cl/reaction.py [picture.pgm]

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

SIDE = 256
STEPS = 60
FEED, DECAY = np.float32(0.037), np.float32(0.06)

SPREAD = """
__kernel void spread(__global const float* u, __global float* result, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = (x + n - 1) % n, right = (x + 1) % n;
  const int up = (y + n - 1) % n, down = (y + 1) % n;
  result[y * n + x] =
      u[y * n + left] + u[y * n + right] + u[up * n + x] + u[down * n + x] - 4 * u[y * n + x];
}
"""


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """Concentrations of the second substance: an array of (SIDE, SIDE)."""
    spread = cl.Program(queue.context, SPREAD).build().spread
    first = np.ones((SIDE, SIDE), np.float32)
    second = np.zeros((SIDE, SIDE), np.float32)
    middle = slice(SIDE // 2 - 10, SIDE // 2 + 10)
    first[middle, middle], second[middle, middle] = 0.5, 0.25
    u = cl_array.to_device(queue, first, allocator=allocator)
    v = cl_array.to_device(queue, second, allocator=allocator)
    around_u, around_v = cl_array.empty_like(u), cl_array.empty_like(v)
    for _ in range(STEPS):
        spread(queue, u.shape, None, u.data, around_u.data, np.int32(SIDE))
        spread(queue, v.shape, None, v.data, around_v.data, np.int32(SIDE))
        reaction = u * v * v
        u += np.float32(0.2) * around_u - reaction + FEED * (1 - u)
        v += np.float32(0.1) * around_v + reaction - (FEED + DECAY) * v
    return v.get()


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print(f"the second substance: mean {result.mean():.6f}, at most {result.max():.6f}")
    picture.write_if_asked(result)


if __name__ == "__main__":
    main()
