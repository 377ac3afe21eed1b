"""Products of matrices on `cpu`, beside NumPy, whose BLAS is of the same kind.

`xp.devices(verbose=True)["blas"]` is the library of Isthmus. Where it is not NumPy's own copy, each
of the two has threads of its own. Integers are multiplied by kernels of Isthmus.

OpenBLAS's threads spin for 27 ms behind each call of NumPy's, on the processors that the next call
of Isthmus, in its turn, wants: `x @ y` of vectors then takes twice as long. Here they spin for half
a millisecond, so that the next product of the same turn finds them awake.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")  # 2 to the power of it in ticks

import numpy as np
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp

Call = Callable[[], Any]
# Name, dtype, shapes of both, and how long Isthmus may take.
LINES: list[tuple[str, str, tuple[int, ...], tuple[int, ...], float]] = [
    *((f"{n} x {n}", dtype, (n, n), (n, n), 1.1)
      for n in (64, 256, 1024, 2048) for dtype in ("float32", "float64")),
    ("1024 x 1024, complex", "complex64", (1024, 1024), (1024, 1024), 1.1),
    ("1000 of 16 x 16", "float64", (1000, 16, 16), (1000, 16, 16), 1.0),
    ("1000 x 16 x 16 by one", "float64", (1000, 16, 16), (16, 16), 1.0),
    ("2000 x 2000 by a vector", "float64", (2000, 2000), (2000,), 1.1),
    ("vectors of 1000000", "float64", (1_000_000,), (1_000_000,), 1.1),
    ("256 x 256, integers", "int64", (256, 256), (256, 256), 1.0),
]  # fmt: skip


def main() -> int:
    groups: list[Group] = []
    bars: list[Bar] = []
    print(xp.devices(verbose=True)["blas"])
    for name, dtype, first, second, limit in LINES:
        random = np.random.default_rng(1)
        a, b = (random.integers(-9, 9, shape).astype(dtype) for shape in (first, second))
        x, y = (xp.asarray(values, copy=True).eval() for values in (a, b))
        calls: dict[str, Call] = {
            "NumPy": lambda a=a, b=b: a @ b,
            "Isthmus": lambda x=x, y=y: (x @ y).eval(),
        }
        np.testing.assert_allclose(np.asarray(calls["Isthmus"]()), calls["NumPy"](), 1e-4)
        group = interleave(f"{name}, {dtype}", calls, 12 if 2048 in first else 30)
        print_group(group, "NumPy")
        groups.append(group)
        bars.append(Bar(f"{name}, {dtype}, to NumPy", group.ratio("Isthmus", "NumPy"), limit))
    return finish(groups, bars, "numpy")


if __name__ == "__main__":
    sys.exit(main())
