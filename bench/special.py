"""`special.erf` and `special.gammaln` on `cpu`, beside SciPy, JAX, dpnp and torch.

A million elements, and those peers that are installed. Arrays are private memory; JAX's functions
are compiled (jit), dpnp works on its own device, a CPU if that is what it finds. The bar is to be
the first.
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
# Function, dtype, least and greatest operand.
LINES = [
    *(("erf", dtype, -4.0, 4.0) for dtype in ("float32", "float64")),
    *(("gammaln", dtype, 0.01, 100.0) for dtype in ("float32", "float64")),
]


def peers(name: str, values: Any) -> dict[str, Call]:
    """What each of the others is asked for."""
    calls: dict[str, Call] = {}
    if find_spec("scipy"):
        import scipy.special

        of_scipy = getattr(scipy.special, name)
        calls["SciPy"] = lambda: of_scipy(values)
    if find_spec("jax"):
        import jax

        jax.config.update("jax_enable_x64", True)
        compiled, given = jax.jit(getattr(jax.scipy.special, name)), jax.numpy.asarray(values)
        calls["JAX"] = lambda: jax.block_until_ready(compiled(given))
    if find_spec("dpnp"):
        import dpnp

        of_dpnp = getattr(getattr(dpnp, "special", dpnp), name, None)
        if of_dpnp is not None:
            there = dpnp.asarray(values)

            def call_dpnp() -> None:
                of_dpnp(there).sycl_queue.wait()

            calls["dpnp"] = call_dpnp
    if find_spec("torch"):
        import torch

        tensor = torch.from_numpy(values)
        of_torch = getattr(torch.special, name)
        calls["torch"] = lambda: of_torch(tensor)
    return calls


def main() -> int:
    groups: list[Group] = []
    bars: list[Bar] = []
    for name, dtype, low, high in LINES:
        values = np.random.default_rng(1).uniform(low, high, SIZE).astype(dtype)
        x, function = xp.asarray(values, copy=True).eval(), getattr(xp.special, name)
        calls = peers(name, values)
        others = [*calls]
        calls["Isthmus"] = lambda x=x, function=function: function(x).eval()
        group = interleave(f"{name}, {dtype}, {SIZE}", calls)
        print_group(group, "Isthmus")
        groups.append(group)
        for peer in others:
            bars.append(Bar(f"{name}, {dtype}, to {peer}", group.ratio("Isthmus", peer), 1.0))
    return finish(groups, bars, *(n for n in ("scipy", "jax", "dpnp", "torch") if find_spec(n)))


if __name__ == "__main__":
    sys.exit(main())
