"""Functions with two results, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    INTEGERS,
    LAYOUTS,
    REALS,
    Values,
    assert_same,
    dtype_of,
    get,
    has,
    put,
    random_values,
    special_values,
)
from tests.ways import Way

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]


def values_of(dtype: str, count: int = 200) -> Values:
    rng = np.random.default_rng(9)
    top = 1e30 if dtype in ("float32", "float64", "bfloat16") else 6e4
    some = [random_values(dtype, count, -hi, hi, rng) for hi in (3.0, 100.0, top)]
    return np.concatenate([*some, special_values(dtype)])


def both(found: Any) -> tuple[Values, Values]:
    assert isinstance(found, tuple)
    first, second = found
    return get(first), get(second)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", [*INTEGERS, *REALS])
def test_quotient_and_remainder_belong_together(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = values_of(dtype)
    b = np.roll(a, 7)
    x, y = put(a, device), put(b, device)
    quotient, remainder = both(xp.divmod(x, y))
    assert_same(quotient, get(xp.floor_divide(x, y)))
    assert_same(remainder, get(xp.remainder(x, y)))
    tame = np.isfinite(a.astype(np.float64)) & np.isfinite(b.astype(np.float64)) & (b != 0)
    if dtype in INTEGERS:
        assert_same(quotient[tame], np.divmod(a[tame], b[tame])[0])
        assert_same(remainder[tame], np.divmod(a[tame], b[tame])[1])


def test_divmod_is_pythons(device: xp.Device) -> None:
    a = np.asarray([7, -7, 8, 0], np.int32)
    x: Any = put(a, device)
    for other in (3, -3, np.int32(5)):
        for got, wanted in (
            (divmod(x, other), divmod(a, other)),
            (xp.divmod(x, other), divmod(a, other)),
        ):
            for mine, theirs in zip(got, wanted, strict=True):
                assert_same(get(mine), theirs, other)
        for mine, theirs in zip(divmod(other, x[:3]), divmod(other, a[:3]), strict=True):
            assert_same(get(mine), theirs, other)
    half = divmod(x.astype("float32"), 2.5)
    assert_same(get(half[0]), np.asarray([2, -3, 3, 0], np.float32))
    assert [get(part).shape for part in divmod(x, x[:, None] + 10)] == [(4, 4), (4, 4)]
    with pytest.raises(TypeError, match="floor_divide: does not accept bool"):
        divmod(x > 0, x > 0)
    with pytest.raises(TypeError, match="divmod: two numbers; one must be an array"):
        xp.divmod(1, 2)
    with pytest.raises(TypeError, match="neither an array nor a number"):
        divmod(x, "a")
    with pytest.raises(TypeError, match="unsupported operand"):
        divmod(x, object())
    with pytest.raises(ValueError, match="broadcast"):
        divmod(x, x[:3])


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *REALS])
def test_the_parts_around_the_point_are_numpys(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = values_of(dtype)
    fraction, whole = both(xp.modf(put(a, device)))
    real = a if dtype in REALS else a.astype(fraction.dtype)
    if dtype not in REALS and (device.info["fp64"] or np.dtype(dtype).itemsize < 4):
        assert fraction.dtype == np.modf(a)[0].dtype
    wanted = np.modf(real.astype(np.float64))  # exact in every dtype
    assert_same(fraction, wanted[0].astype(real.dtype))
    assert_same(whole, wanted[1].astype(real.dtype))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *REALS])
def test_mantissa_and_exponent_are_numpys(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = values_of(dtype)
    if dtype in REALS:
        info = xp.finfo(dtype_of(dtype))
        least = info.smallest_normal * info.eps  # the smallest subnormal number
        powers = least * 2.0 ** np.arange(-int(np.log2(info.eps)) + 2)
        a = np.concatenate([a, powers.astype(a.dtype), (-3 * powers).astype(a.dtype)])
    mantissa, exponent = both(xp.frexp(put(a, device)))
    real = a if dtype in REALS else a.astype(mantissa.dtype)
    if dtype not in REALS and (device.info["fp64"] or np.dtype(dtype).itemsize < 4):
        assert mantissa.dtype == np.frexp(a)[0].dtype
    wanted = np.frexp(real.astype(np.float64))
    assert_same(mantissa, wanted[0].astype(real.dtype))
    assert_same(exponent, wanted[1].astype(np.int32))


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_two_parts(way: Way, device: xp.Device, layout: str) -> None:
    base = np.random.default_rng(3).uniform(-9, 9, (6, 10)).astype(np.float32)
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
    xp.sum(put(base, device)).eval()
    for name in ("modf", "frexp"):
        for mine, wanted in zip(getattr(xp, name)(x), getattr(np, name)(shown), strict=True):
            assert_same(get(mine), np.asarray(wanted), name)


@pytest.mark.parametrize("name", ["modf", "frexp"])
@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_numbers_have_no_such_parts(name: str, dtype: str) -> None:
    with pytest.raises(TypeError, match=rf"{name}: does not accept {dtype}; it accepts bool, int"):
        getattr(xp, name)(xp.ones(2, dtype=dtype))
    with pytest.raises(TypeError, match=name):
        getattr(xp, name)(1.5)


def test_parts_are_pending_and_fuse() -> None:
    if xp.config.eager:
        pytest.skip("each operation is a kernel")
    x = xp.linspace(-3, 3, 100).eval()
    before = xp.statistics()["kernels"]
    mantissa, exponent = xp.frexp(x)
    assert mantissa.is_pending and exponent.is_pending
    again = (mantissa * 2.0**exponent).eval()
    assert xp.statistics()["kernels"] == before + 1
    assert bool(xp.all(again == x))
