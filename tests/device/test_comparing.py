"""Whether arrays are alike, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, assert_same, dtype_of, get, has, put
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())

SPECIAL = [0.0, -0.0, 1.0, 1 + 1e-5, 1 + 2e-5, -1.0, 1e-8, 1e-3, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("equal_nan", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_close_is_what_numpy_calls_close(
    way: Way, device: xp.Device, dtype: str, equal_nan: bool
) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    pairs = np.asarray(list(itertools.product(SPECIAL, SPECIAL)), dtype)
    a, b = pairs.T
    for rtol, atol in ((1e-5, 1e-8), (0.0, 0.0), (1e-3, 0.0), (0.0, 2e-3)):
        with np.errstate(invalid="ignore"):
            wanted = np.isclose(a, b, rtol, atol, equal_nan)
        got = xp.isclose(put(a, device), put(b, device), rtol, atol, equal_nan)
        assert_same(get(got), wanted, (rtol, atol))
        every = xp.allclose(put(a, device), put(b, device), rtol, atol, equal_nan)
        assert bool(every) == bool(wanted.all())


def test_close_to_a_number_and_of_integers(way: Way, device: xp.Device) -> None:
    a = np.arange(-3, 4, dtype=np.int32)
    x = put(a, device)
    assert_same(get(xp.isclose(x, 2)), np.isclose(a, 2))
    assert_same(get(xp.isclose(2.00001, x)), np.isclose(2.00001, a))
    assert_same(get(xp.isclose(x, x[:1])), np.isclose(a, a[:1]))
    big = np.asarray([0, 255], np.uint8)
    assert_same(get(xp.isclose(put(big, device), put(big[::-1].copy(), device))), np.zeros(2, bool))
    assert bool(xp.allclose(put(a > 0, device), put(a > 0, device)))
    with pytest.raises(TypeError, match="array"):
        xp.isclose(1.0, 2.0)
    with pytest.raises(ValueError, match="broadcast"):
        xp.isclose(xp.ones(3), xp.ones(4))


@pytest.mark.parametrize("dtype", DTYPES)
def test_equal_arrays_are_equal(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = (np.arange(6) % 2).astype(dtype_of(dtype)).reshape(2, 3)
    x = put(a, device)
    assert bool(xp.array_equal(x, put(a, device)))
    assert not bool(xp.array_equal(x, x[:1]))
    assert not bool(xp.array_equal(x, x.T))
    assert not bool(xp.array_equal(x, put(a[::-1, ::-1].copy(), device)))
    assert bool(xp.array_equal(x[:0], x[:0]))


def test_nans_are_equal_where_that_is_asked_for(device: xp.Device) -> None:
    x = put(np.asarray([1, np.nan], np.float32), device)
    assert not bool(xp.array_equal(x, x))
    assert bool(xp.array_equal(x, x, equal_nan=True))
    whole = put(np.asarray([1, 2], np.int32), device)
    assert bool(xp.array_equal(whole, whole, equal_nan=True))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [None, 0, (0, 1), -1, ()])
def test_what_is_not_zero_is_counted(way: Way, device: xp.Device, dtype: str, axis: Any) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = (np.arange(24) % 3).astype(dtype_of(dtype)).reshape(2, 3, 4)
    x = put(a, device)
    wanted = np.count_nonzero(a, axis) if axis != () else (a != 0).astype(np.int64)
    got = xp.count_nonzero(x, axis)
    assert_same(get(got), np.asarray(wanted, np.int64))
    assert xp.count_nonzero(x, keepdims=True).shape == (1, 1, 1)


def test_nan_and_minus_zero_are_counted_as_numpy_counts(device: xp.Device) -> None:
    a = np.asarray([0.0, -0.0, np.nan, np.inf, 1e-45], np.float32)
    assert int(xp.count_nonzero(put(a, device)[:4])) == np.count_nonzero(a[:4])
    assert int(xp.count_nonzero(xp.ones((0, 3), device=device))) == 0


def test_each_is_one_kernel() -> None:
    if xp.config.eager:
        pytest.skip("each operation is a kernel")
    x = xp.linspace(0, 1, 100).eval()
    y = (x + 1e-9).eval()
    for call in (xp.allclose, xp.array_equal, lambda a, b: xp.count_nonzero(a - b)):
        before = xp.statistics()["kernels"]
        call(x, y).eval()
        assert xp.statistics()["kernels"] == before + 1
