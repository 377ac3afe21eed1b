"""Medians and quantiles against NumPy: dtypes, axes, layouts, methods, NaN and infinities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    LAYOUTS,
    assert_same,
    dtype_of,
    get,
    needs,
    put,
    random_values,
    real_of,
    wide,
)
from tests.device.orders import comparable

METHODS: tuple[Any, ...] = ("linear", "lower", "higher", "nearest", "midpoint")
AXES: list[Any] = [None, 0, 1, -1, (0, 2), (2, 0, 1)]

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]


def result_dtype(device: xp.Device, dtype: str) -> Any:
    if dtype in COMPLEX or "float" in dtype:
        return dtype_of(dtype)
    return real_of(device)


def close(got: Any, wanted: Any, note: object = "") -> None:
    """As near as a few roundings of the dtype leave it."""
    eps = float(xp.finfo(got.dtype).eps)
    assert got.shape == np.shape(wanted), note
    got = comparable(got).astype(np.complex128)
    np.testing.assert_allclose(got, wanted, rtol=4 * eps, atol=32 * eps, err_msg=str(note))


@pytest.mark.sampled("dtype", every=3)
@pytest.mark.parametrize("dtype", DTYPES)
def test_median_of_every_dtype(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = random_values(dtype, 60, -4, 4, np.random.default_rng(3)).reshape(3, 4, 5)
    x = put(values, device)
    for axis in AXES:
        for keepdims in (False, True):
            wanted = np.median(wide(values), axis=axis, keepdims=keepdims)
            for median in (xp.median, xp.nanmedian):
                got = get(median(x, axis=axis, keepdims=keepdims))
                assert got.dtype == result_dtype(device, dtype)
                close(got, wanted, (dtype, axis))


@pytest.mark.sampled("method", "dtype", every=4)
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d not in COMPLEX])
@pytest.mark.parametrize("method", METHODS)
def test_quantile_of_every_dtype(method: Any, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = random_values(dtype, 60, -4, 4, np.random.default_rng(3)).reshape(3, 4, 5)
    x = put(values, device)
    parts: Any = (0, 0.3, [0.0, 0.25, 0.5, 0.77, 1.0], [1])
    for q in parts:
        for axis in (None, 1, (0, 2)):
            wanted = np.quantile(wide(values), q, axis=axis, method=method, keepdims=True)
            got = get(xp.quantile(x, q, axis, method=method, keepdims=True))
            if method in ("lower", "higher", "nearest"):
                assert_same(got, wanted.astype(values.dtype), (q, axis))
            else:
                assert got.dtype == result_dtype(device, dtype)
                close(got, wanted, (q, axis))
    got = get(xp.percentile(x, [12.5, 60], 1, method=method))
    same = get(xp.quantile(x, [0.125, 0.6], 1, method=method))
    assert_same(got, same)


@pytest.mark.sampled("layout", every=3)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-50, 50, (6, 10)).astype(np.float32)
    shown = LAYOUTS[layout](values, np)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    for axis in (None, *range(shown.ndim)):
        close(get(xp.median(x, axis)), np.median(shown, axis), axis)
        empty = shown.size == 0 and (axis is None or shown.shape[axis] == 0)
        if empty:
            with pytest.raises(ValueError, match="quantile: no elements along the axes"):
                xp.quantile(x, 0.5, axis)
            continue
        close(get(xp.quantile(x, [0.1, 0.5], axis)), np.quantile(shown, [0.1, 0.5], axis), axis)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
def test_nan_makes_nan(dtype: str, device: xp.Device) -> None:
    values = random_values(dtype, 60, -4, 4, np.random.default_rng(3)).reshape(6, 10)
    values[1, 3] = values[2] = values[4, :5] = np.nan
    x = put(values, device)
    for axis in (None, 0, 1):
        close(get(xp.median(x, axis)), np.median(wide(values), axis))
        close(get(xp.nanmedian(x, axis)), np.nanmedian(wide(values), axis))
        if dtype != "complex64":
            for method in METHODS:
                got = get(xp.quantile(x, 0.3, axis, method=method))
                close(got, np.quantile(wide(values), 0.3, axis, method=method), method)
    assert np.isnan(xp.nanmedian(x[2]).item())


def test_infinities_that_count_nothing_leave_numbers(device: xp.Device) -> None:
    x = put(np.asarray([1, 2, np.inf, -np.inf, np.inf], np.float32), device)
    assert xp.quantile(x, 0.5).item() == 2
    assert xp.quantile(x, 0.9).item() == np.inf
    assert xp.quantile(x, 0).item() == -np.inf
    assert xp.median(x).item() == 2 and xp.nanmedian(x).item() == 2
    assert xp.median(x[2:3]).item() == np.inf
    assert np.isnan(xp.median(x[2:4]).item())
    largest = put(np.full(3, np.finfo(np.float32).max), device)
    assert xp.nanmedian(largest).item() == np.finfo(np.float32).max
    halves = put(np.full(4, 60000, np.float16), device)
    assert xp.median(halves).item() == 60000, "the sum must not overflow"


def test_no_elements_have_the_median_nan(device: xp.Device) -> None:
    x = xp.zeros((0, 3), dtype="float32", device=device)
    xp.ones(2, device=device).eval()
    for median in (xp.median, xp.nanmedian):
        assert np.isnan(median(x).item())
        assert np.isnan(get(median(x, axis=0))).tolist() == [True] * 3
        assert median(x, axis=1).shape == (0,)
    assert xp.quantile(x, [0.5, 1], axis=1).shape == (2, 0)


def test_parts_may_be_an_array_and_pending_values_are_put_in_order(device: xp.Device) -> None:
    values = np.random.default_rng(5).normal(size=(7, 9)).astype(np.float32)
    x = put(values, device)
    parts = np.asarray([0.1, 0.9], np.float32)
    wanted: Any = np.quantile(values * 2 + 1, parts, axis=0)
    np.testing.assert_allclose(get(xp.quantile(x * 2 + 1, put(parts, device), 0)), wanted, 1e-5)
    np.testing.assert_allclose(get(xp.quantile(x * 2 + 1, list(parts), 0)), wanted, 1e-5)
    assert xp.quantile(x, put(parts[0], device)).shape == ()
    np.testing.assert_allclose(
        xp.median(x * x - x).item(), np.median(values * values - values), 1e-6
    )


def test_q_may_have_any_axes(device: xp.Device) -> None:
    values = np.random.default_rng(5).normal(size=(4, 5)).astype(np.float32)
    x = put(values, device)
    parts: list[Any] = [0.3, [], [0.1, 0.9], [[0.1, 0.5, 0.2]], np.full((2, 1, 2), 0.25)]
    for q in parts:
        for axis in (None, 1):
            for keepdims in (False, True):
                # NumPy takes two axes at most
                wanted: Any = np.quantile(values, np.ravel(q), axis=axis, keepdims=keepdims)
                got = get(xp.quantile(x, q, axis, keepdims=keepdims))
                assert got.shape == (*np.shape(q), *wanted.shape[1:])
                np.testing.assert_allclose(got.reshape(wanted.shape), wanted, 1e-5)
    percents = put(np.asarray([[10], [90]], np.float32), device)
    wanted = np.percentile(values, [[10], [90]], axis=0)
    np.testing.assert_allclose(get(xp.percentile(x, percents, 0)), wanted, 1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_nan_is_left_out(method: Any, device: xp.Device) -> None:
    values = np.random.default_rng(5).normal(size=(3, 4, 5)).astype(np.float32)
    values[values > 0.5] = np.nan
    values[1, 2] = np.nan
    x = put(values, device)
    parts = [0.3, 0, 0.5, 1]
    for axis in AXES:
        wanted = np.nanquantile(values, parts, axis=axis, method=method)
        got = get(xp.nanquantile(x, parts, axis, method=method))
        np.testing.assert_allclose(got, wanted, 1e-5, 1e-6, err_msg=str(axis))
        one = get(xp.nanquantile(x, np.reshape(parts, (2, 2)), axis, method=method))
        assert_same(one, got.reshape(2, 2, *got.shape[1:]), axis)
    wanted = np.nanpercentile(values, 40, axis=1, keepdims=True, method=method)
    np.testing.assert_allclose(
        get(xp.nanpercentile(x, 40, 1, keepdims=True, method=method)), wanted, 1e-5, 1e-6
    )
    whole = put(np.arange(6), device)
    assert float(xp.nanquantile(whole, 0.5)) == 2.5
    with pytest.raises(ValueError, match=r"^quantile: no elements"):
        xp.quantile(x[:0], 0.5)


def test_nothing_but_nan_and_nothing_at_all_have_the_quantile_nan(device: xp.Device) -> None:
    x = put(np.zeros((0, 3), np.float32), device)
    for call in (xp.nanquantile, xp.nanpercentile):
        assert_same(get(call(x, 0.5, 0)), np.full(3, np.nan, np.float32))
        assert_same(get(call(x, [0, 1], 0)), np.full((2, 3), np.nan, np.float32))
        assert_same(get(call(x, 0.5, 0, keepdims=True)), np.full((1, 3), np.nan, np.float32))
        assert get(call(x, 0.5, 1)).shape == (0,)
        assert math.isnan(call(x, 0.5).item())
        assert math.isnan(call(x.astype("int32"), 0.5).item())
    assert math.isnan(xp.nanquantile(put(np.full(2, np.nan, np.float32), device), 0.5).item())


def test_what_has_no_quantile_is_refused() -> None:
    x = xp.ones((2, 3), dtype="float32")
    with pytest.raises(ValueError, match=r"quantile: q is 1.5; it must be from 0 to 1"):
        xp.quantile(x, 1.5)
    with pytest.raises(ValueError, match="percentile: q is -1; it must be from 0 to 100"):
        xp.percentile(x, [50, -1])
    with pytest.raises(ValueError, match="q is nan"):
        xp.quantile(x, np.nan)
    with pytest.raises(ValueError, match="method: 'weibull' is none of linear, lower"):
        xp.quantile(x, 0.5, method="weibull")
    with pytest.raises(TypeError, match=r"quantile: q: \['a'\] is neither a real number nor"):
        xp.quantile(x, ["a"])
    with pytest.raises(TypeError, match="quantile: does not accept complex64"):
        xp.quantile(xp.ones(2, dtype="complex64"), 0.5)
    struct = xp.asarray(np.zeros(3, [("a", "i4"), ("b", "f4")]))
    calls = (xp.median, xp.nanmedian, lambda y, **k: xp.quantile(y, 0.5, **k))
    for call in calls:
        with pytest.raises(TypeError, match="does not accept"):
            call(struct)
        with pytest.raises(IndexError, match="axis 2 is out of bounds"):
            call(x, axis=2)
        with pytest.raises(ValueError, match="axis -1 is repeated"):
            call(x, axis=(1, -1))
