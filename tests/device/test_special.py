"""isthmus.special, as far as test_ops.py and test_accuracy.py do not cover its rows."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import REALS, dtype_of, get, has, put
from tests.ways import Way

INF, NAN = math.inf, math.nan
ROWS = [row for row in xp.op_table if row["space"] == "special"]
# Function, operands, result: where limits, poles, whole numbers and signs of zeros are.
POINTS: list[tuple[str, tuple[float, ...], float]] = [
    *(("erf", (x,), y) for x, y in [(0.0, 0.0), (-0.0, -0.0), (INF, 1), (-INF, -1), (1e-40, 0.0)]),
    *(("erf", (x,), y) for x, y in [(9.0, 1.0), (-9.0, -1.0), (1e30, 1.0)]),
    *(("erfc", (x,), y) for x, y in [(0.0, 1), (-0.0, 1), (INF, 0.0), (-INF, 2), (200.0, 0.0)]),
    *(("gamma", (x,), y) for x, y in [(1.0, 1), (5.0, 24), (0.0, INF), (-0.0, -INF), (INF, INF)]),
    *(("gamma", (x,), y) for x, y in [(-1.0, NAN), (-INF, NAN), (2000.0, INF)]),
    *(("gammaln", (x,), y) for x, y in [(1.0, 0.0), (2.0, 0.0), (0.0, INF), (-0.0, INF)]),
    *(("gammaln", (x,), y) for x, y in [(-1.0, INF), (-1e9, INF), (INF, INF), (-INF, INF)]),
    ("gammaln", (-3e38,), INF),
    *(("gammasgn", (x,), y) for x, y in [(0.0, 1), (-0.0, -1), (INF, 1), (-INF, NAN), (-2.0, NAN)]),
    *(("gammasgn", (x,), y) for x, y in [(3.0, 1), (-0.5, -1), (-1.5, 1), (-2.5, -1), (-1e9, NAN)]),
    *(("cbrt", (x,), y) for x, y in [(27.0, 3), (-8.0, -2), (-0.0, -0.0), (-INF, -INF)]),
    *(("exp2", (x,), y) for x, y in [(10.0, 1024), (-1.0, 0.5), (INF, INF), (-INF, 0.0)]),
    *(("exp10", (x,), y) for x, y in [(3.0, 1000), (0.0, 1), (INF, INF), (-INF, 0.0)]),
    *(("log1mexp", (x,), y) for x, y in [(0.0, -INF), (-0.0, -INF), (INF, -0.0), (-INF, -0.0)]),
    *(("rsqrt", (x,), y) for x, y in [(4.0, 0.5), (0.0, INF), (-1.0, NAN), (INF, 0.0)]),
    *(("logb", (x,), y) for x, y in [(0.0, -INF), (-INF, INF), (9.0, 3), (-0.1, -4), (1.0, 0.0)]),
    *(("ilogb", (x,), y) for x, y in [(0.0, -(2**31)), (9.0, 3), (-0.1, -4), (1.0, 0.0)]),
    *(("ilogb", (x,), 2**31 - 1) for x in (INF, -INF, NAN)),
    *(("sinpi", (x,), y) for x, y in [(1.0, 0.0), (-2.0, -0.0), (0.5, 1), (-0.5, -1), (1.5, -1)]),
    *(("sinpi", (x,), y) for x, y in [(-0.0, -0.0), (INF, NAN), (1e30, 0.0), (2.5, 1)]),
    *(("cospi", (x,), y) for x, y in [(0.0, 1), (1.0, -1), (0.5, 0.0), (-1.5, 0.0), (-INF, NAN)]),
    *(("tanpi", (x,), y) for x, y in [(0.0, 0.0), (-0.0, -0.0), (0.5, INF), (1.5, -INF)]),
    *(("asinpi", (x,), y) for x, y in [(1.0, 0.5), (-1.0, -0.5), (-0.0, -0.0), (2.0, NAN)]),
    *(("acospi", (x,), y) for x, y in [(1.0, 0.0), (-1.0, 1), (0.0, 0.5), (2.0, NAN)]),
    *(("atanpi", (x,), y) for x, y in [(INF, 0.5), (-INF, -0.5), (1.0, 0.25), (-0.0, -0.0)]),
    *(("atan2pi", (x, y), z) for x, y, z in [(0.0, -1.0, 1), (-0.0, -1.0, -1), (1.0, 1.0, 0.25)]),
    *(("atan2pi", (x, y), z) for x, y, z in [(1.0, 0.0, 0.5), (0.0, 1.0, 0.0), (INF, -INF, 0.75)]),
    *(("fract", (x,), y) for x, y in [(2.75, 0.75), (-0.25, 0.75), (INF, 0.0), (-INF, -0.0)]),
    *(("fract", (x,), y) for x, y in [(-0.0, -0.0), (3.0, 0.0), (-3.0, 0.0)]),
    *(("fmod", (x, y), z) for x, y, z in [(5.5, 2.0, 1.5), (-5.5, 2.0, -1.5), (5.0, INF, 5)]),
    *(("fmod", (x, y), z) for x, y, z in [(1.0, 0.0, NAN), (INF, 1.0, NAN), (-4.0, 2.0, -0.0)]),
    *(("fdim", (x, y), z) for x, y, z in [(3.0, 1.0, 2), (1.0, 3.0, 0.0), (INF, INF, 0.0)]),
    *(("fmax", (x, y), z) for x, y, z in [(NAN, 1.0, 1), (1.0, NAN, 1), (2.0, 3.0, 3)]),
    *(("fmin", (x, y), z) for x, y, z in [(NAN, 1.0, 1), (1.0, NAN, 1), (2.0, 3.0, 2)]),
    *(("maxmag", (x, y), z) for x, y, z in [(-3.0, 2.0, -3), (-2.0, 2.0, 2), (NAN, 1.0, 1)]),
    *(("minmag", (x, y), z) for x, y, z in [(-3.0, 2.0, 2), (-2.0, 2.0, -2), (1.0, NAN, 1)]),
    *(("ldexp", (x, y), z) for x, y, z in [(3.0, 4.0, 48), (1.0, -2.9, 0.25), (-0.0, 9.0, -0.0)]),
    *(("ldexp", (x, y), z) for x, y, z in [(1.0, 1e9, INF), (-1.0, -1e9, -0.0), (INF, -9.0, INF)]),
    *(("pown", (x, y), z) for x, y, z in [(-2.0, 3.0, -8), (2.0, -1.0, 0.5), (0.0, 0.0, 1)]),
    *(("rootn", (x, y), z) for x, y, z in [(-27.0, 3.0, -3), (16.0, 4.0, 2), (-16.0, 4.0, NAN)]),
    *(("rootn", (x, y), z) for x, y, z in [(-0.0, 3.0, -0.0), (0.0, -3.0, INF), (2.0, 0.0, NAN)]),
    *(("rootn", (x, y), z) for x, y, z in [(-0.0, 2.0, 0.0), (0.25, -2.0, 2), (INF, 5.0, INF)]),
    ("fma", (2.0, 3.0, 4.0), 10),
]
QUIET = ("fmax", "fmin", "maxmag", "minmag", "ilogb")  # one NaN is no NaN


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_limits_poles_and_signs_of_zeros(dtype: str, device: xp.Device) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    for row in ROWS:
        name, function = row["name"], getattr(xp.special, row["name"])
        of_name = [(x, y) for n, x, y in POINTS if n == name]
        assert of_name, name
        if name not in QUIET:
            of_name.append(((NAN,) * row["arity"], NAN))
        columns = zip(*(x for x, _ in of_name), strict=True)
        operands = [np.array(column, dtype) for column in columns]
        got = get(function(*(put(x, device) for x in operands)))
        for (x, wanted), g in zip(of_name, got, strict=True):
            if name == "erf" and x == (1e-40,):
                continue  # a device may have no numbers as small
            is_right = math.isclose(g, wanted, rel_tol=1e-5) or (
                math.isnan(g) and math.isnan(wanted)
            )
            if name == "erf" and abs(wanted) == 1:
                is_right = g == wanted
            if wanted == 0 and not math.isnan(g):
                is_right = g == 0 and math.copysign(1, g) == math.copysign(1, wanted)
            assert is_right, f"{name}{x} is {g}, not {wanted}"


def test_the_second_operand_of_some_is_a_whole_number(device: xp.Device) -> None:
    x, n = xp.asarray([1.5, -8.0], dtype="float32", device=device), [3, 3]
    for dtype in ("int8", "int32", "int64", "uint16"):
        whole = xp.asarray(n, dtype=dtype, device=device)
        for name, wanted in (("ldexp", [12, -64]), ("pown", [3.375, -512]), ("rootn", [None, -2])):
            result = getattr(xp.special, name)(x, whole)
            assert result.dtype == np.float32
            for got, right in zip(result.tolist(), wanted, strict=True):
                assert right in (None, got), f"{name}, {dtype}"
    assert xp.special.ldexp(x, 3).tolist() == [12, -64]
    assert xp.special.ldexp(xp.asarray([1, 2], dtype="int8", device=device), 2).dtype == np.float16
    with pytest.raises(TypeError, match="does not accept complex64; it accepts real numbers after"):
        xp.special.ldexp(x, xp.ones((2,), dtype="complex64", device=device))


def test_gammaln_is_infinite_at_huge_negative_numbers(device: xp.Device) -> None:
    if not has(device, "float64"):
        pytest.skip(f"{device} has no float64")
    x = np.array([-1e308, -1.7e308, -1e306, -(2.0**53), -1e15 - 0.5, 1e308])
    got = get(xp.special.gammaln(put(x, device)))
    assert got[[0, 1, 2, 3, 5]].tolist() == [INF] * 5
    assert math.isclose(got[4], -3.353877639491069e16, rel_tol=1e-9)


@pytest.mark.parametrize("dtype", REALS)
def test_pown_has_the_sign_of_an_int_that_no_float_is(device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    values = [-1.0, 1.0, -0.0, 0.0, -2.0, -0.5, INF, -INF, NAN]
    x = put(np.array(values).astype(dtype_of(dtype)), device)
    for n in (257, 2049, 2**24 + 1, 2**53 + 1, 2**64 - 1, 70000, 2**63, 2**24 + 2):
        for exponent in (n, -n) if n < 2**63 else (n,):
            got = get(xp.special.pown(x, exponent)).astype(float).tolist()
            is_odd = exponent % 2 == 1
            assert got[0] == (-1 if is_odd else 1), f"(-1) ** {exponent} is {got[0]}"
            assert got[1] == 1
            for value, g in zip(values[2:-1], got[2:-1], strict=True):
                size = INF if (abs(value) > 1) == (exponent > 0) else 0.0
                assert abs(g) == size or n == 257, f"{value} ** {exponent} is {g}"
                sign = math.copysign(1, value) if is_odd else 1
                assert math.copysign(1, g) == sign, f"{value} ** {exponent} is {g}"
            assert math.isnan(got[-1])
    assert xp.special.pown(x, np.int64(2**53 + 1)).dtype == x.dtype
    with pytest.raises(OverflowError, match="pown: an integer past 64 bits; write a float"):
        xp.special.pown(x, 2**64 + 1)


@pytest.mark.parametrize("dtype", ["int8", "uint64", *REALS])
def test_ilogb_is_an_int32_at_every_power_of_two(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")
    least, largest = -(2**31), 2**31 - 1
    if dtype in REALS:
        info = xp.finfo(dtype_of(dtype))
        # the smallest number that is not normal comes first
        first = round(math.log2(float(info.smallest_normal))) + round(math.log2(float(info.eps)))
        wanted = list(range(first, round(math.log2(float(info.max)))))
        values = [(-1) ** k * 2.0**k for k in wanted] + [0.0, -0.0, INF, -INF, NAN, -NAN]
        wanted += [least, least] + [largest] * 4
    else:
        values, wanted = [0, 1, 2, 3, 4, 127], [least, 0, 1, 1, 2, 6]
    x = put(np.array(values, np.float64).astype(dtype_of(dtype)), device)
    for shown in (x, x[::-1], x[::2]):
        order = slice(None, None, -1) if shown is not x and len(shown) == len(x) else slice(None)
        step = slice(None, None, 2) if len(shown) < len(x) else order
        got = get(xp.special.ilogb(shown))
        assert got.dtype == np.int32
        assert got.tolist() == wanted[step]
    assert get(xp.special.ilogb(x) * 2 + 1).dtype == np.int32
    assert int(xp.max(xp.special.ilogb(x[1:6]) + 3)) == max(wanted[1:6]) + 3


def test_they_fuse_with_others_and_write_to_out(device: xp.Device) -> None:
    x = put(np.linspace(-2, 2, 101, dtype=np.float32), device)
    fused = xp.sum(xp.special.erf(x * 2) ** 2)
    apart = xp.special.erf((x * 2).eval()).eval()
    assert float(fused) == pytest.approx(float(xp.sum(apart**2)), rel=1e-5)
    out = xp.empty_like(x)
    assert xp.special.erfc(x, out=out) is out
    assert get(out)[50] == 1


def test_they_are_in_their_own_module() -> None:
    assert sorted(xp.special.__all__) == sorted(row["name"] for row in ROWS)
    assert not hasattr(xp._isthmus, "erf")
    assert xp.special.__name__ == "isthmus.special"
    assert "erf" not in xp.__all__
    assert "Error function." in str(xp.special.erf.__doc__)
    assert str(inspect.signature(xp.special.erf)).startswith("(x: Array, /, *, out:")
    with pytest.raises(AttributeError):
        xp.special.nothing_such  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(TypeError, match=r"^erf: does not accept complex64; it accepts "):
        xp.special.erf(xp.ones((1,), dtype="complex64"))


def test_the_texts_for_numpy_say_the_same() -> None:
    scipy = pytest.importorskip("scipy.special")
    names: dict[str, Any] = {"np": np, "scipy": type("scipy", (), {"special": scipy})}
    for row in ROWS:
        rng = np.random.default_rng(1)
        lo, hi = max(row["lo"], -5.0), min(row["hi"], 5.0)
        operands = [rng.uniform(lo, hi, 50) for _ in range(row["arity"])]
        wanted = eval(row["numpy"], names | dict(zip("xyz", operands, strict=False)))
        got = get(getattr(xp.special, row["name"])(*map(xp.asarray, operands)))
        assert np.allclose(got, wanted, rtol=1e-9, atol=1e-12, equal_nan=True), row["name"]
