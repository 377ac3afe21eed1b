"""pyopencl as a peer: its platforms, arrays in every layout, and work that waits for a gate."""

from __future__ import annotations

import importlib
import threading
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")
isthmus.devices()  # finds the drivers for the others
cl: Any = pytest.importorskip("pyopencl", reason="the peer on OpenCL is pyopencl")
cla: Any = importlib.import_module("pyopencl.array")

DEVICES = tuple(str(d) for d in isthmus.devices() if d.backend == "opencl")

SOURCE = """
kernel void add(global float* x, float y) { x[get_global_id(0)] += y; }
"""


def context_of(device: str) -> Any:
    """A user's own context on one of our devices."""
    return cl.Context([isthmus.Queue(device).to_pyopencl().device])


_out_of_order: list[Any] = []


def out_of_order(context: Any) -> Any:
    """A queue that is never released: where a kernel that ends on Intel's thread is the last to
    hold such a queue, that thread waits for itself, for ever (2026.2)."""
    free = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    _out_of_order.append(cl.CommandQueue(context, properties=free))
    return _out_of_order[-1]


def queue_of(device: str, in_order: bool = True) -> Any:
    context = context_of(device)
    queue = cl.CommandQueue(context) if in_order else out_of_order(context)
    queue.keep = context  # Intel's queues do not keep their context
    return queue


def add(queue: Any, data: Any, count: int, y: float, wait_for: Any = None) -> Any:
    """Enqueues x[i] += y on the first `count` floats; the event."""
    kernel = cl.Kernel(cl.Program(queue.context, SOURCE).build(), "add")
    kernel.set_args(data, np.float32(y))
    return cl.enqueue_nd_range_kernel(queue, kernel, (count,), None, wait_for=wait_for)


class Gate:
    """What waits for `event` waits until open() is called. Opens by itself in the end, so that a
    test in which somebody waits fails instead of hanging."""

    def __init__(self, context: Any) -> None:
        self.event = cl.UserEvent(context)
        self.is_open = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(5, self.open)
        self._timer.start()

    def open(self) -> None:
        with self._lock:
            was_open, self.is_open = self.is_open, True  # before anybody may go through
            if not was_open:
                self.event.set_status(cl.command_execution_status.COMPLETE)
        self._timer.cancel()


def gated(queue: Any, count: int = 16) -> tuple[Any, Gate]:
    """An array of `count` fives, once the gate is open; of zeros before."""
    a = cla.zeros(queue, (count,), np.float32)
    queue.finish()
    gate = Gate(queue.context)
    done = add(queue, a.base_data, count, 5, wait_for=[gate.event])
    a.events.append(done)
    queue.flush()
    return a, gate


def behind_a_gate(device: str) -> tuple[Any, Gate, Any]:
    """An array of ours that is fives once the gate is open, the gate, and the queues' context."""
    own = isthmus.Queue(device).context.to_pyopencl()
    a, gate = gated(cl.CommandQueue(own))
    return isthmus.from_pyopencl(a).copy(), gate, own
