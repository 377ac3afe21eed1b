"""Numba, which compiles for ndarrays: it works in place on our memory, and we on its."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts

# What layouts does with indices that mean the same to us, in the words that Numba has for it.
VIEWS: dict[str, Callable[[Any], Any]] = {
    **layouts.VIEWS,
    "zero_dimensional": lambda line: line[0, 1, 2:3].reshape(()),
    "column_major": lambda line: line.T,
    "zero_stride": lambda line: np.broadcast_to(line[0, 0, :3], (4, 3)),
}


type_of: Any = numba.typeof


@numba.njit
def total_and_add(a: Any, addend: float) -> float:
    total = 0.0
    for index, value in np.ndenumerate(a):
        total += value
        a[index] = value + addend
    return total


@numba.njit
def total_of(a: Any) -> float:
    total = 0.0
    for value in a.flat:
        total += value
    return total


@numba.njit
def made_by_numba() -> Any:
    return np.arange(6.0)


@pytest.mark.parametrize("shown", [np.asarray, lambda x: np.asarray(memoryview(x)), np.from_dlpack])
@pytest.mark.parametrize("name", layouts.NAMES)
def test_us_to_numba_in_place(name: str, shown: Callable[[Any], Any]) -> None:
    x = layouts.our_layouts()[name]
    a = shown(x)
    before = np.array(x)
    assert total_of(a) == np.sum(before)
    if x.is_read_only:
        assert not type_of(a).mutable  # a compilation that fails would keep the array
    else:
        assert total_and_add(a, 1) == np.sum(before)
        assert np.array_equal(np.asarray(x), before + 1)
        x[...] = 78
        assert total_of(a) == 78 * x.size
    if x.size:
        assert layouts.address(a) == layouts.address(np.asarray(x))


@pytest.mark.parametrize("name", layouts.NAMES)
def test_numba_to_us_in_place(name: str) -> None:
    line = np.arange(24, dtype="float32").reshape(2, 3, 4)
    a = numba.njit(VIEWS[name])(line)
    x = isthmus.asarray(a, copy=False)
    assert x.tolist() == a.tolist()
    assert x.is_read_only == (not a.flags.writeable)
    if a.size:
        assert layouts.address(np.asarray(x)) == layouts.address(a)
        total_and_add(line, 1)
        assert x.tolist() == a.tolist()
        assert float(isthmus.sum(x)) == total_of(a)
    if not x.is_read_only:
        x[...] = 78
        assert total_of(a) == 78 * a.size


@pytest.mark.parametrize("dies_first", ["numba", "ours"])
def test_lifetimes_numba_to_us(dies_first: str) -> None:
    a = made_by_numba()
    watch = weakref.ref(a)
    x = isthmus.asarray(a, copy=False)
    assert layouts.is_shared(x)  # since Numba's memory has an owner of its own
    if dies_first == "numba":
        del a
        gc.collect()
        others = made_by_numba()
        total_and_add(others, 1)
        assert float(isthmus.sum(x)) == 15
        del x
        assert watch() is None
    else:
        del x
        assert total_and_add(a, 1) == 15


@pytest.mark.parametrize("dies_first", ["ours", "numba"])
def test_lifetimes_us_to_numba(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float64").eval()
    a = numba.njit(lambda line: line[1:])(np.asarray(x))
    if dies_first == "ours":
        del x
        gc.collect()
        assert total_and_add(a, 1) == 15
        assert a.tolist() == [2, 3, 4, 5, 6]
    else:
        assert layouts.is_shared(x)
        del a
        assert not layouts.is_shared(x)
        assert float(isthmus.sum(x)) == 15
