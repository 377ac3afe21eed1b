"""lexsort, partitions and topk against NumPy, and the order of complex numbers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, LAYOUTS, assert_same, get, needs, put, random_values
from tests.device.orders import comparable, numpys_argsort, numpys_sort

pytestmark = pytest.mark.sampled("dtype", others=())


def test_complex_numbers_are_in_numpys_order(device: xp.Device) -> None:
    parts = [np.nan, 1.0, -np.inf, -0.0, 0.0, np.inf, -1.0]
    values = np.asarray([complex(a, b) for a, b in itertools.product(parts, parts)], np.complex64)
    values = np.random.default_rng(0).permutation(np.concatenate([values, values]))
    x = put(values, device)
    assert_same(get(xp.argsort(x)), np.argsort(values, kind="stable"))
    np.testing.assert_array_equal(get(xp.sort(x)), np.sort(values))
    down = get(xp.argsort(x, descending=True))
    assert_same(down, numpys_argsort(values, 0, True))
    table = values.reshape(14, 7)
    for axis in (0, 1):
        got = xp.argsort(put(table, device).T, axis=axis)
        assert_same(get(got), np.argsort(table.T, axis=axis, kind="stable"))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_last_key_decides(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(1)
    last = np.round(comparable(random_values(dtype, 60, -2, 2, rng))).reshape(4, 15)
    last = last.astype(random_values(dtype, 1, 0, 1, rng).dtype)
    keys = [rng.integers(0, 3, (4, 15)).astype(np.int32), rng.normal(size=(4, 15)) > 0, last]
    mine = [put(key, device) for key in keys]
    keys[-1] = comparable(last)
    for axis in (0, 1, -1):
        assert_same(get(xp.lexsort(mine, axis)), np.lexsort(keys, axis), axis)
        assert_same(get(xp.lexsort(mine[::-1], axis)), np.lexsort(keys[::-1], axis), axis)
        assert_same(get(xp.lexsort(mine[:1], axis)), np.lexsort(keys[:1], axis), axis)


def test_keys_may_be_the_first_axis_of_an_array(device: xp.Device) -> None:
    keys = np.random.default_rng(1).integers(0, 3, (3, 50)).astype(np.int64)
    assert_same(get(xp.lexsort(put(keys, device))), np.lexsort(keys))
    assert_same(get(xp.lexsort(put(keys, device)[:, ::-2])), np.lexsort(keys[:, ::-2]))
    assert_same(get(xp.lexsort(put(keys, device)[:, :0])), np.lexsort(keys[:, :0]))


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "no axes"])
def test_partitions_and_the_largest_of_every_layout(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-5, 5, (6, 10)).astype(np.int16)
    shown = LAYOUTS[layout](values, np)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    for axis in range(shown.ndim):
        length = shown.shape[axis]
        for k in {0, length // 2, length}:
            for largest in (True, False):
                found, where = xp.topk(x, k, axis=axis, largest=largest)
                wanted = np.take(numpys_argsort(shown, axis, largest), range(k), axis)
                assert_same(get(where), wanted, (layout, axis, k))
                assert_same(get(found), np.take_along_axis(shown, wanted, axis), (layout, axis, k))
        if length:
            kth = (length // 2, -1)
            got, where = xp.partition(x, kth, axis), xp.argpartition(x, kth[0], axis)
            assert_same(get(got), np.sort(shown, axis))
            assert_same(np.take_along_axis(shown, get(where), axis), np.sort(shown, axis))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_partitions_and_the_largest_of_every_dtype(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = random_values(dtype, 60, -4, 4, np.random.default_rng(4)).reshape(4, 15)
    x = put(values, device)
    for largest in (True, False):
        found, where = xp.topk(x, 4, largest=largest)
        wanted = numpys_argsort(values, -1, largest)[:, :4]
        assert_same(get(where), wanted, dtype)
        assert_same(get(found), np.take_along_axis(values, wanted, -1), dtype)
    assert_same(get(xp.partition(x, 3)), numpys_sort(values), dtype)


def test_nan_is_among_the_largest_only_where_numbers_are_few(device: xp.Device) -> None:
    x = put(np.asarray([np.nan, 2, np.nan, 3, 1], np.float32), device)
    for largest, wanted in ((True, [3, 1, 4, 0]), (False, [4, 1, 3, 0])):
        assert get(xp.topk(x, 4, largest=largest)[1]).tolist() == wanted


def test_argsort_is_a_method_too(device: xp.Device) -> None:
    values = np.random.default_rng(2).integers(-3, 4, (3, 5)).astype(np.int16)
    x = put(values, device)
    for axis in (None, 0, -1):
        assert_same(get(x.argsort(axis)), values.argsort(axis, kind="stable"))
    assert_same(get(x.T.argsort()), values.T.argsort(kind="stable"))


def test_what_does_not_fit_is_refused() -> None:
    x = xp.ones((2, 3))
    for call in (xp.partition, xp.argpartition):
        with pytest.raises(
            IndexError, match="kth: index 3 is out of bounds for an axis of length 3"
        ):
            call(x, 3)
        with pytest.raises(
            IndexError, match="kth: index -4 is out of bounds for an axis of length 3"
        ):
            call(x, (0, -4))
        with pytest.raises(IndexError, match="axis 2 is out of bounds"):
            call(x, 0, 2)
        with pytest.raises(ValueError, match="without axes"):
            call(x[0, 0], 0)
    for k in (-1, 4):
        with pytest.raises(ValueError, match=f"topk: {k} elements of an axis of length 3"):
            xp.topk(x, k)
    with pytest.raises(ValueError, match="lexsort: no keys"):
        xp.lexsort([])
    with pytest.raises(ValueError, match=r"lexsort: keys of shapes \(2, 3\) and \(3,\)"):
        xp.lexsort([x, x[0]])
    with pytest.raises(ValueError, match="without axes"):
        xp.lexsort([x[0, 0]])
    struct: Any = xp.asarray(np.zeros(3, [("a", "i4"), ("b", "f4")]))
    for refused in (lambda: xp.topk(struct, 1), lambda: xp.lexsort([struct])):
        with pytest.raises(TypeError, match="does not accept"):
            refused()
