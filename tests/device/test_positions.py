"""Where in an array something is, against NumPy: ties, NaN, every layout and axis."""

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
    has,
    put,
    special_values,
)
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())

NAMES = ["argmax", "argmin"]
ORDERED = [dtype for dtype in DTYPES if dtype not in COMPLEX]


def wanted_of(name: str, values: Any, axis: Any, keepdims: bool = False) -> Any:
    """What NumPy finds, as int64."""
    return np.asarray(getattr(np, name)(values, axis=axis, keepdims=keepdims), np.int64)


@pytest.mark.sampled("name", "dtype")
@pytest.mark.parametrize("dtype", ORDERED)
@pytest.mark.parametrize("name", NAMES)
def test_the_first_of_equal_elements_is_found(
    way: Way, device: xp.Device, name: str, dtype: str
) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    rng = np.random.default_rng(5)
    values = rng.integers(0, 4, (3, 4, 5)).astype(dtype_of(dtype))
    x = put(values, device)
    for axis in (None, 0, 1, 2, -1):
        for keepdims in (False, True):
            got = getattr(xp, name)(x, axis=axis, keepdims=keepdims)
            assert_same(get(got), wanted_of(name, values, axis, keepdims), (axis, keepdims))


@pytest.mark.sampled("name", "dtype")
@pytest.mark.parametrize("dtype", ORDERED)
@pytest.mark.parametrize("name", [*NAMES, "nanargmax", "nanargmin"])
def test_rows_of_all_lengths(device: xp.Device, name: str, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    rng = np.random.default_rng(8)
    of_row = getattr(np, name)
    for length in (1, 7, 31, 32, 33, 63, 64, 95, 1000, 1023, 1024, 1025, 1057, 2100):
        values = rng.integers(0, 100, (5, length)).astype(dtype_of(dtype))
        # ties within a vector, between vectors, and in what vectors leave; at the end, at the start
        values[1, rng.integers(0, length, 20)] = 120
        values[2, rng.integers(0, length, 20)] = 0
        values[3, -1], values[4, 0] = 121, 121
        if dtype in REALS and length > 1:
            values[2, 1::3] = np.nan
            values[4, -1] = np.nan
        x = put(values, device)
        for shown, known in ((x, values), (x[:, ::-1], values[:, ::-1])):
            wide = known.astype(np.float64) if dtype in REALS else known  # NumPy's, of bfloat16
            wanted = np.asarray([of_row(row) for row in wide], np.int64)
            assert_same(get(getattr(xp, name)(shown, axis=1)), wanted, f"{length}")
            if dtype in REALS:
                lowest = np.asarray([of_row(-row) for row in wide], np.int64)
                assert_same(get(getattr(xp, name)(-shown, axis=1)), lowest, f"{length}")


@pytest.mark.parametrize("dtype", ORDERED)
@pytest.mark.parametrize("name", NAMES)
def test_special_values_are_where_numpy_finds_them(
    device: xp.Device, name: str, dtype: str
) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = np.concatenate([special_values(dtype), special_values(dtype)])
    for shift in range(len(values)):  # NaN last, first and between; each value once the first
        rolled = np.roll(values, shift)
        for part in (rolled, rolled[:-2], rolled[2:]):
            got = getattr(xp, name)(put(part, device))
            assert_same(get(got), wanted_of(name, part, None), part)


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NAMES)
def test_every_layout_has_positions(way: Way, device: xp.Device, name: str, layout: str) -> None:
    base = np.random.default_rng(6).integers(-9, 9, (6, 10)).astype(np.int32)
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
    for pending in (False, True):
        for axis in (None, *range(shown.ndim)):
            xp.sum(x + 1).eval()  # a kernel, also where there is an error alone
            y = x * 2 if pending else x
            if shown.size == 0 and (axis is None or shown.shape[axis] == 0):
                with pytest.raises(ValueError, match=f"{name}: no elements"):
                    getattr(xp, name)(y, axis=axis)
                continue
            got = getattr(xp, name)(y, axis=axis)
            assert_same(get(got), wanted_of(name, shown, axis), (layout, axis))
            assert got.device == device


@pytest.mark.parametrize("shape", [(100_003,), (1001, 7), (7, 1001), (64, 1, 300)])
def test_large_arrays_have_positions(device: xp.Device, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(7).standard_normal(shape).astype(np.float32)
    x = put(values, device)
    for axis in (None, 0, -1):
        for name in NAMES:
            assert_same(get(getattr(xp, name)(x, axis=axis)), wanted_of(name, values, axis), axis)


@pytest.mark.parametrize("dtype", ["float32", "int16", "float16", "int64"])
@pytest.mark.parametrize("name", [*NAMES, "nanargmax", "nanargmin"])
def test_ties_and_nan_far_apart_are_told_apart(device: xp.Device, name: str, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    rng = np.random.default_rng(8)
    for shape in ((5000,), (3, 3000), (3000, 20)):
        values = rng.integers(-3, 4, shape).astype(dtype_of(dtype))
        if dtype in REALS:
            values[rng.random(shape) < 0.1] = np.nan
            values[:1050] = np.nan  # the first chunk and more
            values[-1] = 7
        x = put(values, device)
        for axis in (None, 0, -1):
            if dtype in REALS and axis == -1 and len(shape) == 2 and name.startswith("nan"):
                continue  # rows of nothing but NaN
            got = getattr(xp, name)(x, axis=axis)
            wide = values.astype(np.float64) if dtype in REALS else values
            assert_same(get(got), wanted_of(name, wide, axis), (shape, axis))


@pytest.mark.lazy
def test_positions_are_one_kernel_with_what_is_around_them(way: Way, device: xp.Device) -> None:
    rng = np.random.default_rng(9)
    for shape in ((40,), (3000,), (30, 70), (70, 1500)):
        values = rng.integers(-9, 9, shape).astype(np.float32)
        x, y = put(values, device), put(values[..., ::-1].copy(), device)[..., ::-1]
        for axis in (None, 0, -1):
            before = xp.statistics()["kernels"]
            found = xp.argmin(x * x - y, axis=axis) * 2 + 1
            got = get(found)
            assert xp.statistics()["kernels"] == before + 1
            assert_same(got, wanted_of("argmin", values * values - values, axis) * 2 + 1, axis)


def test_positions_are_pending_until_somebody_looks() -> None:
    if xp.config.eager:
        pytest.skip("nothing is pending")
    x = xp.linspace(0, 1, 1000).eval()
    before = xp.statistics()["kernels"]
    found = xp.argmax(x * (1 - x))
    assert found.is_pending
    assert xp.statistics()["kernels"] == before
    assert int(found) in (499, 500)


def test_methods_are_called_as_in_numpy(device: xp.Device) -> None:
    a = np.asarray([[3, 1, 2], [0, 5, 5]], np.int16)
    x = put(a, device)
    assert int(x.argmax()) == a.argmax()
    assert_same(get(x.argmin(1)), a.argmin(1))
    assert_same(get(x.argmax(axis=0, keepdims=True)), a.argmax(axis=0, keepdims=True))
    out = xp.zeros(2, dtype="int64", device=device)
    assert x.argmax(1, out) is out
    assert_same(get(out), a.argmax(1))


@pytest.mark.parametrize("name", [*NAMES, "nanargmax", "nanargmin"])
def test_what_has_no_position_is_refused(name: str) -> None:
    find: Any = getattr(xp, name)
    with pytest.raises(ValueError, match=rf"{name}: no elements in shape \(0,\)"):
        find(xp.ones(0))
    with pytest.raises(ValueError, match=rf"{name}: no elements along axis 1 of shape \(3, 0\)"):
        find(xp.ones((3, 0)), axis=-1)
    assert find(xp.ones((3, 0)), axis=0).shape == (0,)
    with pytest.raises(IndexError, match=f"{name}: "):
        find(xp.ones(3), axis=1)
    with pytest.raises(TypeError, match=f"{name}: does not accept complex64; it accepts bool"):
        find(xp.ones(3, dtype="complex64"))
    with pytest.raises(TypeError, match=name):
        find([1, 2])


NAN = np.nan
ROWS = [[1, NAN, 3], [NAN, NAN, 2], [5, 0, NAN], [NAN, NAN, -np.inf], [np.inf, NAN, np.inf]]


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
def test_nan_is_passed_over(way: Way, device: xp.Device, name: str, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = np.asarray(ROWS, dtype_of(dtype))
    wide = a.astype(np.float64)
    x = put(a, device)
    for axis in (None, 0, -1):
        for keepdims in (False, True):
            got = getattr(xp, name)(x, axis=axis, keepdims=keepdims)
            # NumPy puts an infinity in the place of NaN, and finds that before a real one
            filled = np.where(np.isnan(wide), -1e300 if name == "nanargmax" else 1e300, wide)
            filled = np.where(np.isneginf(wide), -1e299, filled)
            filled = np.where(np.isposinf(wide), 1e299, filled)
            assert_same(get(got), wanted_of(name[3:], filled, axis, keepdims), axis)
    tame = a[:3]
    for axis in (0, 1, None):
        wanted = wanted_of(name, tame.astype(np.float64), axis)
        assert_same(get(getattr(xp, name)(put(tame, device), axis=axis)), wanted)


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
def test_nothing_but_nan_has_no_position(device: xp.Device, name: str) -> None:
    x = put(np.asarray([[1, NAN], [2, NAN]], np.float32), device)
    find: Any = getattr(xp, name)
    with pytest.raises(ValueError, match=r"only NaN in a slice along axis 0 of shape \(2, 2"):
        find(x, axis=0)
    with pytest.raises(ValueError, match=r"only NaN in shape \(2,\)"):
        find(x[:, 1])
    assert_same(get(find(x, axis=1)), np.zeros(2, np.int64))
    assert int(find(put(np.asarray([3, 1, 3]), device))) == (0 if name == "nanargmax" else 1)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_an_index_becomes_one_for_each_axis(way: Way, device: xp.Device, dtype: str) -> None:
    a = np.arange(24, dtype=dtype_of(dtype)).reshape(4, 6)
    x = put(a, device)
    for shape in ((24,), (2, 12), (2, 3, 4), (1, 24, 1), (5, 6)):
        got = xp.unravel_index(x, shape)
        assert isinstance(got, tuple)
        for mine, wanted in zip(got, np.unravel_index(a, shape), strict=True):
            assert_same(get(mine), np.asarray(wanted), shape)
        got = xp.unravel_index(x, shape, order="F")
        for mine, wanted in zip(got, np.unravel_index(a, shape, order="F"), strict=True):
            assert_same(get(mine), np.asarray(wanted), shape)
    assert_same(get(xp.unravel_index(x, 24)[0]), a.astype(np.int64))


def test_an_index_outside_shows_in_the_first_axis(device: xp.Device) -> None:
    row, column = xp.unravel_index(put(np.asarray([-1, 12]), device), (3, 4))
    assert get(row).tolist() == [-1, 3]
    assert get(column).tolist() == [3, 0]


def test_no_view_of_indices_is_given_back() -> None:
    x = xp.asarray([1, 2, 3], copy=True)
    for shape, order in (((9,), "C"), ((9, 1), "C"), ((1, 9), "F"), ((1, 1, 9), "C")):
        for index in xp.unravel_index(x, shape, order):
            index[...] = 7
    assert x.tolist() == [1, 2, 3]
    assert [int(i) for i in xp.unravel_index(5, (2, 3))] == [1, 2]
    none = np.zeros((0, 2), dtype=np.int64)
    for mine, theirs in zip(
        xp.unravel_index(none, (3, 0)), np.unravel_index(none, (3, 0)), strict=True
    ):
        assert_same(get(mine), theirs)
    assert [i.tolist() for i in xp.unravel_index([1, 5], (2, 3))] == [[0, 1], [1, 2]]


def test_what_are_no_indices_is_refused() -> None:
    with pytest.raises(TypeError, match=r"unravel_index: indices are float64; .*integers"):
        xp.unravel_index(xp.ones(2, dtype="float64"), (2, 2))
    with pytest.raises(TypeError, match="unravel_index: indices are bool"):
        xp.unravel_index(xp.ones(2) > 0, (2, 2))
    with pytest.raises(ValueError, match="has no axes"):
        xp.unravel_index(xp.arange(3), ())
    with pytest.raises(ValueError, match="order: 'K' is none of C, F"):
        xp.unravel_index(xp.arange(3), (2, 2), "K")
    with pytest.raises(ValueError, match="has no elements"):
        xp.unravel_index(xp.arange(3), (2, 0))
