"""Dtypes of results: those of NumPy, for all pairs, numbers among them."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import COMPLEX, DOUBLES, DTYPES, INTEGERS, REALS, dtype_of, get, put

BUILTIN = tuple(name for name in DTYPES if name != "bfloat16")
PAIRS = [(a, b) for a in BUILTIN for b in BUILTIN]


def test_several_dtypes_have_that_of_numpy_in_every_order() -> None:
    # int8 and uint16 have int32, which with float32 would be float64
    for names in itertools.combinations(BUILTIN, 3):
        wanted = np.result_type(*names)
        for order in itertools.permutations(names):
            arrays = [xp.ones(1, dtype=name) for name in order]
            assert xp.result_type(*arrays) == wanted, order
            assert xp.result_type(arrays[0], *map(np.dtype, order[1:]), 1) == wanted, order
            assert xp.concat(arrays).dtype == xp.stack(arrays).dtype == wanted, order
            assert xp.einsum("i,i,i", *arrays).dtype == wanted, order


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_result_type_is_that_of_numpy(a: str, b: str) -> None:
    wanted = np.promote_types(a, b)
    assert xp.result_type(dtype_of(a), dtype_of(b)) == wanted
    x, y = xp.zeros((2,), dtype=a), xp.zeros((3, 1), dtype=b)
    assert xp.result_type(x, y) == wanted
    assert xp.result_type(x, dtype_of(b)) == wanted
    assert (x == y).dtype == np.bool_
    assert xp.where(x == x, x, y).dtype == wanted
    assert xp.concat((x, xp.zeros((1,), dtype=b))).dtype == wanted


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_operands_of_two_dtypes_give_what_numpy_gives(a: str, b: str) -> None:
    left, right = np.ones(3, a), np.full(3, 1, b)
    sum_ = put(left, "cpu") + put(right, "cpu")
    assert sum_.dtype == (left + right).dtype
    assert get(sum_).tolist() == (left + right).tolist()


@pytest.mark.parametrize("other", DTYPES)
def test_bfloat16_meets_other_dtypes_as_a_float(other: str) -> None:
    x, y = xp.zeros((1,), dtype=xp.bfloat16), xp.zeros((1,), dtype=dtype_of(other))
    wanted = {
        **dict.fromkeys(("bool", "int8", "uint8", "bfloat16"), "bfloat16"),
        **dict.fromkeys(("int16", "uint16", "float16", "float32"), "float32"),
        **dict.fromkeys(("int32", "uint32", "int64", "uint64", "float64"), "float64"),
        **dict.fromkeys(COMPLEX, other),
    }[other]
    assert (x + y).dtype == dtype_of(wanted)
    assert (y + x).dtype == dtype_of(wanted)


NUMBERS = [True, False, 0, 1, -1, 1.5, float("nan"), 1 + 2j]
OPERATORS = [operator.add, operator.mul, operator.sub, operator.truediv, operator.eq]


@pytest.mark.parametrize("dtype", BUILTIN)
@pytest.mark.parametrize("number", NUMBERS, ids=repr)
@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: str(op.__name__))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_python_numbers_take_the_dtype_of_the_array_as_in_numpy(
    op: Any, number: Any, dtype: str
) -> None:
    array = np.ones(2, dtype)
    x = put(array, "cpu")
    for swapped in (False, True):
        try:
            wanted = op(number, array) if swapped else op(array, number)
        except (TypeError, OverflowError) as error:
            with pytest.raises(type(error)):
                op(number, x) if swapped else op(x, number)
            continue
        if dtype == "bool" and op is operator.sub:
            continue  # NumPy calculates in int8 where the number is one
        got = op(number, x) if swapped else op(x, number)
        assert got.dtype == wanted.dtype
        assert np.array_equal(get(got), wanted, equal_nan=True)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_a_python_integer_must_fit(dtype: str) -> None:
    info = np.iinfo(dtype)
    x = xp.zeros((2,), dtype=dtype)
    for fits in (int(info.min), int(info.max)):
        assert (x | fits).dtype == info.dtype
        assert int((x | fits)[0].item()) == fits
    for past in (int(info.min) - 1, int(info.max) + 1, 1 << 70, -(1 << 70)):
        with pytest.raises(OverflowError, match=r"does not fit|past 64 bits"):
            x + past
        with pytest.raises(OverflowError, match=r"does not fit|past 64 bits"):
            past + x
        with pytest.raises(OverflowError, match=r"does not fit|past 64 bits"):
            x[0] = past
        with pytest.raises(OverflowError, match=r"does not fit|past 64 bits"):
            x += past


@pytest.mark.parametrize("dtype", REALS)
def test_large_python_numbers_round_in_floats(dtype: str) -> None:
    x = xp.ones((1,), dtype=dtype_of(dtype))
    assert (x * 1e300).dtype == dtype_of(dtype)
    if dtype != "float64":
        assert float((x * 1e300)[0].item()) == float("inf")
    assert (x + (1 << 40)).dtype == dtype_of(dtype)
    assert get(x + (1 << 70)).tolist() == get(x * 2.0**70).tolist()
    x[0] = -(1 << 70)
    assert get(x).tolist() == get(xp.full((1,), -(2.0**70), dtype=dtype_of(dtype))).tolist()
    with pytest.raises(OverflowError, match="past 64 bits"):
        x + 10**400


COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", "float32"])
@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda op: str(op.__name__))
def test_comparisons_take_python_integers_of_any_size_as_numpy_does(
    compare: Any, dtype: str
) -> None:
    array = np.array([[0, 1, 7], [100, 3, 127]], dtype)[:, ::-1]
    x = put(array, "cpu")
    sizes = (-1, -129, 128, 256, 300, 1 << 31, 1 << 63, (1 << 64) - 1, 1 << 64, -(1 << 64), 10**400)
    for number in sizes:
        for left, right, mine in ((array, number, (x, number)), (number, array, (number, x))):
            try:
                wanted = compare(left, right)
            except OverflowError:
                with pytest.raises(OverflowError):
                    compare(*mine)
                continue
            got = compare(*mine)
            assert got.dtype == np.bool_
            assert np.array_equal(get(got), wanted), (left, right)


def test_a_comparison_that_is_known_beforehand_is_an_array_like_any_other(
    device: xp.Device,
) -> None:
    x = put(np.arange(6, dtype=np.uint8).reshape(2, 3), device)
    below = x < 300
    assert below.shape == (2, 3) and below.device == device
    assert get(xp.where(below & (x > -1), x, 0)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert int(xp.sum(x == -1).item()) == 0
    assert xp.less(x, 300).dtype == np.bool_


@pytest.mark.parametrize("scalar", [np.int8(1), np.float32(2), np.float64(2), np.uint64(3)])
@pytest.mark.parametrize("dtype", ["int8", "int32", "float16", "float32"])
def test_numpy_scalars_count_with_their_dtype(scalar: Any, dtype: str) -> None:
    wanted = (np.ones(2, dtype) + scalar).dtype
    x = xp.ones((2,), dtype=dtype)
    assert (x + scalar).dtype == wanted
    assert (scalar + x).dtype == wanted
    assert isinstance(scalar + x, xp.Array)


def test_arrays_without_axes_count_with_their_dtype() -> None:
    x, zero = xp.ones((2,), dtype="int8"), xp.zeros((), dtype="int64")
    assert (x + zero).dtype == np.int64
    assert xp.where(xp.asarray(np.array(True)), x, zero).dtype == np.int64


@pytest.mark.parametrize(
    ("target", "other"), [("int32", "float32"), ("float32", "complex64"), ("bool", "int8")]
)
def test_in_place_operators_refuse_what_does_not_fit(target: str, other: str) -> None:
    x, y = xp.ones((2,), dtype=target), xp.ones((2,), dtype=other)
    before = get(x).copy()
    with pytest.raises(TypeError, match="does not fit"):
        x += y
    assert get(x).tolist() == before.tolist()
    array = before.copy()
    with pytest.raises(TypeError):
        array += np.ones(2, other)


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("other", INTEGERS)
def test_in_place_operators_of_integers_follow_same_kind(target: str, other: str) -> None:
    array, x = np.ones(2, target), xp.ones((2,), dtype=target)
    try:
        array += np.full(2, 100, other)
    except TypeError:
        with pytest.raises(TypeError, match="does not fit"):
            x += xp.full((2,), 100, dtype=other)
        return
    x += xp.full((2,), 100, dtype=other)
    assert get(x).tolist() == array.tolist() and x.dtype == array.dtype


def test_numbers_alone_have_no_common_dtype() -> None:
    with pytest.raises(ValueError, match="needs an array or a dtype"):
        xp.result_type(1, 2.0)
    assert xp.result_type(np.dtype("int8"), 1) == np.int8
    assert xp.result_type(np.dtype("int8"), 1.0) == np.float64
    assert xp.result_type(np.dtype("float32"), 1j) == np.complex64


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_can_cast_is_promotion(a: str, b: str) -> None:
    assert xp.can_cast(dtype_of(a), dtype_of(b)) == (np.promote_types(a, b) == np.dtype(b))


@pytest.mark.no_kernel
def test_default_dtypes_are_those_that_the_device_has(device: xp.Device) -> None:
    info = xp.__array_namespace_info__()
    defaults = info.default_dtypes(device=device)
    real = "float64" if device.info["fp64"] else "float32"
    assert defaults["real floating"] == np.dtype(real)
    assert xp.empty((1,), device=device).dtype == np.dtype(real)
    assert xp.asarray([1.5], device=device).dtype == np.dtype(real)
    for double in DOUBLES:
        assert (double in info.dtypes(device=device)) == device.info["fp64"]


def test_isdtype_knows_the_words_of_the_standard() -> None:
    for name in DTYPES:
        kind = dtype_of(name)
        words = {
            "bool": name == "bool",
            "signed integer": name.startswith("int"),
            "unsigned integer": name.startswith("uint"),
            "integral": name in INTEGERS,
            "real floating": name in REALS,
            "complex floating": name in COMPLEX,
            "numeric": name != "bool",
        }
        for word, is_it in words.items():
            assert xp.isdtype(kind, word) == is_it, (name, word)
        assert xp.isdtype(kind, ("bool", kind))
    with pytest.raises(ValueError, match="is none of"):
        xp.isdtype(np.dtype("int8"), "number")


COMPARED_BY_NAME = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


@pytest.mark.parametrize("name", COMPARED_BY_NAME)
def test_natural_and_signed_integers_are_compared_as_numbers(name: str) -> None:
    u = np.array([2**63, 5, 0, 2**64 - 1], dtype=np.uint64)
    i = np.array([2**63 - 1, -1, 0, -1], dtype=np.int64)
    ours, theirs = getattr(xp, name), getattr(np, name)
    for a, b in ((u, i), (i, u), (u, i.astype(np.int8)), (u, np.int64(-3)), (np.uint64(5), i)):
        x, y = (xp.asarray(v) if isinstance(v, np.ndarray) else v for v in (a, b))
        assert np.array_equal(np.asarray(ours(x, y)), theirs(a, b)), (name, a, b)
    with pytest.raises(TypeError, match="array"):
        ours(np.uint64(5), np.int64(3))


@pytest.mark.parametrize("other", [np.arange(3), [0, 1, 2], (0, 1, 2)])
def test_arrays_of_others_are_never_called_unequal(other: Any) -> None:
    x = xp.asarray([0, 1, 2])
    for compare in (operator.eq, operator.ne):
        for a, b in ((x, other), (other, x)):
            with pytest.raises(TypeError, match="asarray"):
                compare(a, b)


@pytest.mark.parametrize("other", [None, "a", b"a", np.str_("a"), ""])
def test_no_element_is_none_or_a_string(other: Any) -> None:
    for x in (xp.asarray([0, 1, 2]), xp.ones(()), xp.ones((0, 2)), xp.zeros(2, dtype="complex64")):
        answers: Any = ((x == other, x != other), (other == x, other != x))
        for equal, unequal in answers:
            assert equal.shape == unequal.shape == x.shape
            assert not xp.any(equal)
            assert xp.all(unequal)


@pytest.mark.parametrize("name", ["hypot", "atan2", "logaddexp", "copysign", "nextafter"])
@pytest.mark.parametrize("number", [True, 3, 70000, -5, 0.5])
def test_a_number_beside_bools_is_not_rounded_to_half_precision(name: str, number: Any) -> None:
    a = np.array([True, False])
    theirs = getattr(np, {"atan2": "arctan2"}.get(name, name))
    for ours, wanted in (
        (getattr(xp, name)(xp.asarray(a), number), theirs(a, number)),
        (getattr(xp, name)(number, xp.asarray(a)), theirs(number, a)),
    ):
        assert ours.dtype == wanted.dtype
        np.testing.assert_allclose(get(ours), wanted, rtol=1e-3 if wanted.dtype == "f2" else 1e-12)
