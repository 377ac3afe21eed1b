"""Particles as structs: NumPy has the table, Isthmus moves it, field by field and in place.

    python examples/particles.py [--device cpu] [--count 200000] [--steps 20]

A field of a struct array is a view, so `p["x"] += dt * p["vx"]` writes into NumPy's table. NumPy
sorts it afterwards, and is checked against its own calculation.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import isthmus as xp

PARTICLE = np.dtype([(name, "f4") for name in ("x", "y", "z", "vx", "vy", "vz", "mass")])
DT, GRAVITY, DRAG = 0.01, 9.81, 0.1


def make(count: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(5)
    p = np.zeros(count, PARTICLE)
    for axis in "xyz":
        p[axis] = rng.uniform(0, 10, count)
        p["v" + axis] = rng.normal(0, 3, count)
    p["mass"] = rng.uniform(1, 2, count)
    return p


def step(p: Any) -> None:
    """Gravity, drag, motion, and a floor that throws back. `p` is NumPy's or ours."""
    p["vz"] -= DT * GRAVITY
    for axis in "xyz":
        p["v" + axis] -= DT * DRAG * p["v" + axis] / p["mass"]
        p[axis] += DT * p["v" + axis]
    is_below = p["z"] < 0
    p["vz"] *= 1 - 2 * is_below
    p["z"] *= 1 - 2 * is_below


def main() -> int:
    parser = argparse.ArgumentParser(description="Particles as structs.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    table = make(arguments.count)
    expected = table.copy()

    ours = xp.asarray(table, device=arguments.device, copy=False)
    begin = time.perf_counter()
    for _ in range(arguments.steps):
        step(ours)
    xp.synchronize(ours.device)
    seconds = time.perf_counter() - begin
    begin = time.perf_counter()
    for _ in range(arguments.steps):
        step(expected)
    numpy_seconds = time.perf_counter() - begin
    ms = 1e3 / arguments.steps
    print(f"{ours.device}: {seconds * ms:.2f} ms a step; {numpy_seconds * ms:.2f} ms by NumPy")

    # where Isthmus has written is NumPy's table: there is nothing to fetch
    lowest = np.sort(table, order="z")[:3]
    print("the lowest three:", *lowest, sep="\n  ")
    speed2 = ours["vx"] ** 2 + ours["vy"] ** 2 + ours["vz"] ** 2
    print(f"kinetic energy {float(xp.sum(ours['mass'] * speed2)) / 2:.1f}")
    for name in PARTICLE.names or ():
        if not np.allclose(table[name], expected[name], rtol=1e-5, atol=1e-5):
            off = np.max(np.abs(table[name] - expected[name]))
            print(f"{name} is off by {off} beside NumPy's", file=sys.stderr)
            return 1
    print("The particles agree with NumPy's, in NumPy's own memory.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
