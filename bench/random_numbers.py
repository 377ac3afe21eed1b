"""Random numbers on `cpu`: ten million, beside NumPy, JAX and dpnp, and beside a copy of them.

PyTorch is measured where it is installed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp

Call = Callable[[], Any]
COUNT = 10_000_000
WITHIN = 1.3  # of a copy


def numpys(kind: str, dtype: str) -> Call:
    rng = np.random.default_rng(1)
    draw = {"normal": rng.standard_normal, "uniform": rng.random}.get(kind)
    if draw is None:
        return lambda: rng.standard_exponential(COUNT, dtype=dtype)
    return lambda: draw(COUNT, dtype=dtype)


def jaxs(kind: str, dtype: str) -> Call:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    draw = getattr(jax.random, kind)
    made = jax.jit(lambda key: draw(key, (COUNT,), dtype))
    key = jax.random.key(1)
    return lambda: made(key).block_until_ready()


def dpnps(kind: str, dtype: str) -> Call:
    dpnp = importlib.import_module("dpnp")
    if dtype != "float64":
        raise ImportError("draws float64")
    draw = {"normal": dpnp.random.standard_normal, "uniform": dpnp.random.random_sample}.get(
        kind, dpnp.random.standard_exponential
    )

    def call() -> None:
        draw(COUNT).sycl_queue.wait()

    return call


def torchs(kind: str, dtype: str) -> Call:
    torch = importlib.import_module("torch")
    made = torch.empty(COUNT, dtype=getattr(torch, dtype))
    name = {"normal": "normal_", "uniform": "uniform_", "exponential": "exponential_"}[kind]
    return lambda: getattr(made, name)()


def ours(kind: str, dtype: str) -> Call:
    rng = xp.random.default_rng(1)
    names = {"normal": "standard_normal", "uniform": "random"}
    draw = getattr(rng, names.get(kind, "standard_exponential"))
    return lambda: draw(COUNT, dtype=dtype).eval()


def main() -> int:
    groups: list[Group] = []
    bars: list[Bar] = []
    makers = {"NumPy": numpys, "JAX": jaxs, "dpnp": dpnps, "PyTorch": torchs}
    for kind in ("uniform", "normal", "exponential"):
        for dtype in ("float32", "float64"):
            calls: dict[str, Call] = {"Isthmus": ours(kind, dtype)}
            for name, maker in makers.items():
                try:
                    call = maker(kind, dtype)
                    call()
                except ImportError as error:
                    print(f"{name}: {error}")
                    continue
                calls[name] = call
            source = xp.ones(COUNT, dtype=dtype).eval()
            calls["a copy"] = lambda source=source: xp.copy(source).eval()
            what = f"{kind} {COUNT}, {dtype}"
            group = interleave(what, calls, 10)
            print_group(group, "Isthmus")
            groups.append(group)
            if kind == "uniform":
                bars.append(Bar(f"{what}, to a copy", group.ratio("Isthmus", "a copy"), WITHIN))
            for name in set(calls) - {"Isthmus", "a copy"}:
                bars.append(Bar(f"{what}, to {name}", group.ratio("Isthmus", name), 1.0))
    return finish(groups, bars, *(n for n in ("numpy", "jax", "dpnp") if find_spec(n)))


if __name__ == "__main__":
    sys.exit(main())
