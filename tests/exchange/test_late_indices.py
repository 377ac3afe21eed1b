"""Indices behind a gate: calls with them do not wait, and others are not shown what is wrong."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("opencl_peers")
isthmus = peers.isthmus

pytestmark = [
    pytest.mark.usefixtures("opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
]
each_device = pytest.mark.parametrize("device", peers.DEVICES)


@pytest.fixture(autouse=True)
def _launched() -> Iterator[None]:
    isthmus.config.inline = "0"
    yield


def indices(device: str, more: int) -> tuple[Any, Any]:
    """Sixteen times 5 + more, once the gate is open."""
    fives, gate, _ = peers.behind_a_gate(device)
    return (fives.astype("int32") + more).eval(), gate


@each_device
def test_calls_wait_for_nothing(device: str) -> None:
    x = isthmus.arange(10, dtype="float32", device=device).eval()
    read, written = x + 1, x + 2
    read.eval(), written.eval()
    at, gate = indices(device, 4)
    got = [read[at].eval(), isthmus.take(read, at).eval(), isthmus.sum(read[at - 18]).eval()]
    written[at] = read[:16:1][at] * 2
    isthmus.put(written, at - 1, 3)
    assert not gate.is_open
    gate.open()
    assert [g.tolist() for g in got] == [[10] * 16, [10] * 16, 32]
    assert written.tolist() == [2, 3, 4, 5, 6, 7, 8, 9, 3, 20]


@each_device
def test_the_error_comes_with_the_wait(device: str) -> None:
    x = isthmus.arange(10, dtype="float32", device=device).eval()
    kept = (x * 1).eval()
    at, gate = indices(device, 5)
    read = x[at].eval()
    later = (read * 2).eval()
    kept[at] = 1
    assert not gate.is_open
    gate.open()
    for value in (later, read, later):
        with pytest.raises(
            IndexError, match=r"10 is out of bounds for axis 0 of length 10, at \(0,\)"
        ):
            value.tolist()
    with pytest.raises(IndexError, match=r"store of shape .* 10 is out of bounds for axis 0"):
        kept.tolist()
    assert kept.tolist() == x.tolist() == list(range(10))


@each_device
def test_what_is_wrong_is_not_shown(device: str) -> None:
    x = isthmus.arange(10, dtype="float32", device=device).eval()
    at, gate = indices(device, 5)
    read = x[at].eval()
    gate.open()
    for show in (isthmus.Array.to_numpy, isthmus.Array.to_pyopencl, isthmus.Array.__dlpack__):
        with pytest.raises(IndexError, match="10 is out of bounds"):
            show(read)
