"""Exchange of memory that a queue is still writing: a gate keeps its kernel from running on."""

from __future__ import annotations

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
isthmus, dpctl, usm, dpt = peers.isthmus, peers.dpctl, peers.usm, peers.dpt
Work: Any = slow.Work
hold, queue_of, seen_by_the_host = slow.hold, slow.queue_of, slow.seen_by_the_host
cl, cla = clpeers.cl, clpeers.cla
dpnp: Any = importlib.import_module("dpnp")
importlib.import_module("dpnp.exceptions")
jax: Any = pytest.importorskip("jax")

pytestmark = [
    pytest.mark.usefixtures("sycl", "opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
N = slow.N
orders = pytest.mark.parametrize("in_order", [False, True], ids=["out_of_order", "in_order"])
each_device = pytest.mark.parametrize("device", clpeers.DEVICES)


@pytest.fixture(autouse=True)
def _launched() -> Iterator[None]:
    isthmus.config.inline = "0"  # what the host itself does has ended when the call returns
    yield


def test_dpnp_waits_for_its_own_work_when_it_shows_an_array() -> None:
    work = Work()
    work.open_soon()
    assert work.a.__sycl_usm_array_interface__["version"] == 1
    assert work.has_run()  # if not, dpnp mended it: `Work.shown` can go


IMPORTS: dict[str, Callable[[Work], Any]] = {
    "sycl_usm_array_interface": lambda work: isthmus.asarray(work.shown),
    "dlpack": lambda work: isthmus.from_dlpack(work.a),
    "on_opencl": lambda work: isthmus.from_dlpack(work.a, device="opencl:0", copy=False),
    "memory": lambda work: isthmus.from_memory(
        isthmus.memory.as_memory(work.a.usm_data), (N,), "float32"
    ),
}


@orders
@pytest.mark.parametrize("protocol", IMPORTS)
def test_U12_L8_an_import_waits_for_nothing_and_our_work_takes_turns(
    protocol: str, in_order: bool
) -> None:
    work = Work(in_order)
    x = IMPORTS[protocol](work)
    work.open_soon()
    y = (x + 1).eval()  # behind what dpnp has put there
    x += 10
    work.add()  # behind us
    assert np.all(peers.values_of(y) == 6)
    work.queue.wait()
    assert np.all(work.memory == 20)
    assert np.all(peers.values_of(x) == 20)


def of_dpnp() -> tuple[Any, Any]:
    work = Work()
    return isthmus.from_dlpack(work.a), work.gate


def of_ours() -> tuple[Any, Any]:
    y, gate, _ = clpeers.behind_a_gate("opencl:0")  # a result of ours, on its way
    return isthmus.asarray(y, device="sycl:0", copy=False), gate


def pending() -> tuple[Any, Any]:
    x, gate = of_ours()
    return x - 0, gate


def to_jax(x: Any) -> Any:
    return jax.dlpack.from_dlpack(isthmus.asarray(x, device="cpu", copy=False), copy=False)


# What looks at an array, and the address that it has got.
LOOKS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], int]]] = {
    "dpctl": (usm.as_usm_memory, lambda m: m._pointer),
    "dpnp": (dpt.asarray, peers.pointer_of),
    "dpnp_dlpack": (dpnp.from_dlpack, peers.pointer_of),
    "numpy": (np.asarray, peers.layouts.address),
    "numpy_dlpack": (
        lambda x: np.from_dlpack(x, device="cpu", copy=False),
        peers.layouts.address,
    ),
    "buffer": (memoryview, lambda m: peers.layouts.address(np.asarray(m))),
    "jax": (to_jax, lambda a: a.unsafe_buffer_pointer()),
}


@pytest.mark.parametrize("source", [of_ours, pending, of_dpnp])
@pytest.mark.parametrize("look", LOOKS)
def test_U19_L9_who_names_no_queue_sees_work_that_has_ended(
    look: str, source: Callable[[], tuple[Any, Any]]
) -> None:
    show, address_of = LOOKS[look]
    x, gate = source()
    assert not gate.is_open
    threading.Timer(0.15, gate.open).start()
    shown = show(x)
    assert gate.is_open  # it waited, since nothing else would make an order
    assert np.all(seen_by_the_host(address_of(shown), x.size) == 5)
    assert address_of(shown) == peers.pointer_of(x)


def test_memory_objects_are_made_of_work_under_way_and_their_bytes_wait() -> None:
    x, gate = of_ours()
    m = isthmus.memory.MemoryUSMDevice(x)
    assert m._pointer == x.memory._pointer
    assert not gate.is_open
    gate.open()
    assert np.all(np.frombuffer(bytes(m), "f4")[: x.size] == 5)


# ---- two queues, three libraries


@orders
@pytest.mark.parametrize("other_in_order", [False, True], ids=["and_out_of_order", "and_in_order"])
@pytest.mark.parametrize("take", [isthmus.from_dlpack, isthmus.asarray])
def test_arrays_of_two_sycl_queues_combine_in_the_order_of_both(
    take: Any, other_in_order: bool, in_order: bool
) -> None:
    other = queue_of(other_in_order)
    b, one = (dpt.full(N, value, dtype="f4", sycl_queue=other) for value in (2, 1))
    dpt.add(b, one, out=b)
    other.wait()
    work = Work(in_order)
    with pytest.raises(dpnp.exceptions.ExecutionPlacementError):  # what dpnp says to it
        work.a + b
    y = take(b)
    x = take(work.shown if take is isthmus.asarray else work.a)
    work.open_soon()
    z = (x + y).eval()
    y += x  # memory of the idle queue, behind the busy one
    dpt.add(b, one, out=b)  # the owner's next work, behind us
    assert np.all(peers.values_of(z) == 8)
    other.wait()
    assert np.all(seen_by_the_host(peers.pointer_of(b)) == 9)


@orders
def test_dpnp_pyopencl_and_we_work_on_one_memory_in_the_order_of_our_calls(in_order: bool) -> None:
    count = 1_000_000
    work = Work(in_order, count)
    s = isthmus.from_dlpack(work.a)
    o = isthmus.asarray(s, device="opencl:0", copy=False)
    work.open_soon()
    a = o.to_pyopencl()
    kernel = cl.Kernel(cl.Program(a.queue.context, clpeers.SOURCE).build(), "add")
    kernel.set_args(a.base_data, np.float32(1))
    for _ in range(5):
        cl.enqueue_nd_range_kernel(a.queue, kernel, (count,), None)
        s += 1  # ours, on SYCL
        work.add()  # dpnp's
        o += 1  # ours, on OpenCL: nothing else orders dpnp's work before pyopencl's
    copied = s + 0
    copied.eval()
    cl.enqueue_nd_range_kernel(a.queue, kernel, (count,), None)
    assert np.all(peers.values_of(copied) == 5 + 5 * 8)
    assert np.all(a.get() == 46)
    assert np.all(peers.values_of(s) == 46)
    assert np.all(dpt.asnumpy(work.a) == 46)


# ---- the events that go out


@each_device
def test_events_of_an_array_handed_out_are_those_of_our_unfinished_work(device: str) -> None:
    y, gate, own = clpeers.behind_a_gate(device)
    queue, other = (clpeers.out_of_order(own) for _ in range(2))
    a = y.to_pyopencl(queue=queue)
    assert a.queue == queue and a.events
    ended = cl.command_execution_status.COMPLETE
    assert any(event.command_execution_status != ended for event in a.events)
    # in the order of these events alone
    done = clpeers.add(other, a.base_data, y.size, 1, wait_for=a.events)
    other.flush()
    was_open = gate.is_open
    assert done.command_execution_status != ended
    gate.open()
    done.wait()
    assert not was_open
    assert all(event.command_execution_status == ended for event in a.events)
    seen = np.empty(y.size, np.float32)
    cl.enqueue_copy(other, seen, a.base_data)
    assert np.all(seen == 6)


@each_device
def test_an_idle_array_is_handed_out_without_events(device: str) -> None:
    x = isthmus.arange(4, dtype="float32", device=device).eval()
    isthmus.synchronize(device)
    assert x.to_pyopencl().events == []
    y, gate, own = clpeers.behind_a_gate(device)
    threading.Timer(0.15, gate.open).start()
    a = y.to_pyopencl(queue=own)  # without a queue: it waits
    assert gate.is_open and a.events == []
    del a
    gc.collect()


@pytest.mark.parametrize("device", ["opencl:0", "sycl:0"])
@pytest.mark.parametrize("is_evaluated", [False, True])
def test_the_end_of_a_promise_waits_for_what_reads_the_hosts_memory(
    device: str, is_evaluated: bool
) -> None:
    a = np.ones(4_000_000, np.float32)
    for _ in range(3):
        a[:] = 1
        x = isthmus.asarray(a, device=device, copy=False)
        with isthmus.fusing():
            y = isthmus.sin(x) + 2 * x
            if is_evaluated:
                y.eval()
        a[:] = 0
        assert np.allclose(y.to_numpy(), np.sin(1) + 2)
