"""Infinities, NaNs and signed zeros in every row that takes complex numbers: C99's Annex G."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.annex_g import ANY_INF, ANY_RIGHT, ANY_ZERO, INF, NAN, TABLES, Part
from tests.device.arrays import COMPLEX, Values, assert_same, get, has, put, special_values

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in xp.op_table}
# Each part as in NumPy, bit for bit.
BY_PARTS = (
    *("add", "subtract", "negative", "positive", "conj", "real", "imag", "round", "equal"),
    *("not_equal", "isfinite", "isinf", "isnan"),
    *("logical_and", "logical_or", "logical_xor", "logical_not"),
)
# Of the kind of the result only.
BY_KIND = ("multiply", "square", "divide", "reciprocal", "pow", "sign", "abs")


def needs(device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")


def result(name: str, device: xp.Device, *operands: Values) -> Values:
    return get(getattr(xp, name)(*(put(x, device) for x in operands)))


def is_right(part: float, wanted: Part, eps: float) -> bool:
    if wanted == ANY_INF:
        return math.isinf(part)
    if wanted == ANY_ZERO:
        return part == 0
    if wanted == ANY_RIGHT:
        return math.isclose(abs(part), math.pi / 2, rel_tol=eps)
    assert not isinstance(wanted, str)
    if math.isnan(wanted):
        return math.isnan(part)
    if wanted == 0 or math.isinf(wanted):
        return part == wanted and math.copysign(1, part) == math.copysign(1, wanted)
    return math.isclose(part, wanted, rel_tol=4 * eps)


def test_every_complex_row_is_in_one_of_the_tests_below() -> None:
    tested = {*TABLES, *BY_PARTS, *BY_KIND, "where"}
    assert tested == {name for name, row in ROWS.items() if row["complex"]}


@pytest.mark.sampled("name")
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", TABLES)
def test_complex_function_has_the_values_of_annex_g(
    name: str, dtype: str, device: xp.Device
) -> None:
    needs(device, dtype)
    table = TABLES[name]
    x = np.array([complex(re, im) for re, im, _, _ in table], dtype)
    eps = float(np.finfo(dtype).eps)
    for z, got, (_, _, re, im) in zip(x, result(name, device, x), table, strict=True):
        right = is_right(float(got.real), re, eps) and is_right(float(got.imag), im, eps)
        assert right, f"{name}({z}) is {got}, not ({re}, {im})"


@pytest.mark.sampled("name")
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", BY_PARTS)
def test_parts_are_as_in_numpy(name: str, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = special_values(dtype)[::3]
    operands: tuple[Values, ...] = (values,)
    if ROWS[name]["arity"] == 2:
        operands = tuple(x.reshape(-1) for x in np.meshgrid(values, values))
    wanted = eval(ROWS[name]["numpy"], {"np": np} | dict(zip("xy", operands, strict=False)))
    assert_same(result(name, device, *operands), np.ascontiguousarray(wanted), name)


def kinds(values: Values) -> tuple[Values, Values, Values]:
    """Which are infinite, in the annex's sense; which are finite; which are zero."""
    infinite = np.isinf(values.real) | np.isinf(values.imag)
    return infinite, np.isfinite(values.real) & np.isfinite(values.imag), values == 0


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", COMPLEX)
def test_products_and_quotients_of_infinities_and_zeros(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    parts = (0.0, -0.0, 1.0, -2.5, INF, -INF, NAN)
    values = np.array([complex(a, b) for a in parts for b in parts], dtype)
    x, y = (z.reshape(-1) for z in np.meshgrid(values, values))
    (x_inf, x_finite, x_zero), (y_inf, y_finite, y_zero) = kinds(x), kinds(y)
    product, quotient = result("multiply", device, x, y), result("divide", device, x, y)
    both = (x_inf & (y_inf | (y_finite & ~y_zero))) | (y_inf & (x_finite & ~x_zero))
    assert bool(kinds(product)[0][both].all())
    infinite = (x_inf & y_finite) | ((x_inf | (x_finite & ~x_zero)) & y_zero)
    assert bool(kinds(quotient)[0][infinite].all())
    assert bool(kinds(quotient)[2][x_finite & y_inf].all())
    assert_same(result("square", device, values), result("multiply", device, values, values))
    ones = np.ones_like(values)
    assert_same(result("reciprocal", device, values), result("divide", device, ones, values))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", COMPLEX)
def test_sizes_signs_and_powers_of_infinities_and_zeros(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    parts = (0.0, -0.0, 1.0, -2.5, INF, -INF, NAN)
    values = np.array([complex(a, b) for a in parts for b in parts], dtype)
    infinite, _, zero = kinds(values)
    nan = np.isnan(values)
    size = result("abs", device, values)
    assert bool((size[infinite] == INF).all() and np.isnan(size[nan & ~infinite]).all())
    sign = result("sign", device, values)
    both = np.isinf(values.real) & np.isinf(values.imag)
    one = infinite & ~both & ~nan
    assert bool((sign[zero] == 0).all() and np.isnan(sign[both | nan]).all())
    unit = np.where(np.isinf(values.real), np.sign(values.real), 1j * np.sign(values.imag))
    assert bool((sign[one] == unit[one]).all())
    assert bool((result("pow", device, values, np.zeros_like(values)) == 1).all())
    powers = np.array([2, 1 + 3j, 0.5, 7, -1, 1j], dtype)
    of_zero = result("pow", device, np.zeros_like(powers), powers)
    assert_same(of_zero == 0, powers.real > 0)
    for n, kind in ((2, 0), (3, 0), (7, 0), (-1, 2), (-7, 2), (0.5, 0)):
        of_infinite = result("pow", device, values[infinite], np.full_like(values[infinite], n))
        assert bool(kinds(of_infinite)[kind].all()), f"to the power of {n}: {of_infinite}"
