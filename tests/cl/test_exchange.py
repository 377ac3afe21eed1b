"""Arrays of isthmus.cl and other libraries: DLPack with lanes, __array__."""

from __future__ import annotations

from typing import Any

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
