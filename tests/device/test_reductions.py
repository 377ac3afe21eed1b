"""Reductions against NumPy: axes, dtypes, no elements, nan, and fusion with what is around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    HALVES,
    INTEGERS,
    LAYOUTS,
    assert_same,
    dtype_of,
    get,
    has,
    put,
    random_values,
)

ROWS = {row["name"]: row for row in xp.reduction_table}
EXACT = ("max", "min", "nanmax", "nanmin", "any", "all")
EXTREMES = EXACT[:4]
AXES: list[Any] = [None, 0, 1, -1, (0,), (0, 2), (2, 0, 1), ()]

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def needs(device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")


def is_refused(name: str, dtype: str) -> bool:
    return name in EXTREMES and dtype in COMPLEX


def close(got: Any, wanted: Any, dtype: str, count: int) -> None:
    assert got.shape == wanted.shape
    eps = float(xp.finfo(dtype_of(dtype)).eps)
    wide = np.complex128 if dtype in COMPLEX else np.float64
    off = np.abs(got.astype(wide) - wanted.astype(wide))
    assert bool(np.all(off <= 4 * count * eps * (1 + np.abs(wanted.astype(wide))))), dtype


@pytest.mark.sampled("name", "dtype")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ROWS)
def test_reduction_over_all_axes_does_what_numpy_does(
    name: str, dtype: str, device: xp.Device
) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(3)
    values = random_values(dtype, 60, 0.5, 1.5, rng).reshape(3, 4, 5)
    x = put(values, device)
    if is_refused(name, dtype):
        with pytest.raises(TypeError, match="does not accept"):
            getattr(xp, name)(x)
        xp.sum(x).eval()
        return
    for axis in AXES:
        for keepdims in (False, True):
            got = get(getattr(xp, name)(x, axis=axis, keepdims=keepdims))
            function = getattr(np, name)
            if name in EXACT or dtype in ("bool", *INTEGERS):
                wanted = np.asarray(function(values, axis=axis, keepdims=keepdims))
                assert_same(got, wanted, f"{name} over {axis}")
            else:
                wide = values.astype(np.complex128 if dtype in COMPLEX else np.float64)
                assert got.dtype == dtype_of(dtype)
                close(got, np.asarray(function(wide, axis=axis, keepdims=keepdims)), dtype, 60)


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_reduction_does_the_same_for_every_layout(
    name: str, layout: str, device: xp.Device
) -> None:
    values = np.random.default_rng(4).integers(-50, 50, (6, 10)).astype(np.int16)
    shown = LAYOUTS[layout](values, np)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    for axis in (None, *range(shown.ndim)):
        empty = shown.size == 0 and (axis is None or shown.shape[axis] == 0)
        if name in EXTREMES and empty:
            with pytest.raises(ValueError, match="no elements"):
                getattr(xp, name)(x, axis=axis)
            continue
        got = get(getattr(xp, name)(x, axis=axis))
        assert_same(got, np.asarray(getattr(np, name)(shown, axis=axis)), f"{name}, {layout}")


@pytest.mark.parametrize("shape", [(100_003,), (1001, 7), (7, 1001), (64, 1, 300), (3, 20_000)])
@pytest.mark.parametrize("name", ["sum", "max", "any"])
def test_large_reductions_are_those_of_numpy(
    name: str, shape: tuple[int, ...], device: xp.Device
) -> None:
    values = np.random.default_rng(6).integers(-1000, 1000, shape).astype(np.int32)
    x = put(values, device)
    for axis in (None, 0, -1):
        assert_same(
            get(getattr(xp, name)(x, axis=axis)), np.asarray(getattr(np, name)(values, axis=axis))
        )


def test_float_sums_are_pairwise_or_wider_and_the_same_from_run_to_run(device: xp.Device) -> None:
    values = np.random.default_rng(7).uniform(0, 1, 1_000_003).astype(np.float32)
    x = put(values, device)
    got = [float(xp.sum(x).item()) for _ in range(4)]
    assert len(set(got)) == 1
    exact = float(np.sum(values.astype(np.float64)))
    assert abs(got[0] - exact) / exact < 20 * np.finfo(np.float32).eps


@pytest.mark.parametrize("dtype", ["float32", *HALVES])
def test_max_and_min_of_nan_are_nan(dtype: str, device: xp.Device) -> None:
    for place in (0, 3, 299):
        values = np.linspace(-3, 3, 300).astype(dtype_of(dtype))
        values[place] = np.nan
        x = put(values, device)
        assert np.isnan(xp.max(x).item()) and np.isnan(xp.min(x).item())
        assert bool(xp.any(x).item())
    assert bool(xp.all(put(np.full(3, np.nan, dtype_of(dtype)), device)).item())


@pytest.mark.parametrize("count", [1, 63, 64, 1025, 255 * 64, 255 * 64 + 1, 70_001])
def test_truths_are_counted(count: int, device: xp.Device) -> None:
    rng = np.random.default_rng(count)
    for values in (np.ones((2, count), bool), rng.random((2, count)) < 0.3):
        x = put(values, device)
        for axis in (None, 0, 1):
            assert_same(get(xp.sum(x, axis=axis)), values.sum(axis=axis), axis)
        assert xp.count_nonzero(x[:, ::-1]).item() == values.sum()
        assert xp.count_nonzero(x[1, ::3]).item() == values[1, ::3].sum()
        numbers = put(values.astype(np.float32), device)
        assert_same(get(xp.sum(numbers > 0, axis=1)), values.sum(axis=1), "calculated")
        bytes_of_others = xp.asarray((values * rng.integers(1, 256, count)).astype("u1").view(bool))
        assert xp.count_nonzero(bytes_of_others.to_device(device)).item() == values.sum()


def test_nothing_has_the_identity_as_its_sum(device: xp.Device) -> None:
    x = xp.zeros((0, 3), dtype="float32", device=device)
    assert xp.sum(x).item() == 0 and xp.prod(x).item() == 1
    assert not xp.any(x).item() and xp.all(x).item()
    assert get(xp.sum(x, axis=0)).tolist() == [0, 0, 0]
    assert get(xp.sum(x, axis=1)).shape == (0,)
    assert get(xp.max(x, axis=1)).shape == (0,)
    with pytest.raises(ValueError, match="no elements"):
        xp.max(x, axis=0)
    assert np.isnan(xp.mean(x).item())


def test_the_dtype_of_a_sum_may_be_chosen(device: xp.Device) -> None:
    x = put(np.full(300, 100, np.int8), device)
    assert get(xp.sum(x)).dtype == np.int64 and xp.sum(x).item() == 30000
    assert get(xp.sum(x, dtype="int8")).dtype == np.int8
    assert xp.sum(x, dtype="int8").item() == np.sum(np.full(300, 100, np.int8), dtype=np.int8)
    assert get(xp.sum(x, dtype="float32")).dtype == np.float32
    assert get(xp.prod(x, dtype="uint16")).dtype == np.uint16


@pytest.mark.parametrize("name", ["sum", "prod", "nansum", "nanprod"])
def test_a_sum_of_bools_says_whether_any_is_true(name: str, device: xp.Device) -> None:
    ours, numpys = getattr(xp, name), getattr(np, name)
    numbers = np.asarray([[0, 0.5, np.nan], [0, 0, 0], [1, 2, 3]], np.float32)
    for values in (numbers, numbers > 0.7, numbers[:0], np.asarray([256, 1], np.int16)):
        for axis in (None, 0, -1):
            for keepdims in (False, True):
                got = ours(put(values, device), axis, bool, keepdims=keepdims)
                wanted = np.asarray(numpys(values, axis, bool, keepdims=keepdims))
                assert_same(get(got), wanted, (axis, keepdims))


def test_bad_axes_are_named(device: xp.Device) -> None:
    x = xp.ones((2, 3), dtype="float32", device=device)
    xp.sum(x).eval()
    with pytest.raises(IndexError, match="axis 2 is out of bounds for an array of 2 axes"):
        xp.sum(x, axis=2)
    with pytest.raises(ValueError, match="axis -1 is repeated"):
        xp.max(x, axis=(1, -1))


@pytest.mark.lazy
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_the_mean_of_squared_differences_is_one_kernel(axis: Any, device: xp.Device) -> None:
    values = np.random.default_rng(8).normal(size=(2, 50, 40)).astype(np.float32)
    a, b = put(values[0], device), put(values[1], device)
    before = xp.statistics()["kernels"]
    got = xp.mean((a - b) ** 2, axis=axis).eval()
    assert xp.statistics()["kernels"] == before + 1
    wanted = np.mean((values[0].astype(np.float64) - values[1]) ** 2, axis=axis)
    np.testing.assert_allclose(get(got), wanted, rtol=1e-5)


def test_a_reduction_fuses_what_comes_before_and_after_it(device: xp.Device) -> None:
    values = np.random.default_rng(9).integers(-9, 9, (30, 20)).astype(np.int32)
    x = put(values, device)
    got = xp.sum(x * x + 1, axis=0) * 2 - xp.arange(20, dtype="int64", device=device)
    assert_same(get(got), np.sum(values * values + 1, axis=0) * 2 - np.arange(20))
    mixed = x - xp.max(x, axis=1, keepdims=True)
    assert_same(get(mixed), values - np.max(values, axis=1, keepdims=True))
    two = xp.sum(xp.sum(x, axis=0) * xp.sum(x, axis=0))
    assert two.item() == np.sum(np.sum(values, axis=0) ** 2)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "complex64", "bool"])
def test_mean_is_in_the_dtype_of_floats_and_the_default_of_others(
    dtype: str, device: xp.Device
) -> None:
    values = random_values(dtype, 50, -1, 1, np.random.default_rng(1))
    got = xp.mean(put(values, device))
    default = "float64" if device.info["fp64"] else "float32"
    assert got.dtype == (dtype if dtype not in ("int8", "bool") else default)
    wide = np.complex128 if dtype == "complex64" else np.float64
    assert abs(complex(got.item()) - complex(np.mean(values.astype(wide)))) < 2e-3
    large = put(np.full(100, 60000, np.float16), device)
    assert xp.mean(large).item() == 60000, "the sum must not overflow"


@pytest.mark.parametrize("name", ["max", "min", "prod", "argmax", "nanmax"])
@pytest.mark.parametrize("count", [1, 2, 17, 100])
def test_reductions_of_one_element_give_it(name: str, count: int, device: xp.Device) -> None:
    wanted = np.arange(count) * 2
    for axis in (0, 1):
        calculated = xp.expand_dims(xp.arange(count, device=device) * 2, axis=axis)
        got = get(getattr(xp, name)(calculated, axis=axis))
        assert_same(got, wanted * 0 if name == "argmax" else wanted)
    if name != "argmax":
        got = get(getattr(xp, name)(xp.arange(count, device=device) * 2, axis=()))
        assert_same(got, wanted)
