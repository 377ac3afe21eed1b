"""Expressions and reductions: one kernel, beside NumPy and hand-written C loops.

C is bench/loops.cpp: fused, vectorised with libmvec, OpenMP, output reused. Three situations of
Isthmus are told apart: arrays that are private; arrays borrowed from live NumPy arrays, whose
owner may write at any time, so that each operation runs when it is called; and the same inside
`with isthmus.fusing()`, the promise that nobody writes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import FOLDER, Bar, Group, build_loops, finish, interleave, kernels_of, print_group

import isthmus as xp

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
C = build_loops(FOLDER / "loops.cpp")
C.sum.restype = C.mean_square_difference.restype = C.bind.restype = None

Expression = Callable[..., Any]


def expression(sin: Callable[[Any], Any], a: Any, b: Any, c: Any, d: Any) -> Any:
    return 2 * a + b * sin(c) - d / 3


def chain(a: Any, b: Any, c: Any) -> Any:
    for _ in range(10):
        a = a * b + c
    return a


def borrowed(arrays: list[np.ndarray[Any, Any]]) -> list[xp.Array]:
    return [xp.asarray(x, copy=False) for x in arrays]


def private(arrays: list[np.ndarray[Any, Any]]) -> list[xp.Array]:
    return [xp.asarray(x, copy=True).eval() for x in arrays]


def numbers(count: int, size: int) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    return [random.random(size, dtype=np.float32) for _ in range(count)]


def loop(name: str, *arrays: np.ndarray[Any, Any]) -> Callable[[], object]:
    """A call of a C loop on arrays of equal size, on threads with a core each."""
    from ctypes import c_long, c_void_p

    function = getattr(C, name)
    arguments = [c_long(arrays[0].size), *(c_void_p(x.ctypes.data) for x in arrays)]

    def call(_keep: object = arrays) -> None:
        C.bind(1)
        function(*arguments)
        C.bind(0)

    return call


def compare(name: str, size: int, of_numpy: Expression, of_isthmus: Expression, loop_name: str,
            inputs: int, has_output: bool = True) -> Group:  # fmt: skip
    """One expression in all situations, its results compared first."""
    sources = numbers(inputs, size)
    ours, theirs = private(sources), borrowed(sources)
    out = [np.empty(size, np.float32)] if has_output else []

    def evaluated(arrays: list[xp.Array]) -> xp.Array:
        return of_isthmus(*arrays).eval()  # type: ignore[no-any-return]

    def promised() -> xp.Array:
        with xp.fusing():
            return evaluated(theirs)

    cases: dict[str, Callable[[], object]] = {
        "C": loop(loop_name, *sources, *out),
        "NumPy": lambda: of_numpy(*sources),
        "private": lambda: evaluated(ours),
        "borrowed": lambda: evaluated(theirs),
        "borrowed, fusing()": promised,
    }
    wanted = of_numpy(*sources)
    for arrays in (ours, theirs):
        got = np.asarray(evaluated(arrays))
        np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-5)
    counts = {
        case: kernels_of(cases[case]) for case in ("private", "borrowed", "borrowed, fusing()")
    }
    rounds = 15 if size >= 10_000_000 else 60
    group = interleave(f"{name}, {size} float32", cases, rounds)
    group.notes["kernels"] = "/".join(map(str, counts.values()))
    print_group(group, "C")
    return group


def expressions(size: int) -> list[Group]:
    return [
        compare("2*a + b*sin(c) - d/3", size, lambda *x: expression(np.sin, *x),
                lambda *x: expression(xp.sin, *x), "expression", 4),
        compare("chain of 20", size, chain, chain, "chain", 3),
    ]  # fmt: skip


def reductions(size: int) -> list[Group]:
    """Private arrays beside NumPy, and C where the loop is one line."""
    x, y = numbers(2, size)
    a, b = private([x, y])
    rows = 1000
    m, p = x.reshape(rows, -1), xp.reshape(a, (rows, -1))
    todo: list[tuple[str, Callable[[], Any], Callable[[], xp.Array], dict[str, Any]]] = [
        ("sum", lambda: np.sum(x), lambda: xp.sum(a), {"C": loop("sum", x)}),
        ("sum axis 0", lambda: np.sum(m, axis=0), lambda: xp.sum(p, axis=0), {}),
        ("sum axis 1", lambda: np.sum(m, axis=1), lambda: xp.sum(p, axis=1), {}),
        ("max", lambda: np.max(x), lambda: xp.max(a), {}),
        ("mean((a-b)**2)", lambda: np.mean((x - y) ** 2), lambda: xp.mean((a - b) ** 2),
         {"C": loop("mean_square_difference", x, y)}),
    ]  # fmt: skip
    groups = []
    for name, of_numpy, of_isthmus, more in todo:
        got = np.asarray(of_isthmus())
        np.testing.assert_allclose(got, of_numpy(), rtol=1e-4)
        cases = {**more, "NumPy": of_numpy, "private": lambda f=of_isthmus: f().eval()}
        group = interleave(f"{name}, {size} float32", cases)
        group.notes["kernels"] = kernels_of(cases["private"])
        print_group(group, "NumPy")
        groups.append(group)
    return groups


def bars_of(groups: list[Group]) -> list[Bar]:
    limits = {1_000_000: (1.5, 2.5), 10_000_000: (1.5, 1.5)}
    bars = []
    for size, (expression_limit, chain_limit) in limits.items():
        two = [g for g in groups if g.name.endswith(f", {size} float32")][:2]
        for group, limit in zip(two, (expression_limit, chain_limit), strict=True):
            what, n = group.name.split(", ")[0], f"{size:.0e}".replace("e+0", "e")
            kernels = group.notes["kernels"].split("/")
            bars += [
                Bar(f"{what} at {n}, private, to C", group.ratio("private", "C"), limit),
                Bar(f"{what} at {n}, borrowed, to NumPy", group.ratio("borrowed", "NumPy"), 1.0),
                Bar(f"{what} at {n}, private, kernels", int(kernels[0]), 1),
                Bar(f"{what} at {n}, borrowed in fusing(), kernels", int(kernels[2]), 1),
            ]
        what = f"2*a + b*sin(c) - d/3 at {n}, private, to a third of NumPy"
        bars.append(Bar(what, two[0].ratio("private", "NumPy") * 3, 1.0))
    return bars


def main() -> int:
    groups = [group for size in SIZES for group in expressions(size)]
    folded = [group for size in (1_000_000, 10_000_000) for group in reductions(size)]
    return finish(groups + folded, bars_of(groups), "numpy")


if __name__ == "__main__":
    sys.exit(main())
