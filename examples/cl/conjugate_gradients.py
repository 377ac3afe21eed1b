"""Conjugate gradients: the potential of two charges in an earthed box.

    python examples/cl/conjugate_gradients.py [picture.pgm]

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

SIDE = 192
ITERATIONS = 200


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """The potential: an array of (SIDE, SIDE)."""
    charges = np.zeros((SIDE, SIDE))
    charges[SIDE // 3, SIDE // 3], charges[SIDE // 2, 3 * SIDE // 4] = 1, -1
    earthed = np.ones((SIDE, SIDE))
    earthed[0] = earthed[-1] = earthed[:, 0] = earthed[:, -1] = 0

    def on_device(host: np.ndarray[Any, Any]) -> Any:
        return cl_array.to_device(queue, host.ravel(), allocator=allocator)

    b, inner = on_device(charges), on_device(earthed)
    centre = slice(SIDE, -SIDE)
    product = cl_array.zeros_like(b)

    def laplace(v: Any) -> Any:
        """4 v minus its neighbours, rows behind each other; 0 on the walls."""
        above, below = v[: -2 * SIDE], v[2 * SIDE :]
        left, right = v[SIDE - 1 : -SIDE - 1], v[SIDE + 1 : -SIDE + 1]
        product[centre] = (4 * v[centre] - above - below - left - right) * inner[centre]
        return product

    x = cl_array.zeros_like(b)
    residual = b.copy()
    direction = residual.copy()
    size = cl_array.dot(residual, residual).get()
    for _ in range(ITERATIONS):
        image = laplace(direction)
        step = size / cl_array.dot(direction, image).get()
        x += step * direction
        residual -= step * image
        before, size = size, cl_array.dot(residual, residual).get()
        direction = residual + (size / before) * direction
    return x.get().reshape(SIDE, SIDE)


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print(f"potentials from {result.min():.4f} to {result.max():.4f}")
    picture.write_if_asked(np.arcsinh(50 * result))


if __name__ == "__main__":
    main()
