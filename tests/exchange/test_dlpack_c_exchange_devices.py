"""The C exchange API on memory of devices: its tensors, its streams, and the order of the work."""

from __future__ import annotations

import ctypes
import functools
import gc
import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
clpeers = importlib.import_module("opencl_peers")
peers = importlib.import_module("sycl_peers")
slow = importlib.import_module("slow_work")
c_table = importlib.import_module("c_table")
isthmus, malformed, dpctl, dpt = peers.isthmus, c_table.malformed, peers.dpctl, peers.dpt
cl = clpeers.cl
tvm_ffi: Any = pytest.importorskip("tvm_ffi", reason="pip install apache-tvm-ffi")

pytestmark = [
    pytest.mark.usefixtures("sycl", "opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
N = 16


def shows_itself(device: str) -> bool:
    """Whether memory of the device has a form of its own in DLPack: USM of SYCL, and buffers."""
    x = isthmus.zeros(1, device=device)
    return bool(x.__dlpack_device__()[0] in (4, 14))


DEVICES = [d for d in (*clpeers.DEVICES, *peers.DEVICES) if shows_itself(d)]
each = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture(autouse=True)
def _launched() -> Iterator[None]:
    isthmus.config.inline = "0"  # what the host itself does has ended when the call returns
    yield


def fives_to_come(device: str) -> tuple[Any, Any]:
    """An array of ours that is fives once the gate is open."""
    on_sycl = device.startswith("sycl")
    y, gate, _ = clpeers.behind_a_gate("opencl:0" if on_sycl else device)
    return isthmus.asarray(y, device=device, copy=False), gate


class Shows:
    """USM at an address, on a queue."""

    def __init__(self, address: int, queue: Any) -> None:
        self.__sycl_usm_array_interface__ = {
            "data": (address, False),
            "shape": (N,),
            "strides": None,
            "typestr": "<f4",
            "version": 1,
            "syclobj": queue,
        }


def new_queue(device: str) -> Any:
    """Another one of the default context."""
    if device.startswith("sycl"):
        return isthmus.Queue(dpctl.SyclQueue(property=["in_order"]))
    return isthmus.Queue(cl.CommandQueue(isthmus.Queue(device).context.to_pyopencl()))


def sycl_queue_at(address: int) -> Any:
    return dpctl.SyclQueue(isthmus.Queue(address, "sycl:0")._get_capsule())


def on_queue(address: int, queue: Any) -> Any:
    """USM at an address as an array of dpnp's that works on the queue."""
    memory = peers.usm.as_usm_memory(Shows(address, queue))
    return dpt.usm_ndarray((N,), dtype="f4", buffer=memory)


@functools.cache
def tens() -> tuple[int, Any]:
    """Made once, since dpnp waits when it makes an array, and when it shows one."""
    made = dpt.full(N, 10, dtype="f4")
    return peers.pointer_of(made), made


def add_ten(device: str, data: int, stream: int, is_held: bool = False) -> Any:
    """What a consumer enqueues on the stream that it was told: x += 10. Waits for nothing. If it
    is held, a gate keeps it from running."""
    gate = None
    if device.startswith("sycl"):
        queue = sycl_queue_at(stream)
        if is_held:
            gate = slow.hold(queue)
        x = on_queue(data, queue)
        dpt.add(x, on_queue(tens()[0], queue), out=x)
    else:
        queue = cl.CommandQueue.from_int_ptr(stream)
        if is_held:
            gate = clpeers.Gate(queue.context)
        waits = [gate.event] if gate else None
        clpeers.add(queue, cl.Buffer.from_int_ptr(data), N, 10, wait_for=waits)
        queue.flush()
    return gate


def warm_up(device: str) -> None:
    """What is new to dpnp takes a while."""
    x = isthmus.zeros(N, dtype="float32", device=device).eval()
    isthmus.synchronize(device)
    add_ten(device, c_table.borrowed_of(x).data, c_table.stream_of(x.__dlpack_device__()))
    isthmus.synchronize(device)
    assert np.all(peers.values_of(x) == 10)


@each
def test_the_stream_is_this_threads_current_queue(device: str) -> None:
    named = isthmus.zeros(1, device=device).__dlpack_device__()
    own = c_table.stream_of(named)
    assert own is not None and own == c_table.stream_of(named)  # borrowed: not a new one each time
    other = new_queue(device)
    with other:
        theirs = c_table.stream_of(named)
    assert theirs not in (None, own)
    assert c_table.stream_of(named) == own
    if named[0] == 4:
        assert own == isthmus.current_queue(device).to_pyopencl().int_ptr
    else:
        assert sycl_queue_at(own) == dpctl.SyclQueue(isthmus.current_queue(device)._get_capsule())


@each
def test_an_owning_tensor_says_where_it_lies_and_is_an_export_until_its_deleter(
    device: str,
) -> None:
    x = isthmus.reshape(isthmus.arange(6, dtype="float32", device=device), (2, 3)).eval()
    managed = c_table.managed_of(x[1:, ::-1])
    tensor = managed.tensor
    assert (tensor.device_type, tensor.device_id) == x.__dlpack_device__()
    assert [tensor.shape[i] for i in range(2)] == [1, 3]
    assert tensor.strides[1] == -1
    assert isthmus.explain(x).reason.startswith("shared")
    back = c_table.array_of(managed)
    assert back.device == x.device
    assert np.array_equal(peers.values_of(back), [[5, 4, 3]])
    back[0, 0] = 50
    assert float(x[1, 2]) == 50
    assert not isthmus.explain(x).reason.startswith("shared")  # nobody else has it any more


def on_the_same_queue(x: Any) -> Any:
    return x + 1


def on_another_queue(x: Any) -> Any:
    with new_queue(str(x.device)):
        return (x + 1).eval()


def on_the_host(x: Any) -> Any:
    return np.asarray(x.to_device("cpu")) + 1


NEXT: list[Callable[[Any], Any]] = [on_the_same_queue, on_another_queue, on_the_host]


def shown(x: Any, borrow: bool) -> tuple[Any, Callable[[], None]]:
    """A tensor of it, and what ends that."""
    if borrow:
        return c_table.borrowed_of(x), lambda: None
    managed = c_table.managed_of(x)
    return managed.tensor, lambda: managed.deleter(ctypes.addressof(managed))


each_way = pytest.mark.parametrize("borrow", [True, False], ids=["borrowed", "owned"])


@each
@each_way
def test_work_on_the_stream_comes_behind_ours(borrow: bool, device: str) -> None:
    warm_up(device)
    x, gate = fives_to_come(device)
    tensor, end = shown(x, borrow)
    add_ten(device, tensor.data, c_table.stream_of(x.__dlpack_device__()))
    end()
    assert not gate.is_open  # nobody waited
    threading.Timer(0.1, gate.open).start()
    assert np.all(peers.values_of(x) == 15)


@each
@each_way
@pytest.mark.parametrize("use", NEXT)
def test_our_next_comes_behind_work_on_the_stream(
    use: Callable[[Any], Any], borrow: bool, device: str
) -> None:
    warm_up(device)
    x = isthmus.full(N, 5, dtype="float32", device=device).eval()
    isthmus.synchronize(device)
    tensor, end = shown(x, borrow)
    gate = add_ten(device, tensor.data, c_table.stream_of(x.__dlpack_device__()), is_held=True)
    end()  # its work has not ended with it
    assert not gate.is_open
    threading.Timer(0.1, gate.open).start()
    assert np.all(np.asarray(isthmus.asarray(use(x)).to_device("cpu")) == 16)
    assert np.all(peers.values_of(x) == 15)


@each
def test_work_that_was_put_off_reads_what_was_there_before_the_borrower(device: str) -> None:
    warm_up(device)
    x = isthmus.full(N, 5, dtype="float32", device=device).eval()
    y = x + 1
    tensor = c_table.borrowed_of(x)
    add_ten(device, tensor.data, c_table.stream_of(x.__dlpack_device__()))
    assert np.all(peers.values_of(y) == 6)
    assert np.all(peers.values_of(x) == 15)


@each
def test_memory_that_a_borrower_works_on_is_not_given_to_others(device: str) -> None:
    warm_up(device)
    x = isthmus.full(N, 5, dtype="float32", device=device).eval()
    isthmus.synchronize(device)
    data = c_table.borrowed_of(x).data
    gate = add_ten(device, data, c_table.stream_of(x.__dlpack_device__()), is_held=True)
    del x
    gc.collect()
    with new_queue(device):
        new = [isthmus.full(N, 3, dtype="float32", device=device).eval() for _ in range(8)]
        assert data not in [c_table.borrowed_of(y).data for y in new] or gate.is_open
    gate.open()
    isthmus.synchronize(device)
    for y in new:
        assert np.all(peers.values_of(y) == 3)


@each
def test_a_consumers_function_gets_our_tensor_and_our_stream(device: str) -> None:
    warm_up(device)
    x, gate = fives_to_come(device)
    named = x.__dlpack_device__()
    seen = []

    def call(tensor: Any) -> None:
        stream = tvm_ffi.get_raw_stream(tensor.device)
        seen.append((tensor.device.dlpack_device_type(), tensor.device.index, stream))
        add_ten(device, tensor.data_ptr(), stream)

    tvm_ffi.register_global_func("isthmus.tests.call", call, override=True)
    tvm_ffi.get_global_func("isthmus.tests.call")(x)
    assert seen == [(*named, c_table.stream_of(named))]
    assert not gate.is_open
    threading.Timer(0.1, gate.open).start()
    assert np.all(peers.values_of(x + 1) == 16)
    tensor = tvm_ffi.from_dlpack(x)
    assert isthmus.explain(tensor).verdict == "zero-copy"
    assert isthmus.from_dlpack(tensor).device == x.device
    tvm_ffi.remove_global_func("isthmus.tests.call")


@each
def test_a_new_tensor_is_allocated_on_the_device_of_its_prototype(device: str) -> None:
    named = isthmus.zeros(1, device=device).__dlpack_device__()
    shape = (ctypes.c_int64 * 2)(2, 3)
    prototype = malformed.DLTensor(None, *named, 2, 2, 32, 1, shape, None, 0)
    out = ctypes.c_void_p()
    set_error = c_table.SET_ERROR(lambda *_: None)
    allocate = c_table.ours().allocate
    assert allocate(ctypes.addressof(prototype), ctypes.addressof(out), None, set_error) == 0
    managed = malformed.Versioned.from_address(out.value)
    assert (managed.tensor.device_type, managed.tensor.device_id) == named
    made = c_table.array_of(managed)
    assert (str(made.device), made.shape, str(made.dtype)) == (device, (2, 3), "float32")
    made[...] = 7
    assert float(isthmus.sum(made)) == 42


# ---- as consumer


class Peer:
    """A type with a table of its own, which shows USM of dpctl and says where it works on it."""

    def __init__(self, queue: Any) -> None:
        self.queue = queue
        self.usm = dpt.full(N, 5, dtype="f4", sycl_queue=queue)
        queue.wait()
        producer = malformed.Producer()
        producer.shape, producer.strides = (ctypes.c_int64 * 1)(N), (ctypes.c_int64 * 1)(1)
        producer.managed.tensor = malformed.DLTensor(
            peers.pointer_of(self.usm), 14, 0, 1, 2, 32, 1, producer.shape, producer.strides, 0
        )
        self.producer = producer
        self.table = c_table.Table(1, 3, None)
        self.table.set("from_object", self._from_object)
        self.table.set("stream", self._stream)
        self.told: int | None = queue.addressof_ref()
        self.status = 0

    def _from_object(self, _: object, out: int) -> int:
        return int(c_table.put(out, ctypes.addressof(self.producer.managed)))

    def _stream(self, type: int, id: int, out: int) -> int:
        assert (type, id) == (14, 0)
        c_table.put(out, self.told)
        return self.status

    def object(self) -> Any:
        return type("Shown", (), {"__dlpack_c_exchange_api__": c_table.capsule_of(self.table)})()


@pytest.mark.parametrize("in_order", [False, True], ids=["out_of_order", "in_order"])
def test_a_peers_stream_is_where_we_take_turns_with_it(in_order: bool) -> None:
    queue = dpctl.SyclQueue(property=["in_order"] if in_order else [])
    peer = Peer(queue)
    x = isthmus.from_dlpack(peer.object())
    assert str(x.device) == "sycl:0"
    warm_up("sycl:0")
    y, gate = fives_to_come("sycl:0")
    ten = dpt.full(N, 10, dtype="f4", sycl_queue=queue)
    dpt.add(ten, ten, out=dpt.empty_like(ten))
    queue.wait()
    held = y.__dlpack__(max_version=(1, 3), stream=queue)  # what comes there waits for the gate
    del held
    dpt.add(peer.usm, ten, out=peer.usm)
    assert not gate.is_open
    threading.Timer(0.1, gate.open).start()
    x += 1  # behind its work
    dpt.add(peer.usm, ten, out=peer.usm)  # behind ours
    queue.wait()
    assert np.all(peers.values_of(x) == 26)
    assert np.all(dpt.asnumpy(peer.usm) == 26)
    del x
    assert peer.producer.deleted == 1


def test_tvm_ffis_own_table_names_the_stream_that_is_set_there() -> None:
    warm_up("sycl:0")
    x, gate = fives_to_come("sycl:0")
    other = dpctl.SyclQueue(property=["in_order"])
    tensor = tvm_ffi.from_dlpack(x)
    wrapped = tvm_ffi.core.DLTensorTestWrapper(tensor)
    with tvm_ffi.use_raw_stream(tensor.device, other.addressof_ref()):
        y = isthmus.from_dlpack(wrapped)
    add_ten("sycl:0", x.memory._pointer, other.addressof_ref())  # behind ours, by our barrier
    assert not gate.is_open
    threading.Timer(0.1, gate.open).start()
    assert np.all(peers.values_of(y + 1) == 16)


def test_what_was_made_on_our_stream_becomes_an_array_in_order_with_it() -> None:
    warm_up("sycl:0")
    stream = c_table.stream_of((14, 0))
    assert stream is not None
    peer = Peer(sycl_queue_at(stream))
    y, gate = fives_to_come("sycl:0")
    y += 1
    add_ten("sycl:0", peer.producer.tensor.data, stream)  # behind `y`
    assert not gate.is_open
    x = c_table.array_of(peer.producer.managed)
    threading.Timer(0.1, gate.open).start()
    assert np.all(peers.values_of(x) == 15)
    del x
    assert peer.producer.deleted == 1


def test_a_peer_whose_stream_is_none_or_wrong_is_refused_by_name_and_its_tensor_ended() -> None:
    peer = Peer(dpctl.SyclQueue())
    shown = peer.object()
    peer.told, number = 4096, ctypes.c_uint64(77)
    with pytest.raises(isthmus.ExchangeError, match=r"address of a sycl::queue"):
        isthmus.from_dlpack(shown)
    peer.told = ctypes.addressof(number)
    with pytest.raises(isthmus.ExchangeError, match=r"address of a sycl::queue"):
        isthmus.from_dlpack(shown)
    peer.status = -1
    with pytest.raises(isthmus.ExchangeError, match="current_work_stream"):
        isthmus.from_dlpack(shown)
    assert peer.producer.deleted == 3
    peer.status, peer.told = 0, None  # it does not say: then we wait
    x = isthmus.from_dlpack(shown)
    assert np.all(peers.values_of(x) == 5)
