"""What classes of a program say of our arrays: operators and NumPy's functions ask them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest


class Number:
    """Has a value, and operators of its own."""

    def __float__(self) -> float:
        return 1.0

    def __eq__(self, other: object) -> Any:
        return "equal"

    __hash__ = None  # type: ignore[assignment]

    def __radd__(self, other: object) -> str:
        return "radd"

    __rmul__ = __rpow__ = __rlshift__ = __rand__ = __gt__ = __le__ = __radd__


class Box:
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[int]:
        return iter([1])

    def __contains__(self, value: object) -> bool:
        return value == 1

    def __radd__(self, other: object) -> str:
        return "radd"


class Listed(list[int]):
    def __radd__(self, other: object) -> str:
        return "radd"


class Producer:
    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError("nobody shall ask")

    def __radd__(self, other: object) -> str:
        return "radd"


class OfNumPy(np.ndarray):
    def __radd__(self, other: object) -> str:  # type: ignore[override]
        return "radd"


class WithUfuncs(np.ndarray):
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufunc.__name__


class Mixed(np.lib.mixins.NDArrayOperatorsMixin):
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufunc.__name__


class Derived(cl_array.Array, np.lib.mixins.NDArrayOperatorsMixin):
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufunc.__name__


class Readable(cl_array.Array):
    def max(self, axis: Any = None, out: Any = None) -> str:
        return "its max"

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> str:
        return "its sum"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.get()


def of_ones(kind: Any, queue: Any) -> Any:
    x = kind(queue, (3,), np.float32)
    x.fill(1)
    return x


def ones_as(kind: Any) -> Any:
    return np.ones(3, np.float32).view(kind)


OPERANDS: list[Callable[[], Any]] = [
    *(Number, Box, lambda: Listed([1]), Producer, lambda: ones_as(OfNumPy)),
]


@pytest.mark.parametrize("made", OPERANDS)
def test_the_class_of_the_second_operand_is_asked(queue: Any, made: Callable[[], Any]) -> None:
    x = cl_array.arange(queue, 3, dtype=np.float32)
    assert x + made() == "radd"
    y: Any = x.copy()
    y += made()
    assert y == "radd"
    assert x.get().tolist() == [0, 1, 2]


def test_each_operator_asks_for_its_own_answer(queue: Any) -> None:
    x: Any = cl_array.arange(queue, 3, dtype=np.int32)
    operators: list[Callable[[Any, Any], Any]] = [
        *(operator.mul, operator.pow, operator.lshift, operator.and_, operator.lt, operator.ge)
    ]
    for apply in operators:
        assert apply(x, Number()) == "radd"
    assert (x == Number()) == "equal"
    assert (x != Number()) is False  # Python's answer: not "equal"
    with pytest.raises(TypeError, match=r"or a number, not .*Number"):
        x - Number()


def test_an_operand_without_an_answer_is_refused(queue: Any) -> None:
    class Silent(Number):
        def __radd__(self, other: object) -> Any:
            return NotImplemented

        def __eq__(self, other: object) -> Any:
            return NotImplemented

    x = cl_array.arange(queue, 3, dtype=np.float32)
    for apply in (operator.add, operator.iadd, operator.eq, operator.ne):
        with pytest.raises(TypeError, match=r"or a number, not .*Silent"):
            apply(x, Silent())
    for other in (np.ones(3), ones_as(OfNumPy), [1], (1,), Listed([1])):
        with pytest.raises(TypeError, match=r"or a number, not .*to_device"):
            x * other
        with pytest.raises(TypeError, match=r"or a number, not .*to_device"):
            _ = x == other


def test_operands_with_ufuncs_are_asked(queue: Any) -> None:
    x = cl_array.arange(queue, 3, dtype=np.float32)
    others: list[Any] = [ones_as(WithUfuncs), Mixed()]
    for other in others:
        assert x + other == "add"
        assert (x == other) == "equal"
        assert np.multiply(x, other) == "multiply"


def test_derived_classes_with_ufuncs_are_asked(queue: Any) -> None:
    s, host = of_ones(Derived, queue), np.ones(3, np.float32)
    assert s + host == "add" == host + s
    assert (s == host) == "equal"
    s2: Any = s
    s2 += host
    assert s2 == "add"
    assert (s + s).get().tolist() == [2, 2, 2] == (s * 2).get().tolist()
    with pytest.raises(TypeError, match="or a number, not list"):
        operator.add(s, [1])


def test_derived_classes_supply_what_numpy_needs(queue: Any) -> None:
    x, host = of_ones(Readable, queue), np.ones(3, np.float32)
    assert np.max(x) == "its max" and np.sum(x) == "its sum"
    assert np.min(x) == 1
    assert np.sin(x).tolist() == np.sin(host).tolist()
    assert np.isnan(x).tolist() == [False] * 3
    assert np.add(host, x).tolist() == np.add(x, x).tolist() == [2, 2, 2]
    assert np.add.reduce(x) == 3
    assert isinstance(np.float32(2) * x, Readable)
    with pytest.raises(TypeError, match="isthmus"):
        np.add(x, cl_array.zeros(queue, 3, np.float32))


def test_max_min_and_sum_of_numpy_are_ours(queue: Any) -> None:
    x = cl_array.arange(queue, 6, dtype=np.float32).reshape(2, 3)
    for function, wanted in ((np.max, 5), (np.amin, 0), (np.sum, 15)):
        found: Any = function(x)
        assert isinstance(found, cl_array.Array) and found.shape == ()
        assert found.get() == wanted
