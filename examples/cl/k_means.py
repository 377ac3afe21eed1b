"""k-means: the centres of clouds of points.

    python examples/cl/k_means.py [picture.pgm]

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

POINTS = 300_000
CLOUDS = ((0.2, 0.3), (0.7, 0.2), (0.4, 0.8), (0.8, 0.7))
ROUNDS = 8


def points() -> np.ndarray[Any, Any]:
    """An array of (2, POINTS)."""
    random = np.random.default_rng(7)
    around = np.array(CLOUDS).T[:, random.integers(len(CLOUDS), size=POINTS)]
    return (around + random.normal(scale=0.08, size=(2, POINTS))).astype(np.float32)


START = points()


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """The centres: an array of (clouds, 2)."""
    x, y = (cl_array.to_device(queue, row, allocator=allocator) for row in START)
    centres = np.array([(0.3, 0.5), (0.5, 0.3), (0.5, 0.6), (0.7, 0.5)], np.float32)
    for _ in range(ROUNDS):
        nearest = cl_array.zeros_like(x)
        least = cl_array.zeros_like(x).fill(np.float32(9))
        for number, (cx, cy) in enumerate(centres):
            distance = (x - cx) * (x - cx) + (y - cy) * (y - cy)
            nearest = nearest * (distance >= least) + np.float32(number) * (distance < least)
            least = cl_array.minimum(distance, least)
        for number in range(len(centres)):
            belongs = (nearest == number).astype(np.float32)
            count = cl_array.sum(belongs).get()
            sums = cl_array.dot(x, belongs).get(), cl_array.dot(y, belongs).get()
            centres[number] = np.array(sums) / count
    return centres


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print("centres", *(f"({x:.3f}, {y:.3f})" for x, y in result))
    counts, _, _ = np.histogram2d(*START[::-1], bins=256, range=[[0, 1], [0, 1]])
    for x, y in result:
        counts[int(256 * y) - 4 :, int(256 * x) - 4 :][:9, :9] = counts.max()
    picture.write_if_asked(counts)


if __name__ == "__main__":
    main()
