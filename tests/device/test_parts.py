"""Functions with two results, against NumPy."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
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


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_nothing_is_left_of_equal_numbers(way: Way, device: xp.Device, dtype: str) -> None:
    """Also of subnormal ones, of which Intel's runtime leaves some as they are."""
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    count = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}[dtype]  # mantissa's bits
    bits = np.random.default_rng(4).integers(1, 1 << count, 300)
    smallest = np.concatenate([np.arange(1, 100), 1 << np.arange(count), bits])
    as_integers = f"uint{8 * dtype_of(dtype).itemsize}"
    a = np.concatenate([smallest, smallest + (1 << count)]).astype(as_integers)
    a = np.concatenate([a.view(dtype_of(dtype)), values_of(dtype)])
    a = np.abs(a[np.isfinite(a.astype(np.float64)) & (a != 0)])
    for sign_of_x in (1, -1):
        for sign_of_y in (1, -1):
            x, y = (put(np.copysign(a, sign), device) for sign in (sign_of_x, sign_of_y))
            quotient = np.full_like(a, sign_of_x * sign_of_y)
            assert_same(get(xp.floor_divide(x, y)), quotient, "floor_divide")
            nothing = np.zeros_like(a)
            assert_same(get(xp.remainder(x, y)), np.copysign(nothing, sign_of_y), "remainder")
            assert_same(get(xp.special.fmod(x, y)), np.copysign(nothing, sign_of_x), "fmod")


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
    with pytest.raises(TypeError, match="divmod: does not accept bool"):
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


FUNCTIONS: dict[str, Any] = {
    "divmod": lambda x: xp.divmod(x, 0.3),
    "modf": xp.modf,
    "frexp": xp.frexp,
}


def kernels_of(action: Any) -> int:
    before = xp.statistics()["kernels"]
    action()
    return int(xp.statistics()["kernels"] - before)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_who_needs_one_part_gets_both(way: Way, device: xp.Device, name: str, first: int) -> None:
    values = np.linspace(-5, 5, 1000, dtype=np.float32)
    x = put(values, device).eval()
    wanted = [get(part) for part in FUNCTIONS[name](x)]
    parts = FUNCTIONS[name](x)
    assert kernels_of(parts[first].eval) == (0 if xp.config.eager else 1)
    assert not parts[1 - first].is_pending
    for part, value in zip(parts, wanted, strict=True):
        assert_same(get(part), value)
    # what nobody holds is not calculated
    assert kernels_of(lambda: FUNCTIONS[name](x)[first].eval()) == 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_both_parts_are_one_kernel_in_eager_mode(
    monkeypatch: pytest.MonkeyPatch, device: xp.Device, name: str
) -> None:
    x = put(np.linspace(-5, 5, 1000, dtype=np.float32), device).eval()
    monkeypatch.setattr(xp.config, "eager", True)
    parts: list[Any] = []
    assert kernels_of(lambda: parts.extend(FUNCTIONS[name](x))) == 1
    assert not any(part.is_pending for part in parts)


def test_a_part_is_written_beside_what_the_other_becomes(way: Way, device: xp.Device) -> None:
    if xp.config.eager:
        pytest.skip("each operation is a kernel")
    values = np.linspace(-5, 5, 1000, dtype=np.float32)
    x = put(values, device).eval()
    parts = list(xp.frexp(x))
    doubled = parts[0] * 2
    del parts[0]
    assert kernels_of(doubled.eval) == 1
    assert not parts[0].is_pending
    assert_same(get(doubled), np.frexp(values)[0] * 2)
    assert_same(get(parts[0]), np.frexp(values)[1])
    # before a sum nothing can be written, and nobody asked for it
    mantissa, exponent = xp.frexp(x)
    total = xp.sum(mantissa)
    del mantissa
    assert kernels_of(total.eval) == 1
    assert exponent.is_pending


def test_parts_are_shown_in_one_kernel() -> None:
    if xp.config.eager:
        pytest.skip("each operation is a kernel")
    parts = xp.frexp(xp.linspace(-3, 3, 100).eval())
    for part in parts:
        text = xp.source(part)
        assert "frexp_mantissa" in text and "frexp_exponent" in text
        assert "out1" in text and "out2" not in text


def test_parts_of_memory_that_others_write_are_of_one_time(way: Way, device: xp.Device) -> None:
    shared = np.linspace(-5, 5, 1000).astype(np.float32)
    try:
        x = xp.asarray(shared, copy=False, device=device)
    except BufferError:
        pytest.skip("the host does not reach it")
    wanted = np.modf(shared)
    parts: list[Any] = []
    assert kernels_of(lambda: parts.extend(xp.modf(x))) == 1
    shared[:] = 0
    for part, value in zip(parts, wanted, strict=True):
        assert_same(get(part), value)


def test_parts_of_a_written_array_are_of_what_it_was(way: Way, device: xp.Device) -> None:
    values = np.linspace(-5, 5, 1000, dtype=np.float32)
    x = put(values, device)
    whole, rest = xp.divmod(x, 2)
    x[:] = whole  # reads, beside it, what it overwrites
    assert_same(get(x), np.divmod(values, 2)[0])
    assert_same(get(rest), np.divmod(values, 2)[1])
    x[:500] = xp.modf(x)[0][500:]
    assert_same(get(whole), np.divmod(values, 2)[0])


def test_threads_ask_for_parts_in_any_order(device: xp.Device) -> None:
    values = np.linspace(-5, 5, 10_000, dtype=np.float32)
    x = put(values, device)
    wanted = np.frexp(values)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            parts = xp.frexp(x)
            found = list(pool.map(lambda i: get(parts[i % 2]), range(8)))  # noqa: B023
            for i, part in enumerate(found):
                assert_same(part, wanted[i % 2])


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
