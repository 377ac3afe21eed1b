"""Indexing, scans, sorts and extremes on `cpu`, beside NumPy, JAX, PyTorch and C loops.

Arrays are private memory of float32; JAX's functions are compiled (jit). PyTorch takes part where
it is installed. C is bench/loops.cpp, on as many threads, into memory that is there.

    python bench/compute.py [line ...]    # all lines, or those that begin so

Products, random numbers, special functions and users' kernels have scripts of their own:
products.py, random_numbers.py, special.py and kernels.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from ctypes import c_long, c_void_p
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from harness import FOLDER, Bar, Group, build_loops, finish, interleave, optional, print_group

import isthmus as xp

torch = optional("torch")
C = build_loops(FOLDER / "loops.cpp")
C.bind.restype = C.running_sum.restype = None
C.running_sum.argtypes = [c_long, c_void_p, c_void_p]
Call = Callable[[], Any]


class Case:
    """One line of the table: what NumPy, JAX and Isthmus are asked for."""

    def __init__(self, size: int, length: int | None = None) -> None:
        """`length`: x is rows of so many elements, and `at` chooses among them."""
        random = np.random.default_rng(size)
        self.size = size
        self.x = random.standard_normal(size, dtype=np.float32)
        self.mask = self.x > 0
        if length:
            self.x = self.x.reshape(-1, length)
        self.at = random.integers(0, len(self.x), len(self.x))
        self.small = random.integers(0, 1000, size)
        self.out = np.empty_like(self.x)
        names = ("x", "at", "mask", "small")
        self.ours = {name: xp.asarray(getattr(self, name), copy=True).eval() for name in names}
        self.jax = {name: jnp.asarray(getattr(self, name)) for name in names}
        if torch:
            self.torch = {name: torch.from_numpy(getattr(self, name).copy()) for name in names}
            self.torch["v"] = self.torch["x"].clone()

    def c_running_sum(self) -> None:
        C.bind(1)
        C.running_sum(self.size, self.x.ctypes.data, self.out.ctypes.data)
        C.bind(0)

    def calls(self, name: str) -> dict[str, Call]:
        x, at, mask, small = self.x, self.at, self.mask, self.small
        a, i, m, s = (self.ours[n] for n in ("x", "at", "mask", "small"))
        j = self.jax
        table: dict[str, tuple[Call, Call, Callable[..., Any] | None, tuple[str, ...]]] = {
            "cumulative sum": (lambda: np.cumsum(x), lambda: xp.cumulative_sum(a),
                               jnp.cumsum, ("x",)),
            "take, random": (lambda: np.take(x, at), lambda: xp.take(a, i),
                             lambda x, at: jnp.take(x, at), ("x", "at")),
            "take of rows": (lambda: np.take(x, at, axis=0), lambda: xp.take(a, i, axis=0),
                             lambda x, at: jnp.take(x, at, axis=0), ("x", "at")),
            "x[rows] = v": (lambda: x.__setitem__(at, x), lambda: a.__setitem__(i, a), None, ()),
            "cumulative sum of columns": (lambda: np.cumsum(x, axis=0),
                                          lambda: xp.cumulative_sum(a, axis=0),
                                          lambda x: jnp.cumsum(x, axis=0), ("x",)),
            "mask, half true": (lambda: x[mask], lambda: a[m], None, ()),
            "x[i] = v": (lambda: x.__setitem__(at, x), lambda: a.__setitem__(i, a), None, ()),
            "bincount": (lambda: np.bincount(small), lambda: xp.bincount(s),
                         lambda s: jnp.bincount(s, length=1000), ("small",)),
            "sort": (lambda: np.sort(x), lambda: xp.sort(a), jnp.sort, ("x",)),
            "argsort": (lambda: np.argsort(x, stable=True), lambda: xp.argsort(a),
                        jnp.argsort, ("x",)),
            "var": (lambda: np.var(x), lambda: xp.var(a), jnp.var, ("x",)),
            "argmax": (lambda: np.argmax(x), lambda: xp.argmax(a), jnp.argmax, ("x",)),
        }  # fmt: skip
        of_numpy, of_isthmus, of_jax, inputs = table[name]
        cases: dict[str, Call] = {}
        if name == "cumulative sum":
            cases["C"] = self.c_running_sum
        cases["NumPy"] = of_numpy
        if torch and name in OF_TORCH:
            cases["PyTorch"] = lambda: OF_TORCH[name](**self.torch)
        if of_jax is not None:
            compiled, given = jax.jit(of_jax), [j[n] for n in inputs]
            cases["JAX"] = lambda: jax.block_until_ready(compiled(*given))
        cases["Isthmus"] = lambda: done(of_isthmus())
        return cases


def done(x: Any) -> Any:
    return x if x is None else x.eval()


# Each takes all inputs of a Case. What is written in place leaves open who wins.
OF_TORCH: dict[str, Callable[..., Any]] = {
    "cumulative sum": lambda x, **_: x.cumsum(0),
    "take, random": lambda x, at, **_: x.take(at),
    "take of rows": lambda x, at, **_: x.index_select(0, at),
    "x[rows] = v": lambda x, at, v, **_: x.__setitem__(at, v),
    "cumulative sum of columns": lambda x, **_: x.cumsum(0),
    "mask, half true": lambda x, mask, **_: x[mask],
    "x[i] = v": lambda x, at, v, **_: x.__setitem__(at, v),
    "bincount": lambda small, **_: small.bincount(),
    "sort": lambda x, **_: x.sort(),
    "argsort": lambda x, **_: x.argsort(stable=True),
    "var": lambda x, **_: x.var(correction=0),
    "argmax": lambda x, **_: x.argmax(),
}
LINES = {
    "cumulative sum": (1_000_000, 10_000_000),
    "take, random": (10_000_000,),
    "mask, half true": (1_000_000, 10_000_000),
    "x[i] = v": (10_000_000,),
    "bincount": (10_000_000,),
    "sort": (10_000, 10_000_000),
    "argsort": (10_000, 10_000_000),
    "var": (1_000_000,),
    "argmax": (1_000_000,),
}
# The same for rows of so many elements, of a million in all.
ROWS = {
    "take of rows": (16, 100, 1000),
    "x[rows] = v": (16, 100, 1000),
    "cumulative sum of columns": (1000,),
}


def check(case: Case, name: str, calls: dict[str, Call]) -> None:
    """That Isthmus and NumPy give the same."""
    if name.endswith("= v"):
        return
    got, wanted = np.asarray(calls["Isthmus"]()), calls["NumPy"]()
    if name.startswith(("cumulative sum", "var")):
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-2 * case.size**0.5)
    else:
        np.testing.assert_array_equal(got, wanted)


def bars_of(groups: list[Group]) -> list[Bar]:
    bars = []
    for group in groups:
        name, size = group.name.rsplit(", ", 1)
        peers = [peer for peer in ("NumPy", "JAX", "PyTorch") if peer in group.times]
        fastest = min(peers, key=lambda peer: group.times[peer].best)
        limit = {"mask, half true": 1 / 3}.get(name, 1.0)
        if name in ("sort", "argsort") and size == "10000000":
            fastest, limit = "NumPy", 1 / 3
        if name == "cumulative sum":
            bars.append(Bar(f"{name} at {size}, to C", group.ratio("Isthmus", "C"), 1.3))
        if name.endswith("= v") or name == "bincount":
            fastest = "NumPy"
        ratio = group.ratio("Isthmus", fastest)
        bars.append(Bar(f"{name} at {size}, to {fastest}", ratio, limit))
    return bars


def main() -> int:
    groups = []
    wanted = tuple(text for text in sys.argv[1:] if not text.startswith("-")) or ("",)
    flat = [(name, n) for name, sizes in LINES.items() if name.startswith(wanted) for n in sizes]
    rows = [(name, n) for name, lengths in ROWS.items() if name.startswith(wanted) for n in lengths]
    cases = {size: Case(size) for _, size in flat}
    lines = [(name, size, cases[size]) for name, size in flat]
    lines += [(name, length, Case(1_000_000, length)) for name, length in rows]
    for name, number, case in lines:
        calls = case.calls(name)
        check(case, name, calls)
        group = interleave(f"{name}, {number}", calls, 8 if case.size >= 10_000_000 else 30)
        print_group(group, "NumPy")
        groups.append(group)
    peers = ("numpy", "jax", "torch") if torch else ("numpy", "jax")
    return finish(groups, bars_of(groups), *peers)


if __name__ == "__main__":
    sys.exit(main())
