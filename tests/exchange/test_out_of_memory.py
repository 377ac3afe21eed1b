"""Each object that Python has no memory for, in every exchange: MemoryError, no crash, no leak."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.conftest import alive

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")
# CPython's own tests have it; it fails allocations by their number
api: Any = pytest.importorskip("_testcapi", reason="CPython without its _testcapi")

DEVICES = [str(d) for d in isthmus.devices()]


class Shows:
    """An object that has nothing but one attribute, made before memory is short."""

    def __init__(self, array: Any, attribute: str) -> None:
        self.keep = array
        setattr(self, attribute, getattr(array, attribute))


def ours(device: str) -> Any:
    x = isthmus.arange(24, dtype="float32", device=device)
    return isthmus.reshape(x, (4, 6))[::-1, 1:].eval()


def fail_each(call: Callable[[], object], *others: type[Exception]) -> int:
    """How many allocations of the call fail it, each by a MemoryError, or others' own errors."""
    expected: tuple[type[Exception], ...] = (MemoryError, *others)
    call(), call()
    gc.collect()
    before = alive()
    raised = passed = nth = 0
    while passed < 25:  # an allocation whose failure is survived is one of those, too
        result: object = None
        try:
            api.set_nomemory(nth, nth + 1)
            result = call()
            passed += 1
        except expected:
            raised += 1
        finally:
            api.remove_mem_hooks()
        del result
        nth += 1
    gc.collect()
    assert alive() == before, "(memories, nodes)"
    call()
    return raised


BOTH = {
    "dlpack": lambda x: x.__dlpack__(max_version=(1, 3)),
    "legacy": lambda x: x.__dlpack__(),
    "dlpack_device": lambda x: x.__dlpack_device__(),
    "evaluate": lambda x: (2 * x + x * isthmus.sin(x) - x / 3).eval(),
    "write": lambda x: x.__setitem__((slice(1, 3), Ellipsis), 3),
    "index": lambda x: x[::-1, None, 2:],
    "reduce": lambda x: isthmus.sum(x, axis=0).eval(),
    "scalar": lambda x: float(isthmus.max(x)),
    "concat": lambda x: isthmus.concat([x, x + 1]).eval(),
    "copy": lambda x: isthmus.asarray(x, copy=True).eval(),
    "explain": isthmus.explain,
    "to_host": lambda x: isthmus.asarray(x, device="cpu"),
    "show": lambda x: np.asarray(isthmus.asarray(x, device="cpu")),
    "tolist": lambda x: x.tolist(),
}
"""What our own arrays are asked for, on every device."""


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("device", DEVICES)
def test_of_ours(device: str, name: str) -> None:
    x = ours(device)
    fail_each(lambda: BOTH[name](x))


def test_of_numpys() -> None:
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


def test_of_usm(sycl: Any) -> None:
    x = ours(str(sycl))
    shown = Shows(x, "__sycl_usm_array_interface__")
    assert fail_each(lambda: x.__sycl_usm_array_interface__) > 3
    fail_each(lambda: isthmus.asarray(shown))
    # memory objects are not among them: nanobind 3.1 binds no method to `super()` without memory
    fail_each(lambda: isthmus.Queue(sycl)._get_capsule())


@pytest.mark.parametrize("device", [d for d in DEVICES if d.startswith("opencl")])
def test_of_pyopencl(device: str) -> None:
    peers: Any = importlib.import_module("tests.exchange.opencl_peers")
    queue = peers.queue_of(device)
    theirs = peers.cla.to_device(queue, np.arange(24, dtype=np.float32).reshape(4, 6))
    queue.finish()
    x = ours(device)
    fail_each(lambda: isthmus.from_pyopencl(theirs))
    own_queue = isthmus.Queue(device).to_pyopencl()
    # NumPy, which pyopencl's Array asks, says SystemError
    fail_each(lambda: x.to_pyopencl(queue=own_queue), SystemError)


def test_what_is_told(sycl: Any) -> None:
    # nanobind says RuntimeError where it has no memory for a text
    for tell in (isthmus.devices, isthmus.counters, isthmus.statistics, sycl.__repr__):
        fail_each(tell, RuntimeError)
    fail_each(lambda: sycl.info, RuntimeError)
