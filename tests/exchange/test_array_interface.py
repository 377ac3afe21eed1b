"""__array_interface__ both ways, and every field of a bad one."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts
from tests.exchange.layouts import is_shared
from tests.exchange.showing import Interface


@pytest.mark.parametrize("name", layouts.NAMES)
def test_theirs_to_us(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.asarray(Interface(a))
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_ours_to_them(name: str) -> None:
    x = layouts.our_layouts()[name]
    shown = x.__array_interface__
    assert shown["version"] == 3
    assert shown["typestr"] == "<f4"
    assert shown["shape"] == x.shape
    assert shown["data"][1] == x.is_read_only
    a = np.asarray(Interface(x))
    assert np.array_equal(a, np.asarray(x))
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("dies_first", ["ours", "numpy"])
def test_lifetimes_us_to_numpy(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float64").eval()
    y = x[:]
    a = np.asarray(Interface(x))
    if dies_first == "ours":  # whose name goes; the object is held by who asked it for the address
        watch = weakref.ref(x)
        del x
        gc.collect()
        assert watch() is not None and is_shared(y)
        assert a.sum() == 15
        del a
        gc.collect()
        assert watch() is None and not is_shared(y)
    else:
        del a
        gc.collect()
        assert is_shared(x)  # until it dies, since the address was told
    assert float(isthmus.sum(y)) == 15


def test_structs_carry_their_descr_both_ways() -> None:
    dtype = np.dtype([("a", "i1"), ("b", "<f8")])
    a = np.zeros(3, dtype=dtype)
    x = isthmus.asarray(Interface(a))
    assert x.dtype == dtype
    assert x.__array_interface__["descr"] == dtype.descr
    assert x.__array_interface__["typestr"] == "|V9"


def test_fields_of_structs_are_views_where_they_fall_on_whole_elements() -> None:
    a = np.zeros(3, dtype=[("a", "f4"), ("b", "f4")])
    x = isthmus.asarray(a["b"])
    assert x.strides == (2,)
    x[...] = 5
    assert a["b"].tolist() == [5, 5, 5]
    packed = np.zeros(3, dtype=[("a", "i1"), ("b", "<f8")])
    packed["b"] = 7
    with pytest.raises(isthmus.CopyRefusedError, match=r"stride|misaligned"):
        isthmus.asarray(packed["b"], copy=False)
    before = isthmus.statistics()["copies"]
    y = isthmus.asarray(packed["b"])
    assert np.asarray(y).tolist() == [7, 7, 7]
    assert isthmus.statistics()["copies"] == before + 1


def test_bfloat16_comes_by_its_dtype() -> None:
    a = np.arange(4).astype(ml_dtypes.bfloat16)
    x = isthmus.asarray(a)
    assert x.dtype == a.dtype
    assert layouts.address(np.asarray(x)) == layouts.address(a)
    assert not hasattr(x, "__array_interface__")


def test_a_probe_of_memory_out_of_reach_evaluates_nothing() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    pending = x.is_pending
    assert not hasattr(x, "__array_interface__")
    assert x.is_pending == pending


def test_the_memory_is_shared_while_the_object_lives() -> None:
    x = isthmus.ones(4).eval()
    y = x[1:]
    assert y.__array_interface__["data"][0] == x.__array_interface__["data"][0] + x.itemsize
    assert is_shared(x)
    del x
    gc.collect()
    assert is_shared(y)
    z = y[1:]
    del y
    assert not is_shared(z)


def test_what_is_pending_is_evaluated_before_others_may_write() -> None:
    x = isthmus.ones(4).eval()
    y = x + 1
    np.asarray(Interface(x))[...] = 50
    assert float(isthmus.sum(y)) == 8


def test_data_may_be_a_buffer_with_an_offset() -> None:
    raw = bytearray(np.arange(6, dtype="f4").tobytes())

    class Raw:
        def __init__(self, length: int) -> None:
            shape = (length,)
            fields = {"version": 3, "typestr": "<f4", "shape": shape, "data": raw, "offset": 8}
            self.__array_interface__ = fields

    x = isthmus.asarray(Raw(4))
    assert np.asarray(x).tolist() == [2, 3, 4, 5]
    with pytest.raises(isthmus.ExchangeError, match="beyond the buffer"):
        isthmus.asarray(Raw(5))


def test_garbage_cycles_through_a_producer_are_collected() -> None:
    before = isthmus.counters()["memories"]
    shows: Any = Interface(np.arange(6.0))
    shows.back = isthmus.asarray(shows)
    del shows
    gc.collect()
    assert isthmus.counters()["memories"] == before


BAD = {
    "version": ("version", 2),
    "version_text": ("version", "3"),
    "typestr": ("typestr", "<q9"),
    "typestr_none": ("typestr", None),
    "big_endian": ("typestr", ">f8"),
    "object": ("typestr", "|O"),
    "shape": ("shape", [3, 4]),
    "negative": ("shape", (-3, 4)),
    "fraction": ("shape", (1.5, 4)),
    "overflow": ("shape", (2**32 + 1, 2**32)),
    "strides": ("strides", (32,)),
    "stride_bytes": ("strides", (33, 8)),
    "stride_overflow": ("strides", (2**63 - 8, 8)),
    "data": ("data", 17),
    "data_null": ("data", (0, False)),
    "data_negative": ("data", (-8, False)),
    "data_misaligned": ("data", (4097, False)),
    "data_text": ("data", ("4096", False)),
    "mask": ("mask", (1,)),
}


@pytest.mark.parametrize("name", BAD)
def test_malformed_dictionaries_are_refused_by_field(name: str) -> None:
    field, value = BAD[name]
    bad = Interface(np.arange(12.0).reshape(3, 4), **{field: value})
    before = isthmus.counters()["memories"]
    references = sys.getrefcount(bad)
    with pytest.raises(isthmus.ExchangeError, match=f"{field}: "):
        isthmus.asarray(bad)
    assert sys.getrefcount(bad) == references
    assert isthmus.counters()["memories"] == before


@pytest.mark.parametrize("field", ["version", "typestr", "shape", "data"])
def test_a_missing_field_is_named(field: str) -> None:
    bad = Interface(np.arange(3.0))
    del bad.__array_interface__[field]
    with pytest.raises(isthmus.ExchangeError, match=f"{field}: "):
        isthmus.asarray(bad)


def test_what_is_no_dictionary_is_refused() -> None:
    class Wrong:
        __array_interface__ = 7

    with pytest.raises(isthmus.ExchangeError, match="dict"):
        isthmus.asarray(Wrong())


def test_owners_go_with_their_arrays_though_others_overlap_them() -> None:
    a = np.arange(10.0)
    first, second = Interface(a[:6]), Interface(a[4:])
    x, y = isthmus.asarray(first), isthmus.asarray(second)
    gone = weakref.ref(first)
    del first, x
    gc.collect()
    assert gone() is None
    y[0] = -1  # the memory of both, which they still know to be one
    assert a[4] == -1 and is_shared(y)
