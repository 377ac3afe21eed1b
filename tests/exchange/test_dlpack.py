"""DLPack by capsules: what they say and who frees them, both ways, against NumPy.

The keywords are in test_dlpack_keywords.py, JAX is in test_dlpack_jax.py.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

import numpy as np
import pytest

import isthmus
from tests.exchange import layouts, malformed
from tests.exchange.layouts import is_shared
from tests.exchange.showing import Capsule, capsule_name, head_of

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)
VERSION = (1, 3)


@pytest.mark.parametrize("by", [lambda a: a, Capsule], ids=["ndarray", "capsule"])
@pytest.mark.parametrize("name", layouts.NAMES)
def test_L14_numpy_to_us_shares_address_and_writes(name: str, by: Any) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.from_dlpack(by(a))
    assert np.array_equal(np.asarray(x), a)
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L14_us_to_numpy_shares_address_and_writes(name: str) -> None:
    x = layouts.our_layouts()[name]
    a = np.from_dlpack(x)
    assert np.array_equal(np.asarray(x), a)
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("name", layouts.NAMES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_L16_every_dtype_goes_both_ways(dtype: str, name: str) -> None:
    a = layouts.numpy_layouts(dtype)[name]
    x = isthmus.from_dlpack(Capsule(a))
    assert x.dtype == isthmus.from_dlpack(a).dtype == a.dtype
    b = np.from_dlpack(x)
    assert b.dtype == a.dtype
    assert np.array_equal(a, b)
    if a.size:
        assert layouts.address(b) == layouts.address(a)


@pytest.mark.parametrize("name", ["records", "records_apart"])
def test_L16_structs_have_no_dlpack_form(name: str) -> None:
    a = layouts.PACKED[name][0]()
    x = isthmus.asarray(a)
    with pytest.raises(BufferError, match="dtype"):
        x.__dlpack__(max_version=VERSION)
    with pytest.raises(BufferError, match="dtype"):
        np.from_dlpack(x)
    with pytest.raises(BufferError, match="dtypes"):  # NumPy, of its own
        isthmus.from_dlpack(a)


@pytest.mark.parametrize("by", [lambda a: a, Capsule], ids=["ndarray", "capsule"])
@pytest.mark.parametrize("name", layouts.NAMES)
def test_L13_read_only_flag_travels_both_ways(name: str, by: Any) -> None:
    for locked in (False, True):
        a = layouts.numpy_layouts()[name]
        if locked:
            a.flags.writeable = False
        x = isthmus.from_dlpack(by(a))
        assert x.is_read_only == (not a.flags.writeable)
        assert head_of(x.__dlpack__(max_version=VERSION)).flags == x.is_read_only
        if x.size:  # else NumPy takes memory of its own
            layouts.assert_one_memory(x, np.from_dlpack(x))
        if x.is_read_only:
            with pytest.raises(ValueError, match="read-only"):
                x += 1


def test_L13_read_only_views_see_what_is_written_otherwise() -> None:
    row = isthmus.arange(3).eval()
    a = np.from_dlpack(isthmus.broadcast_to(row, (2, 3)))
    assert not a.flags.writeable
    row[...] = 9
    assert np.all(a == 9)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L13_legacy_capsules_of_read_only_arrays_are_refused(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    a.flags.writeable = False
    y = isthmus.from_dlpack(a)
    with pytest.raises(BufferError, match="read-only"):
        y.__dlpack__()
    assert capsule_name(y.__dlpack__(copy=True)) == "dltensor"


def test_L14_names_and_renaming() -> None:
    x = isthmus.zeros(3)
    assert capsule_name(x.__dlpack__()) == "dltensor"
    assert capsule_name(x.__dlpack__(max_version=(1, 0))) == "dltensor_versioned"
    for legacy in (False, True):
        producer = malformed.Producer(legacy)
        y = isthmus.from_dlpack(producer)
        assert producer.capsule_name() == b"used_" + producer.name
        assert producer.deleted == 0
        del y
        assert producer.deleted == 1


def test_L14_unconsumed_capsules_free_the_export() -> None:
    x = isthmus.zeros(3).eval()
    for version in (None, VERSION):
        capsule = x.__dlpack__(max_version=version)
        assert is_shared(x)
        del capsule
        assert not is_shared(x)


@pytest.mark.parametrize(
    ("version", "name"),
    [
        (None, "dltensor"),
        ((0, 8), "dltensor"),
        ((1, 0), "dltensor_versioned"),
        ((1, 9), "dltensor_versioned"),
        ((2, 0), "dltensor_versioned"),
    ],
)
def test_L15_version_ladder_of_the_producer(version: tuple[int, int] | None, name: str) -> None:
    assert capsule_name(isthmus.zeros(3).__dlpack__(max_version=version)) == name


def test_L15_unknown_major_versions_are_deleted_and_refused() -> None:
    producer = malformed.Producer()
    producer.managed.major = 2
    with pytest.raises(isthmus.ExchangeError, match="version"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1


@pytest.mark.parametrize("version", [1, (1,), "1.0", (1, "x"), (1, 0, 0)])
def test_L15_max_version_is_a_pair_of_integers(version: Any) -> None:
    with pytest.raises(TypeError, match="max_version"):
        isthmus.zeros(3).__dlpack__(max_version=version)


def test_null_deleter_null_strides_and_byte_offset_are_legal() -> None:
    producer = malformed.Producer()
    producer.managed.deleter = malformed.DELETER()
    producer.tensor.strides = None
    producer.tensor.byte_offset = 8
    producer.shape[0] = 2
    x = isthmus.from_dlpack(producer)
    assert np.asarray(x).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert layouts.address(np.asarray(x)) == ctypes.addressof(producer.memory) + 8


def test_lanes_are_structs_of_equal_fields() -> None:
    producer = malformed.Producer()
    producer.shape[0], producer.shape[1] = 3, 2
    producer.strides[0], producer.strides[1] = 2, 1
    producer.tensor.lanes = 2
    x = isthmus.from_dlpack(producer)
    assert x.dtype == np.dtype([("s0", "f8"), ("s1", "f8")])
    assert np.asarray(x)["s1"].tolist() == [[1, 3], [5, 7], [9, 11]]
    managed = head_of(x.__dlpack__(max_version=VERSION))
    assert managed.tensor.lanes == 2


def test_deleters_that_are_python_code_neither_see_nor_lose_an_error() -> None:
    producer = malformed.Producer()
    x = isthmus.from_dlpack(producer)
    try:
        raise KeyError("mine")
    except KeyError as error:
        del x
        assert str(error) == "'mine'"
    assert producer.deleted == 1


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes_numpy_to_us(dies_first: str) -> None:
    a = np.arange(6.0)
    x = isthmus.from_dlpack(a)
    if dies_first == "producer":
        del a
        gc.collect()
        assert float(isthmus.sum(x)) == 15
    else:
        assert sys.getrefcount(a) == 3
        del x
        assert sys.getrefcount(a) == 2
        assert a.sum() == 15


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes_us_to_numpy(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float64").eval()
    a = np.from_dlpack(x)
    if dies_first == "producer":
        del x
        gc.collect()
        assert a.sum() == 15
    else:
        assert is_shared(x)
        del a
        assert not is_shared(x)
        assert float(isthmus.sum(x)) == 15


def test_an_export_evaluates_what_is_pending_and_reads_it() -> None:
    x = isthmus.ones(4).eval()
    y = x + 1
    a = np.from_dlpack(x)
    a[...] = 50
    assert float(isthmus.sum(y)) == 8
    z = x + 1
    a[...] = 60
    assert float(isthmus.sum(z)) == 204


def test_the_same_memory_twice_is_one_memory() -> None:
    a = np.zeros(4)
    x, y = isthmus.from_dlpack(a), isthmus.from_dlpack(a[1:])
    with isthmus.fusing():
        z = y + 1
        x[...] = 5
        assert float(isthmus.sum(z)) == 3


def test_our_own_memory_coming_back_is_unwrapped() -> None:
    x = isthmus.zeros(4).eval()
    view = np.asarray(x)[1:]
    y = isthmus.asarray(view)
    y[...] = 3
    assert float(isthmus.sum(x)) == 9
    del view, y
    assert not is_shared(x)
