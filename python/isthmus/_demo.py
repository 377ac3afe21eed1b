"""``python -m isthmus demo`` and ``bench``: one expression, on every device, beside NumPy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import isthmus

EXPRESSION = "2 * x + sin(x) - x / 3"


def best_seconds(run: Callable[[], object], rounds: int = 7) -> float:
    """The shortest of some runs, after one that builds what is needed."""
    run()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def _numpy(x: Any) -> Any:
    return 2 * x + np.sin(x) - x / 3


def _ours(x: isthmus.Array) -> isthmus.Array:
    return (2 * x + isthmus.sin(x) - x / 3).eval()


def _runner(device: isthmus.Device, numbers: Any) -> Callable[[], object]:
    """Runs the expression there, on memory of the device's own, and waits for it."""
    x = isthmus.asarray(numbers, device=device, copy=True)

    def run() -> None:
        _ours(x)
        isthmus.synchronize(device)

    return run


def _runner_of_numpy(numbers: Any) -> Callable[[], object]:
    return lambda: _numpy(numbers)


def demo(size: int = 1_000_000) -> None:
    """Prints the devices, one fused expression, and what NumPy then sees of it. Waits."""
    numbers = np.linspace(0, 1, size, dtype=np.float32)
    x = isthmus.from_dlpack(numbers)
    print(f"x is a NumPy array of {size} float32, at the same address: no copy")
    with isthmus.fusing(), isthmus.profile() as seen:
        y = _ours(x)
    (kernel,) = seen.kernels
    print(f"{EXPRESSION}: one kernel of {len(kernel.operations)} operations")
    back = np.from_dlpack(y)
    print(f"NumPy sees the result without a copy: {back[:3]}, off by {_error(back, numbers):.1g}")
    print(f"  {'NumPy':12} {best_seconds(_runner_of_numpy(numbers)) * 1e3:8.3f} ms")
    for device in isthmus.devices():
        seconds = best_seconds(_runner(device, numbers))
        print(f"  {device!s:12} {seconds * 1e3:8.3f} ms  {device.info['name']}")


def _error(found: Any, numbers: Any) -> float:
    return float(np.max(np.abs(found - _numpy(numbers.astype(np.float64)))))


def bench(sizes: tuple[int, ...] = (1_000, 100_000, 1_000_000, 10_000_000)) -> None:
    """Prints a table: the expression by size, NumPy beside each device. Waits.

    A look at this machine; the figures that the documentation holds come from bench/.
    """
    devices = isthmus.devices()
    print(f"{EXPRESSION} in float32, best of 7, in microseconds")
    print("  ".join(["elements", f"{'NumPy':>12}", *(f"{device!s:>12}" for device in devices)]))
    for size in sizes:
        numbers = np.linspace(0, 1, size, dtype=np.float32)
        runs = [_runner_of_numpy(numbers), *(_runner(device, numbers) for device in devices)]
        cells = (f"{best_seconds(run) * 1e6:12.1f}" for run in runs)
        print("  ".join([f"{size:8}", *cells]))
