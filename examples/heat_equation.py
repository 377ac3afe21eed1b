"""The heat equation on a square plate, explicit, in place by slices.

    python examples/heat_equation.py [--device opencl:0] [--size 512] [--steps 200]

A step is one statement, as NumPy's users write it, and the same function runs on NumPy's array and
on ours. What it assigns to and what it reads overlap: the result is as if the right side had been
calculated first.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import isthmus as xp

ALPHA = 0.2  # diffusivity times the time step over the square of the mesh; up to 0.25 is stable


def heat(u: Any) -> None:
    """Heats the upper edge, and a spot in the middle."""
    middle = u.shape[0] // 2
    u[0] = 100.0
    u[middle - 8 : middle + 8, middle - 8 : middle + 8] = 50.0


def step(u: Any) -> None:
    neighbours = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
    u[1:-1, 1:-1] += ALPHA * (neighbours - 4 * u[1:-1, 1:-1])


def simulate(u: Any, steps: int) -> float:
    """Seconds."""
    heat(u)
    step(u)  # kernels are built now
    begin = time.perf_counter()
    for _ in range(steps - 1):
        step(u)
    if isinstance(u, xp.Array):
        xp.synchronize(u.device)
    return time.perf_counter() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description="The heat equation on a plate.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--steps", type=int, default=200)
    arguments = parser.parse_args()
    shape = (arguments.size, arguments.size)

    ours = xp.zeros(shape, dtype=xp.float32, device=arguments.device)
    before = xp.statistics()["kernels"]
    seconds = simulate(ours, arguments.steps)
    kernels = (xp.statistics()["kernels"] - before) / arguments.steps
    theirs = np.zeros(shape, dtype=np.float32)
    numpy_seconds = simulate(theirs, arguments.steps)

    def a_step(total: float) -> str:
        return f"{total / (arguments.steps - 1) * 1e6:.0f} us"

    times = f"{a_step(seconds)} a step; {a_step(numpy_seconds)} by NumPy"
    print(f"{ours.device}: {kernels:.2f} kernels and {times}")
    print(f"mean temperature {float(xp.mean(ours)):.4f}")
    off = np.max(np.abs(ours.to_numpy() - theirs))
    if off > 1e-3:
        print(f"a temperature is off by {off} beside NumPy's", file=sys.stderr)
        return 1
    print(f"The plate agrees with NumPy's: off by at most {off:.2g} of 100.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
