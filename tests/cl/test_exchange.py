"""Arrays of isthmus.cl and other libraries: DLPack with lanes, __array__."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, cast

import isthmus.cl.array as cl_array
import numpy as np
import pytest
from isthmus.cl import cltypes

import isthmus as xp
from tests.exchange import malformed
from tests.exchange.showing import head_of


def test_dlpack_shares_memory(queue: Any) -> None:
    x = cl_array.arange(queue, 6, dtype=np.float32).reshape(2, 3)
    part = x[:, ::2]
    shared = xp.from_dlpack(part)
    assert shared.tolist() == [[0, 2], [3, 5]]
    x += 10
    assert shared.tolist() == [[10, 12], [13, 15]]
    shared[0, 0] = 7
    assert (x + 0).get()[0, 0] == 7
    assert x.__dlpack_device__() == shared.__dlpack_device__()
    assert np.asarray(part).tolist() == [[7, 12], [13, 15]]
    assert np.asarray(part, np.int64).dtype == np.int64
    with pytest.raises(ValueError, match="map_to_host"):
        np.asarray(part, copy=False)


def test_lanes(queue: Any) -> None:
    vectors: Any = cltypes
    host = np.zeros(3, vectors.float4)
    host["y"] = np.arange(3)
    x = cl_array.to_device(queue, host)
    x += 1
    managed = head_of(x.__dlpack__(max_version=(1, 0)))
    assert managed.tensor.lanes == 4 and managed.tensor.ndim == 1
    y = cl_array.to_device(queue, xp.from_dlpack(x))
    assert y.dtype is vectors.float4 or y.dtype == vectors.float4
    assert (y * 2).get()["y"].tolist() == [2, 4, 6]
    producer = malformed.Producer()
    producer.shape[0], producer.shape[1] = 3, 2
    producer.strides[0], producer.strides[1] = 2, 1
    producer.tensor.lanes = 2
    z = cl_array.to_device(queue, producer)
    assert z.dtype == vectors.double2
    assert (z + 1).get()["y"].tolist() == [[2, 4], [6, 8], [10, 12]]


def test_get_async_on_a_queue_of_ours_does_not_wait(cl_queue: Any) -> None:
    """With the gate closed a call that waits hangs."""
    import pyopencl as cl

    in_order = cl.CommandQueue(cl_queue.context)
    queue = xp.Queue(in_order)
    x = cl_array.arange(queue, 50_000, dtype=np.float32) + 1
    x.finish()
    gate = cl.UserEvent(in_order.context)
    cl.enqueue_barrier(in_order, wait_for=[gate])
    found, event = x.get_async()
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    np.testing.assert_array_equal(found, np.arange(1, 50_001))
    into = np.empty(50_000, np.float32)
    cl_array.sum(x)
    (x[::-1] * 2).get_async(ary=into)  # nobody keeps the array or the event
    queue.synchronize()
    np.testing.assert_array_equal(into, np.arange(50_000, 0, -1) * 2)


def test_get_async_refuses_what_it_cannot_write(queue: Any) -> None:
    x = cl_array.arange(queue, 6, dtype=np.float32)
    fixed = np.zeros(6, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.get_async(ary=fixed)
    assert not fixed.any()


def test_functions_of_numpy_say_what_would_do(queue: Any) -> None:
    x = cl_array.arange(queue, 6, dtype=np.float32)
    calls: dict[str, Callable[[], Any]] = {
        r"^numpy\.sum does not .*isthmus\.cl\.array\.sum does, and x\.get\(\)": lambda: np.sum(
            x, 0
        ),
        r"^numpy\.max does not take .*isthmus\.cl\.array\.max does": lambda: np.max(x, axis=0),
        r"^numpy\.sin does not take .*isthmus\.cl\.clmath\.sin does": lambda: np.sin(x),
        r"^numpy\.add does not take .*its operator does": lambda: np.add(x, x),
        r"^expected an isthmus\.cl\.array\.Array or a number": lambda: np.ones(6) + x,
    }
    for text, call in calls.items():
        with pytest.raises(TypeError, match=text):
            call()
    assert np.median(x) == 2.5
    assert np.concatenate([x, x]).shape == (12,)
    assert np.real(x) is x


def test_scalars_of_numpy_are_first_operands(queue: Any) -> None:
    host = np.arange(6, dtype=np.float32)
    x, two = cl_array.to_device(queue, host), np.float32(2)
    calls: tuple[Callable[[Any], Any], ...] = (
        *(lambda v: two + v, lambda v: two - v, lambda v: two * v, lambda v: two / (v + 1)),
        *(lambda v: two**v, lambda v: two < v, lambda v: two >= v, lambda v: two == v),
        *(lambda v: two != v, lambda v: np.float64(3) - v, lambda v: np.int32(3) * v),
    )
    for call in calls:
        found: Any = call(x)
        assert isinstance(found, cl_array.Array)
        assert found.get().tolist() == call(host).tolist()
    found = np.int32(5) & cl_array.to_device(queue, host.astype(np.int32))
    assert found.get().tolist() == [0, 1, 0, 1, 4, 5]


def test_what_has_numbers_is_not_just_unequal(queue: Any) -> None:
    x = cl_array.arange(queue, 6, dtype=np.float32)
    number = type("Number", (), {"__float__": lambda self: 1.0})()
    for other in ({1, 2}, {1: 2}, collections.deque([1]), range(6), number):
        with pytest.raises(
            TypeError, match=r"^expected an isthmus\.cl\.array\.Array or a number, not"
        ):
            _ = x == other
        with pytest.raises(TypeError, match="or a number, not"):
            x + other
    same = cast("object", x == "text")
    assert same is False


def test_subset_dot_names_itself(queue: Any) -> None:
    x = cl_array.arange(queue, 6, dtype=np.float32)
    wrong = cl_array.to_device(queue, np.array([9], np.int32))
    with pytest.raises(IndexError, match="9 is out of bounds") as found:
        cl_array.subset_dot(wrong, x, x).get()
    if xp.asarray(x).device.info["unified_memory"]:  # else a kernel looks at them
        assert str(found.value).startswith("subset_dot: ")
