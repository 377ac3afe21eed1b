"""The centres of clouds of points by k-means, beside NumPy.

    python examples/k_means.py [--device cpu] [--points 300000] [--out clouds.pgm]

The nearest centre of each point is one kernel: distances by broadcasting, and where the least one
is. So are the sums of the points of each centre. No distance is ever in memory. --out writes the
points, each in the grey of its centre, as PGM, which any viewer shows.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from typing import Any

import numpy as np

import isthmus as xp

CLOUDS = ((0.2, 0.3), (0.7, 0.2), (0.4, 0.8), (0.8, 0.7))
START = ((0.3, 0.5), (0.5, 0.3), (0.5, 0.6), (0.7, 0.5))
ROUNDS = 10
SIDE = 256  # of the picture


def draw_points(count: int, device: str) -> xp.Array:
    """Points around the clouds, an array of (2, count): the same on every device."""
    rng = xp.random.default_rng(2026)
    clouds = xp.asarray(np.transpose(CLOUDS).astype(np.float32), device=device)
    around = xp.take(clouds, rng.integers(0, len(CLOUDS), count, device=device), axis=1)
    spread = rng.standard_normal((2, count), dtype="float32", device=device)
    return (around + 0.08 * spread).eval()


def nearest(points: xp.Array, centres: xp.Array) -> xp.Array:
    """The number of the nearest centre of each point; pending."""
    away = [xp.square(row - centres[:, k, None]) for k, row in enumerate(xp.unstack(points))]
    return xp.argmin(away[0] + away[1], axis=0)


def find_centres(points: xp.Array) -> xp.Array:
    """An array of (clouds, 2)."""
    centres = xp.asarray(np.array(START, np.float32), device=points.device)
    numbers = xp.arange(len(START), device=points.device)[:, None]
    for _ in range(ROUNDS):
        belongs = nearest(points, centres).eval() == numbers  # each label is used twelve times
        sums = xp.sum(points[:, None, :] * belongs, axis=2)
        centres = (sums / xp.count_nonzero(belongs, axis=1)).T.astype("float32")
    return centres


def find_centres_by_numpy(points: Any) -> Any:
    centres = np.array(START, np.float32)
    for _ in range(ROUNDS):
        distances = np.square(points.T[:, None] - centres).sum(axis=2)
        labels = distances.argmin(axis=1)
        counts = np.bincount(labels, minlength=len(START))
        sums = [np.bincount(labels, weights=row, minlength=len(START)) for row in points]
        centres = (np.stack(sums, axis=1) / counts[:, None]).astype(np.float32)
    return centres


def write_picture(path: pathlib.Path, points: xp.Array, centres: xp.Array) -> None:
    """Each point in the grey of its centre, on black."""
    column, row = xp.unstack(xp.clip(SIDE * points, min=0, max=SIDE - 1).astype("int32"))
    greys = 80 + 50 * nearest(points, centres)
    pixels = xp.zeros((SIDE, SIDE), "uint8", device=points.device)
    pixels[row, column] = greys.astype("uint8")
    path.write_bytes(f"P5 {SIDE} {SIDE} 255\n".encode() + pixels.to_device("cpu").tobytes())


def main() -> int:
    parser = argparse.ArgumentParser(description="The centres of clouds of points.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--points", type=int, default=300_000)
    parser.add_argument("--out", type=pathlib.Path, help="where to write the picture")
    options = parser.parse_args()
    points = draw_points(options.points, options.device)
    find_centres(points).eval()  # kernels are built now
    begin = time.perf_counter()
    ours = find_centres(points)
    found = ours.to_device("cpu").to_numpy()
    seconds = time.perf_counter() - begin
    host = points.to_device("cpu").to_numpy()
    begin = time.perf_counter()
    theirs = find_centres_by_numpy(host)
    numpy_seconds = time.perf_counter() - begin
    print(f"{points.device}: {seconds * 1e3:.0f} ms; {numpy_seconds * 1e3:.0f} ms by NumPy")
    print("centres", *(f"({x:.3f}, {y:.3f})" for x, y in found))
    if options.out:
        write_picture(options.out, points, ours)
    if not np.allclose(found, theirs, atol=1e-3):  # a point between two may go to either
        print(f"NumPy's are {theirs.tolist()}", file=sys.stderr)
        return 1
    print("Each centre agrees with NumPy's.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
