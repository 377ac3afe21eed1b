"""Small work that the host does in the place of a device: in order with all else, and counted."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("opencl_peers")
isthmus, cl = peers.isthmus, peers.cl

pytestmark = [
    pytest.mark.usefixtures("opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
]
HERE = tuple(d for d in peers.DEVICES if isthmus.Device(d).info["unified_memory"])
each_device = pytest.mark.parametrize("device", HERE)


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    isthmus.config.inline = "1"
    yield


def fives(device: str, count: int = 16) -> tuple[Any, Any]:
    """Fives once the gate is open, which a kernel of ours waits for."""
    isthmus.config.inline = "0"
    try:
        x, gate, _ = peers.behind_a_gate(device)
        return x[:count], gate
    finally:
        isthmus.config.inline = "1"


def open_soon(gate: Any) -> None:
    threading.Timer(0.2, gate.open).start()


@each_device
def test_what_is_under_way_is_waited_for(device: str) -> None:
    x, gate = fives(device)
    open_soon(gate)
    assert (x + 1).tolist() == [6] * 16
    assert gate.is_open
    x, gate = fives(device)
    open_soon(gate)
    assert isthmus.sum(x * x).item() == 400
    assert gate.is_open


@each_device
def test_a_write_waits_for_readers_on_the_queue(device: str) -> None:
    x, gate = fives(device)
    isthmus.config.inline = "0"
    read = (x * 2).eval()
    isthmus.config.inline = "1"
    pending = x * 3
    open_soon(gate)
    x[3] = 7
    assert gate.is_open
    assert read.tolist() == [10] * 16
    assert pending.tolist() == [15] * 16
    assert x.tolist() == [5, 5, 5, 7] + [5] * 12


@each_device
def test_launched_work_sees_what_the_host_did(device: str) -> None:
    x = isthmus.zeros(100, dtype="float32", device=device).eval()
    wanted = np.zeros(100, np.float32)
    for i in range(50):
        isthmus.config.inline = "0" if i % 2 else "1"
        x = (x + i).eval()
        x[i] = -i
        wanted += i
        wanted[i] = -i
    assert x.tolist() == wanted.tolist()


@each_device
def test_results_are_of_the_context_of_what_they_read(device: str) -> None:
    queue = peers.queue_of(device)
    with isthmus.Queue(queue):
        x = isthmus.ones(10, dtype="float32", device=device).eval()
        inside = (x + 1).eval()
    outside = (x + 1).eval()
    mine = isthmus.ones(10, dtype="float32", device=device).eval()
    assert inside.to_pyopencl().context == outside.to_pyopencl().context == queue.context
    assert mine.to_pyopencl().context != queue.context
    with isthmus.Queue(queue):
        assert (mine + 1).tolist() == (x + 1).tolist() == [2] * 10
    with pytest.raises(isthmus.DeviceMismatchError):
        (mine + x).eval()


@each_device
def test_it_is_counted_and_shown_as_inlined(device: str) -> None:
    isthmus.config.eager = False  # so that two operations are one kernel
    x = isthmus.arange(10, dtype="float32", device=device).eval()
    before = isthmus.statistics()
    with isthmus.profile() as profile:
        (x + 1).eval()
        (x * x - 2).eval()
        x.sum().eval()
        x[2] = 9
    after = isthmus.statistics()
    assert after["kernels"] - before["kernels"] == after["inlined"] - before["inlined"] == 4
    where = [kernel.where for one in profile.evaluations for kernel in one.kernels]
    assert where == ["inlined"] * 4
    isthmus.config.inline = "0"
    (x + 1).eval()
    assert isthmus.statistics()["inlined"] == after["inlined"]


@each_device
def test_errors_are_those_of_a_plan(device: str) -> None:
    x = isthmus.arange(3, dtype="int32", device=device).eval()
    with pytest.raises(OverflowError):
        x[0] = 2**40
    assert x.tolist() == [0, 1, 2]


def inlined(work: Any) -> tuple[int, int]:
    """How many kernels the work was, and how many of them the host ran."""
    before = isthmus.statistics()
    work()
    after = isthmus.statistics()
    return after["kernels"] - before["kernels"], after["inlined"] - before["inlined"]


@each_device
def test_larger_work_is_the_hosts_if_it_waits_for_nothing(device: str) -> None:
    isthmus.config.inline, isthmus.config.eager = "auto", False
    x = isthmus.arange(100_000, dtype="float32", device=device).eval()
    assert inlined(lambda: (x + 1).eval()) == (1, 1)
    assert inlined(lambda: isthmus.sort(x).eval()) == (1, 1)
    assert inlined(lambda: x.__setitem__(slice(0, 50_000), x[50_000:] * 2)) == (1, 1)
    assert x[::9999].tolist() == [
        float(2 * (i + 50_000) if i < 50_000 else i) for i in range(0, 100_000, 9999)
    ]
    isthmus.config.inline = "0"
    assert inlined(lambda: (x + 1).eval()) == (1, 0)
    isthmus.config.inline = "auto"
    # bits must not depend on whether something is under way
    assert inlined(lambda: isthmus.sin(x).eval()) == (1, 0)
    assert inlined(lambda: isthmus.sin(x[:100]).eval()) == (1, 1)
    large = isthmus.ones(2**21 + 1, dtype="uint8", device=device).eval()
    assert inlined(lambda: (large + 1).eval()) == (1, 0)


@each_device
def test_larger_work_does_not_wait(device: str) -> None:
    isthmus.config.inline, isthmus.config.eager = "0", False
    fives, gate, _ = peers.behind_a_gate(device)
    x = isthmus.repeat(fives[:1], 100_000).eval()
    y = isthmus.zeros(100_000, dtype="float32", device=device).eval()
    isthmus.config.inline = "auto"
    assert inlined(lambda: (x + 1).eval()) == (1, 0)
    assert inlined(lambda: y.__setitem__(..., x * 2)) == (1, 0)
    assert inlined(lambda: y.__setitem__(..., 3)) == (1, 0)  # the write before is pending
    read = (x * 3).eval()
    assert inlined(lambda: (y * 0 + 7).eval()) == (1, 0)
    assert not gate.is_open
    gate.open()
    assert read[:3].tolist() == [15] * 3
    assert y[:3].tolist() == [3] * 3


@each_device
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "float16", "int32", "bool"])
def test_larger_work_has_the_same_bits_launched(device: str, dtype: str) -> None:
    if not isthmus.Device(device).info["fp64"] and dtype == "float64":
        pytest.skip("no float64")
    isthmus.config.eager = False  # else the next begins before what was launched has ended
    values = np.random.default_rng(1).normal(size=70_000).astype(dtype)
    x = isthmus.asarray(values, device=device, copy=True)
    y = isthmus.flip(x).copy()
    third = isthmus.arange(0, 70_000, 3, device=device)
    calls: dict[str, Callable[[], tuple[Any, ...]]] = {
        "map": lambda: (x * y + x, x / y, isthmus.where(x == y, x, y)),
        "sums": lambda: (x.sum(), isthmus.reshape(x, (700, 100)).sum(axis=0), x.mean()),
        "scan": lambda: (isthmus.cumulative_sum(x), isthmus.cumulative_prod(x)),
        "orders": lambda: (isthmus.sort(x), isthmus.argsort(x), x.argmax(), x.max()),
        "indices": lambda: (x[x != 0], isthmus.take(x, third)),
    }
    if dtype == "complex64":
        del calls["orders"]
    if dtype == "bool":
        calls["map"] = lambda: (x & y, x ^ y)
        calls["scan"] = lambda: (isthmus.cumulative_sum(x),)
    if dtype in ("float32", "float64", "int32"):  # which the library reads in kernels of users
        body = "T p = x * y; z = x > y ? p - x / (y * y + 1) : (x + y) * p"
        blend = isthmus.ElementwiseKernel("T x, T y", "T z", body)
        square = isthmus.ElementwiseKernel("T x", "T z", "z = x * x + x")
        calls["kernels"] = lambda: (
            blend(x, y),
            square(x + y) * 2,
            square(x, isthmus.empty_like(x)),
        )
        calls["kernel and sum"] = lambda: (blend(x, square(y)).sum(),)
    for name, call in calls.items():
        found = []
        for isthmus.config.inline in ("auto", "0"):
            before = isthmus.statistics()["inlined"]
            found.append([np.asarray(one.to_numpy()).tobytes() for one in call()])
            is_hosts = isthmus.statistics()["inlined"] > before
            assert is_hosts == (isthmus.config.inline == "auto"), name
        assert found[0] == found[1], name


@each_device
@pytest.mark.parametrize("count", [70, 100_000])
def test_positions_of_a_mask_are_listed_by_the_host(device: str, count: int) -> None:
    isthmus.config.inline, isthmus.config.eager = "auto", False
    ours = isthmus.arange(count, dtype="int32", device=device) % 7 == 3
    theirs = np.arange(count) % 7 == 3
    ours.eval()
    found = []
    assert inlined(lambda: found.append(isthmus.nonzero(ours)[0])) == (1, 1)
    assert found[0].device == isthmus.Device(device)
    assert found[0].tolist() == np.nonzero(theirs)[0].tolist()
    assert isthmus.flatnonzero(ours[::-2]).tolist() == np.flatnonzero(theirs[::-2]).tolist()
    assert isthmus.flatnonzero(ours & False).tolist() == []
    isthmus.config.inline = "0"
    assert inlined(lambda: found.append(isthmus.nonzero(ours)[0]))[1] == 0
    assert found[1].tolist() == found[0].tolist()


@each_device
def test_a_mask_under_way_is_waited_for(device: str) -> None:
    x, gate = fives(device)
    isthmus.config.inline = "auto"
    open_soon(gate)
    assert isthmus.flatnonzero(x == 5).tolist() == list(range(16))
    assert gate.is_open
