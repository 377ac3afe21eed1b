"""Jacobi's iteration with slices: the temperature of a plate with a hot edge and a cold disc.

    python examples/cl/jacobi.py [picture.pgm]

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
STEPS = 100


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """Temperatures after all steps: an array of (SIDE, SIDE)."""
    plate = np.zeros((SIDE, SIDE), np.float32)
    plate[0] = 1
    rows, columns = np.indices(plate.shape)
    is_free = (rows - SIDE // 2) ** 2 + (columns - SIDE // 2) ** 2 > (SIDE // 8) ** 2
    is_free[0] = is_free[-1] = is_free[:, 0] = is_free[:, -1] = False
    u = cl_array.to_device(queue, plate.ravel(), allocator=allocator)
    share = cl_array.to_device(queue, (is_free / 4).astype(np.float32).ravel(), allocator=allocator)
    kept = 1 - 4 * share
    share, kept = share[SIDE:-SIDE], kept[SIDE:-SIDE]
    for _ in range(STEPS):
        across = u[SIDE - 1 : -SIDE - 1] + u[SIDE + 1 : -SIDE + 1]
        along = u[: -2 * SIDE] + u[2 * SIDE :]
        u[SIDE:-SIDE] = share * (across + along) + kept * u[SIDE:-SIDE]
    return u.get().reshape(SIDE, SIDE)


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print(f"mean temperature {result.mean():.6f}, of the tenth row {result[9].mean():.6f}")
    picture.write_if_asked(np.sqrt(result))


if __name__ == "__main__":
    main()
