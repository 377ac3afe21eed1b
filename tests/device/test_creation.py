"""Creation functions against NumPy, bit for bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, assert_same, dtype_of, get, has

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
RANGES: list[tuple[Any, ...]] = [
    (5,),
    (0,),
    (-3,),
    (2, 9),
    (9, 2, -2),
    (0, 10, 3),
    (10, 0, -3),
    (-5, 5, 4),
    (3, 3, 1),
]
FLOAT_RANGES: list[tuple[Any, ...]] = [
    (0.0, 1.0, 0.1),
    (1.0, 2.0, 0.3),
    (5.5,),
    (0.5, -3.0, -0.7),
    (1e6, 1e6 + 3, 0.5),
]


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "float32", "float64", None])
def test_arange_is_that_of_numpy(dtype: Any, device: xp.Device) -> None:
    if dtype is not None and not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()
    arange: Any = xp.arange
    for arguments in RANGES:
        if dtype == "uint8" and min(arguments) < 0:
            continue
        got = get(arange(*arguments, dtype=dtype, device=device))
        assert_same(got, np.arange(*arguments, dtype=dtype), arguments)
    if dtype not in ("float32", "float64") or not device.info["fp64"]:
        return
    for arguments in FLOAT_RANGES:
        got = get(arange(*arguments, dtype=dtype, device=device))
        assert_same(got, np.arange(*arguments, dtype=dtype), arguments)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
def test_arange_past_the_range_is_infinite(dtype: str, device: xp.Device) -> None:
    """NumPy's is inf - inf there, but for the first two numbers."""
    most = float(np.finfo(dtype).max)
    wide: Any = np.complex128 if dtype == "complex64" else np.float64
    if not device.info["fp64"] and dtype != "float16":
        pytest.skip(f"{device} has no float64")
    for numbers in (
        *((most * 1.1, most * 1.2, most * 0.03), (most * 1.2, most * 0.8, -most * 0.1)),
        *((most * 0.9, most * 1.5, most * 0.2), (-most * 1.5, most * 1.7, most)),
    ):
        got = get(xp.arange(*numbers, dtype=dtype, device=device))
        with np.errstate(over="ignore"):
            wanted = (numbers[0] + np.arange(got.size) * numbers[2]).astype(wide).astype(dtype)
        assert_same(got, wanted, numbers)


def test_arange_refuses_integers_that_do_not_fit(device: xp.Device) -> None:
    """Where NumPy looks at the first two alone: the fourth of (0, 400, 100) would be 44."""
    arange: Any = xp.arange
    dtype: str
    given: tuple[Any, ...]
    for dtype, given in (
        *(
            ("int8", (200, 203)),
            ("uint8", (-1, 1)),
            ("uint8", (0, -2, -1)),
            ("uint8", (0, 400, 100)),
        ),
        *(("int32", (1e10, 1e10 + 3)), ("int8", (-129.0, 0)), ("uint16", (0, 2**62, 2**60))),
    ):
        with pytest.raises(OverflowError, match=f"arange.*{dtype}"):
            arange(*given, dtype=dtype, device=device)
    for dtype, given in (
        *(("int8", (-128, 128, 85)), ("uint8", (5, -1, -5)), ("uint8", (0, 300, 100))),
        *(("int8", (200, 200)), ("int8", (200, 0)), ("int8", (-128.9, 0, 64))),
    ):
        got = get(arange(*given, dtype=dtype, device=device))
        assert_same(got, np.arange(*given, dtype=dtype), given)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128"])
@pytest.mark.parametrize("endpoint", [True, False])
def test_linspace_is_that_of_numpy(endpoint: bool, dtype: str, device: xp.Device) -> None:
    if not device.info["fp64"]:
        got = get(xp.linspace(0, 1, 11, endpoint=endpoint, device=device))
        np.testing.assert_allclose(got, np.linspace(0, 1, 11, endpoint=endpoint), atol=1e-6)
        return
    for start, stop, count in [
        (0, 1, 11),
        (0.1, 0.7, 1000),
        (-3, 3, 7),
        (5, 5, 3),
        (1, 0, 0),
        (2, 9, 1),
        (1e-3, 1e8, 77),
        (10, -10, 13),
    ]:
        made = xp.linspace(start, stop, count, dtype=dtype, endpoint=endpoint, device=device)
        expected = np.linspace(start, stop, count, dtype=dtype, endpoint=endpoint)
        assert_same(get(made), expected, (start, stop, count))
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()


@pytest.mark.parametrize("dtype", DTYPES)
def test_filled_arrays_are_those_of_numpy(dtype: str, device: xp.Device) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    kind = dtype_of(dtype)
    for shape in [(), (3,), (2, 0), (2, 3, 4)]:
        assert_same(get(xp.zeros(shape, dtype=kind, device=device)), np.zeros(shape, kind))
        assert_same(get(xp.ones(shape, dtype=kind, device=device)), np.ones(shape, kind))
        like = xp.zeros(shape, dtype=kind, device=device)
        assert_same(get(xp.ones_like(like)), np.ones(shape, kind))
        assert_same(get(xp.full_like(like, 1)), np.full(shape, 1, kind))
        made = xp.empty(shape, dtype=kind, device=device)
        assert made.shape == shape and made.dtype == kind and made.device == device
        assert xp.empty_like(made).shape == shape
    for value in (0, 1, True):
        assert_same(
            get(xp.full((2, 2), value, dtype=kind, device=device)), np.full((2, 2), value, kind)
        )


@pytest.mark.parametrize("k", [0, 1, -1, 2, -3, 50, -50, 1 << 62, -(1 << 62)])
def test_eye_is_that_of_numpy(k: int, device: xp.Device) -> None:
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()
    for rows, columns in [
        (3, 3),
        (2, 5),
        (5, 2),
        (0, 3),
        (3, 0),
        (1, 1),
        (127, 200),
        (128, 200),
        (300, 129),
    ]:
        got = get(xp.eye(rows, columns, k=k, dtype="float32", device=device))
        assert_same(got, np.eye(rows, columns, k=int(np.clip(k, -600, 600)), dtype=np.float32))
    assert_same(get(xp.eye(3, dtype="int8", device=device)), np.eye(3, dtype=np.int8))
    large = xp.eye(150, 140, k=k, dtype="int32", device=device)
    wanted = np.eye(150, 140, k=int(np.clip(k, -160, 160)), dtype=np.int32)
    assert_same(get(large + large[::-1]), wanted + wanted[::-1])
    large[5, :] = 7
    wanted[5, :] = 7
    assert_same(get(large), wanted)


@pytest.mark.parametrize(
    ("value", "dtype"), [(True, "bool"), (3, "int64"), (1 << 63, "uint64"), (1.5, None), (1j, None)]
)
def test_the_dtype_of_a_fill_value_is_that_of_numpy(
    value: Any, dtype: Any, device: xp.Device
) -> None:
    got = get(xp.full((2,), value, device=device))
    if dtype is None and not device.info["fp64"]:
        assert got.dtype == ("float32" if isinstance(value, float) else "complex64")
        return
    assert_same(got, np.full((2,), value))


@pytest.mark.no_kernel
def test_bad_shapes_and_sizes_are_refused_with_numbers(device: xp.Device) -> None:
    for shape in [(-1,), (2, -3)]:
        with pytest.raises(ValueError, match="negative extent"):
            xp.zeros(shape, dtype="int8", device=device)
    with pytest.raises(ValueError, match="more than 2\\^63-1 elements"):
        xp.zeros(((1 << 32) + 1, 1 << 32), dtype="int8", device=device)
    with pytest.raises(MemoryError, match="bytes"):
        xp.empty((1 << 62,), dtype="int64" if device.info["fp64"] else "int32", device=device)
    with pytest.raises(TypeError):
        xp.zeros((2.5,), dtype="int8", device=device)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="step is 0"):
        xp.arange(0, 5, 0, device=device)
    with pytest.raises(ValueError, match="at most 64"):
        xp.zeros((1,) * 65, dtype="int8", device=device)
    assert xp.zeros((1,) * 64, dtype="int8", device=device).ndim == 64


@pytest.mark.parametrize("make", [complex, np.complex64, xp.asarray])
def test_nothing_imaginary_is_dropped(make: Any) -> None:
    value = make(1j)
    with pytest.raises(TypeError, match="cannot become float32"):
        xp.full(2, value, dtype="float32")
    x = xp.ones(2, dtype="float32")
    with pytest.raises(TypeError, match="cannot become float32"):
        x[0] = value
    with pytest.raises(TypeError, match="cannot become float32"):
        xp.astype(xp.ones(2, dtype="complex64"), "float32")


def test_numbers_with_a_dtype_of_their_own_keep_it() -> None:
    assert xp.full(2, np.float32(1)).dtype == np.float32
    small: Any = xp.asarray(3, dtype="int8")
    assert xp.full(2, small).dtype == np.int8
    assert xp.full(2, 1.0).dtype == np.float64 and xp.full(2, True).dtype == np.bool_


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(OverflowError):
        xp.full(2, 300, dtype="uint8")
    with pytest.raises(OverflowError):
        xp.asarray([300], dtype="uint8")
    with pytest.raises(OverflowError):
        xp.full_like(xp.ones(2, dtype="uint8"), -1)
    with pytest.raises(OverflowError):
        xp.full(2, 1e10, dtype="uint8")
    with pytest.raises(OverflowError):
        xp.full(2, math.inf, dtype="int32")
    with pytest.raises(ValueError, match="nan"):
        xp.full(2, math.nan, dtype="int32")
    for dtype in ("int64", "uint64"):
        with pytest.raises(OverflowError, match=f"an integer past 64 bits does not fit {dtype}"):
            xp.full(2, 2**70, dtype=dtype)
    with pytest.raises(OverflowError, match="an integer past 64 bits; write a float"):
        xp.full(2, 2**70)
    with pytest.raises(OverflowError, match="does not fit float64"):
        xp.full(2, 10**400, dtype="float64")


def test_floats_hold_integers_past_64_bits(device: xp.Device) -> None:
    for dtype in ("float32", "complex64"):
        for number in (2**70, -(2**64), 2**64 - 2):
            got = get(xp.full(2, number, dtype=dtype, device=device))
            assert_same(got, np.full(2, float(number), dtype), number)
        like = xp.ones(2, dtype=dtype, device=device)
        assert_same(get(xp.full_like(like, 2**70)), np.full(2, 2.0**70, dtype))


@pytest.mark.no_kernel  # there may be no element
@pytest.mark.parametrize(
    "numbers",
    [
        *((0, 5, math.inf), (5, 0, -math.inf), (0, 5, -math.inf), (3.5, 9, math.inf)),
        *((0, 5e-324, 10.0), (0, 1e-300, 1e300), (0, -1e-300, 1e300), (1e-300, 0, -1e300)),
    ],
)
def test_a_step_past_the_end_leaves_the_first_number(
    numbers: tuple[float, float, float], device: xp.Device
) -> None:
    made = xp.arange(*numbers, device=device)
    assert made.tolist() == np.arange(*numbers).astype(made.dtype).tolist()


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32"])
@pytest.mark.parametrize("ends", [(1j, 2), (0, 1j), (np.complex64(1j), 2)])
def test_linspace_keeps_imaginary_parts(ends: Any, dtype: str, device: xp.Device) -> None:
    with pytest.raises(TypeError, match=f"linspace: complex.* cannot become {dtype}; take real"):
        xp.linspace(ends[0], ends[1], 3, dtype=dtype, device=device)
    assert xp.linspace(0, 1j, 3, dtype="bool", device=device).tolist() == [False, True, True]


def test_lists_of_arrays_are_stacked_where_they_lie(device: xp.Device) -> None:
    x = xp.arange(6, dtype="int32", device=device)
    made = xp.asarray([[x[0], x[5]], (x[2], x[3])])
    assert made.device == device
    assert_same(get(made), np.array([[0, 5], [2, 3]], np.int32))
    rows = xp.asarray((x, x + 1), dtype="float32")
    assert rows.device == device
    assert_same(get(rows), np.stack([np.arange(6), np.arange(1, 7)]).astype(np.float32))
    assert xp.asarray([x], device="cpu").device == "cpu"
    x[0] = 7  # not seen by what was made before
    assert get(made)[0, 0] == 0
    with pytest.raises(ValueError, match="stack"):
        xp.asarray([x, x[:2]])
    with pytest.raises(xp.CopyRefusedError):
        xp.asarray([x], copy=False)
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises((ValueError, TypeError)):
        xp.asarray(endless)


def test_lists_of_arrays_and_numbers_are_numpys() -> None:
    x = xp.arange(3.0)
    assert_same(get(xp.asarray([x, [4, 5, 6]])), np.array([[0, 1, 2], [4, 5, 6.0]]))
    assert_same(get(xp.asarray([x[1], 2])), np.array([1.0, 2.0]))
    other = xp.arange(3, device="null:1")
    with pytest.raises(xp.DeviceMismatchError):
        xp.asarray([x, other])
