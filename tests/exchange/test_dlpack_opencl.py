"""kDLOpenCL: a cl_mem in a DLPack tensor, of any driver and any context."""

from __future__ import annotations

import ctypes
import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("opencl_peers")
malformed = importlib.import_module("malformed")
isthmus, cl, cla = peers.isthmus, peers.cl, peers.cla

pytestmark = [
    pytest.mark.usefixtures("opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
]
VERSION = (1, 3)
each = pytest.mark.parametrize("device", peers.DEVICES)


def kinds_of(device: str) -> list[str]:
    memory_kinds = isthmus.devices(verbose=True)["devices"][device]["memory_kinds"]
    return [str(kind) for kind in memory_kinds]


@each
def test_kDLOpenCL_tensors_by_hand_are_read_from_their_byte_offset(device: str) -> None:
    producer = buffer_producer(device)
    producer.tensor.byte_offset = 8
    producer.shape[0] = 2
    x = isthmus.from_dlpack(producer)
    assert x.device == isthmus.Device(device)
    assert np.asarray(x.to_device("cpu")).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    x[0, 0] = 50
    seen = np.empty(12)
    cl.enqueue_copy(cl.CommandQueue(producer.buffer.context), seen, producer.buffer)
    assert seen[1] == 50
    del x
    assert producer.deleted == 1


def buffer_producer(device: str, context: Any = None) -> Any:
    producer = malformed.Producer()
    context = context or isthmus.Queue(device).context.to_pyopencl()
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    producer.buffer = cl.Buffer(context, flags, hostbuf=np.arange(12.0))
    producer.tensor.data = producer.buffer.int_ptr
    producer.tensor.device_type = 4
    producer.tensor.device_id = isthmus.Device(device).index
    return producer


BAD: dict[str, tuple[str, Any]] = {
    "odd_offset": ("byte_offset", lambda p: setattr(p.tensor, "byte_offset", 3)),
    "past_the_buffer": ("data", lambda p: setattr(p.tensor, "byte_offset", 8)),
    "below_the_buffer": ("data", lambda p: p.strides.__setitem__(0, -4)),
    "null": ("data", lambda p: setattr(p.tensor, "data", None)),
    "no_such_number": ("device", lambda p: setattr(p.tensor, "device_id", 77)),
}


@each
@pytest.mark.parametrize("name", BAD)
def test_malformed_kDLOpenCL_tensors_are_refused_by_field(name: str, device: str) -> None:
    field, spoil = BAD[name]
    producer = buffer_producer(device)
    spoil(producer)
    with pytest.raises(isthmus.ExchangeError, match=f"{field}:"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1


@each
def test_a_number_of_another_driver_is_refused_and_both_are_named(device: str) -> None:
    for other in peers.DEVICES:
        if other == device:
            continue
        producer = buffer_producer(device)
        producer.tensor.device_id = isthmus.Device(other).index
        with pytest.raises(isthmus.ExchangeError, match=rf"device: \(4, .*is of {device}"):
            isthmus.from_dlpack(producer)


@each
@pytest.mark.parametrize("handle", ["a_number", "host_memory"])
def test_what_is_no_cl_mem_is_refused_by_field(handle: str, device: str) -> None:
    producer = buffer_producer(device)
    addresses = {"a_number": 12345, "host_memory": ctypes.addressof(producer.memory)}
    producer.tensor.data = addresses[handle]
    with pytest.raises(isthmus.ExchangeError, match="data:"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1


def test_another_handle_of_the_driver_is_refused_by_field() -> None:
    # Intel's says so; PoCL takes our word for it, and ends the process
    producer = buffer_producer("opencl:0")
    queue = peers.queue_of("opencl:0")
    producer.tensor.data = queue.int_ptr
    with pytest.raises(isthmus.ExchangeError, match=r"data: .*cl_mem"):
        isthmus.from_dlpack(producer)


@each
def test_buffers_of_a_users_context_go_both_ways(device: str) -> None:
    context = peers.context_of(device)
    producer = buffer_producer(device, context)
    x = isthmus.from_dlpack(producer)
    assert str(x.device) == device
    assert x.memory._context == isthmus.Context(context)
    x += 1
    queue = cl.CommandQueue(context)
    seen = np.empty(12)
    isthmus.synchronize(device)
    cl.enqueue_copy(queue, seen, producer.buffer)
    assert np.array_equal(seen, np.arange(12.0) + 1)
    number = isthmus.Device(device).index
    assert x.__dlpack_device__() == (4, number)
    y = isthmus.from_dlpack(x)  # by a capsule of ours
    y[0, 0] = 50
    a = cla.to_device(queue, np.arange(8, dtype=np.float32))
    b = isthmus.asarray(a)
    capsule = b.__dlpack__(max_version=VERSION, stream=queue)
    del capsule
    assert float(x[0, 0]) == 50
    with pytest.raises(isthmus.DeviceMismatchError, match="context"):
        b.__dlpack__(max_version=VERSION, stream=isthmus.Queue(device))
    del x, y
    gc.collect()
    assert producer.deleted == 1


@each
def test_a_copy_is_of_the_kind_that_the_array_is_of(device: str) -> None:
    for kind in kinds_of(device):
        m = isthmus.memory.MemoryBuffer(64, kind=kind, queue=device)
        x = isthmus.from_memory(m, (16,), "float32")
        x[...] = isthmus.arange(16, dtype="float32", device=device)
        own = x.__dlpack_device__()
        if own[0] == 12:
            continue  # it has no form
        for asked in (None, own):

            class Copied:
                def __dlpack_device__(self, own: Any = own) -> Any:
                    return own

                def __dlpack__(self, x: Any = x, asked: Any = asked, **_: Any) -> Any:
                    return x.__dlpack__(max_version=VERSION, copy=True, dl_device=asked)

            y = isthmus.from_dlpack(Copied())
            assert y.__dlpack_device__() == own
            assert np.array_equal(np.asarray(y.to_device("cpu")), np.arange(16))
            y[0] = 9
            assert float(x[0]) == 0


@each
def test_a_form_that_usm_has_not_is_refused_with_what_can_be_had(device: str) -> None:
    if kinds_of(device)[0] == "buffer":
        pytest.skip("its memory is buffers, which have that form")
    x = isthmus.zeros(3, device=device)
    number = isthmus.Device(device).index
    with pytest.raises(BufferError, match=r"dl_device: \(4, .*USM.*; \(1, 0\) is"):
        x.__dlpack__(max_version=VERSION, dl_device=(4, number))
