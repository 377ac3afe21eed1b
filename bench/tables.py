"""Work on tables of a few columns, beside NumPy and JAX: a million elements on `cpu`.

Reductions along the columns and the rows, of what is there and of what is calculated, and small
matrices times vectors, which machine learning on tables does all the time. Arrays are private
memory; JAX's functions are compiled (jit). The bar is to be no slower than NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp

SIZE = 1_000_000
Call = Callable[[], Any]
# What is asked of a namespace, with tables x and y, and of the first row of x.
LINES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "sum(x, axis=0)": lambda of, x, y: of.sum(x, axis=0),
    "sum(x + y, axis=0)": lambda of, x, y: of.sum(x + y, axis=0),
    "mean((x - row)**2, axis=0)": lambda of, x, y: of.mean((x - y[0]) ** 2, axis=0),
    "max(abs(x), axis=0)": lambda of, x, y: of.max(abs(x), axis=0),
    "argmax(x + y, axis=0)": lambda of, x, y: of.argmax(x + y, axis=0),
    "argmax(x, axis=1)": lambda of, x, y: of.argmax(x, axis=1),
}
COLUMNS = (3, 12, 33, 100, 1000)
PRODUCTS = ((20, 1000), (100, 100), (1000, 20))


def compare(name: str, ask: Callable[[Any, Any, Any], Any], operands: list[Any]) -> Group:
    """The same of all namespaces that are there."""
    ours = [xp.asarray(x, copy=True).eval() for x in operands]
    calls: dict[str, Call] = {
        "Isthmus": lambda: ask(xp, *ours).eval(),
        "NumPy": lambda: ask(np, *operands),
    }
    if find_spec("jax"):
        import jax

        jax.config.update("jax_enable_x64", True)
        compiled = jax.jit(lambda x, y: ask(jax.numpy, x, y))
        theirs = [jax.numpy.asarray(x) for x in operands]
        calls["JAX"] = lambda: jax.block_until_ready(compiled(*theirs))
    return interleave(name, calls)


def main() -> int:
    groups: list[Group] = []
    bars: list[Bar] = []
    random = np.random.default_rng(1)
    for dtype in ("float32", "float64"):
        for columns in COLUMNS:
            shape = (2, SIZE // columns, columns)
            x, y = random.normal(size=shape).astype(dtype)
            for name, ask in LINES.items():
                groups.append(compare(f"{name}, {columns} columns, {dtype}", ask, [x, y]))
        for shape in PRODUCTS:
            a, b = random.normal(size=shape).astype(dtype), random.normal(size=shape[1])
            name = f"{shape[0]} x {shape[1]} @ vector, {dtype}"
            groups.append(compare(name, lambda of, x, y: x @ y, [a, b.astype(dtype)]))
    for group in groups:
        print_group(group, "NumPy")
        bars.append(Bar(f"{group.name}, to NumPy", group.ratio("Isthmus", "NumPy"), 1.0))
    return finish(groups, bars, *(n for n in ("jax",) if find_spec(n)))


if __name__ == "__main__":
    sys.exit(main())
