"""A reduction of structs: the lowest and the highest point of a landscape, and where they are.

    python examples/cl/struct_reduction.py [picture.pgm]

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
    from pyopencl.reduction import ReductionKernel
    from pyopencl.tools import get_or_register_dtype, match_dtype_to_c_struct
else:
    import isthmus.cl.array as cl_array
    from isthmus.cl.reduction import ReductionKernel
    from isthmus.cl.tools import get_or_register_dtype, match_dtype_to_c_struct

SIDE = 1024

FUNCTIONS = """
extremes begin() {
  extremes e = {INFINITY, -INFINITY, -1, -1};
  return e;
}
extremes of(float value, int at) {
  extremes e = {value, value, at, at};
  return e;
}
extremes both(extremes a, extremes b) {
  if (b.low < a.low || (b.low == a.low && b.low_at < a.low_at)) {
    a.low = b.low;
    a.low_at = b.low_at;
  }
  if (b.high > a.high || (b.high == a.high && b.high_at < a.high_at)) {
    a.high = b.high;
    a.high_at = b.high_at;
  }
  return a;
}
"""


def landscape() -> np.ndarray[Any, Any]:
    """Heights of hills: an array of (SIDE, SIDE)."""
    down, across = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    hills = np.sin(13 * across) * np.cos(17 * down) + np.sin(5 * across * down)
    return (hills - (across - 0.4) ** 2).astype(np.float32)


LANDSCAPE = landscape()


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """Low, its place, high, its place: one struct."""
    fields = [("low", "f4"), ("high", "f4"), ("low_at", "i4"), ("high_at", "i4")]
    dtype, text = match_dtype_to_c_struct(queue.device, "extremes", np.dtype(fields))
    dtype = get_or_register_dtype("extremes", dtype)
    find = ReductionKernel(
        queue.context,
        dtype,
        neutral="begin()",
        reduce_expr="both(a, b)",
        map_expr="of(x[i], i)",
        arguments="__global const float *x",
        preamble=text + FUNCTIONS,
    )
    x = cl_array.to_device(queue, LANDSCAPE.ravel(), allocator=allocator)
    return find(2 * x + 1).get()


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    for name in ("low", "high"):
        place = divmod(int(result[f"{name}_at"]), SIDE)
        print(f"{name} {float(result[name]):.4f} at {place}")
    picture.write_if_asked(LANDSCAPE)


if __name__ == "__main__":
    main()
