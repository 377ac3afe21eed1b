"""isthmus.cl beside pyopencl's arrays, operation by operation, on one runtime.

Arrays are private: they lie in memory of the pool, or for pyopencl without an allocator. Every call
ends when its result is there. Small operations are timed launched (inline "0") and inline ("1").
Turns last 50 ms: in the first ms after a pause PoCL's threads sleep deeply, and arrays of 4 MB that
the other side's work has driven out of the caches come back to them in some 20 calls.
pyopencl's reductions, scans and algorithms need Mako: without it those cases are left out.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp  # first: it tells the loaders of the others where Intel's runtime is

xp.devices()
import isthmus.cl.algorithm as our_algorithm  # noqa: E402
import isthmus.cl.array as our_array  # noqa: E402
import isthmus.cl.clrandom as our_random  # noqa: E402
import isthmus.cl.elementwise as our_elementwise  # noqa: E402
import pyopencl as cl  # noqa: E402
import pyopencl.algorithm as their_algorithm  # noqa: E402
import pyopencl.array as their_array  # noqa: E402
import pyopencl.clrandom as their_random  # noqa: E402
import pyopencl.elementwise as their_elementwise  # noqa: E402

THEIRS, OURS = "pyopencl", "isthmus.cl"
MODULES = {
    THEIRS: (their_array, their_algorithm, their_random, their_elementwise),
    OURS: (our_array, our_algorithm, our_random, our_elementwise),
}
SMALL, LARGE, HUGE = 1000, 1_000_000, 10_000_000
ROUNDS = {SMALL: 20, LARGE: 20, HUGE: 7}  # pyopencl's chain of 20 takes 3 s a call
TURN_SECONDS = 0.05

Case = Callable[..., Callable[[], Any]]  # (modules, queue, size) -> the call


def ended(x: Any) -> Any:
    x.finish()
    x.queue.finish()  # not all of pyopencl's arrays know all events
    return x


def observed(x: Any) -> Any:
    """For arrays that know all events: a finish of the queue is 1 us more for both."""
    x.finish()
    return x


def arrays(modules: Any, queue: Any, size: int, count: int) -> list[Any]:
    random = np.random.default_rng(3)
    hosts = [random.random(size, dtype=np.float32) for _ in range(count)]
    return [modules[0].to_device(queue, host) for host in hosts]


def add(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    x, y = arrays(modules, queue, size, 2)
    return lambda: observed(x + y)


def chain(operations: int) -> Case:
    def case(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
        x, y = arrays(modules, queue, size, 2)

        def call() -> Any:
            found = x
            for number in range(operations):
                found = found * y if number % 2 else found + y
            return ended(found)

        return call

    return case


def total(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    (x,) = arrays(modules, queue, size, 1)
    return lambda: modules[0].sum(x).get()


def dot(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    x, y = arrays(modules, queue, size, 2)
    return lambda: modules[0].dot(x, y).get()


def cumsum(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    (x,) = arrays(modules, queue, size, 1)
    return lambda: ended(modules[0].cumsum(x))


def copy_if(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    (x,) = arrays(modules, queue, size, 1)
    return lambda: modules[1].copy_if(x, "ary[i] > 0.5f")[1].get()


def radix_sort(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    host = np.random.default_rng(3).integers(0, 2**31, size).astype(np.uint32)
    x = modules[0].to_device(queue, host)
    sort = modules[1].RadixSort(queue.context, "uint *x", "x[i]", ["x"], key_dtype=np.uint32)
    return lambda: ended(sort(x)[0][0])


def drawn(what: str) -> Case:
    def case(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
        x = modules[0].empty(queue, size, np.float32)
        generator = modules[2].PhiloxGenerator(queue.context, seed=1)

        def call() -> Any:
            getattr(generator, what)(x, queue=queue)
            return ended(x)

        return call

    return case


def second_call(modules: Any, queue: Any, size: int) -> Callable[[], Any]:
    x, y = arrays(modules, queue, size, 2)
    kernel = modules[3].ElementwiseKernel(
        queue.context, "float *x, float *y, float a", "y[i] = a * x[i] + y[i]", "axpy"
    )

    def call() -> None:
        kernel(x, y, np.float32(0.5))
        queue.finish()

    return call


# name, case, elements, inline, whether pyopencl's needs Mako, limit on Intel's runtime, on PoCL
CASES: list[tuple[str, Case, int, str, bool, float, float]] = [
    ("add, launched", add, SMALL, "0", False, 0.5, 0.5),
    ("add, inline", add, SMALL, "1", False, 0.1, 0.1),
    ("chain of 6", chain(6), LARGE, "auto", False, 1 / 8, 1 / 8),
    ("chain of 6", chain(6), HUGE, "auto", False, 1 / 20, 1 / 20),
    ("chain of 20", chain(20), HUGE, "auto", False, 1 / 60, 1 / 60),
    ("sum", total, LARGE, "auto", True, 1 / 4, 1 / 10),
    ("dot", dot, LARGE, "auto", True, 1 / 2, 1 / 10),
    ("cumsum", cumsum, LARGE, "auto", True, 1, 1),
    ("copy_if", copy_if, LARGE, "auto", True, 1, 1),
    ("RadixSort", radix_sort, LARGE, "auto", True, 1, 1),
    ("fill_uniform", drawn("fill_uniform"), LARGE, "auto", False, 1, 1),
    ("fill_normal", drawn("fill_normal"), LARGE, "auto", False, 1, 1),
    ("ElementwiseKernel, second call", second_call, SMALL, "auto", False, 1 / 3, 1 / 3),
]


def main() -> int:
    warnings.simplefilter("ignore")  # what compilers say
    has_mako = importlib.util.find_spec("mako") is not None
    chosen = [arg for arg in sys.argv[1:] if not arg.startswith("-")]
    groups: list[Group] = []
    bars: list[Bar] = []
    for platform in cl.get_platforms():
        context = cl.Context(platform.get_devices()[:1])
        queue = cl.CommandQueue(context)
        for name, case, size, inline, needs_mako, on_intel, on_pocl in CASES:
            if chosen and name not in chosen:
                continue
            if needs_mako and not has_mako:
                print(f"{name}: left out, pyopencl's side needs Mako")
                continue
            xp.config.inline = inline
            calls = {side: case(modules, queue, size) for side, modules in MODULES.items()}
            group = interleave(
                f"{name}, {platform.name}, {size}", calls, ROUNDS[size], TURN_SECONDS
            )
            print_group(group, THEIRS)
            groups.append(group)
            limit = on_intel if "Intel" in platform.name else on_pocl
            bars.append(Bar(f"{group.name}, to {THEIRS}", group.ratio(OURS, THEIRS), limit))
    return finish(groups, bars, "numpy", "pyopencl", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
