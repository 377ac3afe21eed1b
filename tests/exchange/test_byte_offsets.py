"""Offsets and strides in bytes that are not whole numbers of elements are refused by every protocol
that has them, and never rounded."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp

memory = np.arange(64, dtype=np.uint8)
REFUSED = (BufferError, ValueError)


class Shown:
    def __init__(self, **fields: Any) -> None:
        self.__array_interface__ = {
            "version": 3,
            "typestr": "<i4",
            "shape": (4,),
            "data": (memory.ctypes.data, False),
            **fields,
        }


def buffer_of(a: Any) -> memoryview:
    return memoryview(a)


def pyopencl_view(start: int) -> Any:
    cl = pytest.importorskip("pyopencl")
    assert cl
    found = [d for d in xp.devices() if d.backend == "opencl"]
    if not found:
        return None
    x = xp.astype(xp.arange(64, device=found[0]), "uint8")
    return x[start : start + 32].to_pyopencl().view(np.int32)


CASES: dict[str, Callable[[], Any]] = {
    "stride of __array_interface__": lambda: Shown(strides=(6,)),
    "offset of __array_interface__": lambda: Shown(data=memory[:32], offset=3),
    "address of __array_interface__": lambda: Shown(data=(memory.ctypes.data + 2, False)),
    "stride of a buffer": lambda: buffer_of(np.ndarray((4,), np.int32, memory, 0, (6,))),
    "stride of an ndarray": lambda: np.ndarray((4,), np.int32, memory, 0, (6,)),
    "offset of an ndarray": lambda: np.ndarray((4,), np.int32, memory, 2, (4,)),
    **{
        f"view of pyopencl from byte {start}": functools.partial(pyopencl_view, start)
        for start in (1, 2, 3, 5, 31)
    },
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", CASES)
def test_part_of_an_element_is_refused(name: str) -> None:
    shown = CASES[name]()
    if shown is None:
        pytest.skip("no such device")
    with pytest.raises(REFUSED, match=r"whole number|misaligned"):
        xp.asarray(shown, copy=False)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("start", [0, 4, 8, 28])
def test_a_view_of_pyopencl_at_whole_elements_comes_back(start: int) -> None:
    shown = pyopencl_view(start)
    if shown is None:
        pytest.skip("no such device")
    back = xp.asarray(shown)
    wanted = np.arange(64, dtype=np.uint8)[start : start + 32].view(np.int32)
    assert back.to_numpy().tolist() == wanted.tolist()
    back[0] = 7
    assert back.to_numpy()[0] == 7


def test_memory_objects_count_whole_elements() -> None:
    m = xp.memory.MemoryHost(64)
    with pytest.raises(REFUSED, match=r"whole number|misaligned"):
        xp.from_memory(m[2:], (4,), "int32")
    assert xp.from_memory(m[4:], (4,), "int32").shape == (4,)
