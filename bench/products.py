"""Products of matrices beside NumPy, whose BLAS is of the same kind, and those of other libraries.

    python bench/products.py --device cpu --device opencl:0 --device sycl:0

Peers are JAX (compiled), PyTorch and, for `sycl`, dpnp, where they are installed. Arrays are
private memory of the device; each call ends with a wait.

`xp.devices(verbose=True)["blas"]` is the library of Isthmus. Where it is not NumPy's own copy, each
of the two has threads of its own. Integers are multiplied by kernels of Isthmus.

OpenBLAS's threads spin for 27 ms behind each call of NumPy's, on the processors that the next call
of Isthmus, in its turn, wants: `x @ y` of vectors then takes twice as long. Here they spin for half
a millisecond, so that the next product of the same turn finds them awake.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")  # 2 to the power of it in ticks

import numpy as np
from harness import Bar, Group, finish, interleave, optional, print_group

import isthmus as xp

jax, torch = optional("jax"), optional("torch")
if jax:
    jax.config.update("jax_enable_x64", True)
Call = Callable[[], Any]
# Name, dtype, shapes of both, how long Isthmus may take, and if that is of the fastest peer's time.
LINES: list[tuple[str, str, tuple[int, ...], tuple[int, ...], float, bool]] = [
    *((f"{n} x {n}", dtype, (n, n), (n, n), 1.1, False)
      for n in (64, 256, 1024, 2048) for dtype in ("float32", "float64")),
    ("1024 x 1024, complex", "complex64", (1024, 1024), (1024, 1024), 1.1, False),
    ("1000 of 16 x 16", "float32", (1000, 16, 16), (1000, 16, 16), 1.0, True),
    ("1000 of 16 x 16", "float64", (1000, 16, 16), (1000, 16, 16), 1.0, True),
    ("1000 x 16 x 16 by one", "float64", (1000, 16, 16), (16, 16), 1.0, True),
    ("2000 x 2000 by a vector", "float64", (2000, 2000), (2000,), 1.1, False),
    ("vectors of 1000000", "float64", (1_000_000,), (1_000_000,), 1.1, False),
    ("256 x 256, integers", "int64", (256, 256), (256, 256), 1.0, False),
]  # fmt: skip


def peers(a: Any, b: Any, device: xp.Device) -> dict[str, Call]:
    """What each of the others is asked for."""
    calls: dict[str, Call] = {"NumPy": lambda: a @ b}
    if jax:
        product, left, right = jax.jit(jax.numpy.matmul), jax.numpy.asarray(a), jax.numpy.asarray(b)
        calls["JAX"] = lambda: jax.block_until_ready(product(left, right))
    if torch:
        first, second = torch.from_numpy(a), torch.from_numpy(b)
        calls["PyTorch"] = lambda: first @ second
    if device.backend == "sycl" and (dpnp := optional("dpnp")):
        x, y = dpnp.asarray(a), dpnp.asarray(b)
        calls["dpnp"] = lambda: (x @ y).sycl_queue.wait()
    return calls


def measure(device: xp.Device, chosen: list[str]) -> tuple[list[Group], list[Bar]]:
    groups: list[Group] = []
    bars: list[Bar] = []
    for name, dtype, first, second, limit, of_all in LINES:
        if chosen and name not in chosen:
            continue
        random = np.random.default_rng(1)
        a, b = (random.integers(-9, 9, shape).astype(dtype) for shape in (first, second))
        x, y = (xp.asarray(values, device=device, copy=True).eval() for values in (a, b))

        def product(x: Any = x, y: Any = y) -> Any:
            result = (x @ y).eval()
            xp.synchronize(device)
            return result

        calls = peers(a, b, device) | {"Isthmus": product}
        np.testing.assert_allclose(product().to_numpy(), a @ b, 1e-4)
        text = f"{name}, {dtype}, {device}"
        group = interleave(text, calls, 12 if 2048 in first else 30)
        print_group(group, "NumPy")
        groups.append(group)
        others = [peer for peer in group.times if peer != "Isthmus"]
        peer = min(others, key=lambda peer: group.times[peer].best) if of_all else "NumPy"
        bars.append(Bar(f"{text}, to {peer}", group.ratio("Isthmus", peer), limit))
    return groups, bars


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", action="append", help="cpu if none is named")
    parser.add_argument("--line", action="append", help="one of the lines; all if none is named")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed")
    arguments = parser.parse_args()
    groups: list[Group] = []
    bars: list[Bar] = []
    print(xp.devices(verbose=True)["blas"])
    for name in arguments.device or ["cpu"]:
        measured = measure(xp.Device(name), arguments.line or [])
        groups += measured[0]
        bars += measured[1]
    installed = [name for name in ("numpy", "jax", "torch", "dpnp") if optional(name)]
    return finish(groups, bars, *installed)


if __name__ == "__main__":
    sys.exit(main())
