"""Factorizations and solvers of `isthmus.linalg` on `cpu`, beside NumPy's, whose LAPACK is of the
same kind; a stack of small matrices, one of medium size, and a large one.

The library's threads spin behind each call, as in products.py.
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

LIMIT = 1.1
SHAPES = {"10000 of 3 x 3": (10_000, 3, 3), "100 x 100": (100, 100), "1000 x 1000": (1000, 1000)}
SLOW = ("svd", "eigh")
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "solve": lambda linalg, x: linalg.solve(x, x),
    "inv": lambda linalg, x: linalg.inv(x),
    "det": lambda linalg, x: linalg.det(x),
    "cholesky": lambda linalg, x: linalg.cholesky(x),
    "qr": lambda linalg, x: linalg.qr(x),
    "svd": lambda linalg, x: linalg.svd(x),
    "eigh": lambda linalg, x: linalg.eigh(x),
}


def main() -> int:
    groups: list[Group] = []
    bars: list[Bar] = []
    print(xp.devices(verbose=True)["blas"])
    for size, shape in SHAPES.items():
        a = np.random.default_rng(1).normal(size=shape)
        a = a @ a.swapaxes(-1, -2) + np.eye(shape[-1])  # positive definite
        x = xp.asarray(a, copy=True).eval()
        for name, call in CALLS.items():
            calls: dict[str, Callable[[], Any]] = {
                "NumPy": lambda a=a, call=call: call(np.linalg, a),
                "Isthmus": lambda x=x, call=call: call(xp.linalg, x),
            }
            is_long = shape[-1] == 1000
            rounds = 6 if is_long and name in SLOW else 12 if is_long else 25
            group = interleave(f"{name}, {size}", calls, rounds)
            print_group(group, "NumPy")
            groups.append(group)
            bars.append(Bar(f"{name}, {size}, to NumPy", group.ratio("Isthmus", "NumPy"), LIMIT))
    return finish(groups, bars, "numpy")


if __name__ == "__main__":
    sys.exit(main())
