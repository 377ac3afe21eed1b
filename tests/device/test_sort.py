"""sort and argsort against NumPy: dtypes, axes, layouts, both directions, NaN, and stability."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    DTYPES,
    LAYOUTS,
    REALS,
    assert_same,
    dtype_of,
    get,
    needs,
    patterns,
    put,
    random_values,
    special_values,
)
from tests.device.orders import numpys_argsort, numpys_sort

pytestmark = pytest.mark.sampled("dtype", others=())


def same_as_numpys(x: xp.Array, values: Any, axis: int, note: object = "") -> None:
    for descending in (False, True):
        got = xp.argsort(x, axis=axis, descending=descending)
        assert_same(get(got), numpys_argsort(values, axis, descending), (note, axis, descending))
        got = xp.sort(x, axis=axis, descending=descending)
        assert_same(get(got), numpys_sort(values, axis, descending), (note, axis, descending))
        assert got.device == x.device


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_put_in_order(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(3)
    special = special_values(dtype)
    some = rng.permutation(np.concatenate([special, special]))  # every one twice
    some = rng.permuted(np.stack([some, some[::-1], random_values(dtype, len(some), -3, 3, rng)]))
    for values in (some, random_values(dtype, 60, -2, 2, rng).reshape(3, 4, 5)):
        for axis in (0, -1):
            same_as_numpys(put(values, device), values, axis, dtype)


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_put_in_order(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-5, 5, (6, 10)).astype(np.int16)
    shown = LAYOUTS[layout](values, np)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    if shown.ndim == 0:
        for sort in (xp.sort, xp.argsort):
            with pytest.raises(ValueError, match="without axes"):
                sort(x)
        return
    for axis in range(shown.ndim):
        same_as_numpys(x, shown, axis, layout)


@pytest.mark.parametrize("shape", [(70_001,), (2, 5003), (5003, 2), (300, 299), (4000, 3)])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_large_arrays_are_put_in_order(
    shape: tuple[int, ...], dtype: str, device: xp.Device
) -> None:
    rng = np.random.default_rng(6)
    values = rng.integers(-1000, 1000, shape).astype(dtype)
    if dtype == "float32":
        values[rng.random(shape) < 0.1] = np.nan
        values[rng.random(shape) < 0.1] = -0.0
    same_as_numpys(put(values, device), values, 0, shape)
    if len(shape) > 1:
        same_as_numpys(put(values, device), values, 1, shape)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_long_rows_of_every_dtype_are_put_in_order(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(11)
    some = np.concatenate([special_values(dtype), random_values(dtype, 3000, -3, 3, rng)])
    values = rng.choice(some, (3, 9001))
    same_as_numpys(put(values[0], device), values[0], 0, dtype)
    same_as_numpys(put(values, device)[:, ::-2], values[:, ::-2], 1, dtype)
    same_as_numpys(put(values, device).T[1:], values.T[1:], 0, dtype)


@pytest.mark.parametrize("dtype", ["int64", "uint32", "int16", "float32", "bool"])
def test_digits_that_all_elements_share_change_nothing(dtype: str, device: xp.Device) -> None:
    n = 20_000  # several blocks of a device that sorts by digits
    rng = np.random.default_rng(12)
    few = rng.integers(0, 2, n)
    patterns = {
        "equal": np.full(n, 5),
        "the lowest digit": rng.integers(0, 100, n),
        "the second digit": 256 * rng.integers(0, 100, n),
        "the highest bit": few * np.iinfo(np.int16).min,
        "one element": np.arange(n) == n - 1,
    }
    for name, values in patterns.items():
        numbers = values.astype(dtype)
        same_as_numpys(put(numbers, device), numbers, 0, name)
    rows = np.stack([patterns["equal"], patterns["the lowest digit"], 256 * few]).astype(dtype)
    same_as_numpys(put(rows, device), rows, 1, "each row other digits")


def test_lengths_about_blocks_of_digits_are_put_in_order(device: xp.Device) -> None:
    for length in (2047, 2048, 4095, 4096, 4097, 8192, 12_289, 16_384, 20_000):
        values = np.random.default_rng(length).integers(-(2**31), 2**31, length).astype(np.int32)
        same_as_numpys(put(values, device), values, 0, length)


def test_every_length_is_put_in_order(device: xp.Device) -> None:
    for length in (0, 1, 2, 3, 15, 16, 17, 24, 25, 127, 300, 301, 1025):
        rng = np.random.default_rng(length)
        for values in (rng.integers(0, 7, length), np.arange(length), np.arange(length)[::-1] * -3):
            same_as_numpys(put(values, device), values, 0, length)


@pytest.mark.parametrize("dtype", ["int32", "float32", "uint64", "float64"])
def test_long_patterns_are_put_in_order_on_the_host(dtype: str) -> None:
    for name, values in patterns(200_003, np.random.default_rng(7)).items():
        numbers = values.astype(dtype)
        assert_same(get(xp.sort(put(numbers, xp.Device("cpu")))), np.sort(numbers), name)


def many_values(name: str, n: int, rng: np.random.Generator) -> Any:
    """As float64; those that a few cells cannot tell apart, in whatever way."""
    uniform = rng.random(n)
    if name == "uniform":
        return uniform * 2e9
    if name == "normal":
        return rng.standard_normal(n) * 1e6
    if name == "equal":
        return np.full(n, 7.0)
    if name == "few":
        return rng.integers(0, 5, n) * 1e8
    if name == "mostly one":
        return np.where(uniform < 0.9, 1e6, uniform * 1e9)
    if name == "a narrow heap":  # nearly all of them in one cell
        return np.where(uniform < 0.98, 1e9 + rng.integers(0, 1000, n) * 64, uniform * 2e9)
    if name == "heaps within heaps":
        return 2e9 * 2.0 ** -rng.integers(0, 30, n) + rng.integers(0, 4, n)
    if name == "over all magnitudes":
        return 10 ** (uniform * 9) * np.where(rng.random(n) < 0.5, 1, -1)
    if name == "falling":
        return np.arange(n)[::-1] * 1000.0
    # a sample at even distances sees the same elements only
    return np.where(np.arange(n) % 64 == 0, 1.0, rng.integers(0, 2**30, n))


MANY = [
    "uniform", "normal", "equal", "few", "mostly one", "a narrow heap", "heaps within heaps",
    "over all magnitudes", "falling", "every 64th",
]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_many_elements_are_put_in_order_by_any_number_of_threads(dtype: str, threads: int) -> None:
    before = xp.config.num_threads
    try:
        xp.config.num_threads = threads
        for name in MANY:
            rng = np.random.default_rng(9)
            values = many_values(name, 1_200_001 if name in MANY[4:8] else 300_001, rng)
            values = (np.abs(values) if dtype.startswith("u") else values).astype(dtype)
            x = put(values, xp.Device("cpu"))
            rising = np.sort(values)
            assert_same(get(xp.sort(x)), rising, (name, threads))
            assert_same(get(xp.sort(x, descending=True)), rising[::-1], (name, threads))
    finally:
        xp.config.num_threads = before


@pytest.mark.parametrize("length", [131_071, 131_072, 131_073, 135_169, 524_289, 1_048_577])
def test_lengths_about_those_that_threads_share_are_put_in_order(length: int) -> None:
    rng = np.random.default_rng(length)
    values = rng.standard_normal(length).astype(np.float32)
    rising = np.sort(values)
    x = put(values, xp.Device("cpu"))
    assert_same(get(xp.sort(x)), rising, length)
    wide = put(np.repeat(values, 2), xp.Device("cpu"))
    assert_same(get(xp.sort(wide[::2])), rising, length)
    assert_same(get(xp.sort(x.astype("float64") * 2)), rising.astype(np.float64) * 2, length)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("share", [1e-5, 0.3, 1])
def test_zeros_and_nan_of_many_elements_keep_their_bits(dtype: str, share: float) -> None:
    n = 300_001
    rng = np.random.default_rng(10)
    values = rng.standard_normal(n).astype(dtype)
    special = np.asarray([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf], dtype)
    chosen = rng.random(n) < share
    chosen[[0, n - 1]] = True
    values[chosen] = rng.choice(special, np.count_nonzero(chosen))
    same_as_numpys(put(values, xp.Device("cpu")), values, 0, share)


def test_every_short_length_of_wide_numbers_is_put_in_order() -> None:
    rng = np.random.default_rng(8)
    for dtype in ("uint32", "int64"):
        for length in range(600):
            values = rng.integers(0, 100 if length % 2 else 2**31, length).astype(dtype)
            x = put(values, xp.Device("cpu"))
            assert_same(get(xp.sort(x)), np.sort(values), (dtype, length))


def test_integers_that_floats_do_not_hold_are_told_apart(device: xp.Device) -> None:
    top = 2**63
    signed = np.asarray([top - 1, -top, top - 2, 0, -top + 1, 2**53 + 1, 2**53], np.int64)
    same_as_numpys(put(signed, device), signed, 0)
    natural = np.asarray([2 * top - 1, top, 2 * top - 2, 0, top - 1], np.uint64)
    same_as_numpys(put(natural, device), natural, 0)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", REALS)
def test_nan_is_last_in_both_directions(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = np.asarray([np.nan, 1, -np.inf, np.nan, np.inf, -0.0, 0.0, -1], dtype_of(dtype))
    values[3] = -values[3]  # a NaN with the sign bit
    x = put(values, device)
    for descending in (False, True):
        got = get(xp.sort(x, descending=descending)).astype(np.float64)
        assert np.isnan(got).tolist() == [False] * 6 + [True] * 2
        places = get(xp.argsort(x, descending=descending)).tolist()
        assert places[-2:] == [0, 3], "NaNs keep their order"
        assert places.index(5) + 1 == places.index(6), "zeros keep their order"


def test_equal_elements_keep_their_order(device: xp.Device) -> None:
    values = np.random.default_rng(1).integers(0, 3, (2, 3000)).astype(np.uint8)
    x = put(values, device)
    for stable in (True, False):  # that is allowed, and the same
        for descending in (True, False):
            got = xp.argsort(x, axis=1, stable=stable, descending=descending)
            assert_same(get(got), numpys_argsort(values, 1, descending))


def test_without_an_axis_all_elements_are_put_in_order(device: xp.Device) -> None:
    values = np.random.default_rng(3).permutation(60).reshape(6, 10).astype(np.int32)
    x = put(values, device)
    assert_same(get(xp.sort(x, axis=None)), np.sort(values, axis=None))
    assert_same(get(xp.argsort(x, None)), np.argsort(values, None))
    assert_same(get(x.argsort(None)), np.argsort(values, None))
    assert xp.sort(x, axis=None, descending=True)[0].item() == 59
    parted = get(xp.partition(x, 30, axis=None))
    assert parted.shape == (60,) and parted[30] == 30 and parted[:30].max() < 30
    for order in (xp.argpartition(x, 30, axis=None), x.argpartition(30, None)):
        assert_same(values.ravel()[get(order)], parted)


def test_pending_values_are_put_in_order(device: xp.Device) -> None:
    values = np.random.default_rng(9).integers(-9, 9, (30, 20)).astype(np.int32)
    x = put(values, device)
    assert_same(get(xp.sort(x * x - x)), np.sort(values * values - values))
    assert_same(get(xp.sort(xp.sort(x, axis=0), axis=1)), np.sort(np.sort(values, axis=0), axis=1))
    got = xp.sort(xp.sum(x, axis=0))[::-1] * 2 + xp.cumulative_sum(xp.argsort(x[0]))
    wanted = np.sort(np.sum(values, axis=0, dtype=np.int64))[::-1] * 2
    assert_same(get(got), wanted + np.cumsum(np.argsort(values[0], kind="stable")))
    both = xp.where(x > 0, xp.sort(x), x)  # what is sorted is used beside it
    assert_same(get(both), np.where(values > 0, np.sort(values), values))


def test_a_sort_may_be_written_over_what_it_reads(device: xp.Device) -> None:
    values = np.random.default_rng(5).integers(-999, 999, 5000)
    for target in (slice(None), slice(None, None, -1)):
        x = put(values, device)
        x[target] = xp.sort(x)
        wanted = values.copy()
        wanted[target] = np.sort(values)
        assert_same(get(x), wanted, target)
    x = put(values, device)
    x[1:] = xp.argsort(x[:-1])
    assert_same(get(x)[1:], np.argsort(values[:-1], kind="stable"))


def test_the_input_stays_as_it_is(device: xp.Device) -> None:
    values = np.random.default_rng(5).normal(size=(5, 40)).astype(np.float32)
    x = put(values, device)
    for call in (xp.sort, xp.argsort):
        call(x).eval()
        call(x.T, axis=0, descending=True).eval()
        assert_same(get(x), values)
    got = xp.sort(x)
    got[...] = 0
    assert_same(get(x), values)


@pytest.mark.parametrize("sort", [xp.sort, xp.argsort])
def test_what_cannot_be_put_in_order_is_refused(sort: Any) -> None:
    name = sort.__name__
    x = xp.ones((2, 3))
    with pytest.raises(IndexError, match=f"{name}: axis 2 is out of bounds for an array of 2 axes"):
        sort(x, axis=2)
    with pytest.raises(ValueError, match=f"{name}: an array without axes; reshape it"):
        sort(x[0, 0])
    with pytest.raises(TypeError, match=name):
        sort([1, 2])
    struct = xp.asarray(np.zeros(3, [("a", "i4"), ("b", "f4")]))
    with pytest.raises(TypeError, match=rf"{name}: does not accept .*it accepts bool"):
        sort(struct)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16"])
def test_more_elements_than_different_ones(dtype: str, device: xp.Device) -> None:
    whole = np.random.default_rng(5).integers(0, 2**16, (2, 40_000)).astype(np.uint16)
    values = whole > 2**15 if dtype == "bool" else whole.astype(dtype)
    x = put(values, device)
    assert_same(get(xp.sort(x)), np.sort(values))
    assert_same(get(xp.sort(x[:, ::-1], descending=True)), np.sort(values)[:, ::-1])
    assert_same(get(xp.sort(x.T, axis=0)), np.sort(values.T, axis=0))
    assert_same(get(xp.partition(x, 7))[:, 7], np.sort(values)[:, 7])


def test_the_method_argsort_has_the_orders_of_the_function(device: xp.Device) -> None:
    x = put(np.array([[3.0, 1, 2, 1]], np.float32), device)
    assert get(x.argsort(descending=True)).tolist() == [[0, 2, 1, 3]]
    assert get(x.argsort(None, stable=False)).tolist() == [1, 3, 2, 0]
    assert get(x.argsort(0)).tolist() == [[0, 0, 0, 0]]
