"""Convolutions, covariances and interpolation, against NumPy."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any, cast

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    HALVES,
    LAYOUTS,
    assert_close,
    assert_same,
    get,
    has,
    needs,
    put,
    real_of,
    values_of,
    wide,
)
from tests.ways import Way

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]
MODES = ("full", "same", "valid")


@pytest.mark.sampled("dtype", every=3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_sequences_slide_as_numpys(way: Way, device: xp.Device, name: str, dtype: str) -> None:
    needs(device, dtype)
    ours, theirs = getattr(xp, name), getattr(np, name)
    for n, m in itertools.product((1, 2, 3, 8), repeat=2):
        a, v = values_of(dtype, (n,)), values_of(dtype, (m,))[::-1].copy()
        for mode in MODES:
            got = get(ours(put(a, device), put(v, device), mode))
            if dtype in HALVES:
                assert got.dtype == a.dtype
                assert_close(got, theirs(wide(a), wide(v), mode), (n, m, mode))
            elif a.dtype.kind in "fc":
                assert_close(got, theirs(wide(a), wide(v), mode), (n, m, mode))
            else:
                assert_same(got, theirs(a, v, mode), (n, m, mode))


def test_sequences_of_two_dtypes_lists_and_numbers(device: xp.Device) -> None:
    x = put(np.asarray([1, 2, 3], np.float32), device)
    whole = put(np.asarray([1, 2], np.int8), device)
    got = xp.convolve(x, whole)
    assert got.dtype == "float32" and get(got).tolist() == [1, 4, 7, 6]
    assert get(xp.convolve([0, 1, 0.5], x)).tolist() == [0, 1, 2.5, 4, 1.5]
    assert get(xp.correlate(x, [0, 1, 0.5], "full")).tolist() == [0.5, 2, 3.5, 3, 0]
    assert get(xp.convolve(x, x[1])).tolist() == [2, 4, 6]
    assert get(xp.convolve(x + 1, xp.flip(x[:2]), "valid")).tolist() == [8, 11]
    assert get(xp.convolve(x[::-1], xp.broadcast_to(x[0], (2,)))).tolist() == [3, 5, 3, 1]


@pytest.mark.parametrize("layout", ["rows", "back to front", "behind others", "every other"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_long_sequences_of_any_layout(way: Way, device: xp.Device, dtype: str, layout: str) -> None:
    needs(device, dtype)
    part = {
        "rows": np.s_[:],
        "back to front": np.s_[::-1],
        "behind others": np.s_[17:],
        "every other": np.s_[1::2],
    }[layout]
    rng = np.random.default_rng(2)
    a = rng.integers(-9, 9, 9001).astype(dtype)
    for m in (2, 5, 64, 700):
        v = rng.integers(-9, 9, m).astype(dtype)
        x, y = put(a, device)[part], put(v, device)[part]
        if y.size == 0:
            continue
        modes: tuple[Any, ...] = MODES
        for mode in modes:  # exact: all sums are below 2^24
            wanted = np.correlate(a[part], v[part], mode)
            assert np.array_equal(get(xp.correlate(x, y, mode)), wanted), (m, mode)
        wanted = np.convolve(v[part], a[part], "valid")
        assert np.array_equal(get(xp.convolve(y, x, "valid")), wanted), m


def test_a_long_convolution_takes_no_more_memory() -> None:
    program = """
import isthmus as xp
x, k = xp.ones(100_000, dtype="float32"), xp.ones(1000, dtype="float32")
got = xp.convolve(x, k, "valid").eval()
assert float(got.min()) == float(got.max()) == 1000
print(xp.memory.pool_statistics("cpu")["peak_bytes"])
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) < 10_000_000  # of 400 MB of windows


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "a mode": (
        lambda x: xp.convolve(x, x, "middle"),
        ValueError,
        "convolve: mode: 'middle' is none of full, same, valid",
    ),
    "two axes": (
        lambda x: xp.correlate(x, xp.stack([x, x])),
        ValueError,
        "correlate: an operand of 2 axes; one is needed",
    ),
    "no elements": (
        lambda x: xp.convolve(x[:0], x),
        ValueError,
        "convolve: an operand has no elements; at least one is needed",
    ),
    "no array": (lambda x: xp.convolve([1], [2]), TypeError, "convolve"),
    "two devices": (
        lambda x: xp.convolve(x, xp.ones(3, device="cpu" if x.device != "cpu" else "null:1")),
        xp.DeviceMismatchError,
        "",
    ),
    "three axes": (
        lambda x: xp.cov(xp.reshape(x, (1, 1, -1))),
        ValueError,
        "cov: an operand of 3 axes; at most two are possible",
    ),
    "other observations": (
        lambda x: xp.corrcoef(x, x[1:]),
        ValueError,
        "corrcoef: 2 observations of the variables in y, but 3 of those in x",
    ),
    "whole numbers": (
        lambda x: xp.cov(x, dtype="int32"),
        TypeError,
        "cov: dtype: int32 cannot hold fractions",
    ),
    "a text": (lambda x: xp.cov(x, cast(Any, "ab")), TypeError, "cov: y: "),
    "coordinates of two axes": (
        lambda x: xp.interp(x, xp.stack([x, x]), x),
        ValueError,
        "interp: coordinates of 2 axes and values of 1 axis; one is needed",
    ),
    "fewer values": (
        lambda x: xp.interp(x, x, x[1:]),
        ValueError,
        "interp: 3 coordinates and 2 values; as many, and at least one, are needed",
    ),
    "no points": (lambda x: xp.interp(x, x[:0], x[:0]), ValueError, "interp: 0 coordinates"),
    "a period of 0": (
        lambda x: xp.interp(x, x, x, period=0),
        ValueError,
        "interp: period: 0; a finite number other than 0 is needed",
    ),
    "complex coordinates": (
        lambda x: xp.interp(xp.astype(x, "complex64"), x, x),
        TypeError,
        "interp: complex64 cannot be ordered",
    ),
    "a complex number": (lambda x: xp.interp(1j, x, x), TypeError, "interp: complex"),
    "two numbers on the left": (
        lambda x: xp.interp(x, x, x, left=[1.0, 2.0]),
        ValueError,
        "interp: left: an array of 1 axis; a number is needed",
    ),
    "an array on the right": (
        lambda x: xp.interp(x, x, x, right=x),
        ValueError,
        "interp: right: an array of 1 axis; a number is needed",
    ),
    "a text on the left": (
        lambda x: xp.interp(x, x, x, left=cast(Any, "a")),
        TypeError,
        "interp: left: ",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_named(name: str, device: xp.Device) -> None:
    call, error, text = WRONG[name]
    x = put(np.asarray([1, 2, 3], np.float32), device)
    with pytest.raises(error) as caught:
        call(x)
    assert text in str(caught.value)
    assert get(xp.convolve(x, x)).tolist() == [1, 4, 10, 12, 9]


@pytest.mark.sampled("dtype", every=3)
@pytest.mark.parametrize("dtype", DTYPES)
def test_covariances_are_numpys(way: Way, device: xp.Device, dtype: str) -> None:
    needs(device, dtype)
    for shape in ((3, 7), (1, 4), (6,), (5, 2)):
        a = values_of(dtype, shape)
        x, b = put(a, device), wide(a)
        for keys in ({}, {"rowvar": False}, {"bias": True}, {"ddof": 0}, {"ddof": 9}):
            if "ddof" in keys and dtype in COMPLEX:
                continue  # in the imaginary parts, NumPy divides its rounding by 0
            assert_close(get(xp.cov(x, **keys)), np.cov(b, **keys), (shape, keys))
        assert_close(get(xp.cov(x, x)), np.cov(b, b), shape)
        # what is equal has no correlations: NaN from 0 / 0 where NumPy rounds to others
        with_spread = np.all(np.ptp(np.abs(np.atleast_2d(b)), axis=1) > 1e-3)
        if with_spread and dtype not in HALVES:
            assert_close(get(xp.corrcoef(x)), np.corrcoef(b), shape)
    assert xp.cov(x).dtype == (
        a.dtype if dtype in (*HALVES, "float32", "float64", *COMPLEX) else real_of(device)
    )


def test_covariances_far_from_zero_and_of_nothing(device: xp.Device) -> None:
    a = np.random.default_rng(3).random((3, 1000)) + 1e5
    x = put(a.astype(np.float32), device)
    np.testing.assert_allclose(
        get(xp.cov(x)), np.cov(a.astype(np.float32).astype(float)), rtol=1e-3
    )
    assert np.isnan(get(xp.corrcoef(xp.ones_like(x[0])))).all()
    assert xp.cov(x[:0]).shape == (0, 0)
    assert np.isnan(get(xp.cov(x[:, :0]))).all()
    inside = get(xp.corrcoef(x[0], x[0] * 3))
    assert inside.min() >= -1 and inside.max() <= 1


X = np.asarray([-1, 0, 0.5, 1, 1.5, 2.5, 3, 4, 5, np.inf, -np.inf, np.nan], np.float32)
POINTS = {
    "a step": ([0, 1, 1, 2.5, 4], [1, 5, -2, 7, 3]),
    "infinite values": ([0, 1, 1, 2.5, 4], [1, 5, np.inf, np.inf, 3]),
    "a NaN": ([0, 1, 2], [1, np.nan, 2]),
    "a step at the end": ([0, 1, 1, 1], [1, 2, 3, 4]),
    "an infinite coordinate": ([0, 1, 2, np.inf], [0, 1, 2, 3]),
    "two points": ([0, 2], [4, 8]),
}


@pytest.mark.parametrize("name", POINTS)
def test_interpolation_is_numpys(way: Way, device: xp.Device, name: str) -> None:
    at, values = (np.asarray(a, np.float32) for a in POINTS[name])
    kinds = [values] + ([values + np.complex64(1j)] if has(device, "complex64") else [])
    for keys in ({}, {"left": -9}, {"right": 9.5}, {"period": 1.75}, {"period": -3}):
        if "period" in keys and name == "an infinite coordinate":
            continue
        for given in kinds:
            wanted = np.interp(X, at, given, **keys)
            got = get(xp.interp(put(X, device), put(at, device), put(given, device), **keys))
            assert got.dtype == given.dtype
            np.testing.assert_allclose(got, wanted, rtol=1e-5, err_msg=str(keys))


@pytest.mark.no_kernel  # some have no elements
@pytest.mark.parametrize("layout", LAYOUTS)
def test_interpolation_in_every_layout(way: Way, device: xp.Device, layout: str) -> None:
    base = np.arange(60, dtype=np.float32).reshape(6, 10)
    a, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
    at, values = np.asarray([30, 10, 0], np.float32)[::-1], np.asarray([[1, 4, -2]] * 2).T
    got = xp.interp(x, put(at[::-1].copy(), device)[::-1], put(values, device)[:, 1])
    assert got.shape == a.shape
    np.testing.assert_allclose(get(got), np.interp(a, at, values[:, 1]), rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_interpolation_of_every_dtype(device: xp.Device, dtype: str) -> None:
    needs(device, dtype)
    values = values_of(dtype, (9,))
    at = np.arange(9, dtype=np.float32) * 2
    x = np.asarray([[-1, 3, 5.5], [16, 20, 0]], np.float32)
    got = get(xp.interp(put(x, device), put(at, device), put(values, device)))
    wanted = np.interp(x, at, wide(values))
    if dtype in HALVES or dtype == "float32" or dtype == "complex64":
        assert got.dtype == (np.complex64 if dtype == "complex64" else np.float32)
    if not device.info["fp64"] or dtype in HALVES:
        np.testing.assert_allclose(got, wanted, rtol=1e-5)
    else:
        assert_close(got, wanted)
    if dtype not in COMPLEX and dtype != "bool":
        at = np.unique(values)
        numbers = np.arange(at.size, dtype=np.float32)
        got = get(xp.interp(put(values, device), put(at, device), put(numbers, device)))
        np.testing.assert_allclose(got, np.interp(wide(values), wide(at), numbers), rtol=1e-2)


def test_interpolation_takes_numbers_and_lists(device: xp.Device) -> None:
    at = put(np.asarray([1, 2, 3], np.float32), device)
    one = xp.interp(2.5, at, [3, 2, 0])
    assert one.shape == () and float(one) == 1.0 and one.device == device
    assert get(xp.interp([0, 1, 1.5, 4], [1, 2, 3], at, right=at[0])).tolist() == [1, 1, 1.5, 1]
    assert get(xp.interp(at, [5], [7.0], left=0)).tolist() == [0, 0, 0]
    with pytest.raises(TypeError, match="interp"):
        xp.interp(1, [1, 2], [3, 4])


def test_interpolation_is_pending_and_fuses(device: xp.Device) -> None:
    at = put(np.linspace(0, 1, 11, dtype=np.float32), device)
    x = put(np.linspace(0, 1, 33, dtype=np.float32), device)
    y = xp.interp(x * 2, at, at * at) + 1
    assert y.is_pending or xp.config.eager
    np.testing.assert_allclose(get(y), np.interp(get(x) * 2, get(at), get(at) ** 2) + 1, rtol=1e-5)
