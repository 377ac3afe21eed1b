"""The list `events` of pyopencl's arrays orders queues that know of each other only by it."""

from __future__ import annotations

import gc
import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("opencl_peers")
isthmus, cl, cla = peers.isthmus, peers.cl, peers.cla

pytestmark = [
    pytest.mark.usefixtures("opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
]
each = pytest.mark.parametrize("device", peers.DEVICES)
N = 16


@pytest.fixture(autouse=True)
def _launched() -> Iterator[None]:
    isthmus.config.inline = "0"
    yield


def has_ended(event: Any) -> bool:
    return bool(event.command_execution_status == cl.command_execution_status.COMPLETE)


def imported(queue: Any) -> tuple[Any, Any]:
    """Theirs, and ours of it; zeros."""
    a = cla.zeros(queue, N, np.float32)
    a.finish()
    return a, isthmus.asarray(a)


def imported_without_a_queue(queue: Any) -> tuple[Any, Any]:
    a, _ = imported(queue)
    b = a.with_queue(None)
    return b, isthmus.asarray(b)


def handed_out(queue: Any) -> tuple[Any, Any]:
    x = isthmus.zeros(N, dtype="float32", device=isthmus.Queue(queue).device).eval()
    return x.to_pyopencl(queue=queue), x


def handed_out_without_a_queue(queue: Any) -> tuple[Any, Any]:
    x = isthmus.zeros(N, dtype="float32", device=isthmus.Queue(queue).device).eval()
    return x.to_pyopencl(queue=queue.context), x


PAIRS: list[Callable[[Any], tuple[Any, Any]]] = [
    imported,
    imported_without_a_queue,
    handed_out,
    handed_out_without_a_queue,
]
each_pair = pytest.mark.parametrize("make", PAIRS)


def beside_a_gate(make: Any, device: str) -> tuple[Any, Any, Any, Any, bool]:
    """Theirs and ours of it, fives that come once the gate is open, the gate, and whether it may
    be open when our operations return: they wait where the host may look at what we write, or
    nobody says on which queue theirs is."""
    a, x = make(cl.CommandQueue(isthmus.Queue(device).context.to_pyopencl()))
    a.finish()
    fives, gate, _ = peers.behind_a_gate(device)
    waits = make is not imported
    if waits:
        threading.Timer(0.05, gate.open).start()
    return a, x, fives, gate, waits


@each
@each_pair
def test_another_queue_of_theirs_waits_for_our_writes(
    make: Callable[[Any], tuple[Any, Any]], device: str
) -> None:
    a, x, fives, gate, waits = beside_a_gate(make, device)
    other = a.with_queue(cl.CommandQueue(a.context))
    x += fives  # once the gate is open
    assert waits or not all(has_ended(event) for event in a.events)
    other *= 2
    assert waits or not gate.is_open
    gate.open()
    assert np.all(other.get() == 10)
    isthmus.synchronize(device)


@each
@each_pair
def test_it_waits_for_what_we_read(make: Callable[[Any], tuple[Any, Any]], device: str) -> None:
    a, x, fives, gate, waits = beside_a_gate(make, device)
    other = a.with_queue(cl.CommandQueue(a.context))
    y = (x + fives).eval()
    other += 1
    assert waits or not gate.is_open
    gate.open()
    other.finish()
    assert np.all(np.asarray(y.to_device("cpu")) == 5)


def calculates(x: Any) -> Any:
    return (x + 1).eval()


def writes(x: Any) -> Any:
    x += 1
    return x


def looks(x: Any) -> Any:
    return isthmus.asarray(np.array(x.to_device("cpu")) + 1)


def shows(x: Any) -> Any:
    return isthmus.asarray(np.from_dlpack(x, device="cpu", copy=True) + 1)


@each
@each_pair
@pytest.mark.parametrize("use", [calculates, writes, looks, shows])
def test_we_wait_for_what_another_queue_of_theirs_does(
    use: Callable[[Any], Any], make: Callable[[Any], tuple[Any, Any]], device: str
) -> None:
    own = isthmus.Queue(device).context.to_pyopencl()
    a, x = make(cl.CommandQueue(own))
    other = a.with_queue(cl.CommandQueue(own))
    gate = peers.Gate(own)
    other.add_event(peers.add(other.queue, a.base_data, N, 5, wait_for=[gate.event]))
    other.queue.flush()
    assert other.events is a.events
    threading.Timer(0.1, gate.open).start()
    y = use(x)
    assert np.all(np.asarray(y.to_device("cpu")) == 6)


@each
@each_pair
def test_however_often_we_work_on_it_one_event_of_ours_is_there(
    make: Callable[[Any], tuple[Any, Any]], device: str
) -> None:
    a, x, fives, gate, waits = beside_a_gate(make, device)
    for _ in range(50):
        x += fives
    assert waits or not gate.is_open
    assert waits or len([event for event in a.events if not has_ended(event)]) == 1
    assert len(a.events) <= 2
    gate.open()
    assert np.all(np.asarray(x.to_device("cpu")) == 250)


@each
def test_a_copy_to_the_host_is_in_the_list_until_it_has_ended(device: str) -> None:
    a, x = handed_out(cl.CommandQueue(isthmus.Queue(device).context.to_pyopencl()))
    x += 1
    y = x.to_device("cpu")
    assert np.all(np.asarray(y) == 1)
    isthmus.synchronize(device)
    assert all(has_ended(event) for event in a.events)


def drop_all() -> None:
    gc.collect()
    until = time.monotonic() + 5
    while isthmus.counters()["reaper_backlog"] and time.monotonic() < until:
        time.sleep(0.001)
    isthmus.counters()  # drops what other threads left


def holders(a: Any) -> int:
    """References to its list; asserts would keep the list itself."""
    return sys.getrefcount(a.events)


@each
def test_lists_go_with_their_arrays_and_leave_no_event_behind(device: str) -> None:
    own = isthmus.Queue(device).context.to_pyopencl()
    a, x = handed_out(cl.CommandQueue(own))
    x += 1
    events = a.events
    references = sys.getrefcount(events)
    del a
    drop_all()
    assert sys.getrefcount(events) == references - 2  # the array's and ours
    count = len(events)
    x += 1
    assert len(events) == count
    b = cla.zeros(cl.CommandQueue(own), N, np.float32)
    before = holders(b)
    y = isthmus.asarray(b)
    z = (y + 1).eval()
    assert holders(b) > before
    del y, z
    drop_all()
    assert holders(b) == before


@each
def test_what_is_no_list_of_events_is_refused_by_name(device: str) -> None:
    a = cla.zeros(cl.CommandQueue(isthmus.Queue(device).context.to_pyopencl()), N, np.float32)
    x = isthmus.asarray(a)
    a.events.append("no event")
    with pytest.raises(isthmus.ExchangeError, match="events"):
        (x + 1).eval()
    with pytest.raises(isthmus.ExchangeError, match="events"):
        isthmus.asarray(a)
    del a.events[:]
    assert np.all(np.asarray((x + 1).to_device("cpu")) == 1)
    a.events = ()
    with pytest.raises(isthmus.ExchangeError, match="events: expected a list"):
        isthmus.asarray(a)
