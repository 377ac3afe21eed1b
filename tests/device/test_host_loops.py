"""Loops of the host that have vectors or end early, against NumPy: dtypes, layouts and lengths."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    DTYPES,
    INTEGERS,
    LAYOUTS,
    REALS,
    assert_same,
    get,
    put,
    special_values,
    values_of,
    wide,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", "layout", others=()),
]
LENGTHS = (*range(71), 1000, 4097)


def elements(dtype: str, count: int) -> Any:
    """Of all kinds: special ones, then others."""
    kinds = np.concatenate([special_values(dtype), values_of(dtype, (50,))])
    return kinds[np.random.default_rng(count).integers(0, len(kinds), count)]


def of_doubles(call: Callable[..., Any], values: Any) -> Any:
    """NumPy knows bfloat16 by way of doubles."""
    return call(wide(values) if values.dtype.name == "bfloat16" else values)


@pytest.mark.parametrize("dtype", REALS)
def test_parts_of_floats(dtype: str) -> None:
    for count in LENGTHS:
        values = elements(dtype, count)
        x = put(values, "cpu")
        assert_same(get(xp.signbit(x)), of_doubles(np.signbit, values), count)
        mantissa, exponent = xp.frexp(x)
        wanted = of_doubles(np.frexp, values)
        assert_same(get(mantissa), wanted[0].astype(values.dtype), count)
        finite = np.isfinite(wide(values))  # C leaves the exponent of others open
        assert np.array_equal(get(exponent)[finite], wanted[1][finite]), count


@pytest.mark.parametrize("dtype", INTEGERS)
def test_quotients_by_numbers(dtype: str) -> None:
    ends = np.iinfo(dtype)
    divisors = {1, 2, 3, 7, 10, 100, int(ends.max), int(ends.max) - 1, int(ends.max) // 2 + 1, 0}
    if ends.min < 0:
        divisors |= {-1, -2, -7, int(ends.min), int(ends.min) + 1}
    for count in (0, 1, 15, 16, 17, 70, 4097):
        values = elements(dtype, count)
        x = put(values, "cpu")
        for divisor in sorted(divisors):
            by = np.full(count, divisor, dtype)
            for other in (divisor, put(by, "cpu")):
                assert_same(get(x // other), values // by, (count, divisor))
                assert_same(get(x % other), values % by, (count, divisor))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_quotients_in_every_layout(layout: str) -> None:
    base = values_of("int64", (6, 10))
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, "cpu"), xp)
    for divisor in (7, -3, 0):
        assert_same(get(x // divisor), np.asarray(shown // np.int64(divisor)))
        assert_same(get(x % divisor), np.asarray(shown % np.int64(divisor)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_back_to_front(dtype: str) -> None:
    for count in LENGTHS:
        values = elements(dtype, 2 * count).reshape(2, count)
        x = put(values, "cpu")
        assert_same(get(xp.flip(x, axis=1).copy()), values[:, ::-1].copy(), count)
        assert_same(get(xp.flip(x).copy()), values[::-1, ::-1].copy(), count)


@pytest.mark.parametrize("dtype", ("bool", "int8", "int16", "float32", "float64", "complex128"))
def test_elements_repeated(dtype: str) -> None:
    for shape in ((0,), (1,), (70,), (4097,), (3, 5), (300, 7)):
        values = elements(dtype, int(np.prod(shape))).reshape(shape)
        x = put(values, "cpu")
        for times in (0, 1, 2, 3, 4, 5, 31, 32, 40):
            for axis in (None, *range(values.ndim)):
                wanted = np.repeat(values, times, axis=axis)
                assert_same(get(xp.repeat(x, times, axis=axis)), wanted, (shape, times, axis))
        back = xp.repeat(x[::-1], 3, axis=0)
        assert_same(get(back), np.repeat(values[::-1], 3, axis=0), shape)


def test_places_of_what_is_true() -> None:
    rng = np.random.default_rng(2)
    for count in (*LENGTHS, 65536, 65600, 200_000):
        for share in (0, 0.001, 0.5, 1):
            values = rng.random(count) < share
            assert_same(get(xp.nonzero(put(values, "cpu"))[0]), np.nonzero(values)[0], count)
    ends = np.zeros(200_000, bool)
    ends[[0, 63, 64, 65535, 65536, 199_999]] = True
    assert_same(get(xp.nonzero(put(ends, "cpu"))[0]), np.nonzero(ends)[0])


@pytest.mark.parametrize("name", ["any", "all", "argmax", "argmin", "max", "min"])
def test_bools_end_at_the_first_hit(name: str) -> None:
    for count in (*range(1, 71), 1000, 4097, 16384, 16385, 300_000):
        for usual in (False, True):
            for hits in ([], [0], [count // 2], [count - 1], [count // 3, count - 1]):
                values = np.full(count, usual)
                values[hits] = not usual
                got = get(getattr(xp, name)(put(values, "cpu")))
                assert_same(got, np.asarray(getattr(np, name)(values)), (count, hits))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["any", "all", "argmax", "argmin"])
def test_bools_of_every_layout(name: str, layout: str) -> None:
    base = np.random.default_rng(1).random((6, 10)) < 0.3
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, "cpu"), xp)
    for axis in (None, *range(shown.ndim)):
        if shown.size == 0 and name.startswith("arg"):
            continue
        got = get(getattr(xp, name)(x, axis=axis))
        assert_same(got, np.asarray(getattr(np, name)(shown, axis=axis)), axis)


@pytest.mark.parametrize("dtype", ("bool", *INTEGERS, *REALS))
def test_columns_of_every_number(dtype: str) -> None:
    for columns in (1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000):
        values = elements(dtype, 70 * columns).reshape(70, columns)
        x = put(values, "cpu")
        for name in ("max", "min", "nanmax", "nanmin"):
            wanted = of_doubles(partial(getattr(np, name), axis=0), values)
            got = get(getattr(xp, name)(x, axis=0))
            # which of two zeros is given depends on the order
            assert np.array_equal(
                wide(got), wide(wanted.astype(values.dtype)), equal_nan=dtype in REALS
            ), (name, columns)
        assert_same(get(xp.any(x > 0, axis=0)), np.any(values > 0, axis=0), columns)
        if dtype in ("bool", *INTEGERS):
            assert_same(get(xp.sum(x, axis=0)), np.sum(values, axis=0), columns)


def real_dividends(dtype: str, count: int) -> Any:
    """Of every exponent, and with the ends of the significand; a tenth are special values."""
    info, random = np.finfo(dtype), np.random.default_rng(count)
    bits = random.integers(0, np.iinfo(f"uint{info.bits}").max, count, f"uint{info.bits}")
    plain = random.random(count).astype(dtype) * random.integers(1, 100, count).astype(dtype)
    kind = random.integers(0, 10, count)
    special = special_values(dtype)[random.integers(0, len(special_values(dtype)), count)]
    return np.select([kind < 5, kind < 9], [plain, bits.view(dtype)], special)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_quotients_by_numbers(dtype: str) -> None:
    info, one = np.finfo(dtype), np.dtype(dtype).type(1)
    random = np.random.default_rng(3)
    ends = [info.max, info.tiny, info.smallest_subnormal, np.inf, np.nan, 0.0]
    ends += [float(np.nextafter(2 * one, one)), float(np.nextafter(one, 2 * one))]
    ends += [2.0**19, 2.0**20, 2.0**21, 2.0**-20, 2.0**-21, 2.0**199, 2.0**201, 2.0**-201]
    divisors = [3.0, 7.0, 10.0, 0.1, 1.5, 1e10, 1e-10, *ends, *random.normal(0, 100, 40)]
    # plain ones alone, so that whole groups of vectors are products; and with all others
    some = random.normal(0, 1e3, 5000).astype(dtype)
    for values in (some, real_dividends(dtype, 5000), real_dividends(dtype, 700)):
        x, other = put(values, "cpu"), put(values[::-1].copy(), "cpu")
        for number in divisors:
            for divisor in (np.dtype(dtype).type(number), -np.dtype(dtype).type(number)):
                by = float(divisor)
                wanted = values / divisor
                assert_same(get(x / by), wanted, by)
                assert_same(get(-x / by), -values / divisor, by)
                assert_same(get(other - x / by), values[::-1] - wanted, by)
                assert_same(get((x + other) / by), (values + values[::-1]) / divisor, by)


FUNCTIONS = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_between_cheap_operations(function: str, dtype: str) -> None:
    call = getattr(xp, function)
    for count in (513, 640, 4099, 20_001):
        values = elements(dtype, count)
        x, y = put(values, "cpu"), put(values[::-1].copy(), "cpu")
        alone, last = get(call(x)), get(call(put(values[::-1] * 2, "cpu")))
        assert_same(get(y - call(x) * y), values[::-1] - alone * values[::-1], count)
        assert_same(get(call(x) + call(y * 2)), alone + last, count)
        nested = call(call(x) * 0.5 + 0.25)
        assert_same(get(nested), get(call(put(alone * 0.5 + 0.25, "cpu"))), count)
        strided = put(np.repeat(values, 2), "cpu")[::2]
        assert_same(get(call(-strided) - strided), get(call(put(-values, "cpu"))) - values, count)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_sums_of_complex_products_are_those_of_stored_ones(dtype: str) -> None:
    random = np.random.default_rng(5)
    for count in (1, 31, 32, 33, 64, 1000, 1024, 1025, 5000, 70_001):
        plain = (random.normal(size=count) + 1j * random.normal(size=count)).astype(dtype)
        infinite = plain.copy()
        infinite[random.integers(0, count, 1 + count // 2000)] = complex(np.inf, 1)
        huge = (plain.astype("complex128") * np.sqrt(np.finfo(dtype).max)).astype(dtype)
        for values in (plain, infinite, huge, elements(dtype, count)):
            a, b = values, values[::-1].copy()
            x, y = put(a, "cpu"), put(b, "cpu")
            conjugate_x, conjugate_y = put(np.conj(a), "cpu"), put(np.conj(b), "cpu")
            for products, stored in (
                (x * y, get(x * y)),
                (xp.conj(x) * y, get(conjugate_x * y)),
                (x * xp.conj(y), get(x * conjugate_y)),
                (xp.conj(x) * x, get(conjugate_x * x)),
                (xp.conj(x) * xp.conj(y), get(conjugate_x * conjugate_y)),
                (xp.square(x), get(xp.square(x))),
            ):
                assert_same(get(xp.sum(products)), get(xp.sum(put(stored, "cpu"))), count)
            wanted = np.sum(np.conj(a.astype("complex128")) * b)
            if np.isfinite(wanted) and values is plain:
                bound = 1e-6 if dtype == "complex64" else 1e-14
                assert abs(complex(xp.vecdot(x, y)) - wanted) <= bound * np.abs(a * b).sum()


OF_VECTORS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh"),
    *("atanh", "exp", "expm1", "log", "log1p", "log2", "log10", "special.exp2", "special.cbrt"),
)


@pytest.mark.parametrize("name", OF_VECTORS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_beside_special_values(dtype: str, name: str) -> None:
    """What has a known value, as log(0), changes nothing beside it, and is what NumPy says."""
    module, _, last = name.rpartition(".")
    function = getattr(getattr(xp, module) if module else xp, last)
    ends = np.array([87.5, 88.7, 89.5, 104.5, 126.5, 128.5, 150.5, 709.5, 711.5, 745.5, 1074.5])
    kinds = np.concatenate(
        [special_values(dtype), np.concatenate([ends, -ends, [1e-30, 1, -1, 27]]).astype(dtype)]
    )
    alone = np.array([get(function(put(kinds[i : i + 1], "cpu")))[0] for i in range(len(kinds))])
    known = getattr(np, {"asin": "arcsin", "acos": "arccos"}.get(last, last))(kinds)
    is_known = ~np.isfinite(known) | (known == 0)
    assert_same(alone[is_known], known[is_known], name)
    for count in (*range(1, 40), 300, 4097):
        places = np.random.default_rng(count).integers(0, len(kinds), count)
        x = put(kinds[places], "cpu")
        assert_same(get(function(x)), alone[places], count)
        assert_same(get(function(x * 1) + 0), alone[places] + 0, count)


@pytest.mark.skipif(
    not any(isa in xp.Device("cpu").info["driver"] for isa in ("x86-64-v3", "x86-64-v4")),
    reason="the C library's cube root, whose last bit may be wrong",
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cube_roots_of_cubes_are_exact(dtype: str) -> None:
    whole = np.arange(-250, 251).astype(dtype)
    assert_same(get(xp.special.cbrt(put(whole**3, "cpu"))), whole, dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, "float16", "float32", "float64"])
def test_sorts_of_rows(dtype: str) -> None:
    """Also zeros of both signs and NaNs, which stay in their order."""
    for length in (*range(1, 35), 64, 65, 127, 128, 129, 300, 511, 512, 513, 4096, 4097):
        values = elements(dtype, 5 * length).reshape(5, length)
        wanted = np.sort(values, axis=1, kind="stable")
        assert_same(get(xp.sort(put(values, "cpu"), axis=1)), wanted, length)
        assert_same(get(xp.sort(put(values.T.copy(), "cpu"), axis=0)), wanted.T, length)
        falling = get(xp.sort(put(values, "cpu"), axis=1, descending=True))
        is_nan = wanted != wanted
        for row, given, nans in zip(falling, wanted, is_nan, strict=True):
            kept = length - np.count_nonzero(nans)
            assert np.array_equal(row[:kept], given[:kept][::-1]), length
            assert (row[kept:] != row[kept:]).all(), length


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint64"])
@pytest.mark.parametrize("bits", [8, 31, 52, 53, 54, 63])
def test_quotients_of_numbers_of_all_sizes(dtype: str, bits: int) -> None:
    """Those that doubles hold are divided as doubles."""
    ends, random = np.iinfo(dtype), np.random.default_rng(bits)
    low, high = max(-(1 << bits), int(ends.min)), min((1 << bits) - 1, int(ends.max))
    for count in (1, 7, 64, 1000):
        x = random.integers(low, high, count, dtype=dtype, endpoint=True)
        y = random.integers(low, high, count, dtype=dtype, endpoint=True)
        kinds = random.integers(0, 8, count)
        x[kinds == 0], x[kinds == 1] = low, high
        y[kinds == 2], y[kinds == 3], y[kinds == 4] = 0, 3, x[kinds == 4]
        exact = [(int(a), int(b)) for a, b in zip(x, y, strict=True)]
        quotients = [a // b if b else 0 for a, b in exact]
        rests = [a % b if b else 0 for a, b in exact]
        whole = np.array([q if q <= ends.max else ends.min for q in quotients], dtype)
        assert_same(get(put(x, "cpu") // put(y, "cpu")), whole, count)
        assert_same(get(put(x, "cpu") % put(y, "cpu")), np.array(rests, dtype), count)


def test_doubles_become_halves_by_one_rounding() -> None:
    halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
    between = (halves[1:] + halves[:-1]) / 2
    ends = [65519.99, 65520.0, 65520.01, 1e300, 5e-324, np.inf, np.nan, 0.0]
    exact = np.concatenate([halves, between, np.nextafter(between, 0), np.nextafter(between, 1e9)])
    values = np.concatenate([exact, -exact, ends, np.negative(ends)])
    assert_same(get(xp.astype(put(values, "cpu"), "float16")), values.astype(np.float16), "halves")
