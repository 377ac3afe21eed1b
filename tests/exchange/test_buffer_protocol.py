"""PEP 3118 buffers both ways: memoryview, NumPy, Numba, bytes, array.array, ctypes."""

from __future__ import annotations

import array
import ctypes
import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")


sys.path.insert(0, str(Path(__file__).parent))
layouts = importlib.import_module("layouts")

FORMATS = {
    **{"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "l"},
    **{"uint8": "B", "uint16": "H", "uint32": "I", "uint64": "L"},
    **{"float16": "e", "float32": "f", "float64": "d", "complex64": "Zf", "complex128": "Zd"},
}


def is_shared(x: Any) -> bool:
    return str(isthmus.explain(x).reason).startswith("shared")


@pytest.mark.parametrize("name", layouts.NAMES)
def test_ours_is_shown_as_numpy_shows_its_own(name: str) -> None:
    x = layouts.our_layouts()[name]
    like = layouts.numpy_layouts()[name]
    view = memoryview(x)
    assert (view.shape, view.format, view.itemsize) == (like.shape, "f", 4)
    assert view.readonly == x.is_read_only
    a = np.asarray(view)
    assert a.shape == x.shape
    assert np.array_equal(a, np.from_dlpack(x))
    if x.size and not x.is_read_only:
        a[...] = 4
        assert float(isthmus.sum(x)) == 4 * x.size


@pytest.mark.parametrize("name", layouts.NAMES)
def test_memoryviews_of_others_are_shared(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.asarray(memoryview(a))
    assert x.shape == a.shape
    assert x.is_read_only == (not a.flags.writeable)
    if a.size:
        assert layouts.address(np.asarray(x)) == layouts.address(a)
        layouts.write_through(a, 33)
        assert np.all(np.asarray(x) == 33)


@pytest.mark.parametrize(("dtype", "code"), FORMATS.items())
def test_formats_both_ways(dtype: str, code: str) -> None:
    x = isthmus.zeros(3, dtype=dtype)
    assert memoryview(x).format == code
    y = isthmus.asarray(memoryview(x))
    assert y.dtype == x.dtype


def test_structs_go_both_ways_packed_and_aligned() -> None:
    for align in (False, True):
        dtype = np.dtype([("a", "i1"), ("b", "f8"), ("c", "f4", (2,))], align=align)
        a: Any = np.zeros(3, dtype=dtype)
        a["b"] = [1, 2, 3]
        x = isthmus.asarray(memoryview(a))
        assert x.dtype == dtype
        b = np.asarray(memoryview(x))
        assert b.dtype == dtype
        assert layouts.address(b) == layouts.address(a)
        b["b"][1] = 9
        assert a["b"][1] == 9


def test_standard_sizes_and_other_spellings_are_read() -> None:
    longs = memoryview(bytes(16)).cast("l")
    assert isthmus.asarray(longs).dtype == np.int64
    assert isthmus.asarray(memoryview(bytes(16)).cast("q")).dtype == np.int64
    assert isthmus.asarray(array.array("I", [1, 2])).dtype == np.uint32
    assert isthmus.asarray((ctypes.c_int32 * 3)(1, 2, 3)).dtype == np.int32
    assert np.asarray(isthmus.asarray((ctypes.c_double * 2)(1, 2))).tolist() == [1, 2]


def test_bytes_are_read_only_and_bytearrays_are_not() -> None:
    assert isthmus.asarray(b"abc").is_read_only
    raw = bytearray(b"abc")
    x = isthmus.asarray(raw)
    x[0] = 122
    assert raw == b"zbc"
    with pytest.raises(BufferError):
        raw.append(1)
    del x
    raw.append(1)


SIMPLE, WRITABLE, ND, STRIDES = 0, 1, 0x8, 0x18
C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS = 0x38, 0x58, 0x98


def ask(x: Any, flags: int) -> None:
    view = (ctypes.c_char * 80)()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(x), view, flags)
    ctypes.pythonapi.PyBuffer_Release(view)


def test_a_writable_view_of_what_is_read_only_is_refused() -> None:
    x = isthmus.broadcast_to(isthmus.arange(3), (2, 3))
    ask(x, STRIDES)
    with pytest.raises(BufferError, match="read-only"):
        ask(x, STRIDES | WRITABLE)


def test_contiguity_is_checked_where_it_is_asked_for() -> None:
    apart = isthmus.arange(12)[::2]
    rows = isthmus.reshape(isthmus.arange(6), (2, 3))
    columns = isthmus.permute_dims(rows, (1, 0))
    for x, refused in (
        (apart, (SIMPLE, ND, C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS)),
        (rows, (F_CONTIGUOUS,)),
        (columns, (SIMPLE, ND, C_CONTIGUOUS)),
    ):
        for flags in (SIMPLE, ND, STRIDES, C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS):
            if flags in refused:
                with pytest.raises(BufferError, match="contiguous"):
                    ask(x, flags)
            else:
                ask(x, flags)
    assert bytes(isthmus.arange(3, dtype="uint8")) == b"\0\1\2"


def test_bfloat16_has_no_format() -> None:
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(isthmus.zeros(3, dtype=isthmus.bfloat16))


def test_memory_out_of_reach_is_refused_without_evaluating() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    pending = x.is_pending
    with pytest.raises(BufferError, match="null:2"):
        memoryview(x)
    assert x.is_pending == pending


def test_other_byte_orders_are_copied_or_refused() -> None:
    a = np.arange(3, dtype=">i4")
    with pytest.raises(isthmus.CopyRefusedError):
        isthmus.asarray(a, copy=False)
    x = isthmus.asarray(a)
    assert x.dtype == np.int32
    assert np.asarray(x).tolist() == [0, 1, 2]


def test_an_export_lasts_until_the_last_view_is_released() -> None:
    x = isthmus.ones(4).eval()
    first, second = memoryview(x), memoryview(x)
    with first:
        assert is_shared(x)
    assert is_shared(x)
    second.release()
    assert not is_shared(x)


def test_views_keep_the_memory_when_the_array_dies() -> None:
    x = isthmus.arange(4, dtype="float64")
    view = memoryview(x)
    del x
    gc.collect()
    assert view.tolist() == [0, 1, 2, 3]


def test_numba_compiles_for_our_views_and_writes_through_them() -> None:
    @numba.njit
    def double(a: Any) -> float:
        total = 0.0
        for i in range(a.shape[0]):
            a[i] *= 2
            total += a[i]
        return total

    x = isthmus.arange(4, dtype="float32").eval()
    assert double(np.asarray(x)) == 12
    assert double(np.asarray(memoryview(x)[1:])) == 24
    assert np.asarray(x).tolist() == [0, 4, 8, 12]


class Node:
    """A cycle through an exporter."""

    def __init__(self) -> None:
        self.memory = Exporter(8)
        self.memory.array = isthmus.asarray(self.memory)


class Exporter(bytearray):
    array: Any


def test_garbage_cycles_through_an_exporter_are_collected() -> None:
    before = isthmus.counters()["memories"]
    Node()
    gc.collect()
    assert isthmus.counters()["memories"] == before
