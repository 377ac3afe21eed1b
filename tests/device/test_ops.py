"""Every row of ops.def, on every device, against NumPy: nothing here names an operation twice."""

from __future__ import annotations

import cmath
import math
import operator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DOUBLES,
    DTYPES,
    HALVES,
    INTEGERS,
    LAYOUTS,
    REALS,
    Values,
    assert_same,
    bits,
    dtype_of,
    family,
    function_of,
    get,
    has,
    put,
    random_values,
    special_values,
)
from tests.device.special_meanings import means

# NumPy's warnings, on the way to a reference, are no news.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in xp.op_table}
WIDER = {"float32": np.float64, "float64": np.longdouble}
WIDER_COMPLEX = {"complex64": np.complex128, "complex128": np.clongdouble}
# NumPy raises for a negative power of an integer; these rows promise a value.
ONLY_NATURAL_SECOND = ("pow",)
# NumPy's own results for integers: they are no floats there, or other floats.
COMPUTED_AS_FLOATS = ("reciprocal",)
# Of the rows of isthmus.special, which are many, and alike in the way to their operands.
FEW = ("int8", "int64", *REALS, "complex64")


def accepts(row: dict[str, Any], dtype: str) -> bool:
    return bool(row[family(dtype)])


def accepted() -> list[Any]:
    return [
        pytest.param(name, dtype, id=f"{name}-{dtype}")
        for name, row in ROWS.items()
        for dtype in (FEW if row["space"] else DTYPES)
        if accepts(row, dtype) or (row["promotes_integers"] and dtype in ("bool", *INTEGERS))
    ]


def call(name: str, *operands: Any) -> xp.Array:
    result = function_of(ROWS[name])(*operands)
    assert isinstance(result, xp.Array)
    return result


def promoted(operands: tuple[Any, ...]) -> np.dtype[Any]:
    """Of reals, and of integers the floats that hold them."""
    return np.result_type(*(np.sqrt(np.ones(1, x.dtype)).dtype for x in operands))


def numpy_of(name: str, operands: tuple[Any, ...], dtype: Any = None) -> Values:
    """What the row's text says, of operands as they are or converted."""
    if dtype is not None:
        first = 1 if name == "where" else 0
        operands = (*operands[:first], *(x.astype(dtype) for x in operands[first:]))
    row = ROWS[name]
    if row["space"] and (row["promotes_integers"] or operands[-1].dtype.kind not in "biu"):
        dtype = np.int32 if name == "ilogb" else promoted(operands)
        return np.asarray(means(name, operands, dtype))
    names: dict[str, Any] = {"np": np, "math": math}
    names.update(zip("xyz", operands, strict=False))
    return np.asarray(eval(ROWS[name]["numpy"], names))


def operands_of(name: str, dtype: str, count: int, seed: int = 0) -> tuple[Values, ...]:
    row, rng = ROWS[name], np.random.default_rng(seed)
    lo, hi = row["lo"], row["hi"]
    made = [random_values(dtype, count, lo, hi, rng) for _ in range(row["arity"])]
    if name == "where":
        made[0] = random_values("bool", count, 0, 1, rng)
    if name == "clip":
        made[1], made[2] = np.minimum(made[1], made[2]), np.maximum(made[1], made[2])
    if name in ONLY_NATURAL_SECOND and dtype in INTEGERS:
        made[1] = random_values("uint8", count, 0, 20, rng).astype(dtype_of(dtype))
    return tuple(made)


def needs(device: xp.Device, *dtypes: str) -> None:
    for dtype in dtypes:
        if not has(device, dtype):
            pytest.skip(f"{device} has no {dtype}")


def error_in_ulp(got: Values, wanted: Values) -> float:
    """Largest distance from the true values, in units of the last place of got's dtype."""
    top = np.finfo(got.dtype).max
    size = np.abs(wanted).clip(np.finfo(got.dtype).smallest_normal, top).astype(got.dtype)
    off = np.abs(got.astype(wanted.dtype) - wanted) / np.spacing(size).astype(wanted.dtype)
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    beyond = np.isinf(got) & (np.abs(wanted) >= top) & (np.sign(got) == np.sign(wanted))
    return float(np.max(np.where(same | beyond, 0, off), initial=0))


def check_accuracy(name: str, got: Values, operands: tuple[Values, ...]) -> None:
    """Against the promise of the row, for a result that is not exact."""
    dtype = got.dtype.name
    if ROWS[name]["space"]:  # test_special.py has what is at poles
        kept = ~np.isnan(numpy_of(name, operands, np.float64))
        got, operands = got[kept], tuple(x[kept] for x in operands)
    if operands[-1].dtype.kind == "c":
        wanted = numpy_of(name, operands, WIDER_COMPLEX[operands[-1].dtype.name])
        eps = float(np.finfo(got.dtype).eps)
        tiny = np.finfo(got.dtype).smallest_normal
        error = float(np.nanmax(np.abs(got - wanted) / np.maximum(np.abs(wanted), tiny), initial=0))
        promised = max(ROWS[name]["complex_ulp"], 1)
        assert error <= promised * eps, f"{name}: {error / eps} eps, promised are {promised} ulp"
    elif dtype in ("float32", "float64"):
        promised = ROWS[name]["ulp"]
        if promised == 0:
            assert_same(got, numpy_of(name, operands, got.dtype), name)
            return
        error = error_in_ulp(got, numpy_of(name, operands, WIDER[dtype]))
        assert error <= promised, f"{name}: {error} ulp, promised are {promised}"
    else:
        wide = numpy_of(name, operands, np.float64).astype(got.dtype)
        one = np.abs(wide.astype(np.float64)) * float(xp.finfo(got.dtype).eps) + 1e-7
        off = np.abs(got.astype(np.float64) - wide.astype(np.float64))
        same = (got == wide) | (np.isnan(got) & np.isnan(wide))
        assert bool(np.all(same | (off <= one))), f"{name}: {np.nanmax(off / one)} ulp"


def is_exact(name: str, operands: tuple[Values, ...], result: Values) -> bool:
    integral = result.dtype.kind in "biu"
    is_whole = operands[-1].dtype.kind in "biu" or name == "ilogb"
    return integral and name != "signbit" and is_whole


def reference_dtype(name: str, operands: tuple[Values, ...], device: xp.Device) -> np.dtype[Any]:
    if name == "clip":
        return operands[0].dtype  # NumPy's own clip widens bfloat16
    inputs = operands
    if name in COMPUTED_AS_FLOATS and operands[0].dtype.kind in "biu":
        inputs = tuple(np.sqrt(x[:1].astype(x.dtype)) for x in operands)
    dtype = numpy_of(name, tuple(x[:1] for x in inputs)).dtype
    if not device.info["fp64"]:
        dtype = {"float64": np.dtype("f4"), "complex128": np.dtype("c8")}.get(dtype.name, dtype)
    return dtype


@pytest.mark.sampled("name", "dtype")
@pytest.mark.parametrize(("name", "dtype"), accepted())
def test_row_does_what_numpy_does(name: str, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    operands = operands_of(name, dtype, 1300)
    got = get(call(name, *(put(x, device) for x in operands)))
    assert got.dtype == reference_dtype(name, operands, device)
    if is_exact(name, operands, got) or got.dtype.kind == "b":
        assert_same(got, numpy_of(name, operands), name)
    else:
        check_accuracy(name, got, operands)


@pytest.mark.sampled("name", others=["dtype"], every=4)  # a kernel for each of twelve layouts
@pytest.mark.parametrize(("name", "dtype"), accepted())
def test_row_gives_the_same_bits_for_every_layout(name: str, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    operands = operands_of(name, dtype, 60, seed=1)
    arrays = [put(x.reshape(6, 10), device) for x in operands]
    whole = get(call(name, *arrays))
    for layout, show in LAYOUTS.items():
        got = get(call(name, *(show(x, xp) for x in arrays)))
        assert_same(got, np.asarray(show(whole, np)), f"{name}, {layout}")


@pytest.mark.parametrize("name", [n for n, row in ROWS.items() if not row["space"]] + ["ldexp"])
def test_operands_of_different_layouts_and_shapes_broadcast(name: str, device: xp.Device) -> None:
    row = ROWS[name]
    if row["arity"] == 1:
        operands = operands_of(name, "int32" if accepts(row, "int32") else "float32", 60)
        x = put(operands[0].reshape(6, 10), device)
        assert get(call(name, x[::2].T)).shape == (10, 3)
        return
    dtype = "int32" if accepts(row, "int32") else "float32"
    operands = tuple(x.reshape(6, 10) for x in operands_of(name, dtype, 60, seed=2))
    if name == "clip":
        operands = (operands[0], operands[1][:, :1].copy(), operands[2])
    shown = [operands[0][::-1], operands[1][:, :1], *(x[2] for x in operands[2:])]
    on_device = [put(x, device) for x in operands]
    arrays = [on_device[0][::-1], on_device[1][:, :1], *(x[2] for x in on_device[2:])]
    wanted = [np.ascontiguousarray(np.broadcast_to(x, (6, 10))) for x in shown]
    dense = get(call(name, *(put(x, device) for x in wanted)))
    assert_same(get(call(name, *arrays)), dense, name)


def plain_floats() -> list[Any]:
    # those of isthmus.special: test_special.py
    rows = [n for n, row in ROWS.items() if row["real"] and n != "where" and not row["space"]]
    return [
        pytest.param(n, d, id=f"{n}-{d}") for n in rows for d in ("float32", "float64", *HALVES)
    ]


def pairs(values: Values, arity: int) -> tuple[Values, ...]:
    """All combinations, flat."""
    return tuple(np.ascontiguousarray(x).reshape(-1) for x in np.meshgrid(*[values] * arity))


# Which of 0.0 and -0.0 these return differs between NumPy's own builds and dtypes.
EITHER_ZERO = ("maximum", "minimum", "clip", "nextafter")


@pytest.mark.sampled("name")
@pytest.mark.parametrize(("name", "dtype"), plain_floats())
def test_nan_infinity_zeros_and_subnormals_are_as_in_numpy(
    name: str, dtype: str, device: xp.Device
) -> None:
    needs(device, dtype)
    row = ROWS[name]
    operands = pairs(special_values(dtype), row["arity"])
    got = get(call(name, *(put(x, device) for x in operands)))
    wide = operands if dtype not in HALVES else tuple(x.astype(np.float32) for x in operands)
    wanted = numpy_of(name, operands if name in ("nextafter", "signbit") else wide)
    if wanted.dtype.kind == "b":
        assert_same(got, wanted, name)
        return
    wanted = wanted.astype(got.dtype)
    skipped = np.zeros(got.shape, bool)
    if name == "floor_divide":
        skipped = ~np.isfinite(wide[0]) | ~np.isfinite(wide[1])
    if name == "clip":
        skipped = ~(operands[1] <= operands[2])
    kept = ~skipped & ~near_the_edge(name, wide)
    got, wanted = got[kept], wanted[kept]
    assert bool(np.all(np.isnan(got) == np.isnan(wanted))), show(name, operands, kept, got, wanted)
    whole = np.isinf(wanted) | (wanted == 0)
    exact = (bits(got) == bits(wanted)) | ~whole
    if name in EITHER_ZERO:
        exact |= (got == 0) & (wanted == 0)
    assert bool(exact.all()), show(name, operands, kept, got, wanted)
    eps = float(xp.finfo(got.dtype).eps) * max(2 * row["ulp"], 1 if dtype in HALVES else 0)
    finite = ~whole & ~np.isnan(wanted)
    a, b = got[finite].astype(np.float64), wanted[finite].astype(np.float64)
    tiny = float(xp.finfo(got.dtype).smallest_normal)
    assert bool(np.all(np.abs(a - b) <= eps * np.maximum(np.abs(b), tiny))), show(
        name, operands, kept, got, wanted
    )


def test_a_large_quotient_is_rounded_down_to_the_last_unit(device: xp.Device) -> None:
    x = np.array([78.53981018066406, 1.0296965837478638], np.float32)
    y = np.array([9.400224371347576e-06, 1.9275748286418093e-07], np.float32)
    assert get(put(x, device) // put(y, device)).tolist() == [8355099.0, 5341927.0]


def near_the_edge(name: str, operands: tuple[Values, ...]) -> Values:
    """Large arguments of periodic functions, whose reduction is promised on [lo, hi] only."""
    if name in ("sin", "cos", "tan"):
        return np.asarray(np.isfinite(operands[0]) & (np.abs(operands[0]) > 1e4))
    return np.zeros(operands[0].shape, bool)


def show(name: str, operands: tuple[Values, ...], kept: Values, got: Values, wanted: Values) -> str:
    """The first element that differs."""
    chosen = [x[kept] for x in operands]
    for i, (g, w) in enumerate(zip(got, wanted, strict=True)):
        if not (g == w and np.signbit(g) == np.signbit(w)) and not (np.isnan(g) and np.isnan(w)):
            return f"{name}({', '.join(str(x[i]) for x in chosen)}) is {g}, not {w}"
    return name


def integer_rows() -> list[Any]:
    return [
        pytest.param(n, d, id=f"{n}-{d}")
        for n, row in ROWS.items()
        for d in INTEGERS
        if row["integer"] and n not in ("where", "real", "imag")
    ]


@pytest.mark.sampled("name")
@pytest.mark.parametrize(("name", "dtype"), integer_rows())
def test_ends_of_the_range_and_division_by_zero_are_as_in_numpy(
    name: str, dtype: str, device: xp.Device
) -> None:
    operands = pairs(special_values(dtype), ROWS[name]["arity"])
    if name in ONLY_NATURAL_SECOND:
        kept = operands[1] >= 0
        operands = (operands[0][kept], operands[1][kept])
    got = get(call(name, *(put(x, device) for x in operands)))
    assert_same(got, numpy_of(name, operands), name)


def test_negative_powers_of_integers_are_truncated(device: xp.Device) -> None:
    x = put(np.array([-2, -1, -1, 0, 1, 2], np.int32), device)
    y = put(np.array([-1, -1, -2, -1, -3, -2], np.int32), device)
    assert get(xp.pow(x, y)).tolist() == [0, -1, 1, 0, 1, 0]


BY_CMATH = [*("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan")]
OF_C23 = ("tan", "tanh", "acosh")  # of nan and zero: they changed after C99; cmath did not
BY_CMATH += ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")


@pytest.mark.sampled("name")
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", BY_CMATH)
def test_complex_special_values_are_those_of_annex_g(
    name: str, dtype: str, device: xp.Device
) -> None:
    needs(device, dtype)
    reals = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, math.inf, -math.inf, math.nan]
    values = [complex(a, b) for a in reals for b in reals]
    got = get(call(name, put(np.array(values, dtype), device)))
    eps = float(np.finfo(dtype).eps)
    for x, g in zip(values, got, strict=True):
        try:
            wanted = getattr(cmath, name)(x)
        except (ValueError, OverflowError):
            continue  # a pole or an invalid operation, which C returns and Python raises
        if name in OF_C23 and 0 in (x.real, x.imag) and cmath.isnan(x):
            continue
        for part, right in ((g.real, wanted.real), (g.imag, wanted.imag)):
            close = math.isclose(part, right, rel_tol=32 * eps, abs_tol=32 * eps * abs(wanted))
            same = close or (math.isnan(part) and math.isnan(right))
            # beside a nan the sign of an infinity or a zero is nobody's promise
            same = same or (cmath.isnan(wanted) and abs(part) == abs(right))
            assert same, f"{name}({x}) is {g}, not {wanted}"


def refused() -> list[Any]:
    return [
        pytest.param(name, dtype, id=f"{name}-{dtype}")
        for name, row in ROWS.items()
        for dtype in (FEW if row["space"] else DTYPES)
        if not accepts(row, dtype)
        and not (row["promotes_integers"] and dtype in ("bool", *INTEGERS))
    ]


@pytest.mark.parametrize(("name", "dtype"), refused())
def test_row_refuses_what_it_does_not_accept(name: str, dtype: str) -> None:
    arity = ROWS[name]["arity"]
    x = xp.zeros((2,), dtype=dtype_of(dtype))
    with pytest.raises(TypeError, match=f"^{name}: does not accept {dtype}; it accepts "):
        function_of(ROWS[name])(*[x] * arity)


OPERATORS: dict[str, Any] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "pow": operator.pow,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_left_shift": operator.lshift,
    "bitwise_right_shift": operator.rshift,
    "less": operator.lt,
    "less_equal": operator.le,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "negative": operator.neg,
    "positive": operator.pos,
    "abs": operator.abs,
    "bitwise_invert": operator.invert,
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_is_its_function(name: str, device: xp.Device) -> None:
    dtype = "int32" if ROWS[name]["integer"] else "float32"
    operands = [put(x, device) for x in operands_of(name, dtype, 40)]
    wanted = get(call(name, *operands))
    assert_same(get(OPERATORS[name](*operands)), wanted, name)
    if len(operands) == 2:
        number = 3
        reflected = get(OPERATORS[name](number, operands[1]))
        assert_same(reflected, get(call(name, number, operands[1])), f"reflected {name}")


IN_PLACE: dict[str, Any] = {
    "add": operator.iadd,
    "subtract": operator.isub,
    "multiply": operator.imul,
    "divide": operator.itruediv,
    "floor_divide": operator.ifloordiv,
    "remainder": operator.imod,
    "pow": operator.ipow,
    "bitwise_and": operator.iand,
    "bitwise_or": operator.ior,
    "bitwise_xor": operator.ixor,
    "bitwise_left_shift": operator.ilshift,
    "bitwise_right_shift": operator.irshift,
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operator_changes_the_array_and_its_views(name: str, device: xp.Device) -> None:
    dtype = "int32" if ROWS[name]["integer"] else "float32"
    x, y = (put(v, device) for v in operands_of(name, dtype, 40))
    view, wanted = x[::-1], get(call(name, x, y)).copy()
    same = IN_PLACE[name](x, y)
    assert same is x
    assert_same(get(x), wanted, name)
    assert_same(np.ascontiguousarray(get(view)), wanted[::-1], name)


def test_doubles_never_reach_a_device_without_them(device: xp.Device) -> None:
    xp.add(xp.ones((1,), device=device), 1).eval()
    if has(device, "float64"):
        return
    for dtype in DOUBLES:
        with pytest.raises(TypeError, match="has no"):
            xp.zeros((2,), dtype=dtype, device=device)
    assert xp.zeros((2,), device=device).dtype == np.float32
    assert xp.sin(xp.zeros((2,), dtype="int64", device=device)).dtype == np.float32


@pytest.mark.parametrize("dtype", ["int32", "uint64"])
def test_the_inverse_of_a_chosen_value(dtype: str, device: xp.Device) -> None:
    """Intel's compiler makes ~min(x, y) wrong in the last elements, if it is told of both."""
    a = np.arange(40, dtype=dtype)
    b = a[::-1].copy()
    x, y = put(a, device), put(b, device)
    assert_same(get(~xp.minimum(x, y)), ~np.minimum(a, b))
    assert_same(get(~xp.min(x + y)), ~np.asarray(np.min(a + b)))
    assert_same(get(xp.max(~x)), np.asarray(np.max(~a)))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_signs_of_zeros_beside_real_numbers(dtype: str, device: xp.Device) -> None:
    """Intel's compiler drops products with the zero that a real number has as imaginary part."""
    needs(device, dtype)
    ends = np.array([0, -0.0, 1, -2], dtype=np.dtype(dtype).type(0).real.dtype)
    z = np.zeros((4, 4), dtype)
    z.real, z.imag = ends[:, None], ends
    x, y = put(z.reshape(-1, 1), device), put(ends, device)
    for got, wanted in (
        (x * y, z.reshape(-1, 1) * ends),
        (y * x, ends * z.reshape(-1, 1)),
        (x * 1j, z.reshape(-1, 1) * np.dtype(dtype).type(1j)),
    ):
        found = get(got)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found.real), np.signbit(wanted.real))
        np.testing.assert_array_equal(np.signbit(found.imag), np.signbit(wanted.imag))


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64"])
def test_integers_to_literal_powers_are_as_exact_as_floats(dtype: str, device: xp.Device) -> None:
    a = np.arange(1, 100).astype(dtype)
    x = put(a, device)
    for power in (-1.0, 0.5, 1.0, 2.0):
        found = get(x**power)
        if power in (1.0, 2.0):
            wanted = (a.astype(found.dtype) ** power).astype(found.dtype)
        else:
            wanted = 1 / a.astype(found.dtype) if power == -1.0 else np.sqrt(a.astype(found.dtype))
        if device == "cpu":
            assert_same(found, wanted, power)
        else:
            assert np.allclose(found, wanted, rtol=4 * np.finfo(found.dtype).eps, atol=0)
