"""Ndarrays, read from their head: every dtype and layout, and who else holds them."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts, showing
from tests.exchange.layouts import is_shared


@pytest.mark.parametrize("name", layouts.NAMES)
def test_every_layout_shares_address_and_writes(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.asarray(a, copy=False)
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("bad", ["object", "U3", "M8[s]", "longdouble"])
def test_dtypes_that_no_array_has_are_refused(bad: str) -> None:
    a = np.zeros(3, dtype=bad)
    references = sys.getrefcount(a)
    with pytest.raises(TypeError):
        isthmus.asarray(a)
    assert sys.getrefcount(a) == references
    assert isthmus.explain(a).verdict == "impossible"


@pytest.mark.parametrize("name", ["float8_e4m3fn", "int4"])
def test_dtypes_that_numpy_was_taught_are_refused_by_name_not_taken_as_bytes(name: str) -> None:
    a = np.ones(4, dtype=getattr(ml_dtypes, name))
    assert isthmus.explain(a).verdict == "impossible"
    with pytest.raises(TypeError, match=name):
        isthmus.asarray(a)
    shown: Any = showing.Interface(a)
    shown.dtype = a.dtype  # without it, nothing says that these are not mere bytes
    for protocol, peer in (("array_interface", shown), ("array_method", showing.Method(a))):
        with pytest.raises(isthmus.ExchangeError, match=f"{protocol}: .*{name}"):
            isthmus.asarray(peer)
    with pytest.raises(isthmus.ExchangeError, match=name[:3]):
        isthmus.asarray(jnp.ones(4, dtype=name))


class Named(np.ndarray):
    """A subclass with attributes."""

    ours: Any


class Speaking(np.ndarray):
    """One with a capsule of its own making."""

    def __dlpack__(self, **_: Any) -> Any:
        return np.arange(3.0).__dlpack__(max_version=(1, 0))


def test_subclasses_are_read_alike_unless_they_share_in_a_way_of_their_own() -> None:
    a = np.ones(3).view(Named)
    x = isthmus.asarray(a)
    assert isthmus.explain(a).protocol == "ndarray"
    assert layouts.address(np.asarray(x)) == a.ctypes.data
    assert is_shared(isthmus.asarray(np.ones(3).view(Named)))  # it may have a finalizer
    speaking = np.ones(3).view(Speaking)
    assert isthmus.explain(speaking).protocol == "dlpack"
    assert np.asarray(isthmus.asarray(speaking)).tolist() == [0, 1, 2]
    assert np.asarray(isthmus.from_dlpack(speaking)).tolist() == [0, 1, 2]


def test_masked_elements_are_never_dropped() -> None:
    masked = np.ma.masked_array([1.0, 2.0], mask=[True, False])
    with pytest.raises(isthmus.ExchangeError, match=r"mask: .*filled"):
        isthmus.asarray(masked)
    assert isthmus.explain(masked).verdict == "impossible"
    assert isthmus.asarray(masked.filled(0)).tolist() == [0, 2]
    assert isthmus.asarray(np.ma.masked_array([1.0, 2.0])).tolist() == [1, 2]


def test_garbage_cycles_through_a_subclass_are_collected() -> None:
    a = np.ones(3).view(Named)
    a.ours = isthmus.asarray(a)
    watch = weakref.ref(a)
    del a
    gc.collect()
    assert watch() is None


def made(kept: list[Any]) -> Any:
    a = np.ones(3)
    kept.append(weakref.ref(a))
    return a


def test_private_are_temporaries_only() -> None:
    # not within an assert, which pytest rewrites so that it holds all that is in it
    private = [
        isthmus.asarray(np.ones(3)),
        isthmus.from_dlpack(np.ones(3)),
        isthmus.asarray(np.ones((4, 4))[1:, ::2]),
    ]
    assert [is_shared(x) for x in private] == [False] * 3
    a = np.ones(3)
    arguments = (np.ones(3),)
    shared = [
        isthmus.asarray(a),
        isthmus.asarray(a[1:]),
        isthmus.asarray(np.frombuffer(bytearray(8), dtype="u1")),
        isthmus.asarray(*arguments),
        *map(isthmus.asarray, arguments),
        isthmus.asarray(made([])),
    ]
    kept: list[Any] = []
    shared.append(isthmus.asarray(made(kept)))
    assert [is_shared(x) for x in shared] == [True] * 5 + [False, True]
