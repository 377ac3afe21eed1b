"""Mean, variance, least and greatest of data that arrives in batches and is never kept.

    python examples/running_statistics.py [--device cpu] [--batches 40] [--rows 20000]

A reader fills one buffer of NumPy's again and again, as a camera or a file does. Isthmus has it
from the beginning, without a copy, and sees each batch; partial results are combined as by Chan,
Golub and LeVeque. The check has NumPy keep all of it and calculate once.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import isthmus as xp

COLUMNS = 8


def batches(count: int, buffer: np.ndarray[Any, Any]) -> Iterator[None]:
    """Fills the buffer with each batch in turn."""
    rng = np.random.default_rng(3)
    for _ in range(count):
        buffer[...] = rng.gamma(2.0, size=buffer.shape) + 10 * np.arange(COLUMNS)
        yield


@dataclass
class Running:
    """What is known of the rows so far, by column. `m2` sums squares of distances to the mean."""

    count: int = 0
    mean: Any = 0.0
    m2: Any = 0.0
    least: Any = xp.inf
    greatest: Any = -xp.inf

    def add(self, batch: xp.Array) -> None:
        """Has finished reading the batch when it returns, since others may write to that."""
        n = batch.shape[0]
        total = self.count + n
        mean = xp.mean(batch, axis=0)
        delta = mean - self.mean
        m2 = xp.sum(xp.square(batch - mean), axis=0)
        self.m2 = self.m2 + m2 + delta * delta * (self.count * n / total)
        self.mean = self.mean + delta * (n / total)
        self.least = xp.minimum(self.least, xp.min(batch, axis=0))
        self.greatest = xp.maximum(self.greatest, xp.max(batch, axis=0))
        self.count = total
        for known in (self.m2, self.mean, self.least, self.greatest):
            known.eval()  # a stream has no end: nothing may stay pending until there

    @property
    def variance(self) -> Any:
        return self.m2 / (self.count - 1)


def main() -> int:
    parser = argparse.ArgumentParser(description="Statistics of data in batches.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--batches", type=int, default=40)
    parser.add_argument("--rows", type=int, default=20_000)
    arguments = parser.parse_args()
    buffer = np.empty((arguments.rows, COLUMNS))
    ours = xp.asarray(buffer, device=arguments.device, copy=False)

    running, kept, seconds = Running(), [], 0.0
    for _ in batches(arguments.batches, buffer):
        kept.append(buffer.copy())  # for the check alone
        begin = time.perf_counter()
        running.add(ours)
        seconds += time.perf_counter() - begin

    whole = np.concatenate(kept)
    begin = time.perf_counter()
    expected = {
        "mean": whole.mean(axis=0),
        "variance": whole.var(axis=0, ddof=1),
        "least": whole.min(axis=0),
        "greatest": whole.max(axis=0),
    }
    numpy_seconds = time.perf_counter() - begin
    times = f"{seconds * 1e3:.1f} ms; {numpy_seconds * 1e3:.1f} ms by NumPy on the whole"
    print(f"{ours.device}: {running.count} rows in {times}")
    for name, theirs in expected.items():
        got = getattr(running, name).to_numpy()
        print(f"{name:9}", np.array2string(got, precision=3))
        if not np.allclose(got, theirs, rtol=1e-12):
            print(f"{name} is {got}, NumPy's {theirs}", file=sys.stderr)
            return 1
    print("What was seen batch by batch agrees with NumPy on the whole.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
