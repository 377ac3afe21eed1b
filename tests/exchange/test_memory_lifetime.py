"""Memory objects that are not whole: never initialised, or in a garbage cycle."""

from __future__ import annotations

import copy
import ctypes
import gc
import importlib
import pickle
import sys
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import isthmus

sys.path.insert(0, str(Path(__file__).parent))
memory: Any = importlib.import_module("isthmus.memory")


class Forgetful(memory.MemoryHost):  # type: ignore[misc]
    """Its __init__ calls no other."""

    def __init__(self) -> None:
        pass


USES: dict[str, Callable[[Any], object]] = {
    "memoryview": memoryview,
    "asarray": isthmus.asarray,
    "explain": isthmus.explain,
    "from_memory": lambda m: isthmus.from_memory(m, (1,), "uint8"),
    "as_memory": memory.as_memory,
    "over_another": memory.MemoryHost,
    "copy_of_another": lambda m: memory.MemoryHost(m, copy=True),
    "copy_from_device": lambda m: memory.MemoryHost(8).copy_from_device(m),
    "setitem": lambda m: isthmus.zeros(8, dtype="uint8").__setitem__(slice(None), m),
    "len": len,
    "slice": lambda m: m[1:],
    "bytes": bytes,
    "repr": repr,
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "memset": lambda m: m.memset(1),
    "sycl_queue": lambda m: m.sycl_queue,
    "sycl_context": lambda m: m.sycl_context,
    "interface": lambda m: m.__sycl_usm_array_interface__,
    "usm_type": lambda m: m.get_usm_type(),
    "reference_obj": lambda m: m.reference_obj,
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("make", [Forgetful, lambda: Forgetful.__new__(Forgetful)])
def test_memory_that_was_not_initialised_says_so(name: str, make: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="Forgetful: was not initialised"):
        USES[name](make())


TP_CLEAR = 51  # Py_tp_clear, of Python's stable ABI
get_slot = ctypes.pythonapi.PyType_GetSlot
get_slot.restype, get_slot.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_int)


@pytest.mark.parametrize("name", USES)
def test_memory_that_gc_has_taken_apart_raises(name: str) -> None:
    m = memory.MemoryHost(8)
    clear = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object)(
        get_slot(isthmus._isthmus._Memory, TP_CLEAR)
    )
    assert clear(m) == 0
    with pytest.raises(TypeError, match="MemoryHost: was not initialised"):
        USES[name](m)


# ---- garbage cycles through the owner of memory


class OfHost:
    """Owns and shows host memory, and will know what was made of it."""

    made: Any
    memory = "MemoryHost"

    def __init__(self) -> None:
        self.array = np.zeros(16, np.float32)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.array.__array_interface__
        return shown

    def adopt(self) -> Any:
        return memory.MemoryHost.from_pointer(self.array.ctypes.data, 64, owner=self)


class OfSycl:
    """The same with USM."""

    made: Any
    memory = "MemoryUSMShared"

    def __init__(self) -> None:
        usm = importlib.import_module("sycl_peers").usm
        self.allocation = usm.MemoryUSMShared(64)

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.allocation.__sycl_usm_array_interface__
        return shown | {"typestr": "<f4", "shape": (16,), "data": (shown["data"][0], False)}

    def adopt(self) -> Any:
        at, queue = self.allocation._pointer, self.allocation.sycl_queue
        return memory.MemoryUSMShared.from_pointer(at, 64, queue, self)


def views_of_each_kind(owner: Any) -> Any:
    x = isthmus.asarray(owner)
    m = x.memory
    y = isthmus.from_memory(m[8:], (4,), "float32")
    return x, x[2:], m, m[4:], m[4:][4:], y, y[1:], memory.as_memory(y), memoryview(m[2:])


MADE: dict[str, Callable[[Any], Any]] = {
    "array": isthmus.asarray,
    "memory": lambda owner: getattr(memory, owner.memory)(owner),
    "as_memory": memory.as_memory,
    "slice": lambda owner: memory.as_memory(owner)[2:],
    "slices": lambda owner: [m := memory.as_memory(owner), m[2:], m[2:][2:]],
    "pointer": lambda owner: owner.adopt(),
    "memory_of_array": lambda owner: isthmus.asarray(owner).memory,
    "array_and_memory": lambda owner: (x := isthmus.asarray(owner), x.memory, memory.as_memory(x)),
    "array_of_memory": lambda owner: isthmus.from_memory(memory.as_memory(owner), (4,), "float32"),
    "buffer": lambda owner: memoryview(memory.as_memory(owner)),
    "all": views_of_each_kind,
}


def has_gone(watch: weakref.ref[Any]) -> bool:
    until = time.monotonic() + 5
    while watch() is not None and time.monotonic() < until:
        gc.collect()
        isthmus.counters()  # drops what other threads have let go of
    return watch() is None


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("kind", [OfHost, OfSycl])
def test_garbage_cycles_through_memory_are_collected(
    kind: Any, made: str, request: pytest.FixtureRequest
) -> None:
    if kind is OfSycl:
        request.getfixturevalue("sycl")
    owner = kind()
    owner.made = MADE[made](owner)
    kept = kind()
    kept.made = MADE[made](kept)
    watch, still = weakref.ref(owner), weakref.ref(kept)
    outside = kept.made[-1] if isinstance(kept.made, list | tuple) else kept.made
    del owner, kept
    assert has_gone(watch)
    gc.collect()
    assert still() is not None, "one of them is held from outside"
    del outside
    assert has_gone(still)


@pytest.mark.parametrize("kind", [OfHost, OfSycl])
def test_adopted_memory_knows_its_owner(kind: Any, request: pytest.FixtureRequest) -> None:
    if kind is OfSycl:
        request.getfixturevalue("sycl")
    owner = kind()
    m = memory.as_memory(owner)
    for adopted in (m, m[4:], owner.adopt(), memory.as_memory(m), isthmus.asarray(m).memory):
        assert adopted.reference_obj is owner
    for made in (getattr(memory, owner.memory)(8), isthmus.ones(3).memory):
        assert made.reference_obj is None
    raw = bytearray(8)
    assert memory.MemoryHost(raw).reference_obj is raw


def test_a_memory_that_knows_itself_is_collected() -> None:
    m = memory.MemoryHost(8)
    m.itself = m
    watch = weakref.ref(m)
    del m
    assert has_gone(watch)
