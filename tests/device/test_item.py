"""x.item(5), x.item(1, 2), round(x), and attributes that NumPy's arrays let one set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.ways import Way


@pytest.mark.sampled("shape")
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (2, 1, 4)])
def test_item_is_the_element_at_a_place(
    way: Way, device: xp.Device, shape: tuple[int, ...]
) -> None:
    a = np.arange(math.prod(shape), dtype="float32").reshape(shape)
    x = xp.permute_dims(xp.asarray(a.T.copy(), device=device), tuple(range(a.ndim))[::-1]) * 1
    for place in range(-a.size, a.size):
        if shape:  # NumPy 2 has it without axes, too; there x.item() is meant
            assert x.item(place) == a.item(place)
    for index in np.ndindex(shape):
        assert x.item(*index) == a.item(*index)
        assert x.item(index) == a.item(index)


def test_item_refuses_what_is_no_place() -> None:
    x: Any = xp.asarray(np.arange(6.0).reshape(2, 3))
    for place in (6, -7, 2**62):
        with pytest.raises(
            IndexError, match=rf"item: index {place} is out of bounds for 6 elements"
        ):
            x.item(place)
    for index in ((2, 0), (0, -4)):
        with pytest.raises(IndexError):
            x.item(*index)
    with pytest.raises(ValueError, match="item: 3 indices for an array of 2 axes"):
        x.item(0, 0, 0)
    with pytest.raises(ValueError, match="item: 1 indices for an array of 2 axes"):
        x.item((1,))
    for wrong in (1.5, "a", None, slice(1), [0]):
        with pytest.raises(TypeError, match="item"):
            x.item(wrong, 0)
    with pytest.raises((OverflowError, ValueError), match="item"):
        x.item(2**70)
    with pytest.raises(IndexError):
        xp.zeros((0, 3)).item(0)
    p = xp.asarray(np.array([(1, 2.5), (3, 4.5)], dtype="i4,f8"))
    assert p.item(1) == (3, 4.5)


@pytest.mark.parametrize("name", ["T", "dtype", "shape", "strides"])
def test_attributes_that_are_not_set_say_what_would_do(name: str) -> None:
    x = xp.zeros((2, 3))
    with pytest.raises(AttributeError, match=rf"^{name} of an isthmus.Array cannot be set; use"):
        setattr(x, name, getattr(x, name))
    assert x.shape == (2, 3)
    assert x.T.shape == (3, 2)


@pytest.mark.parametrize("number", [2.5, -2.5, 3.5, -0.5, 7, -7, True])
@pytest.mark.parametrize("call", [round, math.trunc, math.floor, math.ceil])
def test_an_array_without_axes_is_rounded_to_an_int(call: Any, number: float) -> None:
    got = call(xp.asarray(number))
    assert type(got) is int
    assert got == call(number)


def test_large_ints_are_rounded_exactly() -> None:
    x = xp.asarray(2**62 + 1)
    for call in (round, math.trunc, math.floor, math.ceil):
        assert call(x) == 2**62 + 1


def test_round_with_digits_is_an_array(way: Way, device: xp.Device) -> None:
    x = xp.asarray(np.array([1.26, -3.75], np.float32), device=device)
    for got, wanted in ((round(x, 1), x.round(1)), (round(x), x.round()), (round(x[0], 1), 1.3)):
        assert isinstance(got, xp.Array)
        assert got.device == device
        assert xp.allclose(got, wanted)
    assert round(xp.asarray(1.26 + 2.24j), 1).item() == 1.3 + 2.2j


def test_what_is_no_real_number_is_not_rounded_to_an_int() -> None:
    x: Any = xp.asarray([1.5, 2.5])
    wrong: Any = "a"
    with pytest.raises(TypeError, match="trunc: only an array without axes is a number"):
        math.trunc(x)
    for call in (math.floor, math.ceil, math.trunc, round):
        with pytest.raises(TypeError, match=f"{call.__name__}: the element is complex"):
            call(xp.asarray(1j))
        with pytest.raises(ValueError, match="NaN"):
            call(xp.asarray(math.nan))
        with pytest.raises(OverflowError):
            call(xp.asarray(math.inf))
    with pytest.raises(TypeError, match="ndigits: expected int or None"):
        round(x, wrong)
