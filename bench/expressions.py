"""Expressions and sums on `cpu`, beside C loops, NumPy, JAX, numexpr and PyTorch.

Arrays are private memory of float32. C is bench/loops.cpp with -ffast-math, on as many threads,
into memory that is there. JAX's functions are compiled (jit), PyTorch's are run as they are and
compiled. numexpr and PyTorch take part where they are installed.

    python bench/expressions.py [size ...]
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

SIZES = (1_000_000, 10_000_000, 100_000_000)
C = build_loops(FOLDER / "loops.cpp", "-ffast-math")
torch, numexpr = optional("torch"), optional("numexpr")
Call = Callable[[], Any]


def six(lib: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return 2 * a + b * lib.sin(c) - d / 3


def chain(lib: Any, a: Any, b: Any, c: Any) -> Any:
    for _ in range(10):
        a = a * b + c
    return a


def transposed(lib: Any, s: Any) -> Any:
    return s.T.contiguous() if lib is torch else s.T.copy()


# name: inputs, what it is in each library, the loop of C, its output (all, none, or its length),
# and numexpr's text
LINES: dict[str, tuple[str, Callable[..., Any], str, int | None, str]] = {
    "add": ("ab", lambda lib, a, b: a + b, "add", -1, "a + b"),
    "six operations": ("abcd", six, "expression", -1, "2*a + b*sin(c) - d/3"),
    "chain of 20": ("abc", chain, "chain", -1, ""),
    "sum": ("a", lambda lib, a: lib.sum(a), "sum", None, "sum(a)"),
    "row sums": ("m", lambda lib, m: lib.sum(m, 1), "sums_of_rows", 0, ""),
    "column sums": ("m", lambda lib, m: lib.sum(m, 0), "sums_of_columns", 1000, ""),
    "sum(a*b)": ("ab", lambda lib, a, b: lib.sum(a * b), "sum_of_products", None, "sum(a*b)"),
    "transposed copy": ("s", transposed, "", None, ""),
}


def inputs(size: int) -> dict[str, np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    made = {name: random.random(size, dtype=np.float32) for name in "abcd"}
    side = int(size**0.5)
    return made | {
        "m": made["a"].reshape(-1, 1000),
        "s": made["a"][: side * side].reshape(side, side),
    }


def loop(name: str, given: list[np.ndarray[Any, Any]], length: int | None) -> Call:
    out = [] if length is None else [np.empty(given[0].size // 1000 or 1, np.float32)]
    if length == -1:
        out = [np.empty_like(given[0])]
    if length == 1000:
        out = [np.empty(1000, np.float32)]
    function = getattr(C, name)
    function.restype = None
    arguments = [c_long(given[0].size), *(c_void_p(x.ctypes.data) for x in [*given, *out])]

    def call(_keep: object = out) -> None:
        C.bind(1)
        function(*arguments)
        C.bind(0)

    return call


def compiled_by_jax(f: Callable[..., Any], given: list[np.ndarray[Any, Any]]) -> Call:
    made, arrays = jax.jit(lambda *x: f(jnp, *x)), [jnp.asarray(x) for x in given]
    return lambda: made(*arrays).block_until_ready()


def cases(name: str, all_inputs: dict[str, np.ndarray[Any, Any]]) -> dict[str, Call]:
    letters, f, loop_name, length, text = LINES[name]
    given = [all_inputs[letter] for letter in letters]
    ours = [xp.asarray(x, copy=True).eval() for x in given]
    made: dict[str, Call] = {}
    if loop_name:
        made["C"] = loop(loop_name, given, length)
    made["NumPy"] = lambda: f(np, *given)
    made["JAX"] = compiled_by_jax(f, given)
    if numexpr and text:
        named = dict(zip(letters, given, strict=True))
        made["numexpr"] = lambda: numexpr.evaluate(text, named)
    if torch:
        tensors = [torch.from_numpy(x) for x in given]
        made["PyTorch"] = lambda: f(torch, *tensors)
        compiled = torch.compile(lambda *x: f(torch, *x))
        made["PyTorch, compiled"] = lambda: compiled(*tensors)
    made["Isthmus"] = lambda: f(xp, *ours).eval()
    wanted = made["NumPy"]()
    for case, call in made.items():
        if case != "C":
            rtol = 0.1 if case == "numexpr" else 1e-3  # which adds one by one
            np.testing.assert_allclose(np.asarray(call()), wanted, rtol=rtol, atol=1e-5)
    return made


def bars_of(groups: list[Group]) -> list[Bar]:
    bars = []
    times: dict[str, dict[int, float]] = {}
    for group in groups:
        name, size = group.name.rsplit(", ", 1)
        peers = [case for case in group.times if case not in ("C", "Isthmus")]
        fastest, limit = min(peers, key=lambda peer: group.times[peer].best), 0.5
        if name in ("add", "six operations", "chain of 20"):
            fastest, limit = "C", 1.0
        elif name != "transposed copy":
            candidates = [case for case in group.times if case == "C" or case.startswith("PyTorch")]
            fastest = min(candidates, key=lambda peer: group.times[peer].best)
            limit = 1.1 if size == "100000000" else 1.2
        ratio = group.ratio("Isthmus", fastest)
        bars.append(Bar(f"{name} at {size}, to {fastest}", ratio, limit))
        times.setdefault(name, {})[int(size)] = group.times["Isthmus"].best / int(size)
    for name, each in times.items():
        if {10_000_000, 100_000_000} <= set(each):
            ratio = each[100_000_000] / each[10_000_000]
            bars.append(Bar(f"{name}, an element at 1e8 to one at 1e7", ratio, 1.5))
    return bars


def main() -> int:
    sizes = [int(text) for text in sys.argv[1:] if text.isdigit()] or SIZES
    groups = []
    for size in sizes:
        given = inputs(size)
        for name in LINES:
            rounds = {1_000_000: 30, 10_000_000: 10}.get(size, 4)
            group = interleave(f"{name}, {size}", cases(name, given), rounds)
            print_group(group, "NumPy")
            groups.append(group)
    names = [lib.__name__ for lib in (np, jax, numexpr, torch) if lib]
    return finish(groups, bars_of(groups), *names)


if __name__ == "__main__":
    sys.exit(main())
