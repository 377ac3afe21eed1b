"""Work of dpnp's that a gate keeps from running on, on queues of dpctl's."""

from __future__ import annotations

import ctypes
import importlib
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
clpeers = importlib.import_module("opencl_peers")
peers = importlib.import_module("sycl_peers")
isthmus, dpctl, dpt = peers.isthmus, peers.dpctl, peers.dpt

N = 1000


def queue_of(in_order: bool) -> Any:
    return dpctl.SyclQueue(property=["in_order"] if in_order else [])


def hold(queue: Any) -> Any:
    """What is put on dpctl's queue from now on waits for this gate."""
    y, gate, _ = clpeers.behind_a_gate("opencl:0")
    capsule = isthmus.asarray(y, device="sycl:0", copy=False).__dlpack__(
        max_version=(1, 3), stream=queue
    )
    del capsule
    assert not gate.is_open
    return gate


def seen_by_the_host(address: int, count: int = N) -> Any:
    """Whatever is there now, in order with nothing."""
    return np.ctypeslib.as_array((ctypes.c_float * count).from_address(address))


class Work:
    """dpnp adds five to zeros, which takes as long as the gate is shut."""

    def __init__(self, in_order: bool = False, count: int = N) -> None:
        self.queue = queue_of(in_order)
        self.five = dpt.full(count, 5, dtype="f4", sycl_queue=self.queue)
        self.a = dpt.zeros(count, dtype="f4", sycl_queue=self.queue)
        self.shown = peers.Shows(self.a)  # dpnp itself waits when it shows one
        dpt.add(self.five, self.a, out=dpt.empty_like(self.a))  # what is new to dpnp takes a while
        self.queue.wait()
        self.memory = seen_by_the_host(peers.pointer_of(self.a), count)
        self.gate = hold(self.queue)
        self.add()
        assert not self.has_run()

    def add(self) -> None:
        dpt.add(self.a, self.five, out=self.a)

    def open_soon(self) -> None:
        """Our next operation may wait: when it returns, code of the host may write to what it read,
        and SYCL may not have given dpnp's work an event yet."""
        assert not self.has_run()
        threading.Timer(0.1, self.gate.open).start()

    def has_run(self) -> bool:
        return bool(self.gate.is_open or self.memory.any())
