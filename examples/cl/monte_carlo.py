"""Monte Carlo with clrandom: the price of an option on the mean of a year's prices.

    python examples/cl/monte_carlo.py [picture.pgm]

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
    import pyopencl.clmath as clmath
    from pyopencl.clrandom import PhiloxGenerator
else:
    import isthmus.cl.array as cl_array
    import isthmus.cl.clmath as clmath
    from isthmus.cl.clrandom import PhiloxGenerator

PATHS = 200_000
MONTHS = 12
START, STRIKE, RATE, VOLATILITY = 100.0, 100.0, 0.05, 0.2


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """What the option pays on each path, in today's money: an array of PATHS."""
    generator = PhiloxGenerator(queue.context, seed=11)
    drift = np.float32((RATE - VOLATILITY**2 / 2) / MONTHS)
    scale = np.float32(VOLATILITY / np.sqrt(MONTHS))
    logarithm = cl_array.zeros(queue, PATHS, np.float32, allocator=allocator)
    total = cl_array.zeros(queue, PATHS, np.float32, allocator=allocator)
    for _ in range(MONTHS):
        shock = generator.normal(queue, PATHS, np.float32, allocator=allocator)
        logarithm += drift + scale * shock
        total += np.float32(START) * clmath.exp(logarithm)
    gain = cl_array.maximum(total / MONTHS - np.float32(STRIKE), np.float32(0))
    return (np.float32(np.exp(-RATE)) * gain).get()


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    error = result.std() / np.sqrt(PATHS)
    print(f"price {result.mean():.3f} +- {error:.3f}")
    counts, _ = np.histogram(result, bins=256, range=(0, 60))
    picture.write_if_asked(np.log1p(counts)[None, :].repeat(64, axis=0))


if __name__ == "__main__":
    main()
