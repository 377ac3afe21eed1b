"""Shapes of kernels on `opencl:0` and `sycl:0`, launched, beside dpnp and pyopencl.

    python bench/compute_devices.py --device sycl:0 --size 1000000

All use the same runtime. Arrays of Isthmus are private memory of float32 on the device; each call
ends with a wait. pyopencl has some of the lines only, and needs Mako for most of them.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from devices import expression, pyopencl_queue
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp  # first: it tells the loaders of the others where Intel's runtime is

import dpnp  # isort: skip
import pyopencl.algorithm  # isort: skip
import pyopencl.array as cl_array  # isort: skip
import pyopencl.clmath  # isort: skip

DEVICES = ("opencl:0", "sycl:0")
SIZES = (1_000_000, 10_000_000)
MEAN = 1 / 5  # of all lines, for each peer
Lines = dict[str, Callable[[], Any]]


def chain(x: Any, y: Any) -> Any:
    for _ in range(10):
        x = (x + y) * 0.5
    return x


def numbers(size: int) -> dict[str, np.ndarray[Any, Any]]:
    random = np.random.default_rng(size)
    made: dict[str, np.ndarray[Any, Any]] = {
        name: random.standard_normal(size, dtype=np.float32) for name in "abcd"
    }
    made["at"] = random.integers(0, size, size)
    made["mask"] = made["a"] > 0
    made["small"] = random.integers(0, 1000, size)
    return made


def lines_of(lib: Any, given: dict[str, Any], size: int) -> Lines:
    """The lines of a library in NumPy's words, which Isthmus and dpnp both have."""
    a, b, c, d = (given[name] for name in "abcd")
    at, mask, small = given["at"], given["mask"], given["small"]
    square = lib.reshape(a, (1000, size // 1000))
    return {
        "add": lambda: a + b,
        "six operations": lambda: expression(lib.sin, a, b, c, d),
        "chain of 20": lambda: chain(a, b),
        "sum": lambda: lib.sum(a),
        "row sums": lambda: lib.sum(square, axis=1),
        "column sums": lambda: lib.sum(square, axis=0),
        "sum(a*b)": lambda: lib.sum(a * b),
        "var": lambda: lib.var(a),
        "argmax": lambda: lib.argmax(a),
        "transposed copy": lambda: lib.reshape(square.T, (size,)),
        "cumulative sum": lambda: lib.cumulative_sum(a),
        "take, random": lambda: lib.take(a, at),
        "mask, half true": lambda: a[mask],
        "x[i] = v": lambda: c.__setitem__(at, d),
        "bincount": lambda: lib.bincount(small),
        "sort": lambda: lib.sort(a),
        "argsort": lambda: lib.argsort(a),
    }


def lines_of_pyopencl(queue: Any, made: dict[str, np.ndarray[Any, Any]]) -> Lines:
    """Those that pyopencl.array has."""
    given = {name: cl_array.to_device(queue, values) for name, values in made.items()}
    a, b, c, d, at = (given[name] for name in ("a", "b", "c", "d", "at"))
    key = "as_uint(x[i]) ^ (as_uint(x[i]) >> 31 ? -1u : 1u << 31)"
    sort = pyopencl.algorithm.RadixSort(queue.context, "float *x", key, ["x"])
    mask = "ary[i] > 0"
    return {
        "add": lambda: a + b,
        "six operations": lambda: expression(pyopencl.clmath.sin, a, b, c, d),
        "chain of 20": lambda: chain(a, b),
        "sum": lambda: cl_array.sum(a),
        "sum(a*b)": lambda: cl_array.dot(a, b),
        "cumulative sum": lambda: cl_array.cumsum(a),
        "take, random": lambda: cl_array.take(a, at),
        "mask, half true": lambda: pyopencl.algorithm.copy_if(a, mask, queue=queue),
        "sort": lambda: sort(a, queue=queue),
    }


def waiting(call: Callable[[], Any], wait: Callable[[Any], object]) -> Callable[[], object]:
    return lambda: wait(call())


def evaluated(device: xp.Device) -> Callable[[Any], object]:
    def wait(x: Any) -> None:
        if x is not None:
            x.eval()
        xp.synchronize(device)

    return wait


def measure(device: xp.Device, size: int, chosen: list[str]) -> list[Group]:
    made = numbers(size)
    ours = {name: xp.asarray(x, device=device, copy=True).eval() for name, x in made.items()}
    of_dpnp = {name: dpnp.asarray(x) for name, x in made.items()}
    queue = pyopencl_queue(device)
    tables = {
        "dpnp": (lines_of(dpnp, of_dpnp, size), lambda _: of_dpnp["a"].sycl_queue.wait()),
        "pyopencl": (lines_of_pyopencl(queue, made), lambda _: queue.finish()),
        "isthmus": (lines_of(xp, ours, size), evaluated(device)),
    }
    groups = []
    for name in chosen or tables["isthmus"][0]:
        cases = {
            library: waiting(table[name], wait)
            for library, (table, wait) in tables.items()
            if name in table
        }
        group = interleave(f"{name}, {device}, {size}", cases, 8)
        print_group(group, "isthmus")
        groups.append(group)
    return groups


def bars_of(groups: list[Group]) -> list[Bar]:
    bars = []
    for peer in ("dpnp", "pyopencl"):
        ratios = {g.name: g.ratio("isthmus", peer) for g in groups if peer in g.times}
        bars += [Bar(f"{name}, to {peer}", ratio, 1.0) for name, ratio in ratios.items()]
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        bars.append(Bar(f"geometric mean, to {peer}", mean, MEAN))
    return bars


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", action="append", choices=DEVICES)
    parser.add_argument("--size", action="append", type=int)
    parser.add_argument("--line", action="append", help="one of the lines; all if none is named")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed")
    arguments = parser.parse_args()
    xp.config.inline = "0"
    groups = []
    for device in arguments.device or DEVICES:
        for size in arguments.size or SIZES:
            groups += measure(xp.Device(device), size, arguments.line or [])
    return finish(groups, bars_of(groups), "numpy", "dpnp", "pyopencl", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
