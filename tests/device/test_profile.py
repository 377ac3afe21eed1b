"""profile(): kernels, where they ran, why fusion ended; and the trace."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_process import run
from tests.ways import Way


def place_of(way: Way) -> str:
    if way.device == "cpu":
        return "host"
    return "launched" if way.inline == "0" else "inlined"


@pytest.mark.lazy
def test_a_fused_expression_is_one_kernel_with_its_operations(way: Way, device: xp.Device) -> None:
    x = put(np.arange(6, dtype=np.float32).reshape(2, 3), device)
    xp.synchronize(device)
    with xp.profile() as p:
        total = xp.sum(xp.sin(x) * 2 + x)
        total.eval()
    (evaluation,) = p.evaluations
    (kernel,) = evaluation.kernels
    assert kernel.operations == ("sin", "multiply", "add", "sum")
    assert kernel.shape == (2, 3)
    assert kernel.device == way.device
    assert kernel.where == place_of(way)
    assert kernel.seconds is None or 0 < kernel.seconds < 10
    assert 0 < kernel.call_seconds <= evaluation.seconds < 10
    assert evaluation.stops == {}
    assert "sin, multiply, add, sum of shape (2, 3)" in str(p)


@pytest.mark.lazy
@pytest.mark.parametrize("passes", ["one", "several"])
def test_a_kernel_tells_when_it_began_and_how_long_it_ran(
    way: Way, device: xp.Device, passes: str
) -> None:
    x = put(np.ones(300_000, np.float32), device)
    xp.synchronize(device)
    with xp.profile() as p:
        y = xp.sin(x) if passes == "one" else xp.sum(xp.sin(x))
        y.eval()
        xp.synchronize(device)
    ((kernel,),) = (one.kernels for one in p.evaluations)
    assert kernel.seconds is not None and kernel.begin is not None
    assert 1e-6 < kernel.seconds < 10
    assert kernel.call_begin - 1e-3 < kernel.begin < kernel.call_begin + 10


@pytest.mark.lazy
def test_the_reasons_why_fusion_ended_are_told(device: xp.Device) -> None:
    x = put(np.arange(6, dtype=np.float32), device)
    with xp.profile() as p:
        y = (x * 2)[::-1] + 1
        z = xp.sum(xp.exp(xp.sum(x) + x))
        get(y), get(z)
    reasons = {reason for one in p.evaluations for reason in one.stops}
    assert any("in another order" in reason for reason in reasons), reasons
    assert any("smaller than the loop" in reason for reason in reasons), reasons
    assert "not fused, 1: it is read in another order" in str(p)


def test_one_small_operation_is_recorded_too() -> None:
    x = xp.asarray([1.0])
    with xp.profile() as p:
        (x + x).eval()
        xp.sum(x).eval()
    assert [kernel.operations for kernel in p.kernels] == [("add",), ("sum",)]


def test_profiles_overlap_and_see_their_own_time_and_every_thread() -> None:
    x = xp.asarray([1.0, 2.0])
    with xp.profile() as outer:
        (x + 1).eval()
        with xp.profile() as inner:
            thread = threading.Thread(target=lambda: (x * 3).eval())
            thread.start()
            thread.join()
        (x - 1).eval()
    (x / 2).eval()
    assert [k.operations for k in inner.kernels] == [("multiply",)]
    assert [k.operations for k in outer.kernels] == [("add",), ("multiply",), ("subtract",)]
    assert len({one.thread for one in outer.evaluations}) == 2
    with xp.profile() as later:
        assert later.evaluations == ()
    assert str(later) == "nothing was evaluated"


def check_trace(file: Path, names: set[str]) -> None:
    events = json.loads(file.read_text())["traceEvents"]
    for event in events:
        assert {"name", "pid", "tid", "args"} <= event.keys()
        assert isinstance(event["tid"], int)
    spans = [event for event in events if event["ph"] == "X"]
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in spans)
    assert names <= {event["name"] for event in spans}
    tracks = {event["tid"]: event["args"]["name"] for event in events if event["ph"] == "M"}
    assert {event["tid"] for event in spans} == tracks.keys()
    assert any(name.startswith("thread ") for name in tracks.values())


def test_a_trace_has_the_kernels(tmp_path: Path, way: Way, device: xp.Device) -> None:
    x = put(np.arange(6, dtype=np.float32), device)
    with xp.profile(tmp_path / "trace.json"):
        get(xp.sqrt(x))
    names = {"evaluate", "launch sqrt" if place_of(way) == "launched" else "sqrt"}
    check_trace(tmp_path / "trace.json", names)


def test_a_whole_process_is_profiled_on_request(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    text = """
        import isthmus as xp
        (xp.sin(xp.ones((3,))) + 1).eval()
    """
    assert run(text, ISTHMUS_PROFILE=str(file)) == ""
    check_trace(file, {"evaluate"})
