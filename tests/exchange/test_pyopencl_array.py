"""pyopencl's arrays, buffers and SVM come in and ours go out, on one memory and in one order."""

from __future__ import annotations

import gc
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")

sys.path.insert(0, str(Path(__file__).parent))
layouts = importlib.import_module("layouts")
peers = importlib.import_module("opencl_peers")
cl, cla = peers.cl, peers.cla

pytestmark = [
    pytest.mark.usefixtures("opencl"),
    # pyopencl on its own compilers' chatter and on Intel's missing cache
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
each_device = pytest.mark.parametrize("device", peers.DEVICES)


def values_of(x: Any) -> Any:
    return np.asarray(x.to_device("cpu"))


def their_layouts(queue: Any, memory: str) -> dict[str, Any]:
    """Those that pyopencl has: its slices have no negative steps."""
    line = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    svm = cl.tools.SVMAllocator(queue.context, queue=queue) if memory == "svm" else None
    whole = cla.to_device(queue, line, allocator=svm)
    return {
        "row_major": whole,
        "column_major": cla.to_device(queue, np.asfortranarray(line), allocator=svm),
        "transposed": whole.transpose((2, 0, 1)),
        "offset": whole[1:, 1:, 2:],
        "not_collapsible": whole[:, ::2, ::2],
        "negative": cla.Array(
            queue, (24,), np.float32, data=whole.base_data, offset=92, strides=(-4,)
        ),
        "zero_stride": cla.Array(queue, (5, 24), np.float32, data=whole.base_data, strides=(0, 4)),
        "zero_dimensional": cla.Array(queue, (), np.float32, data=whole.base_data, offset=20),
        "size_zero": cla.Array(queue, (0, 3), np.float32),
    }


def expected_of(name: str) -> Any:
    line = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    return {
        "row_major": line,
        "column_major": line,
        "transposed": line.transpose((2, 0, 1)),
        "offset": line[1:, 1:, 2:],
        "not_collapsible": line[:, ::2, ::2],
        "negative": line.reshape(24)[::-1],
        "zero_stride": np.broadcast_to(line.reshape(24), (5, 24)),
        "zero_dimensional": np.float32(5),
        "size_zero": np.zeros((0, 3), np.float32),
    }[name]


LAYOUTS = (
    *("row_major", "column_major", "transposed", "offset", "not_collapsible", "negative"),
    *("zero_stride", "zero_dimensional", "size_zero"),
)


@each_device
@pytest.mark.parametrize("memory", ["buffer", "svm"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_arrays_come_in_with_their_layout_and_share_writes(
    device: str, name: str, memory: str
) -> None:
    queue = peers.queue_of(device)
    a = their_layouts(queue, memory)[name]
    expected = expected_of(name)
    x = isthmus.asarray(a)
    assert x.device == isthmus.Device(device)
    assert x.shape == expected.shape
    assert x.dtype == np.float32
    assert np.array_equal(values_of(x), expected)
    assert np.array_equal(values_of(x + 1), expected + 1)
    if not x.size or name == "zero_stride":
        return
    peers.add(queue, a.base_data, 24, 100)
    assert np.array_equal(values_of(x), expected + 100)
    x[...] = 7
    whole = np.empty(24, np.float32)
    cl.enqueue_copy(queue, whole, a.base_data)
    assert np.count_nonzero(whole == 7) == x.size
    del a
    gc.collect()
    assert np.all(values_of(x) == 7)


@each_device
@pytest.mark.parametrize("in_order", [True, False])
def test_our_work_takes_turns_with_the_arrays_queue(device: str, in_order: bool) -> None:
    queue = peers.queue_of(device, in_order)
    a = cla.zeros(queue, (1000,), np.float32)
    queue.finish()
    x = isthmus.from_pyopencl(a)
    for _ in range(20):
        peers.add(queue, a.base_data, 1000, 1)
        x += 1
    peers.add(queue, a.base_data, 1000, 1)
    assert np.all(values_of(x) == 41)
    queue.finish()


@each_device
def test_import_waits_for_nothing_and_work_on_it_comes_after_the_events(device: str) -> None:
    isthmus.config.inline = "0"
    queue = peers.queue_of(device)
    a, gate = peers.gated(queue)
    x = isthmus.asarray(a)
    assert not gate.is_open
    gate.open()
    assert np.all(values_of(x + 1) == 6)


@each_device
def test_without_a_queue_the_events_alone_give_the_order(device: str) -> None:
    queue = peers.queue_of(device)
    a, gate = peers.gated(queue)
    lonely = cla.Array(queue.context, a.shape, a.dtype, data=a.base_data, events=list(a.events))
    assert lonely.queue is None
    x = isthmus.from_pyopencl(lonely)
    assert not gate.is_open
    gate.open()
    assert np.all(values_of(x * 2) == 10)


@each_device
def test_results_stay_in_the_users_context_and_go_back_to_it(device: str) -> None:
    queue = peers.queue_of(device)
    a = cla.to_device(queue, np.arange(8, dtype=np.float32))
    x = isthmus.asarray(a)
    y = (x + 1) * (x + 1)  # several operations, on a queue of that context
    b = y.to_pyopencl(queue=queue)
    assert b.queue == queue
    assert np.array_equal(b.get(), (np.arange(8) + 1.0) ** 2)
    assert np.array_equal((b + a).get(), (np.arange(8) + 1.0) ** 2 + np.arange(8))


@each_device
def test_two_contexts_do_not_mix_and_both_are_named(device: str) -> None:
    isthmus.config.inline = "0"
    a = cla.to_device(peers.queue_of(device), np.arange(8, dtype=np.float32))
    b = cla.to_device(peers.queue_of(device), np.arange(8, dtype=np.float32))
    x, y = isthmus.asarray(a), isthmus.asarray(b)
    both = rf"context 0x\w+ of {device}.* context 0x\w+ of {device}.*y\[\.\.\.\] = x"
    with pytest.raises(isthmus.DeviceMismatchError, match=both):
        x + y
    with pytest.raises(isthmus.DeviceMismatchError, match=both):
        x += y
    z = x.to_device("cpu") + y.to_device("cpu")
    assert np.array_equal(np.asarray(z), np.arange(8) * 2.0)
    with pytest.raises(isthmus.ExchangeError, match=r"memory is of .*, the queue of "):
        x.to_pyopencl(queue=b.queue)


@each_device
@pytest.mark.parametrize("with_queue", [True, False])
def test_svm_comes_in(device: str, with_queue: bool) -> None:
    queue = peers.queue_of(device)
    svm = cl.SVMAllocation(
        queue.context, 64, 64, cl.svm_mem_flags.READ_WRITE, queue=queue if with_queue else None
    )
    a = cla.Array(queue, (16,), np.float32, data=svm)
    a.fill(3)
    x = isthmus.asarray(a)
    assert np.all(values_of(x + 1) == 4)
    x[2] = 9
    assert a.get()[2] == 9
    whole = isthmus.from_pyopencl(svm, queue=queue)
    assert (whole.shape, whole.dtype) == ((64,), np.uint8)
    del x, whole, a
    svm.release()


@each_device
def test_buffers_come_in_as_bytes(device: str) -> None:
    queue = peers.queue_of(device)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(queue.context, flags, hostbuf=np.arange(32, dtype=np.uint8))
    x = isthmus.asarray(buffer)
    assert (x.shape, x.dtype) == ((32,), np.uint8)
    assert np.array_equal(values_of(x), np.arange(32))
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    fixed = cl.Buffer(queue.context, flags, hostbuf=np.arange(32, dtype=np.uint8))
    y = isthmus.from_pyopencl(fixed, queue=queue)
    assert y.is_read_only
    with pytest.raises(ValueError, match="read-only"):
        y[0] = 1


@each_device
@pytest.mark.parametrize("flag", ["HOST_NO_ACCESS", "HOST_WRITE_ONLY"])
def test_a_buffer_that_the_host_may_not_read_says_so(device: str, flag: str) -> None:
    queue = peers.queue_of(device)
    flags = cl.mem_flags.READ_WRITE | getattr(cl.mem_flags, flag)
    x = isthmus.from_memory(cl.Buffer(queue.context, flags, 64), (16,), "float32")
    x[:] = 3
    refused = pytest.raises(isthmus.LaunchError, match=r"made with HOST_NO_ACCESS .* copy it")
    with refused:
        x.tolist()
    with refused:
        x[1].item()
    with refused:
        values_of(x)
    assert (x + 1).tolist() == [4] * 16
    assert isthmus.asarray(x, copy=True).tolist() == [3] * 16


@each_device
def test_blocks_of_pyopencls_pool_are_held_until_our_work_has_ended(device: str) -> None:
    queue = peers.queue_of(device)
    pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue))
    a = cla.to_device(queue, np.full(1000, 2, np.float32), allocator=pool)
    x = isthmus.asarray(a)
    assert pool.active_blocks == 1
    del a
    gc.collect()
    assert pool.active_blocks == 1
    y = (x + 1).eval()
    del x
    gc.collect()
    assert np.all(values_of(y) == 3)
    until = time.monotonic() + 5
    while pool.active_blocks and time.monotonic() < until:
        isthmus.counters()  # a call of ours does what the reaper's thread has left to do
    assert pool.active_blocks == 0


# ---- hand-out


@each_device
@pytest.mark.parametrize("name", [n for n in layouts.NAMES if n != "zero_stride"])
def test_ours_go_out_with_their_layout_and_share_writes(device: str, name: str) -> None:
    line = isthmus.reshape(isthmus.arange(24, dtype="float32", device=device), (2, 3, 4)).eval()
    if name == "column_major":
        line = isthmus.reshape(line, (4, 3, 2))
        x = isthmus.permute_dims(line, (2, 1, 0))
    else:
        x = layouts.VIEWS[name](line)
    a = x.to_pyopencl()
    assert a.shape == x.shape
    assert a.dtype == np.float32
    if not x.size:
        return
    back = isthmus.from_pyopencl(a)
    assert np.array_equal(values_of(back), values_of(x))
    back[...] = 50
    assert np.all(values_of(x) == 50)
    x[...] = 60
    assert np.all(values_of(isthmus.from_pyopencl(a)) == 60)


@pytest.mark.parametrize("device", [*peers.DEVICES, "sycl:0"])
def test_pyopencls_operators_work_on_ours_in_place(device: str) -> None:
    if device == "sycl:0" and device not in map(str, isthmus.devices()):
        pytest.skip("there is no sycl:0")
    x = isthmus.arange(1000, dtype="float32", device=device)
    a = x.to_pyopencl()
    for _ in range(5):
        a += 1
        x += 1
    assert np.array_equal(a.get(), np.arange(1000) + 10.0)
    assert np.array_equal(values_of(x), np.arange(1000) + 10.0)


@each_device
def test_the_queue_that_was_given_comes_behind_our_work_without_waiting(device: str) -> None:
    isthmus.config.inline = "0"
    y, gate, own = peers.behind_a_gate(device)
    other = cl.CommandQueue(own)
    b = y.to_pyopencl(queue=other)
    peers.add(other, b.base_data, 16, 1)
    other.flush()
    was_open = gate.is_open
    gate.open()
    assert np.all(b.get() == 6)
    assert np.all(values_of(y + 1) == 7)
    assert not was_open


@each_device
def test_with_a_context_the_array_has_no_queue(device: str) -> None:
    x = isthmus.arange(4, dtype="float32", device=device)
    context = isthmus.Queue(device).context.to_pyopencl()
    a = x.to_pyopencl(queue=context)
    assert a.queue is None
    queue = cl.CommandQueue(context)
    assert np.array_equal(a.with_queue(queue).get(), [0, 1, 2, 3])
    queue.finish()


@each_device
@pytest.mark.parametrize("dies_first", ["ours", "theirs"])
def test_lifetimes(device: str, dies_first: str) -> None:
    x = isthmus.arange(100, dtype="float32", device=device).eval()
    a = x.to_pyopencl()
    assert "exports" in isthmus.explain(x).reason
    if dies_first == "ours":
        del x
        gc.collect()
        other = isthmus.full((100,), 9.0, dtype="float32", device=device).eval()
        assert np.array_equal(a.get(), np.arange(100))
        assert float(isthmus.sum(other)) == 900
    else:
        b = a[50:]  # a view of theirs holds it too
        del a
        gc.collect()
        assert "exports" in isthmus.explain(x).reason
        del b
        gc.collect()
        assert "private" in isthmus.explain(x).reason
        assert float(isthmus.sum(x)) == 4950


@each_device
def test_their_kernel_may_still_run_when_their_array_dies(device: str) -> None:
    isthmus.config.inline = "0"
    own = isthmus.Queue(device).context.to_pyopencl()
    queue = cl.CommandQueue(own)
    x = isthmus.zeros((1000,), dtype="float32", device=device).eval()
    a = x.to_pyopencl(queue=queue)
    gate = peers.Gate(own)
    peers.add(queue, a.base_data, 1000, 3, wait_for=[gate.event])
    queue.flush()
    del a
    gc.collect()
    gate.open()
    assert np.all(values_of(x + 1) == 4)


def test_read_only_arrays_and_other_objects_are_refused() -> None:
    x = isthmus.broadcast_to(isthmus.arange(3, device=peers.DEVICES[0]), (2, 3))
    with pytest.raises(isthmus.ExchangeError, match="read-only"):
        x.to_pyopencl()
    with pytest.raises(TypeError, match="pyopencl"):
        isthmus.from_pyopencl(np.zeros(3))
    with pytest.raises(TypeError, match="'cue'"):
        isthmus.zeros(3).to_pyopencl(cue=1)
    mine = isthmus.zeros(3, device=peers.DEVICES[0])
    context = peers.queue_of(peers.DEVICES[0]).context
    for wrong in (3, context.devices[0]):
        with pytest.raises(isthmus.ExchangeError, match="CommandQueue"):
            mine.to_pyopencl(queue=wrong)
    with pytest.raises(isthmus.ExchangeError, match=r"CommandQueue, not a.*Context"):
        isthmus.Queue(context)
    with pytest.raises(isthmus.ExchangeError, match=r"CommandQueue, not a.*Context"):
        isthmus.from_pyopencl(mine.to_pyopencl(), queue=context)


@each_device
def test_a_buffer_that_its_owner_releases_stays_ours(device: str) -> None:
    a = cla.to_device(peers.queue_of(device), np.arange(8, dtype=np.float32))
    x = isthmus.asarray(a)
    a.base_data.release()
    assert values_of(x + 1).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


@each_device
def test_truth_values_go_out_as_bytes(device: str) -> None:
    x = isthmus.arange(4, dtype="float32", device=device) > 1
    a = x.to_pyopencl()
    assert a.dtype == np.int8
    assert a.get().tolist() == [0, 0, 1, 1]


BAD: dict[str, tuple[str, dict[str, Any]]] = {
    "offset": ("offset", {"offset": 3}),
    "strides": ("strides", {"strides": (3,)}),
    "past_the_buffer": ("data", {"offset": 4096}),
    "below_the_buffer": ("data", {"strides": (-4,)}),
}


@each_device
@pytest.mark.parametrize("name", BAD)
def test_arrays_that_cannot_be_are_refused_by_field(device: str, name: str) -> None:
    field, wrong = BAD[name]
    queue = peers.queue_of(device)
    good = cla.zeros(queue, (16,), np.float32)
    bad = cla.Array(queue, (16,), np.float32, data=good.base_data, **wrong)
    with pytest.raises(isthmus.ExchangeError, match=f"{field}:"):
        isthmus.from_pyopencl(bad)
    queue.finish()


def test_explain_names_the_protocol() -> None:
    device = peers.DEVICES[0]
    a = cla.zeros(peers.queue_of(device), (16,), np.float32)
    told = isthmus.explain(a)
    assert (told.verdict, told.protocol) == ("zero-copy", "pyopencl_array")
    exports = isthmus.explain(isthmus.zeros(3, device=device)).exports
    assert exports["pyopencl_array"] == f"zero-copy: to_pyopencl(), on {device}"


def test_pyopencl_is_imported_only_for_who_has_it() -> None:
    program = (
        "import sys, numpy, isthmus\n"
        "isthmus.asarray(numpy.zeros(3)); isthmus.asarray(memoryview(b'abc'))\n"
        "isthmus.explain(isthmus.zeros(3))\n"
        "assert 'pyopencl' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# ---- queues, events and the order of work


@each_device
def test_queues_and_contexts_that_come_and_go_are_told_apart(device: str) -> None:
    """Wrappers of the last few are kept, and whatever gets an old one's address is not it."""
    for i in range(12):
        queue = peers.queue_of(device, in_order=bool(i % 2))
        a = cla.to_device(queue, np.full(8, i, np.float32))
        x = isthmus.asarray(a)  # refused if it were taken for a buffer of another context
        assert np.all(values_of(x + 1) == i + 1)
        assert isthmus.Queue(queue).is_in_order == bool(i % 2)
        back = (x + 2).eval().to_pyopencl(queue=queue)
        assert np.all(back.get() == i + 2)
        del queue, a, x, back


@each_device
@pytest.mark.parametrize("owner", ["theirs", "ours"])
def test_what_is_on_the_queue_when_a_hand_out_ends_comes_first(device: str, owner: str) -> None:
    """Also of memory that came from that queue's owner, whose queue we wait for in any case."""
    isthmus.config.inline = "0"
    queue = peers.queue_of(device)
    a = cla.zeros(queue, (1000,), np.float32)
    x = isthmus.asarray(a)
    if owner == "ours":
        x = (x + 0).eval()
    b = x.to_pyopencl(queue=queue)
    gate = peers.Gate(queue.context)
    peers.add(queue, b.base_data, 1000, 3, wait_for=[gate.event])
    queue.flush()
    del b
    gc.collect()
    y = x + 1
    assert not gate.is_open
    gate.open()
    assert np.all(values_of(y) == 4) and np.all(values_of(x) == 3)


@each_device
def test_an_interrupt_ends_the_wait_for_an_event_of_others(device: str) -> None:
    queue = peers.queue_of(device)
    a = cla.to_device(queue, np.arange(4, dtype=np.float32))
    event = cl.UserEvent(queue.context)
    a.events.append(event)
    x = isthmus.asarray(a)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    late = threading.Timer(20, event.set_status, (cl.command_execution_status.COMPLETE,))
    late.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        x.tolist()
    assert time.monotonic() - begin < 10
    late.cancel()
    event.set_status(cl.command_execution_status.COMPLETE)
    assert x.tolist() == [0, 1, 2, 3]


@each_device
def test_our_own_queue_objects_do_for_pyopencls(device: str) -> None:
    x = isthmus.arange(4, dtype="float32", device=device)
    a = x.to_pyopencl(queue=isthmus.Queue(device))
    assert a.get().tolist() == [0, 1, 2, 3]
    theirs = cla.to_device(peers.queue_of(device), np.ones(3, dtype=np.float32))
    y = isthmus.from_pyopencl(theirs, queue=isthmus.Queue(theirs.queue))
    assert values_of(y * 2).tolist() == [2, 2, 2]
