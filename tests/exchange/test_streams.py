"""`stream` of __dlpack__: every spelling of SYCL's and OpenCL's queues, and order without waits."""

from __future__ import annotations

import ctypes
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")

sys.path.insert(0, str(Path(__file__).parent))
malformed = importlib.import_module("malformed")
peers = importlib.import_module("opencl_peers")
cl, cla = peers.cl, peers.cla
dpctl: Any = pytest.importorskip("dpctl")
dpnp: Any = pytest.importorskip("dpnp")

pytestmark = [
    pytest.mark.usefixtures("sycl", "opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

VERSION = (1, 3)
THEIR_QUEUE = dpctl.SyclQueue()  # whoever gives an address keeps what is there
BUFFERS = [d for d in peers.DEVICES if isthmus.Device(d).info["memory_kinds"][0] == "buffer"]


class Gives:
    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def _get_capsule(self) -> object:
        return self.capsule


def sycl_spellings() -> dict[str, Any]:
    q = THEIR_QUEUE
    return {
        "none": None,
        "minus_one": -1,
        "dpctl": q,
        "in_order": dpctl.SyclQueue(property="in_order"),
        "capsule": q._get_capsule(),
        "object": Gives(q._get_capsule()),
        "address": q.addressof_ref(),
        "ours": isthmus.Queue("sycl:0"),
        "ours_of_theirs": isthmus.Queue(q),
        "pyopencl": isthmus.Queue("opencl:0").to_pyopencl(),
    }


def opencl_spellings(device: str) -> dict[str, Any]:
    q = isthmus.Queue(device).to_pyopencl()
    return {
        "none": None,
        "minus_one": -1,
        "pyopencl": q,
        "out_of_order": peers.out_of_order(q.context),
        "address": q.int_ptr,
        "ours": isthmus.Queue(device),
    }


def tensor_of(x: Any, **how: Any) -> tuple[Any, Any]:
    """A capsule and its tensor, which lives as long."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = x.__dlpack__(max_version=VERSION, **how)
    return capsule, malformed.Versioned.from_address(get(capsule, b"dltensor_versioned")).tensor


SYCL_NAMES = (
    *("none", "minus_one", "dpctl", "in_order", "capsule", "object", "address", "ours"),
    *("ours_of_theirs", "pyopencl"),
)


@pytest.mark.parametrize("name", SYCL_NAMES)
def test_L8_every_spelling_of_a_sycl_queue_is_a_stream(name: str) -> None:
    stream = sycl_spellings()[name]
    x = isthmus.arange(6, dtype="float32", device="sycl:0") + 1
    capsule, tensor = tensor_of(x, stream=stream)
    assert tensor.device_type == 14
    x += 1  # takes turns with that queue
    assert np.array_equal(np.asarray(x), np.arange(6) + 2.0)
    del capsule
    assert float(isthmus.sum(x)) == 27
    legacy = x.__dlpack__(stream=sycl_spellings()[name])
    del legacy


@pytest.mark.parametrize("device", BUFFERS)
@pytest.mark.parametrize(
    "name", ["none", "minus_one", "pyopencl", "out_of_order", "address", "ours"]
)
def test_L8_every_spelling_of_an_opencl_queue_is_a_stream(name: str, device: str) -> None:
    x = isthmus.arange(6, dtype="float32", device=device) + 1
    capsule, tensor = tensor_of(x, stream=opencl_spellings(device)[name])
    assert tensor.device_type == 4
    x += 1
    assert np.array_equal(np.asarray(x.to_device("cpu")), np.arange(6) + 2.0)
    del capsule
    assert float(isthmus.sum(x)) == 27


@pytest.mark.parametrize("stream", [0, 1, 2, -2, -(2**70)])
def test_L8_other_numbers_are_no_queues(stream: int) -> None:
    x = isthmus.zeros(3, device="sycl:0")
    with pytest.raises(ValueError, match="stream"):
        x.__dlpack__(max_version=VERSION, stream=stream)


@pytest.mark.parametrize("stream", ["no such filter", object(), 1.5, dpctl])
def test_L8_other_objects_are_no_queues(stream: object) -> None:
    x = isthmus.zeros(3, device="sycl:0")
    with pytest.raises(BufferError, match="stream"):
        x.__dlpack__(max_version=VERSION, stream=stream)


def test_L8_a_context_is_no_queue() -> None:
    x = isthmus.zeros(3, device="sycl:0")
    with pytest.raises(BufferError, match=r"stream.*context"):
        x.__dlpack__(max_version=VERSION, stream=dpctl.SyclQueue().sycl_context)


@pytest.mark.parametrize("device", BUFFERS)
def test_L8_the_consumers_queue_comes_behind_our_work_without_a_wait(device: str) -> None:
    isthmus.config.inline = "0"
    y, gate, own = peers.behind_a_gate(device)
    queue = cl.CommandQueue(own)
    capsule, tensor = tensor_of(y, stream=queue)
    was_open = gate.is_open
    buffer = cl.Buffer.from_int_ptr(tensor.data)
    peers.add(queue, buffer, 16, 1)
    queue.flush()
    gate.open()
    z = (y + 1).eval()  # behind the consumer's kernel
    assert np.all(np.asarray(z.to_device("cpu")) == 7)
    assert not was_open
    del capsule


@pytest.mark.parametrize("device", BUFFERS)
def test_L8_none_waits_and_minus_one_does_not(device: str) -> None:
    isthmus.config.inline = "0"
    y, gate, own = peers.behind_a_gate(device)
    capsule, _ = tensor_of(y, stream=-1)
    assert not gate.is_open
    del capsule
    gate.open()
    capsule, tensor = tensor_of(y)
    seen = np.empty(16, np.float32)
    cl.enqueue_copy(cl.CommandQueue(own), seen, cl.Buffer.from_int_ptr(tensor.data))
    assert np.all(seen == 5)
    del capsule


def test_L8_a_sycl_queue_comes_behind_work_of_an_opencl_queue_on_the_same_memory() -> None:
    isthmus.config.inline = "0"
    x, gate, _ = peers.behind_a_gate("opencl:0")  # USM
    s = isthmus.asarray(x, device="sycl:0", copy=False)
    q = dpctl.SyclQueue()
    capsule, tensor = tensor_of(s, stream=q)
    was_open = gate.is_open
    gate.open()
    q.wait()
    seen = np.ctypeslib.as_array((ctypes.c_float * 16).from_address(tensor.data))
    assert np.all(seen == 5)
    assert not was_open
    del capsule, seen


def test_the_stream_orders_what_we_do_after_the_consumer_has_let_go() -> None:
    isthmus.config.inline = "0"
    own = isthmus.Queue("opencl:0").context.to_pyopencl()
    queue = cl.CommandQueue(own)
    x = isthmus.zeros((16,), dtype="float32", device="opencl:0").eval()
    s = isthmus.asarray(x, device="sycl:0", copy=False)
    capsule, tensor = tensor_of(s, stream=queue)
    gate = peers.Gate(own)
    bytes_of_it = (ctypes.c_float * 16).from_address(tensor.data)
    svm = cl.SVM(np.ctypeslib.as_array(bytes_of_it))
    peers.add(queue, svm, 16, 3, wait_for=[gate.event])
    queue.flush()
    del capsule  # its deleter does not mean that the kernel has ended
    gate.open()
    assert np.all(np.asarray(x + 1) == 4)
    del svm, bytes_of_it


class Asked:
    """An array of dpnp that notes how its capsule was asked for."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()

    def __dlpack__(self, **given: Any) -> object:
        self.asked.append(given)
        capsule: object = self.array.__dlpack__(**given)
        return capsule


def test_L8_as_consumers_we_pass_our_queue_in_the_form_that_dpnp_takes() -> None:
    peer = Asked(dpnp.asarray(np.arange(6.0)))
    x = isthmus.from_dlpack(peer)
    assert float(isthmus.sum(x)) == 15
    stream = peer.asked[0]["stream"]
    assert isinstance(stream, dpctl.SyclQueue)
    assert stream == dpctl.SyclQueue(isthmus.current_queue("sycl:0")._get_capsule())
    q = dpctl.SyclQueue(property="in_order")
    with isthmus.Queue(q):
        isthmus.from_dlpack(peer)
    assert peer.asked[1]["stream"] == q


def test_a_producer_that_names_its_queue_is_asked_with_that_one() -> None:
    peer = Asked(dpnp.asarray(np.arange(6.0)))
    peer.sycl_queue = peer.array.sycl_queue  # type: ignore[attr-defined]
    x = isthmus.from_dlpack(peer)
    assert peer.asked[0]["stream"] is peer.array.sycl_queue
    peer.array += 1  # on that queue, which our work comes behind
    assert float(isthmus.sum(x)) == 21


def test_L4_a_producer_that_takes_no_stream_is_asked_without() -> None:
    d = dpnp.asarray(np.arange(6.0))

    class Old:
        def __dlpack_device__(self) -> Any:
            return d.__dlpack_device__()

        def __dlpack__(self, *, max_version: Any = None) -> Any:
            return d.__dlpack__(max_version=max_version)

    assert float(isthmus.sum(isthmus.from_dlpack(Old()))) == 15


class Elsewhere(malformed.Producer):  # type: ignore[misc,name-defined]
    """Memory of a device that we have no backend for, asked as its page says."""

    def __init__(self, device: tuple[int, int], legacy: bool) -> None:
        super().__init__(legacy)
        self.device = self.tensor.device_type, self.tensor.device_id = device
        self.streams: list[object] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: object = None, **how: object) -> object:
        self.streams.append(stream)
        return super().__dlpack__(**how)


CUDA, ROCM = (2, 0), (10, 1)


def refused_by_name(device: tuple[int, int], legacy: bool) -> None:
    named = r"device: \({}, {}\)".format(*device)
    for take in (isthmus.from_dlpack, isthmus.asarray):
        producer = Elsewhere(device, legacy)
        with pytest.raises(isthmus.ExchangeError, match=named):
            take(producer)
        assert producer.deleted == 1
        assert set(producer.streams) <= {None}  # a stream that means something there, or none
    told = isthmus.explain(Elsewhere(device, legacy))
    assert told.verdict == "impossible" and str(device) in told.reason
    for ours in ("cpu", "sycl:0", "opencl:0"):
        x = isthmus.zeros(3, device=ours)
        with pytest.raises(BufferError, match=r"dl_device: \({}, {}\)".format(*device)):
            x.__dlpack__(max_version=VERSION, dl_device=device)


@pytest.mark.parametrize("legacy", [False, True])
def test_L5_memory_of_CUDA_is_refused_by_name(legacy: bool) -> None:
    refused_by_name(CUDA, legacy)


@pytest.mark.parametrize("legacy", [False, True])
def test_L6_memory_of_ROCm_is_refused_by_name(legacy: bool) -> None:
    refused_by_name(ROCM, legacy)


def test_dpnps_work_that_is_under_way_comes_first() -> None:
    isthmus.config.inline = "0"
    d = dpnp.asarray(np.full(200_000, 1, np.float32))
    for _ in range(30):
        d += 1  # on an out-of-order queue
    x = isthmus.from_dlpack(d)
    y = x + 1
    d[...] = 0  # behind our reading
    assert np.all(np.asarray(y) == 32)
    assert np.all(dpnp.asnumpy(d) == 0)
    x += 5
    d += 1
    assert np.all(np.asarray(x) == 6)


@pytest.mark.parametrize("name", [n for n in SYCL_NAMES if n not in ("minus_one", "pyopencl")])
def test_to_device_takes_every_spelling_of_a_sycl_queue(name: str) -> None:
    x = isthmus.arange(6, dtype="float32") + 1
    there = x.to_device("sycl:0", stream=sycl_spellings()[name])
    here = (there + 1).to_device("cpu", stream=sycl_spellings()[name])
    assert str(there.device) == "sycl:0" and np.array_equal(here, np.arange(6) + 2.0)
    assert there.to_device("sycl:0", stream=sycl_spellings()[name]) is there


@pytest.mark.parametrize("device", peers.DEVICES)
def test_to_device_puts_the_copy_on_the_queue(device: str) -> None:
    queue = peers.queue_of(device)
    x = isthmus.arange(6, dtype="float32").to_device(device, stream=queue)
    assert x.to_pyopencl(queue=queue).queue == queue, "memory of the queue's own context"
    assert isthmus.current_queue(device) != isthmus.Queue(queue)
    assert np.array_equal(x.to_device("cpu", stream=queue), np.arange(6))
    with pytest.raises(isthmus.DeviceMismatchError, match="context"):
        isthmus.zeros(6, dtype="float32", device=device).eval() + x


def test_to_device_refuses_what_is_no_queue_of_the_device() -> None:
    x = isthmus.zeros(3)
    with pytest.raises(isthmus.DeviceMismatchError, match=r"stream.*opencl:0.*sycl:0"):
        x.to_device("sycl:0", stream=isthmus.Queue("opencl:0"))
    with pytest.raises(ValueError, match="-1 is not a queue"):
        x.to_device("sycl:0", stream=-1)
    with pytest.raises(BufferError, match="stream"):
        x.to_device("sycl:0", stream="no such filter")
    with pytest.raises(isthmus.DeviceMismatchError, match=r"stream.*sycl:0.*cpu"):
        x.to_device("cpu", stream=isthmus.Queue("sycl:0"))


def test_a_number_of_any_size_is_named_in_the_error() -> None:
    x = isthmus.zeros(3, device="sycl:0")
    for number in (2**64 + 5, -7, 1):
        with pytest.raises(ValueError, match=f"stream: {number} is not the address of a queue"):
            x.__dlpack__(stream=number)
