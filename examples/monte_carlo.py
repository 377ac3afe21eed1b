"""The price of an option as the mean over random paths, beside the formula of Black and Scholes.

    python examples/monte_carlo.py [--device cpu] [--paths 4000000] [--out prices.pgm]

The random numbers, what each path pays and the sum over all paths are one kernel: no path is ever
in memory. The same seed gives the same paths on every device. --out writes how often each price is
met at the end, as PGM, which any viewer shows; the grey ones pay nothing.
"""

from __future__ import annotations

import argparse
import copy
import math
import pathlib
import sys
import time

import numpy as np

import isthmus as xp

PRICE, STRIKE, RATE, VOLATILITY, YEARS = 100.0, 105.0, 0.03, 0.2, 1.0


def price_by_formula() -> float:
    """Of a European call."""
    spread = VOLATILITY * math.sqrt(YEARS)
    d = (math.log(PRICE / STRIKE) + (RATE + VOLATILITY**2 / 2) * YEARS) / spread

    def below(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    return PRICE * below(d) - STRIKE * math.exp(-RATE * YEARS) * below(d - spread)


def end_prices(rng: xp.random.Generator, paths: int, device: str) -> xp.Array:
    """Pending."""
    drift = (RATE - VOLATILITY**2 / 2) * YEARS
    spread = VOLATILITY * math.sqrt(YEARS)
    normal = rng.standard_normal(paths, dtype="float32", device=device)
    return PRICE * xp.exp(drift + spread * normal)


def paid(rng: xp.random.Generator, paths: int, device: str) -> xp.Array:
    """What each path pays; pending, and nothing of it has a name, so that none is kept."""
    return math.exp(-RATE * YEARS) * xp.maximum(end_prices(rng, paths, device) - STRIKE, 0)


def price_by_paths(rng: xp.random.Generator, paths: int, device: str) -> tuple[float, float]:
    """The mean of what the paths pay, and the deviation of that mean."""
    # a copy draws the same paths: to draw them twice takes less time than to keep them
    mean = float(xp.mean(paid(copy.copy(rng), paths, device)))
    square = float(xp.mean(xp.square(paid(rng, paths, device) - mean)))
    return mean, math.sqrt(square / paths)


def write_picture(path: pathlib.Path, prices: xp.Array) -> None:
    """Bars for prices from 40 to 200."""
    width, height = 256, 128
    counts, edges = (x.to_device("cpu").to_numpy() for x in xp.histogram(prices, width, (40, 200)))
    grey = np.where(edges[:-1] < STRIKE, 120, 255)
    is_bar = np.arange(height, 0, -1)[:, None] <= counts * (height / counts.max())
    pixels = (is_bar * grey).astype(np.uint8)
    path.write_bytes(f"P5 {width} {height} 255\n".encode() + pixels.tobytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--paths", type=int, default=4_000_000)
    parser.add_argument("--out", type=pathlib.Path, help="where to write the picture")
    options = parser.parse_args()
    begin = time.perf_counter()
    mean, deviation = price_by_paths(xp.random.default_rng(2026), options.paths, options.device)
    seconds = time.perf_counter() - begin
    formula = price_by_formula()
    print(f"{options.paths} paths on {options.device} in {seconds:.2f} s")
    print(f"price {mean:.4f} +- {deviation:.4f}, by the formula {formula:.4f}")
    if options.out:
        rng = xp.random.default_rng(2026)
        write_picture(options.out, end_prices(rng, options.paths, options.device))
    if abs(mean - formula) > 4 * deviation:
        print("The mean is farther from the formula than chance allows", file=sys.stderr)
        return 1
    print("The mean agrees with the formula")
    return 0


if __name__ == "__main__":
    sys.exit(main())
