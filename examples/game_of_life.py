"""Conway's game of life by a kernel with local memory, beside NumPy.

    python examples/game_of_life.py [--device opencl:0] [--size 256] [--steps 100] [--out life.pgm]

Each work-group copies its tile and the cells around it to local memory once, and counts neighbours
there. The world is a torus. --out writes the last generation as PGM, which any viewer shows.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from typing import Any

import numpy as np

import isthmus as xp

TILE = 16
STEP = xp.RawKernel(
    """
__kernel void step(__global const uchar* old, __global uchar* next, const int size,
                   __local uchar* tile) {
  const int side = TILE + 2;
  const int x0 = get_group_id(0) * TILE - 1, y0 = get_group_id(1) * TILE - 1;
  const int me = get_local_id(1) * TILE + get_local_id(0);
  for (int k = me; k < side * side; k += TILE * TILE) {
    const int x = x0 + k % side, y = y0 + k / side;
    const int column = x < 0 ? size - 1 : x < size ? x : 0;
    const int row = y < 0 ? size - 1 : y < size ? y : 0;
    tile[k] = old[row * size + column];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int at = (get_local_id(1) + 1) * side + get_local_id(0) + 1;
  const int neighbours = tile[at - side - 1] + tile[at - side] + tile[at - side + 1] +
                         tile[at - 1] + tile[at + 1] +
                         tile[at + side - 1] + tile[at + side] + tile[at + side + 1];
  next[get_global_id(1) * size + get_global_id(0)] =
      neighbours == 3 || (neighbours == 2 && tile[at]);
}
""",
    "step",
    (f"-DTILE={TILE}",),
)


def play(world: xp.Array, steps: int) -> xp.Array:
    """The world so many generations later; two arrays take turns."""
    size = world.shape[0]
    groups, items = (size // TILE, size // TILE), (TILE, TILE)
    old = xp.asarray(world, copy=True)
    new = xp.zeros_like(world)
    for _ in range(steps):
        STEP(groups, items, (old, new, size, xp.LocalMemory((TILE + 2) ** 2)))
        old, new = new, old
    return old


def play_by_numpy(world: Any, steps: int) -> Any:
    turns = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    for _ in range(steps):
        neighbours = sum(np.roll(world, turn, (0, 1)) for turn in turns)
        world = ((neighbours == 3) | ((neighbours == 2) & (world == 1))).astype(np.uint8)
    return world


def write_picture(path: pathlib.Path, world: Any) -> None:
    height, width = world.shape
    path.write_bytes(f"P5 {width} {height} 255\n".encode() + (255 * world).tobytes())


def main() -> int:
    parser = argparse.ArgumentParser(description="The game of life by a kernel of one's own.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--size", type=int, default=256, help=f"of a side, a multiple of {TILE}")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--out", type=pathlib.Path, help="where to write the picture")
    arguments = parser.parse_args()
    if arguments.size % TILE:
        parser.error(f"--size is a multiple of {TILE}")
    rng = np.random.default_rng(2026)
    first = (rng.random((arguments.size, arguments.size)) < 0.3).astype(np.uint8)

    world = xp.asarray(first, device=arguments.device, copy=True)
    play(world, 1)  # the kernel is built now
    xp.synchronize(world.device)
    begin = time.perf_counter()
    ours = play(world, arguments.steps).to_numpy()
    seconds = (time.perf_counter() - begin) / max(arguments.steps, 1)
    begin = time.perf_counter()
    theirs = play_by_numpy(first, arguments.steps)
    numpy_seconds = (time.perf_counter() - begin) / max(arguments.steps, 1)

    times = f"{seconds * 1e6:.0f} us a generation; {numpy_seconds * 1e6:.0f} us by NumPy"
    print(f"{world.device}: {times}")
    print(f"{int(ours.sum())} of {ours.size} cells live")
    if arguments.out:
        write_picture(arguments.out, ours)
    if not np.array_equal(ours, theirs):
        print(f"{np.sum(ours != theirs)} cells differ from NumPy's", file=sys.stderr)
        return 1
    print("Every cell agrees with NumPy's.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
