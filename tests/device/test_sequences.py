"""Arrays as the sequences of C: what compiled code asks by PySequence_Check and its like."""

from __future__ import annotations

import bisect
import ctypes
import operator
from typing import Any

import numpy as np
import pytest

import isthmus as xp

api = ctypes.PyDLL(None)
check = api.PySequence_Check
check.argtypes, check.restype = [ctypes.py_object], ctypes.c_int
size = api.PySequence_Size
size.argtypes, size.restype = [ctypes.py_object], ctypes.c_ssize_t
item = api.PySequence_GetItem
item.argtypes, item.restype = [ctypes.py_object, ctypes.c_ssize_t], ctypes.py_object
set_item = api.PySequence_SetItem
set_item.argtypes = [ctypes.py_object, ctypes.c_ssize_t, ctypes.py_object]
set_item.restype = ctypes.c_int
delete_item = api.PySequence_DelItem
delete_item.argtypes, delete_item.restype = [ctypes.py_object, ctypes.c_ssize_t], ctypes.c_int


def test_an_array_is_one(device: xp.Device) -> None:
    x = xp.asarray(np.arange(6, dtype="float32").reshape(3, 2), device=device)
    assert check(x) == 1
    assert size(x) == 3
    for place in range(-3, 3):
        assert item(x, place).tolist() == x[place].tolist()
        assert item(x, place).device == device
    assert set_item(x, -1, 7) == 0
    assert x[2].tolist() == [7, 7]


@pytest.mark.parametrize("place", [3, -4, -5, -9])
def test_a_place_outside_is_an_index_error_as_that_of_x_at_it(place: int) -> None:
    x = xp.zeros(3)
    wanted = f"index: {place} is out of bounds for axis 0 of length 3"
    with pytest.raises(IndexError, match=wanted):
        item(x, place)
    with pytest.raises(IndexError, match=wanted):
        set_item(x, place, 1)
    assert x.tolist() == [0, 0, 0]


def test_elements_are_not_deleted() -> None:
    with pytest.raises(TypeError, match="setitem: elements of an array cannot be deleted"):
        delete_item(xp.zeros(3), 0)


def test_an_array_without_axes_has_no_length_and_no_items() -> None:
    x = xp.asarray(2.5)
    for call in (len, size, lambda x: item(x, -1), lambda x: bisect.bisect(x, 1.0)):
        with pytest.raises(TypeError, match="len: an array without axes has no length"):
            call(x)
    with pytest.raises(IndexError, match="index: 1 indices for an array of 0 axes"):
        item(x, 0)
    assert np.array([x, x]).tolist() == [2.5, 2.5]
    assert bytes(x) == np.float64(2.5).tobytes()


def test_bisect_searches() -> None:
    x: Any = xp.asarray([1.0, 2.0, 2.0, 3.0])
    assert bisect.bisect_left(x, 2.0) == 1
    assert bisect.bisect(x, 2.0) == 3


def test_nothing_is_joined_or_repeated() -> None:
    x: Any = xp.asarray([1.0, 2.0])
    joins: Any = (operator.concat, operator.iconcat)
    for call in joins:
        with pytest.raises(TypeError, match=r"concat: \+ adds .*; isthmus\.concat\(\[x, y\]\) joi"):
            call(x, x)
        with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+=?: 'Array' "):
            call(x, {1})
    for other in ({1}, {}, object()):
        with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Array' and "):
            x + other
        with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+=: 'Array' and "):
            x += other
    for other in ([0], (0,)):
        for same in (operator.add, operator.mul, operator.iadd):
            with pytest.raises(TypeError, match="is neither an array nor a number"):
                same(x, other)
            with pytest.raises(TypeError, match="is neither an array nor a number"):
                same(other, x)
    assert x.tolist() == [1, 2]
