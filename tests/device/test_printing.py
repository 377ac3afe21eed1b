"""What C++ prints of an array is what NumPy prints, character for character."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus
from tests.device.arrays import DTYPES, dtype_of, get, has, put, random_values

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SHAPES = [(), (1,), (7,), (40,), (3, 4), (2, 3, 4), (2, 1, 3, 2), (0,), (3, 0), (1, 1)]
LONG = [(1001,), (1000,), (40, 30), (2, 600), (600, 2), (7, 6, 40), (5, 3, 90), (1, 1, 1002)]
NOT_FINITE = [np.nan, np.inf, -np.inf]
# the text of narrow floats beyond their precision has an exponent since this version
CUTS = np.lib.NumpyVersion(np.__version__) >= "2.4.0"

REALS: list[list[float]] = [
    [0.0],
    [-0.0, 1],
    [1, 2.5, -3],
    [0.1, 0.25, 1 / 3],
    [1e-4, 1],
    [1e-5, 1],
    [9.99e-5],
    [1, 1000],
    [1, 1001],
    [999.5, 1000.5],
    [0.123456789, 1],
    [0.12345678500000001, 0.1],
    [99999999.5],
    [1e8, 1],
    [123456.7],
    [1e5, 3e5],
    [1e-30, 1],
    [1e30, -1],
    [1e-300, 1e300],
    [5e-324, 1],
    [9.9999999999e10, 1],
    [0.9999999999, 1],
    [1.5, np.nan],
    [1.5, -np.inf],
    [np.nan],
    [-np.inf, np.nan],
    [np.inf, 1e10],
    [-np.inf, -1e-10],
    [2.0**24, 2.0**-10],
    [65504.0],
    [1e15, 1e16],
]


def printed(x: xp.Array) -> str:
    return _isthmus._format(x)


def same(values: Any, device: xp.Device | str) -> None:
    x = put(values, device)
    assert printed(x) == np.array_str(get(x)), values


def is_known(dtype: str) -> bool:
    return CUTS or dtype not in ("float16", "float32", "complex64")


@pytest.mark.no_kernel
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_prints_as_numpy_does(dtype: str, device: xp.Device) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    if not is_known(dtype):
        pytest.skip(f"NumPy {np.__version__} prints it otherwise")
    rng = np.random.default_rng(1)
    for shape in SHAPES + LONG:
        count = int(np.prod(shape))
        for size in (1, 100, 1e5) if device == xp.Device("cpu") else (100,):
            same(random_values(dtype, count, -size, size, rng).reshape(shape), device)


@pytest.mark.no_kernel
def test_views_print_what_they_show(device: xp.Device) -> None:
    x = put(np.arange(5000, dtype="int32").reshape(50, 100), device)
    for view in (x[::-1, ::7], x[3:9, 5], x[:, None, 50:], x.T, xp.broadcast_to(x[0], (40, 100))):
        assert printed(view) == np.array_str(get(view))


def test_a_pending_value_is_evaluated_once(device: xp.Device) -> None:
    x = put(np.arange(3000, dtype="float32"), device) * 2 + 1
    assert printed(x) == "[1.000e+00 3.000e+00 5.000e+00 ... 5.995e+03 5.997e+03 5.999e+03]"
    assert not x.is_pending


def test_only_what_is_shown_is_copied() -> None:
    x = xp.ones((300, 300), dtype="float32", device="null:2").eval()
    before = xp.statistics()
    assert printed(x).count("\n") == 6
    assert xp.statistics()["copies"] == before["copies"] + 1
    assert xp.statistics()["kernels"] == before["kernels"] + 1  # which gathers the 36


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_reals_have_the_digits_of_numpy(dtype: str) -> None:
    if not is_known(dtype):
        pytest.skip(f"NumPy {np.__version__} prints it otherwise")
    for values in REALS:
        array = np.array(values).astype(dtype_of(dtype))
        same(array, "cpu")
        for x in array:
            same(x, "cpu")


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_have_the_digits_of_numpy(dtype: str) -> None:
    if not is_known(dtype):
        pytest.skip(f"NumPy {np.__version__} prints it otherwise")
    parts = [0.0, -0.0, 1.0, -2.5, 1e-5, 1e6, 1e20, *NOT_FINITE]
    numbers = np.array([complex(re, im) for re in parts for im in parts], dtype)
    for z in numbers:
        same(z, "cpu")
    same(numbers, "cpu")
    for i in range(len(numbers)):
        same(numbers[i : i + 3], "cpu")


def test_every_half_is_printed_as_numpy_does() -> None:
    if not is_known("float16"):
        pytest.skip(f"NumPy {np.__version__} prints it otherwise")
    halves = np.arange(2**16, dtype="uint16").view("float16").reshape(-1, 64)
    for row in halves:
        same(row, "cpu")
        for one in row[::13]:
            same(one, "cpu")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_of_two_are_printed_as_numpy_does(dtype: str) -> None:
    if not is_known(dtype):
        pytest.skip(f"NumPy {np.__version__} prints it otherwise")
    info = np.finfo(dtype)
    for exponent in range(info.minexp - info.nmant, info.maxexp):
        same(np.ldexp(np.ones((), dtype), exponent), "cpu")
        same(np.ldexp(np.ones(1, dtype), exponent), "cpu")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_reals_of_all_sizes_are_printed_as_numpy_does(dtype: str) -> None:
    if not is_known(dtype):
        pytest.skip(f"NumPy {np.__version__} prints it otherwise")
    rng = np.random.default_rng(2)
    for _ in range(1000):
        size = rng.uniform(-12, 20)
        values = rng.normal(size=3) * 10.0 ** (size + rng.uniform(-4, 4, 3))
        same(values.astype(dtype), "cpu")
        same(values[0].astype(dtype), "cpu")
        digits = int(rng.integers(0, 12))
        same(np.round(values, digits).astype(dtype), "cpu")


def test_a_struct_shows_the_name_of_its_dtype() -> None:
    dtype = np.dtype([("a", "f4"), ("b", "i4")])
    struct = "<struct (a: <f4, b: <i4)>"
    assert printed(put(np.zeros(2, dtype), "cpu")) == f"[{struct} {struct}]"
