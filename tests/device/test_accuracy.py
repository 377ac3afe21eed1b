"""Rows keep the accuracy that they promise, where functions go wrong, against true values.

Complex numbers over the whole plane, in units of the last place of the larger part; reals within
[lo, hi]. bench/accuracy.py does the same with many more points.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device import points
from tests.device.arrays import (
    COMPLEX,
    DOUBLES,
    Values,
    assert_same,
    function_of,
    get,
    has,
    needs,
    put,
)
from tests.device.truth import Truths, errors, shown, truths

# NumPy's warnings, on the way to an operand, are no news.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in xp.op_table}
COUNT = 260  # points of a case: true values take about 0.2 ms each
ROUNDED = {"f": 0.501, "c": 0.708}  # half a unit, in each part
# Their results are true or false, of another dtype than the operands, or compared as they are.
EXACT = (
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "nextafter"),
    *("frexp_exponent", "ilogb"),
    *("isfinite", "isinf", "isnan", "signbit", "where"),
    *("logical_and", "logical_or", "logical_xor", "logical_not"),
)


def rows_with(column: str) -> list[str]:
    return [name for name, row in ROWS.items() if row[column] and name not in EXACT]


@cache
def complex_operands(name: str, dtype: str) -> tuple[Values, ...]:
    row, rng = ROWS[name], np.random.default_rng(len(name))
    values = points.random_complex(dtype, COUNT // 10, rng)
    special = rng.choice(points.special_complex(dtype), COUNT - values.size)
    operands = points.combined(np.concatenate([special, values]), row["arity"], COUNT, rng)
    return points.usable(row, operands, rng)


@cache
def real_operands(name: str, dtype: str) -> tuple[Values, ...]:
    row, rng = ROWS[name], np.random.default_rng(len(name))
    low, high = row["lo"], row["hi"]
    special = points.special_reals(dtype, low, high)
    values = points.random_reals(dtype, low, high, COUNT // 4, rng)
    if row["arity"] == 1:
        special = rng.choice(special, COUNT)
    operands = points.combined(np.concatenate([special, values]), row["arity"], 2 * COUNT, rng)
    return points.usable(row, operands, rng)


@cache
def true_results(name: str, operands_dtype: str, dtype: str) -> Truths:
    make = complex_operands if operands_dtype in COMPLEX else real_operands
    return truths(ROWS[name], make(name, operands_dtype), dtype)


def check(name: str, dtype: str, operands: tuple[Values, ...], promised: int, device: Any) -> None:
    if dtype in DOUBLES and not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    got = get(function_of(ROWS[name])(*(put(x, device) for x in operands)))
    true = true_results(name, dtype, got.dtype.name)
    off = errors(got, true)
    i = int(np.argmax(off))
    point = ", ".join(str(x[i]) for x in operands)
    wrong = f"{name}({point}) is {got[i]}, not {shown(true.values[i])}: {off[i]:.4g} ulp"
    assert off[i] <= (promised or ROUNDED[got.dtype.kind]), wrong


@pytest.mark.sampled("name")
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", rows_with("complex"))
def test_complex_row_keeps_its_accuracy_over_the_whole_plane(
    name: str, dtype: str, device: xp.Device
) -> None:
    check(name, dtype, complex_operands(name, dtype), ROWS[name]["complex_ulp"], device)


@pytest.mark.sampled("name")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", rows_with("real"))
def test_real_row_keeps_its_accuracy_between_lo_and_hi(
    name: str, dtype: str, device: xp.Device
) -> None:
    check(name, dtype, real_operands(name, dtype), ROWS[name]["ulp"], device)


INF = float("inf")
FAULTS = [
    ("atanh", 1 + 3.8e-193j, 221.87853453084 + 0.78539816339745j),
    ("atanh", 3e9 + 4e9j, 1.2e-10 + 1.5707963266348966j),
    ("acosh", 1.5e308 + 1.5e308j, 710.64139452111 + 0.78539816339745j),
    ("log", 5e-324 + 5e-324j, -744.09349833152 + 0.78539816339745j),
    ("sign", 5e-324 - 5e-324j, 0.70710678118655 - 0.70710678118655j),
    ("expm1", 709.9 + 1j, 1.092168192008e308 + 1.70095117885564e308j),
    ("divide", 1e-320 + 1e-320j, 1 + 0j),
    ("multiply", 1.4e154 + 5.6e153j, 1.6464e308 + 1.568e308j),
    ("square", 1.3e154 - 3e153j, 1.6e308 - 7.8e307j),
]


@pytest.mark.parametrize(("name", "x", "wanted"), FAULTS, ids=[f"{f[0]}-{f[1]}" for f in FAULTS])
def test_complex_row_has_a_finite_value_where_the_true_one_is(
    name: str, x: complex, wanted: complex, device: xp.Device
) -> None:
    if not has(device, "complex128"):
        pytest.skip(f"{device} has no complex128")
    arity = ROWS[name]["arity"]
    got = get(getattr(xp, name)(*[put(np.array([x]), device)] * arity))[0]
    off = max(abs(wanted.real), abs(wanted.imag)) * 1e-10
    for part, right in ((got.real, wanted.real), (got.imag, wanted.imag)):
        assert part == right or abs(part - right) < off < INF, f"{name}({x}) is {got}"


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", COMPLEX)
def test_products_and_quotients_are_made_without_fused_steps(dtype: str, device: xp.Device) -> None:
    """Bit for bit; compilers like to contract two parts that are calculated alike."""
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    rng = np.random.default_rng(1)
    x, y = (points.random_complex(dtype, 4000, rng)[4000:8000] for _ in range(2))
    a, b, c, d = x.real, x.imag, y.real, y.imag
    product = xp.multiply(put(x, device), put(y, device))
    assert_same(get(xp.real(product)), a * c - b * d)
    assert_same(get(xp.imag(product)), a * d + b * c)
    quotient, size = xp.divide(put(x, device), put(y, device)), c * c + d * d
    assert_same(get(xp.real(quotient)), (a * c + b * d) / size)
    assert_same(get(xp.imag(quotient)), (b * c - a * d) / size)


def test_whole_powers_that_fit_are_exact(device: xp.Device) -> None:
    x = put(np.array([1 + 1j, 1 + 2j, 2 - 1j, -1j, 3 + 0j, 2j], np.complex64), device)
    y = put(np.array([20, 5, -1, 99, 12, -90], np.complex64), device)
    wanted = [-1024, 41 - 38j, 0.4 + 0.2j, 1j, 531441, -(2.0**-90)]
    assert get(xp.pow(x, y)).tolist() == np.array(wanted, np.complex64).tolist()


@pytest.mark.parametrize("dtype", COMPLEX)
def test_powers_of_size_one_keep_it_whatever_the_exponent(device: xp.Device, dtype: str) -> None:
    needs(device, dtype)
    x = put(np.array([1j, -1j, -1], dtype), device)
    for exponent in (2.0**20, 2.0**24, 2.0**31, 1e5 + 0.5, -(2.0**40)):
        made = get(xp.pow(x, exponent)).astype(np.complex128)
        np.testing.assert_allclose(np.abs(made), 1, rtol=1e-6, err_msg=str(exponent))
    made = get(xp.pow(x, put(np.array([1e6, 1e6, 1e6 + 1], dtype), device)))
    np.testing.assert_allclose(made, [1, 1, -1], atol=1e-5)
