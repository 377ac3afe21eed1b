"""__array__ with NumPy 2's copy, and objects that have it."""

from __future__ import annotations

import gc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts
from tests.exchange.layouts import is_shared
from tests.exchange.showing import Method


@pytest.mark.parametrize("name", layouts.NAMES)
def test_a_view_where_the_host_can_look(name: str) -> None:
    x = layouts.our_layouts()[name]
    a = x.__array__()
    assert type(a) is np.ndarray
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_theirs_is_shared(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    layouts.assert_one_memory(isthmus.asarray(Method(a), copy=False), a)


@pytest.mark.parametrize("dies_first", ["ours", "numpy"])
def test_lifetimes_us_to_numpy(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float64").eval()
    a = x.__array__()[1:]
    if dies_first == "ours":
        del x
        gc.collect()
        other = isthmus.full((6,), 9.0).eval()  # not into the same place
        assert a.sum() == 15 and float(isthmus.sum(other)) == 54
    else:
        assert is_shared(x)
        del a
        assert not is_shared(x)
        assert float(isthmus.sum(x)) == 15


def test_copy_means_what_it_means_in_numpy() -> None:
    x = isthmus.arange(4, dtype="float32").eval()
    for copy in (None, False):
        assert np.shares_memory(x.__array__(copy=copy), np.asarray(x))
        assert np.shares_memory(np.asarray(x, copy=copy), np.asarray(x))
    assert not np.shares_memory(x.__array__(copy=True), np.asarray(x))
    assert not np.shares_memory(np.array(x), np.asarray(x))


def test_another_dtype_is_a_copy_and_refused_without() -> None:
    x: Any = isthmus.arange(4, dtype="float32")
    assert x.__array__("float64").dtype == np.float64
    assert x.__array__(dtype="float32", copy=False).dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        x.__array__("float64", copy=False)
    with pytest.raises(ValueError, match="copy"):
        np.asarray(x, dtype="float64", copy=False)


def test_memory_out_of_reach_is_an_error_that_names_the_way() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    for ask in (np.asarray, np.array, lambda y: y.__array__()):
        with pytest.raises(isthmus.ImplicitHostCopyError, match=r"to_numpy\(\)"):
            ask(x)
    assert np.asarray(x.to_device("cpu")).tolist() == [2, 2, 2]


def test_bfloat16_is_ml_dtypes_and_shares() -> None:
    x = isthmus.arange(4, dtype=isthmus.bfloat16).eval()
    a = np.asarray(x)
    assert a.dtype == ml_dtypes.bfloat16
    a[0] = 9
    assert float(x[0]) == 9


def test_numpy_functions_take_our_arrays() -> None:
    assert np.array_equal(np.concatenate([isthmus.ones(1), isthmus.zeros(1)]), [1, 0])


class Old:
    def __init__(self, a: Any) -> None:
        self.a = a

    def __array__(self) -> Any:
        return self.a


def test_objects_that_have_only_the_method_are_shared() -> None:
    a = np.arange(3.0)
    x = isthmus.asarray(Method(a), copy=False)
    a[0] = 5
    assert float(x[0]) == 5
    assert isthmus.explain(Method(a)).protocol == "array_method"


def test_a_method_that_does_not_know_copy_promises_no_view() -> None:
    assert float(isthmus.sum(isthmus.asarray(Old(np.arange(3.0))))) == 3
    with pytest.raises(isthmus.CopyRefusedError, match="promise"):
        isthmus.asarray(Old(np.arange(3.0)), copy=False)


def test_a_method_that_returns_no_array_is_refused() -> None:
    with pytest.raises(isthmus.ExchangeError, match="list"):
        isthmus.asarray(Method([1, 2]))


@pytest.mark.parametrize("device", [str(d) for d in isthmus.devices()])
def test_to_numpy_is_a_view_where_the_host_reaches_the_memory(device: str) -> None:
    x = isthmus.ones(1000, device=device).eval()
    if not x.device.info["unified_memory"]:
        pytest.skip("the host does not reach it")
    a = x.to_numpy()
    assert np.shares_memory(a, np.asarray(x))
    x[0] = 5
    isthmus.synchronize(device)
    assert a[0] == 5
