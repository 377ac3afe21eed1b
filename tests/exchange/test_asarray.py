"""asarray and explain: who brings what, copies that are asked for, refused and counted."""

from __future__ import annotations

import gc
import importlib
import sys
import weakref
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from tests.exchange import showing

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")


def test_numbers_and_lists() -> None:
    assert isthmus.asarray(True).dtype == np.bool_
    assert isthmus.asarray(3).dtype == np.int64
    assert isthmus.asarray(2.5).dtype == np.float64
    assert isthmus.asarray(1j).dtype == np.complex128
    assert isthmus.asarray(np.float16(2)).dtype == np.float16
    x = isthmus.asarray([[1, 2], [3, 4]])
    assert x.shape == (2, 2)
    assert x.dtype == np.int64
    assert isthmus.asarray((1.5, 2)).dtype == np.float64
    assert isthmus.asarray([]).shape == (0,)
    assert isthmus.asarray(range(3)).shape == (3,)
    assert isthmus.asarray([isthmus.asarray(1), isthmus.asarray(2)]).shape == (2,)
    assert isthmus.asarray([1, 2], dtype="float32").dtype == np.float32


def test_lists_take_the_default_dtype_of_the_device() -> None:
    for value in (1.5, [1.5, 2]):
        x = isthmus.asarray(value, device="null:2")
        assert x.device == isthmus.Device("null:2")
        assert x.dtype == np.float32


@pytest.mark.parametrize("value", [1, 2.5, [1, 2], (1.0,)])
def test_what_has_no_memory_is_refused_with_copy_false(value: object) -> None:
    with pytest.raises(isthmus.CopyRefusedError):
        isthmus.asarray(value, copy=False)


@pytest.mark.parametrize("value", [object(), "text", None, {"a": 1}, ["a"], [object()]])
def test_what_is_no_numbers_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError):
        isthmus.asarray(value)


@pytest.mark.parametrize("dies_first", ["numpy", "ours"])
@pytest.mark.parametrize("protocol", showing.ONLY)
def test_either_side_of_numpys_memory_may_die_first(protocol: str, dies_first: str) -> None:
    a = np.arange(6.0)
    peer = showing.ONLY[protocol](a)
    watch, x = weakref.ref(a), isthmus.asarray(peer)
    if dies_first == "numpy":
        del a, peer
        gc.collect()
        assert float(isthmus.sum(x)) == 15
        del x
        gc.collect()
        assert watch() is None
    else:
        del x, peer
        gc.collect()
        assert sys.getrefcount(a) == 2
        assert a.sum() == 15


def test_our_arrays_come_as_they_are() -> None:
    x = isthmus.arange(3)
    y = isthmus.asarray(x)
    y[0] = 7
    assert int(x[0]) == 7
    z = isthmus.asarray(x, copy=True)
    z[0] = 8
    assert int(x[0]) == 7
    assert isthmus.asarray(x, dtype="float32").dtype == np.float32
    with pytest.raises(isthmus.CopyRefusedError, match="int64"):
        isthmus.asarray(x, dtype="float32", copy=False)
    with pytest.raises(isthmus.CopyRefusedError, match="null:2"):
        isthmus.asarray(x, device="null:2", copy=False)
    assert isthmus.asarray(x, device="null:2").device == isthmus.Device("null:2")


def test_a_device_that_reaches_the_memory_shares_it() -> None:
    x = isthmus.arange(3)
    y = isthmus.asarray(x, device="null:1", copy=False)  # reaches all host memory
    assert y.device == isthmus.Device("null:1")
    y[0] = 7
    x[1] = 8
    assert list(np.asarray(x)) == list(np.asarray(y)) == [7, 8, 2]
    back = isthmus.asarray(y, device="cpu", copy=False)
    del x, y
    back += 1
    assert list(np.asarray(back)) == [8, 9, 3]


def test_copy_true_copies() -> None:
    a = np.arange(3.0)
    x = isthmus.asarray(a, copy=True)
    a[0] = 9
    assert float(x[0]) == 0
    y = isthmus.asarray(jnp.arange(3.0), copy=True)
    y[0] = 5
    assert float(y[0]) == 5


def test_copy_false_shares() -> None:
    a = np.arange(3.0)
    x = isthmus.asarray(a, copy=False)
    a[0] = 9
    assert float(x[0]) == 9


def test_lists_are_counted_as_copies() -> None:
    before = isthmus.statistics()["copies"]
    isthmus.asarray([1, 2, 3])
    assert isthmus.statistics()["copies"] == before + 1


def test_arguments_are_checked() -> None:
    with pytest.raises(TypeError, match="copy"):
        isthmus.asarray(1, copy="yes")
    with pytest.raises(TypeError, match="order"):
        isthmus.asarray(1, order="C")
    with pytest.raises(TypeError, match="positional"):
        isthmus.asarray()


class Interrupting:
    def __dlpack__(self, **_: object) -> object:
        raise KeyboardInterrupt


def test_an_interrupt_in_a_producer_is_not_a_refusal() -> None:
    with pytest.raises(KeyboardInterrupt):
        isthmus.asarray(Interrupting())


class Nothing:
    def __dlpack__(self, **_: object) -> object:
        raise BufferError("not today")

    @property
    def __array_interface__(self) -> Any:
        return {"version": 9}


def test_every_protocol_says_why_it_refused() -> None:
    with pytest.raises(isthmus.ExchangeError, match=r"not today.*version"):
        isthmus.asarray(Nothing())
    found = isthmus.explain(Nothing())
    assert found.verdict == "impossible"
    assert "not today" in found.reason


def test_explain_says_what_asarray_does() -> None:
    a: Any = np.arange(3.0)
    assert isthmus.explain(a).verdict == "zero-copy"
    assert isthmus.explain(a).protocol == "ndarray"
    assert isthmus.explain(jnp.arange(3)).protocol == "dlpack"
    assert isthmus.explain(memoryview(a)).protocol == "buffer_protocol"
    assert isthmus.explain(jnp.arange(3)).reason == "read-only"
    assert isthmus.explain(a, device="null:2").verdict == "copy"
    assert isthmus.explain([1, 2]).verdict == "copy"
    assert isthmus.explain(3).verdict == "copy"
    assert isthmus.explain(object()).verdict == "impossible"
    packed = np.zeros(3, dtype=[("a", "i1"), ("b", "<f8")])["b"]
    assert isthmus.explain(packed).verdict == "copy"
    assert "zero-copy by ndarray" in repr(isthmus.explain(a))


NUMBERS: dict[str, Any] = {
    "text": "abc",
    "mixed": [1, "a"],
    "ragged": [[1], [1, 2]],
    "past_64_bits": 10**30,
    "list_past_64_bits": [10**30],
    "long_double": np.longdouble(3),
    "date": np.datetime64("2026-01-01"),
    "nothing": None,
    "set": {1, 2},
    "generator": (n for n in range(3)),
    "masked": np.ma.masked_equal([1, 2], 1),
    "number": 3.5,
    "complex": 1 + 2j,
    "scalar": np.float16(1),
    "nested": [[1, 2], (3, 4.0)],
    "range": range(3),
    "functions": [isthmus.ones, isthmus.ones],
    "empty": [],
}


@pytest.mark.parametrize("name", NUMBERS)
def test_explain_agrees_with_asarray_about_numbers_and_lists(name: str) -> None:
    obj = NUMBERS[name]
    copies = isthmus.statistics()["copies"]
    told = isthmus.explain(obj)
    assert isthmus.statistics()["copies"] == copies
    if told.verdict == "copy":
        assert isthmus.asarray(obj).ndim >= 0 and told.protocol == "numpy"
        assert "no memory to share" in told.reason
    else:
        assert told.verdict == "impossible" and told.protocol == "" and told.reason
        with pytest.raises((TypeError, ValueError, OverflowError, BufferError)):
            isthmus.asarray(obj)


def test_memory_is_copied_or_an_operation_runs_and_each_is_counted() -> None:
    a = np.arange(4, dtype=np.float32)
    for obj, how, copies, kernels in (
        (a, {}, 0, 0),
        ([1, 2], {}, 1, 0),
        (a.astype(">f4"), {}, 1, 0),
        (a, {"device": "null:2"}, 1, 0),
        (3.5, {}, 0, 1),
        (np.float32(3), {}, 0, 1),
        (a, {"dtype": "float64"}, 0, 1),
        (a, {"copy": True}, 0, 1),
    ):
        before = isthmus.statistics()
        isthmus.asarray(obj, **how).eval()
        after = isthmus.statistics()
        assert after["copies"] - before["copies"] == copies
        assert after["kernels"] - before["kernels"] == kernels


def test_explain_of_numbers_goes_by_what_the_device_has() -> None:
    poor = "null:2"
    assert not isthmus.Device(poor).info["fp64"]
    assert isthmus.explain(np.float64(3), poor).verdict == "impossible"
    assert isthmus.explain(3.5, poor).verdict == isthmus.explain([3.5], poor).verdict == "copy"


def test_explain_says_why_an_array_of_ours_is_shared() -> None:
    x = isthmus.ones(3).eval()
    assert isthmus.explain(x).reason.startswith("private")
    view = memoryview(x)
    assert isthmus.explain(x).reason.startswith("shared: 1 export")
    view.release()
    y = isthmus.asarray(np.arange(3.0)[:2])  # not in the assert, whose parts pytest holds
    assert isthmus.explain(y).reason.startswith("private")
    a = np.arange(3.0)
    assert "code outside of Isthmus" in isthmus.explain(isthmus.asarray(a)).reason
    assert set(isthmus.explain(x).exports) == set(isthmus.protocols())


def test_protocols_are_named_by_rank() -> None:
    names = isthmus.protocols()
    assert names[:3] == ("ndarray", "sycl_usm_array_interface", "dlpack_c_exchange")
