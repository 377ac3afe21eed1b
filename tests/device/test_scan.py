"""Scans against NumPy: dtypes, axes, layouts, NaN, sizes, and fusion with what gives x."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    INTEGERS,
    LAYOUTS,
    REALS,
    assert_same,
    dtype_of,
    get,
    needs,
    put,
    random_values,
)

SUMS: dict[str, Any] = {"cumulative_sum": np.cumulative_sum, "cumulative_prod": np.cumulative_prod}
EXTREMES: dict[str, Any] = {"cumulative_max": np.maximum, "cumulative_min": np.minimum}
NAMES = (*SUMS, *EXTREMES)

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]


def numpys(name: str, values: Any, axis: int) -> Any:
    if name in SUMS:
        return SUMS[name](values, axis=axis)
    return EXTREMES[name].accumulate(values, axis=axis)


def is_refused(name: str, dtype: str) -> bool:
    return name in EXTREMES and dtype in COMPLEX


@pytest.mark.sampled("name", "dtype")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_scan_does_what_numpy_does(name: str, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = random_values(dtype, 60, 0.5, 1.5, np.random.default_rng(3)).reshape(3, 4, 5)
    x = put(values, device)
    if is_refused(name, dtype):
        with pytest.raises(TypeError, match=r"does not accept complex.*it accepts"):
            getattr(xp, name)(x, axis=0)
        (x + 1).eval()
        return
    for axis in (0, 1, -1):
        got = get(getattr(xp, name)(x, axis=axis))
        if name in EXTREMES or dtype in ("bool", *INTEGERS):
            assert_same(got, numpys(name, values, axis), f"{name} along {axis}")
            continue
        wide = values.astype(np.complex128 if dtype in COMPLEX else np.float64)
        assert got.dtype == dtype_of(dtype)
        eps = float(xp.finfo(dtype_of(dtype)).eps)
        wanted = numpys(name, wide, axis)
        off = np.abs(got.astype(wide.dtype) - wanted)
        assert bool(np.all(off <= 8 * values.shape[axis] * eps * (1 + np.abs(wanted)))), axis


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_min"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_scan_does_the_same_for_every_layout(name: str, layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-50, 50, (6, 10)).astype(np.int16)
    shown = LAYOUTS[layout](values, np)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    if shown.ndim == 0:
        with pytest.raises(ValueError, match="without axes"):
            getattr(xp, name)(x, axis=0)
        return
    for axis in range(-1, shown.ndim):
        got = getattr(xp, name)(x, axis=axis)
        assert got.device == x.device
        assert_same(get(got), numpys(name, shown, axis), f"{name}, {layout}, {axis}")


@pytest.mark.parametrize("shape", [(100_003,), (1001, 7), (7, 1001), (64, 1, 300), (3, 20_000)])
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_max"])
def test_large_scans_are_those_of_numpy(
    name: str, shape: tuple[int, ...], device: xp.Device
) -> None:
    values = np.random.default_rng(6).integers(-1000, 1000, shape).astype(np.int32)
    x = put(values, device)
    for axis in range(len(shape)):
        assert_same(get(getattr(xp, name)(x, axis=axis)), numpys(name, values, axis), axis)


def test_floats_are_added_up_in_one_order(device: xp.Device) -> None:
    values = np.random.default_rng(7).uniform(0, 1, 200_003).astype(np.float32)
    x = put(values, device)
    first = get(xp.cumulative_sum(x))
    exact = np.cumsum(values.astype(np.float64))
    assert float(np.max(np.abs(first - exact) / exact)) < 3000 * np.finfo(np.float32).eps
    for threads in (1, 3, 8):
        xp.config.num_threads = threads
        assert_same(get(xp.cumulative_sum(x)), first, threads)


@pytest.mark.sampled("dtype", every=2)
@pytest.mark.parametrize(
    "name, dtype",
    [(name, dtype) for name in ("cumulative_sum", "cumulative_max")
     for dtype in (*REALS, *COMPLEX, "int16") if not is_refused(name, dtype)],
)  # fmt: skip
def test_rows_beside_each_other_have_the_bits_of_rows_alone(
    name: str, dtype: str, device: xp.Device
) -> None:
    needs(device, dtype)
    scan, rng = getattr(xp, name), np.random.default_rng(8)
    for length, neighbours in ((2, 16), (70, 17), (1025, 40), (3000, 130), (5, 2100)):
        values = random_values(dtype, 2 * length * neighbours, -2, 2, rng)
        values = values.reshape(2, length, neighbours)
        beside, alone = put(values, device), put(np.ascontiguousarray(values.mT), device)
        wanted = get(scan(alone, axis=2)).mT
        pending = get(scan(alone + alone, axis=2)).mT
        for threads in (1, 3, 8) if device.backend == "cpu" else (2,):
            xp.config.num_threads = threads
            assert_same(get(scan(beside, axis=1)), wanted, (length, neighbours, threads))
            assert_same(get(scan(beside[1], axis=0)), wanted[1], (length, neighbours, threads))
            assert_same(get(scan(beside + beside, axis=1)), pending, (length, neighbours))
        target = xp.empty((2, length, 2 * neighbours), dtype=wanted.dtype, device=device)
        target[..., ::-2] = scan(beside, axis=1)
        assert_same(get(target[..., ::-2]), wanted, (length, neighbours))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("name", NAMES)
def test_from_the_first_nan_on_all_are_nan(name: str, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    for place in (0, 5, 699):
        values = np.linspace(0.5, 1.5, 700).astype(dtype_of(dtype))
        values[place] = np.nan
        got = get(getattr(xp, name)(put(values, device))).astype(np.float64)
        assert bool(np.all(np.isnan(got) == (np.arange(700) >= place))), place


@pytest.mark.parametrize("name", NAMES)
def test_infinities_and_zeros_are_scanned(name: str, device: xp.Device) -> None:
    values = np.asarray([0.0, -0.0, 1.0, np.inf, -1.0, -np.inf, 2.0], np.float32)
    got = get(getattr(xp, name)(put(values, device)))
    np.testing.assert_array_equal(got, numpys(name, values, 0))


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("name", SUMS)
def test_scan_may_begin_with_the_identity(name: str, axis: int, device: xp.Device) -> None:
    values = np.random.default_rng(2).integers(-3, 4, (3, 5)).astype(np.int32)
    for shown in (values, values[:0], values[:, :0]):
        got = getattr(xp, name)(put(shown, device), axis=axis, include_initial=True)
        assert_same(get(got), SUMS[name](shown, axis=axis, include_initial=True))
        plain = getattr(xp, name)(put(shown, device), axis=axis)
        assert_same(get(plain), SUMS[name](shown, axis=axis))
    xp.ones(3, device=device).eval()


def test_the_dtype_of_a_scan_may_be_chosen(device: xp.Device) -> None:
    values = np.full(300, 100, np.int8)
    x = put(values, device)
    for dtype in ("int8", "uint16", "int64", "float32", "bool"):
        got = get(xp.cumulative_sum(x, dtype=dtype))
        assert_same(got, np.cumulative_sum(values, dtype=dtype), dtype)
    holed = np.asarray([[0, 3, 0, 0.5], [1, 1, 0, 2]], np.float32)
    for name, numpys in SUMS.items():
        for initial in (False, True):
            wanted = numpys(holed, axis=1, dtype=bool, include_initial=initial)
            got = getattr(xp, name)(put(holed, device), 1, dtype=bool, include_initial=initial)
            assert_same(get(got), wanted, (name, initial))
    assert get(xp.cumulative_sum(x)).dtype == np.int64
    assert get(xp.cumulative_sum(put(values.astype(np.uint8), device))).dtype == np.uint64
    assert get(xp.cumulative_prod(put(values > 0, device))).dtype == np.int64
    with pytest.raises(TypeError):
        xp.cumulative_sum(xp.ones(3, dtype="complex64", device=device), dtype="float32")


@pytest.mark.lazy
def test_what_gives_x_is_part_of_the_kernel(device: xp.Device) -> None:
    values = np.random.default_rng(9).integers(-9, 9, (30, 20)).astype(np.int32)
    x = put(values, device)
    before = xp.statistics()["kernels"]
    got = xp.cumulative_sum(x * x + 1, axis=0).eval()
    assert xp.statistics()["kernels"] == before + 1
    assert_same(get(got), np.cumulative_sum(values * values + 1, axis=0).astype(np.int64))


def test_scans_within_expressions(device: xp.Device) -> None:
    values = np.random.default_rng(9).integers(-9, 9, (30, 20)).astype(np.int32)
    x = put(values, device)
    total = xp.cumulative_sum(x, axis=1)
    got = (
        xp.cumulative_max(total * 2 - x, axis=0)
        + xp.cumulative_sum(total[::-1, ::2], axis=1)[:, :1]
    )
    sums = np.cumsum(values, axis=1, dtype=np.int64)
    wanted = np.maximum.accumulate(sums * 2 - values, axis=0)
    wanted = wanted + np.cumsum(sums[::-1, ::2], axis=1)[:, :1]
    assert_same(get(got), wanted)
    of_sums = xp.cumulative_sum(xp.sum(x, axis=0))
    assert_same(get(of_sums), np.cumsum(np.sum(values, axis=0, dtype=np.int64)))


def test_a_scan_may_be_written_over_what_it_reads(device: xp.Device) -> None:
    values = np.random.default_rng(5).integers(-9, 9, 5000)
    for target in (slice(None), slice(None, None, -1)):
        x = put(values, device)
        x[target] = xp.cumulative_sum(x)
        wanted = values.copy()
        wanted[target] = np.cumsum(values)
        assert_same(get(x), wanted, target)
    x = put(values, device)
    x[1:] = xp.cumulative_sum(x[:-1])
    assert_same(get(x)[1:], np.cumsum(values[:-1]))


def test_the_methods_are_numpys(device: xp.Device) -> None:
    values = np.random.default_rng(2).integers(-3, 4, (3, 5)).astype(np.int16)
    x = put(values, device)
    for axis in (None, 0, 1):
        assert_same(get(x.cumsum(axis)), values.cumsum(axis))
        assert_same(get(x.T.cumprod(axis)), values.T.cumprod(axis))
    assert_same(get(x.cumsum(0, "float32")), values.cumsum(0, "float32"))
    assert_same(get(x[0, 0].cumsum()), values[0, 0].cumsum())


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_scanned_is_refused(name: str) -> None:
    scan = getattr(xp, name)
    x = xp.ones((2, 3), dtype="float32")
    with pytest.raises(IndexError, match="axis 2 is out of bounds for an array of 2 axes"):
        scan(x, axis=2)
    with pytest.raises(ValueError, match=f"{name}: an array of 2 axes needs an axis"):
        scan(x)
    with pytest.raises(ValueError, match=f"{name}: an array without axes"):
        scan(x[0, 0])
    with pytest.raises(TypeError, match=name):
        scan([1, 2])
    struct = xp.asarray(np.zeros(3, [("a", "i4"), ("b", "f4")]))
    with pytest.raises(TypeError, match=f"{name}: does not accept"):
        scan(struct)
