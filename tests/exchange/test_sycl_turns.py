"""Memory of ours on whose queue somebody else works: our operations and his take turns."""

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
slow = importlib.import_module("slow_work")
peers = slow.peers
isthmus, dpctl, usm, dpt = peers.isthmus, peers.dpctl, peers.usm, peers.dpt
memory: Any = importlib.import_module("isthmus.memory")

pytestmark = [
    pytest.mark.usefixtures("sycl", "opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
N = slow.N


@pytest.fixture(autouse=True, params=["0", "auto"])
def _inline(request: pytest.FixtureRequest) -> Iterator[None]:
    isthmus.config.inline = request.param
    yield


def add_five_later(a: Any) -> Any:
    """dpnp's, on its queue, once the gate is open; zeros before."""
    five = dpt.full(N, 5, dtype="f4", sycl_queue=a.sycl_queue)
    a[...] = 0
    dpt.add(five, a, out=dpt.empty_like(a))  # what is new to dpnp takes a while
    a.sycl_queue.wait()
    gate = slow.hold(a.sycl_queue)
    dpt.add(a, five, out=a)
    assert not gate.is_open
    threading.Timer(0.1, gate.open).start()
    return gate


def made_on(kind: str, queue: Any) -> tuple[Any, Any]:
    """A memory object of ours that was made on the queue, and dpnp's array over it."""
    m = getattr(memory, f"MemoryUSM{kind.title()}")(4 * N, queue=queue)
    theirs = usm.as_usm_memory(m)
    assert theirs.sycl_queue == queue == m.sycl_queue == m[4:].sycl_queue
    return m, dpt.usm_ndarray((N,), dtype="f4", buffer=theirs)


LOOKS: dict[str, Callable[[Any], Any]] = {
    "tobytes": lambda m: np.frombuffer(m.tobytes(), "f4"),
    "copy_to_host": lambda m: m.copy_to_host().view("f4"),
    "slice": lambda m: np.frombuffer(m[:].tobytes(), "f4"),
    "array": lambda m: peers.values_of(isthmus.from_memory(m, (N,), "f4")),
    "operation": lambda m: peers.values_of(isthmus.from_memory(m, (N,), "f4") + 0),
    "shown": lambda m: usm.as_usm_memory(m).copy_to_host().view("f4"),
}


@pytest.mark.parametrize("in_order", [False, True], ids=["out_of_order", "in_order"])
@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("look", LOOKS)
def test_memory_that_was_made_on_a_queue(look: str, kind: str, in_order: bool) -> None:
    m, a = made_on(kind, slow.queue_of(in_order))
    add_five_later(a)
    assert np.all(LOOKS[look](m) == 5)


def test_what_we_write_to_it_is_not_overwritten() -> None:
    m, a = made_on("shared", slow.queue_of(True))
    add_five_later(a)
    m.memset(0)
    a.sycl_queue.wait()
    assert not any(m.tobytes())


def test_it_goes_back_to_the_pool_behind_the_owners_work() -> None:
    m, a = made_on("shared", slow.queue_of(True))
    gate = add_five_later(a)
    address = m._pointer
    del m, a
    gc.collect()
    new = [memory.MemoryUSMShared(4 * N) for _ in range(4)]
    assert gate.is_open or address not in [each._pointer for each in new]
    for each in new:
        each.memset(1)
    isthmus.synchronize("sycl:0")
    gate.open()
    assert all(set(each.tobytes()) == {1} for each in new)


def writes(x: Any) -> Any:
    x += 0
    return np.asarray(x.to_device("cpu"))


USES: dict[str, Callable[[Any], Any]] = {
    "item": lambda x: float(x[-1]),
    "operation": lambda x: peers.values_of(x + 0),
    "copy": lambda x: np.asarray(x.to_device("cpu")),
    "numpy": np.asarray,
    "write": writes,
    "shown": lambda x: dpt.asnumpy(dpt.asarray(x)),
    "opencl": lambda x: np.asarray(isthmus.asarray(x, device="opencl:0", copy=False) + 0),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("again", [False, True], ids=["once", "again"])
def test_the_queue_that_an_array_shows(use: str, again: bool) -> None:
    x = isthmus.ones(N, dtype="float32", device="sycl:0")
    a = dpt.asarray(x)
    add_five_later(a)
    assert np.all(USES[use](x) == 5)
    if again:  # as long as the array lives
        add_five_later(a)
        assert np.all(USES[use](x) == 5)


def test_each_queue_that_an_array_has_shown() -> None:
    x = isthmus.ones(N, dtype="float32", device="sycl:0").eval()
    first = dpt.asarray(x)
    with isthmus.Queue(slow.queue_of(True)):
        second = dpt.asarray(x)
    assert first.sycl_queue != second.sycl_queue
    for a in (first, second):
        add_five_later(a)
        assert np.all(peers.values_of(x + 0) == 5)


def exports_of(x: Any) -> int:
    reason = str(isthmus.explain(x).reason)
    return int(reason.split()[1]) if reason.startswith("shared") else 0


def test_each_queue_that_was_shown_counts_as_an_export_until_the_array_object_dies() -> None:
    x = isthmus.ones(N, dtype="float32", device="sycl:0").eval()
    view = x[:]
    assert dpt.asarray(view) is not None
    once = exports_of(x)
    assert dpt.asarray(view) is not None
    assert exports_of(x) == once == 2  # the attribute's, and its queue's
    with isthmus.Queue(slow.queue_of(True)):
        assert dpt.asarray(view) is not None
    assert exports_of(x) == once + 1
    del view
    gc.collect()
    assert exports_of(x) == 0


def test_a_shown_array_goes_back_to_the_pool_behind_the_consumers_work() -> None:
    x = isthmus.ones(N, dtype="float32", device="sycl:0").eval()
    shown = peers.Shows(x)
    del shown.keep
    a = dpt.asarray(shown)  # which does not hold the array
    gate = add_five_later(a)
    del x, shown
    gc.collect()
    new = [isthmus.full(N, 3, dtype="float32", device="sycl:0").eval() for _ in range(4)]
    isthmus.synchronize("sycl:0")
    gate.open()
    a.sycl_queue.wait()
    assert all(np.all(peers.values_of(each) == 3) for each in new)


EMPTY: dict[str, Callable[[], Any]] = {
    "made": lambda: isthmus.zeros((0, 3), device="sycl:0"),
    "of_dpnp": lambda: isthmus.asarray(dpt.zeros((0, 3))),
    "by_dlpack": lambda: isthmus.from_dlpack(dpt.zeros((0, 3))),
    "of_numpy": lambda: isthmus.asarray(np.zeros((0, 3)), device="sycl:0"),
    "copied": lambda: isthmus.asarray(dpt.zeros((0, 3)), copy=True),
    "calculated": lambda: isthmus.asarray(dpt.zeros((0, 3))) + 1,
}


@pytest.mark.parametrize("source", EMPTY)
def test_U20_arrays_without_elements_show_an_address_that_consumers_take(source: str) -> None:
    x = EMPTY[source]()
    shown = x.__sycl_usm_array_interface__
    assert shown["data"][0] == x.__sycl_usm_array_interface__["data"][0] != 0
    assert usm.as_usm_memory(x).get_usm_type() in peers.KINDS
    assert dpt.asarray(x).shape == (0, 3)
    assert dpt.asarray(x).usm_data is not None
