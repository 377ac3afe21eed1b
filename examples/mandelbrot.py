"""The Mandelbrot set by a function of elements in OpenCL C, beside the same loop in NumPy.

    python examples/mandelbrot.py [--device opencl:0] [--size 480] [--steps 200] [--out set.pgm]

The function stops each point on its own, which no expression of arrays does: NumPy goes on with all
points until the last one has left. --out writes the picture as PGM, which any viewer shows.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from typing import Any

import numpy as np

import isthmus as xp

ESCAPE = xp.ElementwiseKernel(
    "complex64 c, int32 most",
    "int32 steps",
    """
    float x = 0, y = 0;
    int k = 0;
    for (; k < most && x * x + y * y <= 4; ++k) {
      const float next = x * x - y * y + c.real;
      y = 2 * x * y + c.imag;
      x = next;
    }
    steps = k""",
    "escape",
)


def plane(size: int) -> Any:
    """Points of the part of the complex plane where the set is."""
    x = np.linspace(-2.2, 0.8, size, dtype=np.float32)
    y = np.linspace(-1.2, 1.2, size * 4 // 5, dtype=np.float32)
    return x + 1j * y[:, np.newaxis]


def escape(c: Any, most: int) -> Any:
    """The same by NumPy, in the same order of operations."""
    x, y = np.zeros_like(c.real), np.zeros_like(c.real)
    steps = np.zeros(c.shape, np.int32)
    for _ in range(most):
        stays = x * x + y * y <= 4
        steps += stays
        x, y = (
            np.where(stays, x * x - y * y + c.real, x),
            np.where(stays, 2 * x * y + c.imag, y),
        )
    return steps


def write_picture(path: pathlib.Path, steps: Any, most: int) -> None:
    """The sooner a point leaves, the darker it is; the set itself is black."""
    grey = np.where(steps == most, 0, 255 * np.sqrt(steps / most)).astype(np.uint8)
    height, width = grey.shape
    path.write_bytes(f"P5 {width} {height} 255\n".encode() + grey.tobytes())


def main() -> int:
    parser = argparse.ArgumentParser(description="The Mandelbrot set by a kernel of one's own.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--size", type=int, default=480)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--out", type=pathlib.Path, help="where to write the picture")
    arguments = parser.parse_args()
    points = plane(arguments.size).astype(np.complex64)

    c = xp.asarray(points, device=arguments.device)
    ESCAPE(c, arguments.steps).eval()  # the kernel is built now
    xp.synchronize(c.device)
    begin = time.perf_counter()
    ours = ESCAPE(c, arguments.steps).to_numpy()
    seconds = time.perf_counter() - begin
    begin = time.perf_counter()
    theirs = escape(points, arguments.steps)
    numpy_seconds = time.perf_counter() - begin

    print(
        f"{c.device}: {ours.size} points in {seconds * 1e3:.1f} ms; {numpy_seconds:.2f} s by NumPy"
    )
    print(f"{np.mean(ours == arguments.steps):.1%} of the points are in the set")
    if arguments.out:
        write_picture(arguments.out, ours, arguments.steps)
    # a compiler of a user's text may fuse a product and a sum: points at the edge then leave later
    off = np.mean(ours != theirs)
    if off > 0.01:
        print(f"{off:.1%} of the points differ from NumPy's", file=sys.stderr)
        return 1
    print(f"The set agrees with NumPy's: {off:.2%} of the points take another number of steps.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
