"""Programs for test_out_of_memory.py, each in a process of its own: memory is short for all threads
of a process, and those of pytest-xdist would be hit."""

from __future__ import annotations

import gc
import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")
# CPython's own tests have it; it fails allocations by their number
api: Any = importlib.import_module("_testcapi")


class Shows:
    """An object that has nothing but one attribute, made before memory is short."""

    def __init__(self, array: Any, attribute: str) -> None:
        self.keep = array
        setattr(self, attribute, getattr(array, attribute))


def ours(device: str) -> Any:
    x = isthmus.arange(24, dtype="float32", device=device)
    return isthmus.reshape(x, (4, 6))[::-1, 1:].eval()


def settled() -> tuple[int, int]:
    """Memories and nodes, when the work of other threads has ended."""
    alive: Any = importlib.import_module("tests.conftest").alive
    gc.collect()
    isthmus.synchronize()
    now, last = alive(), None
    while now != last:
        time.sleep(0.02)
        now, last = alive(), now
    assert isinstance(now, tuple)
    return now


def fail_each(call: Callable[[], object], *others: type[Exception]) -> int:
    """How many allocations of the call fail it, each by a MemoryError, or others' own errors."""
    expected: tuple[type[Exception], ...] = (MemoryError, *others)
    call(), call()
    before = settled()
    raised = passed = nth = 0
    kept: list[object] = [None] * 1000  # with room; what dies would give its memory to the next
    while passed < 25:  # an allocation whose failure is survived is one of those, too
        try:
            api.set_nomemory(nth, nth + 1)
            kept[nth] = call()
            passed += 1
        except expected:
            raised += 1
        finally:
            api.remove_mem_hooks()
        nth += 1
    kept.clear()
    after = settled()
    assert after == before, f"(memories, nodes) were {before} and are {after}"
    call()
    return raised


def of_ours(device: str) -> None:
    x = ours(device)
    fail_each(lambda: x.__dlpack__(max_version=(1, 3)))
    fail_each(lambda: x.__dlpack__())
    fail_each(lambda: x.__dlpack_device__())
    fail_each(lambda: (2 * x + x * isthmus.sin(x) - x / 3).eval())
    fail_each(lambda: x.__setitem__((slice(1, 3), Ellipsis), 3))
    fail_each(lambda: x[::-1, None, 2:])
    fail_each(lambda: isthmus.sum(x, axis=0).eval())
    fail_each(lambda: float(isthmus.max(x)))
    fail_each(lambda: isthmus.concat([x, x + 1]).eval())
    fail_each(lambda: isthmus.asarray(x, copy=True).eval())
    fail_each(lambda: isthmus.explain(x))
    fail_each(lambda: isthmus.asarray(x, device="cpu"))
    fail_each(lambda: np.asarray(isthmus.asarray(x, device="cpu")))
    assert fail_each(lambda: x.tolist()) > 0


def of_numpys() -> None:
    x: Any = np.arange(24, dtype=np.float32).reshape(4, 6)[::-1, 1:]
    numbers, ours_of_it, view = x.tolist(), isthmus.asarray(x), memoryview(x)
    shown = Shows(x, "__array_interface__")
    fail_each(lambda: isthmus.asarray(x))
    fail_each(lambda: isthmus.asarray(x, copy=False))
    fail_each(lambda: isthmus.from_dlpack(x))
    fail_each(lambda: isthmus.asarray(view))
    fail_each(lambda: isthmus.asarray(shown))
    fail_each(lambda: isthmus.asarray(numbers))
    assert fail_each(lambda: np.from_dlpack(ours_of_it)) > 0
    assert fail_each(lambda: memoryview(ours_of_it)) > 0
    assert fail_each(lambda: ours_of_it.__array_interface__) > 0


def of_usm(device: str) -> None:
    x = ours(device)
    shown = Shows(x, "__sycl_usm_array_interface__")
    assert fail_each(lambda: x.__sycl_usm_array_interface__) > 3
    fail_each(lambda: isthmus.asarray(shown))
    # memory objects are not among them: nanobind 3.1 binds no method to `super()` without memory
    queue = isthmus.Queue(device)
    fail_each(lambda: queue._get_capsule())


def of_pyopencl(device: str) -> None:
    peers: Any = importlib.import_module("tests.exchange.opencl_peers")
    queue = peers.queue_of(device)
    theirs = peers.cla.to_device(queue, np.arange(24, dtype=np.float32).reshape(4, 6))
    queue.finish()
    # not the way out: it ends in pyopencl's Array, where NumPy crashes without memory
    fail_each(lambda: isthmus.from_pyopencl(theirs))


def of_what_is_told(device: str) -> None:
    # nanobind says RuntimeError where it has no memory for a text
    named = isthmus.Device(device)
    for tell in (isthmus.devices, isthmus.counters, isthmus.statistics, named.__repr__):
        fail_each(tell, RuntimeError)
    fail_each(lambda: named.info, RuntimeError)
