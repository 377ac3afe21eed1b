"""Reductions that leave out NaN, against NumPy."""

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
    assert_close,
    assert_same,
    dtype_of,
    get,
    has,
    put,
    spread_dtype,
    values_of,
    wide,
)
from tests.ways import Way

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]

NAMES = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]
EXTREMES = ("nanmax", "nanmin")
AXES: list[Any] = [None, 0, -1, (0, 2), ()]


def holed(dtype: str, shape: tuple[int, ...]) -> Any:
    """Values with NaN at some places, and along the whole first row."""
    values = values_of(dtype, shape)
    if dtype in (*REALS, *COMPLEX):
        values[np.random.default_rng(1).uniform(0, 1, shape) < 0.3] = np.nan
        values[0, 0] = np.nan
    return values


@pytest.mark.sampled("name", "dtype", every=2)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_nan_is_left_out(way: Way, device: xp.Device, name: str, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = holed(dtype, (3, 4, 5))
    x = put(values, device)
    if name in EXTREMES and dtype in COMPLEX:
        with pytest.raises(TypeError, match=f"{name}: does not accept {dtype}"):
            getattr(xp, name)(x)
        xp.sum(x).eval()
        return
    for axis in AXES:
        for keepdims in (False, True):
            got = get(getattr(xp, name)(x, axis=axis, keepdims=keepdims))
            if name in EXTREMES or dtype in ("bool", *INTEGERS):
                if name in EXTREMES and dtype in REALS:  # NumPy's of bfloat16 may be a float32
                    wanted = getattr(np, name)(wide(values), axis=axis, keepdims=keepdims)
                    assert_same(got, np.asarray(wanted).astype(values.dtype), axis)
                    continue
                wanted = np.asarray(getattr(np, name)(values, axis=axis, keepdims=keepdims))
                if name in ("nanmean", "nanvar", "nanstd"):
                    assert got.dtype == spread_dtype(dtype, device)
                    assert_close(got, wanted, axis)
                else:
                    assert_same(got, wanted, axis)
                continue
            wanted = getattr(np, name)(wide(values), axis=axis, keepdims=keepdims)
            is_spread = name in ("nanvar", "nanstd")
            assert got.dtype == (spread_dtype(dtype, device) if is_spread else dtype_of(dtype))
            with np.errstate(all="ignore"):  # a product in half precision may be infinite
                wanted = np.asarray(wanted)
                if name == "nanprod":
                    wanted = wanted.astype(got.dtype)
            assert_close(got, wanted, (name, axis), 256)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_a_correction_leaves_nan_where_numpy_does(device: xp.Device, dtype: str) -> None:
    values = holed(dtype, (4, 5, 3))
    x = put(values, device)
    for less in (0, 1, 2, 2.5, 5):
        for keepdims in (False, True):
            got = get(xp.nanvar(x, 1, correction=less, keepdims=keepdims))
            wanted = np.nanvar(wide(values), 1, ddof=less, keepdims=keepdims)
            assert_close(got, wanted, less)
            assert_close(get(xp.nanstd(x, 1, ddof=less, keepdims=keepdims)), np.sqrt(wanted), less)
    whole = xp.asarray([1, 2], device=device)
    assert np.isinf(xp.nanvar(whole, correction=2).item())  # as var: NumPy has it so of integers


def test_what_is_infinite_counts(device: xp.Device) -> None:
    a = np.asarray([[np.inf, 1, np.nan], [-np.inf, np.nan, np.nan]], np.float32)
    x = put(a, device)
    for name in NAMES:
        got = get(getattr(xp, name)(x, axis=1))
        assert_same(got, np.asarray(getattr(np, name)(a, axis=1)), name)


@pytest.mark.sampled("layout", every=3)  # a kernel for each function and axis
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read(way: Way, device: xp.Device, layout: str) -> None:
    base = values_of("float32", (6, 10))
    base[1::2, ::3] = np.nan
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
    xp.sum(put(base, device)).eval()
    for name in NAMES:
        for axis in (None, *range(shown.ndim)):
            if name in EXTREMES and shown.size == 0 and (axis is None or shown.shape[axis] == 0):
                with pytest.raises(ValueError, match=f"{name}: no elements along the axes"):
                    getattr(xp, name)(x, axis=axis)
                continue
            wanted = getattr(np, name)(wide(shown), axis=axis)
            assert_close(get(getattr(xp, name)(x, axis=axis)), wanted, (name, axis))


def test_half_precision_is_summed_in_more(device: xp.Device) -> None:
    a = np.tile(np.asarray([60000, np.nan], np.float16), 500)
    assert float(xp.nanmean(put(a, device)).item()) == 60000
    b = np.tile(np.asarray([-200, 200, np.nan], np.float16), 5000)
    assert float(xp.nanvar(put(b, device)).item()) == 40000


def test_arguments_are_numpys(device: xp.Device) -> None:
    x = put(np.asarray([[1, np.nan], [2, 3]], np.float32), device)
    assert xp.nansum(x, 0, "complex64").dtype == np.complex64
    assert_same(get(xp.nanmean(x, 1, None, None, True)), np.asarray([[1], [2.5]], np.float32))
    out = xp.zeros(2, dtype="float32", device=device)
    for name in ("nansum", "nanmax", "nanvar"):
        assert getattr(xp, name)(x, axis=1, out=out) is out
        assert_close(get(out), np.asarray(getattr(np, name)(get(x), axis=1)))


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments_are_refused(name: str) -> None:
    function: Any = getattr(xp, name)
    x = xp.ones((2, 3))
    with pytest.raises(IndexError, match="axis 2"):
        function(x, axis=2)
    with pytest.raises(ValueError, match="repeated"):
        function(x, axis=(0, 0))
    with pytest.raises(TypeError, match=name):
        function([1.0])
    if name in ("nanmean", "nanvar", "nanstd"):
        with pytest.raises(TypeError, match=f"{name}: dtype: int8 cannot hold fractions"):
            function(x, dtype="int8")


def test_dtypes_that_cannot_be_are_refused_by_the_name_of_the_call() -> None:
    z = xp.asarray([1j, 2])
    for name in ("mean", "var", "std", "nanmean", "nanvar", "nanstd", "nansum", "nanprod", "sum"):
        with pytest.raises(TypeError, match=f"^{name}: complex128 cannot become float32"):
            getattr(xp, name)(z, dtype="float32")
    for name in ("nansum", "nanprod"):
        assert getattr(xp, name)(xp.ones(3) > 0).dtype == np.int64


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["nancumsum", "nancumprod"])
def test_scans_leave_nan_out(way: Way, device: xp.Device, name: str, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = holed(dtype, (3, 4, 5)) if name == "nancumsum" else holed(dtype, (3, 2, 2)) / 64
    values = values.astype(dtype_of(dtype))
    x = put(values, device)
    for axis in (None, 0, -1):
        got = get(getattr(xp, name)(x, axis))
        if dtype in ("bool", *INTEGERS):
            assert_same(got, getattr(np, name)(values, axis), axis)
        else:
            assert got.dtype == dtype_of(dtype)
            assert_close(got, getattr(np, name)(wide(values), axis), axis, 256)


def test_a_scan_without_nan_fills_out_and_names_itself() -> None:
    x = xp.asarray([1, np.nan, 2])
    out = xp.empty(3, dtype="float32")
    assert xp.nancumsum(x, None, "float32", out) is out
    assert out.tolist() == [1, 1, 3]
    assert xp.nancumprod(x, out=x) is x
    assert x.tolist() == [1, 1, 2]
    assert xp.nancumsum(xp.asarray(3.0)).tolist() == [3]
    with pytest.raises(
        IndexError, match=r"^nancumsum: axis 1 is out of bounds for an array of 1 axis"
    ):
        xp.nancumsum(x, 1)
    with pytest.raises(TypeError, match=r"^nancumprod: does not accept struct"):
        xp.nancumprod(xp.zeros(3, dtype=[("a", "f4")]))
