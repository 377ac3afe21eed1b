"""Gravitation between n bodies, by broadcasting and reductions.

    python examples/n_body.py [--device sycl:0] [--bodies 512] [--steps 20]

All pairs are an (n, n, 3) expression that is never stored: it is pending until its sum is
calculated. Where the device has float64 that is used, else float32. The same functions run on
NumPy, and energy has to stay what it was.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import isthmus as xp

SOFTENING = 0.05
DT = 1e-3


def acceleration(namespace: Any, x: Any, mass: Any) -> Any:
    """What all bodies do to each."""
    apart = x[None, :, :] - x[:, None, :]
    distance2 = namespace.sum(apart * apart, axis=-1, keepdims=True) + SOFTENING**2
    return namespace.sum(mass[None, :, None] * apart / distance2**1.5, axis=1)


def energy(namespace: Any, x: Any, v: Any, mass: Any) -> float:
    kinetic = namespace.sum(mass[:, None] * v * v) / 2
    apart = x[None, :, :] - x[:, None, :]
    distance = namespace.sqrt(namespace.sum(apart * apart, axis=-1) + SOFTENING**2)
    pairs = namespace.sum(mass[None, :] * mass[:, None] / distance)
    with_itself = namespace.sum(mass * mass) / SOFTENING
    return float(kinetic - (pairs - with_itself) / 2)


def simulate(namespace: Any, x: Any, v: Any, mass: Any, steps: int) -> float:
    """So many steps of leapfrog, in place. Returns seconds."""
    begin = time.perf_counter()
    a = acceleration(namespace, x, mass)
    for _ in range(steps):
        v += DT / 2 * a
        x += DT * v
        a = acceleration(namespace, x, mass)
        v += DT / 2 * a
    if isinstance(x, xp.Array):
        xp.synchronize(x.device)
    return time.perf_counter() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description="Gravitation between n bodies.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--bodies", type=int, default=512)
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    device = xp.Device(arguments.device)
    dtype = np.dtype("f8" if device.info["fp64"] else "f4")
    rng = np.random.default_rng(7)
    n = arguments.bodies
    x = rng.normal(size=(n, 3)).astype(dtype)
    v = (0.3 * rng.normal(size=(n, 3))).astype(dtype)
    mass = (rng.uniform(0.5, 1.5, size=n) / n).astype(dtype)

    xs, vs, masses = (xp.asarray(array, device=device, copy=True) for array in (x, v, mass))
    before = energy(xp, xs, vs, masses)
    kernels = xp.statistics()["kernels"]
    seconds = simulate(xp, xs, vs, masses, arguments.steps)
    kernels = xp.statistics()["kernels"] - kernels
    drift = abs(energy(xp, xs, vs, masses) / before - 1)
    numpy_seconds = simulate(np, x, v, mass, arguments.steps)

    ms = 1e3 / arguments.steps
    times = f"{seconds * ms:.1f} ms a step; {numpy_seconds * ms:.1f} ms by NumPy"
    print(f"{device}, {dtype}: {kernels / arguments.steps:.1f} kernels and {times}")
    print(f"energy {before:.6f}, drift {drift:.1e}")
    off = np.max(np.abs(xs.to_numpy() - x))
    if off > 1e3 * np.finfo(dtype).eps:
        print(f"a body is off by {off} beside NumPy's", file=sys.stderr)
        return 1
    if drift > 1e-3:
        print(f"energy is not what it was: off by {drift}", file=sys.stderr)
        return 1
    print(f"The orbits agree with NumPy's: off by at most {off:.1e}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
