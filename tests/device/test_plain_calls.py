"""Calls of operations with arrays alone go past nanobind (plain_calls.cpp): what they give and
raise is what the same calls with keywords do.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp

REDUCTIONS = [str(row["name"]) for row in xp.reduction_table]
OPERATIONS = [row for row in xp.op_table if row["arity"] < 3 and row["name"] not in ("round",)]


def operands(row: dict[str, object]) -> list[xp.Array]:
    """As many arrays as the row takes, of a dtype that it takes."""
    dtype = next(d for d, family in FAMILIES.items() if row[family])
    return [xp.asarray(np.array([0, 1, 1]).astype(dtype)) for _ in range(int(str(row["arity"])))]


FAMILIES = {"float32": "real", "int32": "integer", "bool": "boolean", "complex64": "complex"}


def function_of(row: dict[str, object]) -> object:
    return getattr(getattr(xp, str(row["space"])) if row["space"] else xp, str(row["name"]))


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: str(row["name"]))
def test_operations_give_the_same(row: dict[str, object]) -> None:
    f, x = function_of(row), operands(row)
    assert callable(f)
    plain, named = f(*x), f(*x, out=None)
    assert plain.dtype == named.dtype
    np.testing.assert_array_equal(np.asarray(plain), np.asarray(named))


@pytest.mark.parametrize("name", [*REDUCTIONS, "mean"])
def test_reductions_give_the_same(name: str) -> None:
    x = xp.asarray(np.array([[3, 1], [0, 2]], dtype=np.float32))
    calls: list[tuple[Any, tuple[Any, ...]]] = [(getattr(xp, name), (x,))]
    if hasattr(xp.Array, name):
        calls.append((getattr(x, name), ()))
    for f, args in calls:
        plain, named = f(*args), f(*args, axis=None)
        assert plain.shape == named.shape == ()
        assert plain.dtype == named.dtype
        np.testing.assert_array_equal(np.asarray(plain), np.asarray(named))
        np.testing.assert_array_equal(np.asarray(f(*args, 1)), np.asarray(f(*args, axis=1)))


@pytest.mark.parametrize(
    ("function", "args", "named", "text"),
    [
        (xp.sin, (), {}, "^sin: missing a required argument: 'x'; it takes"),
        (xp.sin, (1,), {}, "^sin: "),
        (xp.sin, ("x", "x"), {}, "^sin: too many positional arguments; write out=..."),
        (xp.sum, (None,), {}, "^sum: "),
        (xp.Array.sum, (1,), {}, "^sum: an int is not an isthmus.Array"),
        (xp.Array.mean, (None,), {}, "^Array.mean: self: expected Array, not None"),
        (xp.Array.sum, (), {}, "^Array.sum: self: expected Array, not nothing"),
        (xp.add, ("x", b"a"), {}, "^add: a bytes is neither an array nor a number"),
        (xp.sum, ("x",), {"axes": 0}, "^sum: got an unexpected keyword argument 'axes'"),
    ],
)
def test_wrong_calls_are_put_into_words(
    function: Callable[..., object], args: tuple[Any, ...], named: dict[str, Any], text: str
) -> None:
    x = xp.ones(3)  # where the arguments have "x"
    with pytest.raises(TypeError, match=text) as found:
        function(*(x if isinstance(arg, str) else arg for arg in args), **named)
    assert not re.search("incompatible function arguments", str(found.value))


@pytest.mark.parametrize(
    ("function", "args", "named", "text"),
    [
        (xp.sort, ("x",), {"kind": "stable"}, "instead of kind: leave it out: equal"),
        (xp.isin, ("x", "x"), {"kind": "sort"}, "instead of kind: leave it out$"),
        (xp.partition, ("x", 1), {"kind": "introselect"}, "instead of kind: leave it out$"),
        (xp.pad, ("x", 1), {"reflect_type": 3}, "reflect_type: expected str or None, not an int"),
        (xp.Array.sort, ("x",), {"order": "a"}, r"instead of order: x\[argsort"),
        (xp.median, ("x",), {"out": 1}, r"instead of out: y\[...\] = median"),
        (xp.cumulative_sum, ("x",), {"out": 1}, r"instead of out: y\[...\] = cumu"),
        (xp.quantile, ("x", 0.5), {"interpolation": "lower"}, "instead of .*: method="),
        (xp.clip, ("x",), {"a_min": 0}, "instead of a_min: min="),
        (xp.zeros_like, ("x",), {"shape": 3}, r"instead of shape: zeros\(shape"),
        (xp.quantile, (None, 0.5), {}, "x: expected Array, not None"),
        (xp.quantile, ("x", None), {}, "q: expected Array, number or list of numbers, not None"),
        (xp.take, ("x", None), {}, "indices: expected Array, int or list of ints, not None"),
        (xp.reshape, ("x", None), {}, "shape: expected int or sequence of ints, not None"),
        (xp.add, ("x", None), {}, "x2: expected Array or number, not None|None is neither"),
    ],
)
def test_wrong_calls_say_what_would_do(
    function: Callable[..., object], args: tuple[Any, ...], named: dict[str, Any], text: str
) -> None:
    x = xp.ones(3)  # where the arguments have "x"
    with pytest.raises(TypeError, match=text):
        function(*(x if isinstance(arg, str) else arg for arg in args), **named)


def test_no_sum_takes_keywords_of_numpy_without_a_word() -> None:
    x = xp.ones(3)
    functions: tuple[Any, ...] = (xp.sum, xp.prod, xp.max, xp.nansum, xp.mean, xp.var, xp.all)
    for function in functions:
        for keyword in ("where", "initial"):
            with pytest.raises(TypeError, match=f"instead of {keyword}: "):
                function(x, **{keyword: 1})


def test_errors_of_the_operation_itself() -> None:
    x = xp.ones(3)
    with pytest.raises(ValueError, match="broadcast"):
        xp.maximum(x, xp.ones(4))
    with pytest.raises(ValueError, match="max"):
        xp.max(xp.ones(0))
    with pytest.raises(TypeError, match="bitwise_invert"):
        xp.bitwise_invert(x)
    with pytest.raises(OverflowError):
        xp.maximum(xp.ones(3, dtype=xp.int8), 1000)


# Out is None by place, where NumPy's methods have it.
BY_PLACE: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("all", "any", "max", "min", "argmax", "argmin", "round"), (0, None)),
    **dict.fromkeys(("sum", "prod", "mean", "std", "var", "cumsum", "cumprod"), (0, None, None)),
    **{"clip": (1, 2, None), "take": ([1], 0, None, "clip"), "trace": (0, 0, 1, None, None)},
    "dot": (2, None),
}


@pytest.mark.parametrize("name", BY_PLACE)
def test_out_stands_where_numpys_methods_have_it(name: str) -> None:
    a = np.array([[1.5, 3], [2.5, -4]])
    got = getattr(xp.asarray(a), name)(*BY_PLACE[name])
    np.testing.assert_allclose(got.to_numpy(), getattr(a, name)(*BY_PLACE[name]))
