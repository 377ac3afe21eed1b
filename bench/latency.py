"""Small arrays: what a call costs beside NumPy's, and what a node of the graph costs.

Arrays of Isthmus here are private (made by it, seen by nobody else), so operations stay pending
until eval().
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from harness import Bar, Group, finish, interleave, print_group, shown

import isthmus as xp

LENGTHS = (10, 100, 1000, 10_000, 100_000)


def one_element() -> Group:
    x, y = np.ones(1), np.ones(1)
    a, b = xp.ones(1).eval(), xp.ones(1).eval()
    cases: dict[str, Callable[[], object]] = {
        "NumPy x+y": lambda: x + y,
        "(a+b).eval()": lambda: (a + b).eval(),
        "a+b, never evaluated": lambda: a + b,
        "a.eval(), ready": lambda: a.eval(),
        "NumPy float(x[0])": lambda: float(x[0]),
        "float(a[0])": lambda: float(a[0]),
        "NumPy x[0:1]": lambda: x[0:1],
        "a[0:1]": lambda: a[0:1],
        "NumPy x.sum()": lambda: x.sum(),
        "xp.sum(a).eval()": lambda: xp.sum(a).eval(),
        "NumPy np.sin(x)": lambda: np.sin(x),
        "xp.sin(a).eval()": lambda: xp.sin(a).eval(),
    }
    return interleave("one float64", cases, rounds=100)


def sizes(count: int) -> Group:
    x, y = np.ones(count, np.float32), np.ones(count, np.float32)
    a, b = (xp.ones(count, dtype="float32").eval() for _ in range(2))
    cases: dict[str, Callable[[], object]] = {
        "NumPy x+y": lambda: x + y,
        "(a+b).eval()": lambda: (a + b).eval(),
        "NumPy 2*x + y*sin(x) - y/3": lambda: 2 * x + y * np.sin(x) - y / 3,
        "2*a + b*sin(a) - b/3": lambda: (2 * a + b * xp.sin(a) - b / 3).eval(),
    }
    return interleave(f"{count} float32", cases)


def graph(length: int) -> Group:
    """A program of `length` additions on one element: all of its cost is the graph's."""
    x, y = np.ones(1), np.full(1, 1e-9)
    a, b = xp.ones(1).eval(), xp.full((1,), 1e-9).eval()

    def with_numpy() -> object:
        z = x
        for _ in range(length):
            z = z + y
        return z

    def built() -> xp.Array:
        z = a
        for _ in range(length):
            z = z + b
        return z

    cases: dict[str, Callable[[], object]] = {
        "NumPy": with_numpy,
        "built and dropped": built,
        "built and evaluated": lambda: built().eval(),
    }
    rounds = 30 if length <= 10_000 else 10
    group = interleave(f"a + b + ... + b, {length} additions", cases, rounds)
    group.notes["a node"] = shown(group.times["built and evaluated"].best / length)
    return group


def main() -> int:
    single = one_element()
    print_group(single, "NumPy x+y")
    others = [sizes(count) for count in (100, 1000, 10_000)]
    for group in others:
        print_group(group, "NumPy x+y")
    graphs = [graph(length) for length in LENGTHS]
    for group in graphs:
        print_group(group, "NumPy")
    nodes = [g.times["built and evaluated"].best / n for g, n in zip(graphs, LENGTHS, strict=True)]
    to_numpy = [g.ratio("built and evaluated", "NumPy") for g in graphs]
    one = single.ratio("(a+b).eval()", "NumPy x+y")
    bars = [
        Bar("(a+b).eval() to NumPy's x+y, one float64", one, 1.2),
        Bar("us to build, plan and run a node", max(nodes) / 1e-6, 1.0),
        Bar(
            "flat: a node at 100,000 to one at 100, beside NumPy", to_numpy[-1] / to_numpy[1], 1.25
        ),
    ]
    return finish([single, *others, *graphs], bars, "numpy")


if __name__ == "__main__":
    sys.exit(main())
