"""PEP 3118 buffers both ways: memoryview, NumPy, bytes, array.array, ctypes; and bad ones."""

from __future__ import annotations

import array
import ctypes
import gc
import sys
from typing import Any

import numpy as np
import pytest

import isthmus
from tests.exchange import layouts
from tests.exchange.layouts import is_shared

FORMATS = {
    **{"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "l"},
    **{"uint8": "B", "uint16": "H", "uint32": "I", "uint64": "L"},
    **{"float16": "e", "float32": "f", "float64": "d", "complex64": "Zf", "complex128": "Zd"},
}


def shown(a: Any) -> memoryview:
    """For what the annotations of Python 3.11 know no buffer of, ndarrays foremost."""
    return memoryview(a)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_ours_is_shown_as_numpy_shows_its_own(name: str) -> None:
    x = layouts.our_layouts()[name]
    like = layouts.numpy_layouts()[name]
    view = memoryview(x)
    assert (view.shape, view.format, view.itemsize) == (like.shape, "f", 4)
    assert view.readonly == x.is_read_only
    a = np.asarray(view)
    assert np.array_equal(a, np.from_dlpack(x))
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_memoryviews_of_others_are_shared(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.asarray(shown(a))
    layouts.assert_one_memory(x, a)


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


class Choice(ctypes.Union):
    """Shown as bytes, of eight bytes each."""

    _fields_ = (("number", ctypes.c_double), ("bytes", ctypes.c_char * 8))


class Nothing(ctypes.Structure):
    """Without a byte."""


class Bits(ctypes.Structure):
    _fields_ = (("low", ctypes.c_int, 3), ("high", ctypes.c_int, 5))


class Pointing(ctypes.Structure):
    _fields_ = (("number", ctypes.c_double), ("next", ctypes.c_void_p))


BAD: dict[str, tuple[str, Any]] = {
    "pointers": ("format", lambda: (ctypes.c_void_p * 3)()),
    "typed_pointers": ("format", lambda: (ctypes.POINTER(ctypes.c_int) * 3)()),
    "functions": ("format", lambda: (ctypes.CFUNCTYPE(None) * 3)()),
    "objects": ("format", lambda: (ctypes.py_object * 3)()),
    "objects_of_numpy": ("format", lambda: shown(np.array([None, 1]))),
    "characters": ("format", lambda: array.array("u", "abc")),
    "wide_characters": ("format", lambda: (ctypes.c_wchar * 3)()),
    "bytes_of_text": ("format", lambda: memoryview(bytes(3)).cast("c")),
    "long_doubles": ("format", lambda: (ctypes.c_longdouble * 3)()),
    "other_byte_order": ("format", lambda: (ctypes.c_int32.__ctype_be__ * 3)()),
    "bit_fields": ("format", lambda: (Bits * 3)()),
    "pointers_in_structs": ("format", lambda: (Pointing * 3)()),
    "unions": ("itemsize", lambda: (Choice * 3)()),
    "one_union": ("itemsize", lambda: Choice()),
    "elements_without_bytes": ("itemsize", lambda: (Nothing * 3)()),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_buffers_are_refused_by_field_and_let_go(name: str) -> None:
    field, make = BAD[name]
    bad = make()
    before = isthmus.counters()["memories"], sys.getrefcount(bad)
    for copy in (None, True):
        with pytest.raises(isthmus.ExchangeError, match=f"buffer_protocol: buffer: {field}: "):
            isthmus.asarray(bad, copy=copy)
    with pytest.raises(isthmus.CopyRefusedError, match=f"buffer: {field}: "):
        isthmus.asarray(bad, copy=False)
    assert isthmus.explain(bad).verdict == "impossible"
    assert (isthmus.counters()["memories"], sys.getrefcount(bad)) == before
    assert np.asarray(isthmus.asarray((ctypes.c_int32 * 2)(1, 2))).tolist() == [1, 2]


def test_buffers_that_lead_through_pointers_are_refused_and_released() -> None:
    testing = pytest.importorskip("_testbuffer")
    options = {"shape": [3, 4], "format": "i"}
    bad = testing.ndarray(list(range(12)), flags=testing.ND_PIL, **options)
    references = sys.getrefcount(bad)
    with pytest.raises(isthmus.ExchangeError, match="suboffsets: axis 0"):
        isthmus.asarray(bad)
    assert sys.getrefcount(bad) == references
    good = testing.ndarray(list(range(12)), flags=testing.ND_WRITABLE, **options)
    assert float(isthmus.sum(isthmus.asarray(good, copy=False))) == 66


def test_what_a_producer_says_when_it_gives_no_buffer_comes_through() -> None:
    released = memoryview(bytearray(8))
    released.release()
    with pytest.raises((ValueError, BufferError), match="released"):
        isthmus.asarray(released)
