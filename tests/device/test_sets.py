"""Distinct elements and membership against NumPy: dtypes, layouts, NaN and zeros of both signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    DTYPES,
    LAYOUTS,
    assert_same,
    dtype_of,
    get,
    needs,
    put,
    random_values,
    special_values,
)
from tests.device.orders import comparable

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]


def check_all(x: xp.Array, values: Any, note: object = "") -> None:
    """All four functions against NumPy's, and against what they mean."""
    wanted = np.unique_all(comparable(values))
    got = xp.unique_all(x)
    assert type(got).__name__ == "UniqueAllResult" and got._fields == wanted._fields
    mine = [get(part) for part in got]
    # which of equal elements is given, of 0.0 and -0.0, NumPy leaves open: here the first
    assert_same(mine[0], values.reshape(-1)[mine[1]], note)
    np.testing.assert_array_equal(comparable(mine[0]), wanted.values, str(note))
    is_nan = np.isnan(wanted.values) if wanted.values.dtype.kind in "fc" else False
    number = np.flatnonzero(~np.broadcast_to(is_nan, wanted.values.shape))
    assert_same(mine[1][number], wanted.indices[number], note)
    assert_same(mine[3], wanted.counts, note)
    assert mine[2].shape == values.shape and mine[2].dtype == np.int64
    same = comparable(mine[0])[mine[2]]
    np.testing.assert_array_equal(same, comparable(values), str(note))
    assert np.array_equal(np.bincount(mine[2].reshape(-1), minlength=len(mine[0])), mine[3])
    assert all(part.device == x.device for part in got)
    few = xp.unique_values(x), *xp.unique_counts(x), *xp.unique_inverse(x)
    for part, whole in zip(few, (0, 0, 3, 0, 2), strict=True):
        assert_same(get(part), mine[whole], note)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_distinct_elements_of_every_dtype(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(3)
    special = special_values(dtype)
    some = rng.permutation(np.concatenate([special, special, special[::2]]))
    check_all(put(some, device), some, dtype)
    values = np.round(random_values(dtype, 60, 0, 4, rng).astype(dtype_of(dtype)))
    values = values.astype(dtype_of(dtype)).reshape(3, 20)
    check_all(put(values, device), values, dtype)


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_distinct_elements_of_every_layout(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-5, 5, (6, 10)).astype(np.int16)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    check_all(x, LAYOUTS[layout](values, np), layout)


def test_distinct_elements_of_many(device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(0, 5000, 30_000).astype(np.int32)
    check_all(put(values, device), values)
    check_all(put(values, device) % 2, values % 2)  # pending
    check_all(put(values[:1], device), values[:1])


def test_each_nan_is_distinct_and_zeros_are_not(device: xp.Device) -> None:
    values = np.asarray([np.nan, -0.0, 1, np.nan, 0.0, -0.0, np.nan], np.float32)
    got = xp.unique_all(put(values, device))
    assert_same(get(got.values), np.asarray([-0.0, 1, np.nan, np.nan, np.nan], np.float32))
    assert get(got.indices).tolist() == [1, 2, 0, 3, 6]
    assert get(got.inverse_indices).tolist() == [2, 0, 1, 3, 0, 0, 4]
    assert get(got.counts).tolist() == [3, 1, 1, 1, 1]


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_membership_of_every_dtype(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(5)
    special = special_values(dtype)
    a = rng.permutation(np.concatenate([special, random_values(dtype, 20, -3, 3, rng)]))
    b = rng.permutation(np.concatenate([special[::3], a[::4]]))
    for x1, x2 in ((a, b), (b, a), (a[: len(a) // 2 * 2].reshape(2, -1).T, b), (a, b[:0])):
        wanted = (comparable(x1)[..., None] == comparable(x2)).any(axis=-1)
        for invert in (False, True):
            got = xp.isin(put(x1, device), put(x2, device), invert=invert)
            assert_same(get(got), wanted ^ invert, (dtype, invert))


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_membership_of_every_layout(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-9, 9, (6, 10)).astype(np.int16)
    known = np.arange(0, 60, 2, dtype=np.int16).reshape(3, 10)
    x, shown = LAYOUTS[layout](put(values, device), xp), LAYOUTS[layout](values, np)
    xp.sum(x + 1).eval()
    assert_same(get(xp.isin(x, put(known, device))), np.isin(shown, known), layout)
    assert_same(get(xp.isin(put(known, device), x)), np.isin(known, shown), layout)


def test_membership_of_numbers_and_of_other_dtypes(device: xp.Device) -> None:
    a = np.arange(-3, 4, dtype=np.int8).reshape(7, 1)
    x = put(a, device)
    assert_same(get(xp.isin(x, 2)), np.isin(a, 2))
    assert_same(get(xp.isin(x, 300, invert=True)), np.ones((7, 1), bool))
    assert_same(get(xp.isin(2, x)), np.asarray(True))
    assert_same(get(xp.isin(2.5, x)), np.asarray(False))
    b = np.asarray([1, 2.5, -3], np.float32)
    assert_same(get(xp.isin(x, put(b, device))), np.isin(a, b))
    assert_same(get(xp.isin(put(b, device), x)), np.isin(b, a))
    assert_same(get(xp.isin(x + 1, x * 2)), np.isin(a + 1, a * 2))


def test_what_is_no_set_is_refused() -> None:
    struct = xp.asarray(np.zeros(3, [("a", "i4"), ("b", "f4")]))
    for name in ("unique_values", "unique_counts", "unique_inverse", "unique_all"):
        with pytest.raises(TypeError, match=rf"{name}: does not accept .*; it accepts bool"):
            getattr(xp, name)(struct)
        with pytest.raises(TypeError, match=name):
            getattr(xp, name)([1, 2])
    with pytest.raises(TypeError, match="isin: does not accept"):
        xp.isin(struct, struct)
    with pytest.raises(TypeError, match="isin: an int and an int; one must be an isthmus"):
        xp.isin(1, 2)
    with pytest.raises(TypeError, match="isin: x2: expected numbers, not a text"):
        xp.isin(xp.ones(2), "ab")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="isin: x2: an object does not hold numbers"):
        xp.isin(xp.ones(2), object())  # type: ignore[arg-type]


def test_lists_are_taken_beside_an_array(device: xp.Device) -> None:
    x = put(np.asarray([1, 5, 2], np.int32), device)
    got = xp.isin(x, [2, 1])
    assert got.device == device and get(got).tolist() == [True, False, True]
    assert get(xp.isin([[5], [6]], x)).tolist() == [[True], [False]]


def test_isin_compares_the_numbers_of_wide_integers(device: xp.Device) -> None:
    signed = np.array([2**63 - 1, -1, 5, -(2**63)])
    natural = np.array([2**63, 2**64 - 1, 5, 2**63 - 2], np.uint64)
    wanted = [False, False, True, False]
    x, y = put(signed, device), put(natural, device)
    assert get(xp.isin(x, y)).tolist() == wanted
    assert get(xp.isin(y, x)).tolist() == wanted
    assert get(xp.isin(y, x, invert=True)).tolist() == [not each for each in wanted]


WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.mark.parametrize("other", WHOLE)
@pytest.mark.parametrize("dtype", WHOLE)
def test_isin_of_integers_near_the_ends_of_their_dtypes(dtype: str, other: str) -> None:
    """By a table, by a search, and by comparing: all as Python's integers."""
    rng = np.random.default_rng(len(dtype) + len(other))

    def drawn(of: str, count: int) -> Any:
        ends = np.iinfo(of)
        near = [ends.min, ends.max, 0, ends.max // 2]
        offsets = rng.integers(-9, 10, count).tolist()
        numbers = [near[k] + d for k, d in zip(rng.integers(0, 4, count), offsets, strict=True)]
        return np.array([min(max(n, ends.min), ends.max) for n in numbers], dtype=of)

    for count in (3, 40, 250):
        a, b = drawn(dtype, 300), drawn(other, count)
        wanted = [int(n) in {*map(int, b)} for n in a]
        assert get(xp.isin(put(a, "cpu"), put(b, "cpu"))).tolist() == wanted
        narrow = b[np.abs(b.astype(object)) < 100]
        if narrow.size:
            wanted = [int(n) in {*map(int, narrow)} for n in a]
            assert get(xp.isin(put(a, "cpu"), put(narrow, "cpu"))).tolist() == wanted
