"""Queues, contexts and events: pyopencl's, or those of Isthmus where pyopencl is not installed."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from isthmus._isthmus import Context, LaunchError, Queue
from isthmus.cl import _errors

OUT_OF_ORDER = 1  # CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
_QUEUES_KEPT = 4
_joined: Any = None  # the module whose errors ours are
_queues: OrderedDict[Any, tuple[Any, Any]] = OrderedDict()  # of contexts that came without one


def loaded_pyopencl() -> Any:
    """The module if the program has imported it, else None: nobody has objects of it then."""
    global _joined
    cl = sys.modules.get("pyopencl")
    if cl is not _joined and cl is not None:
        _errors.join(cl)
        _joined = cl
    return cl


def is_queue(obj: object) -> bool:
    """Whether work can be put on it."""
    cl = loaded_pyopencl()
    return isinstance(obj, Queue) or (cl is not None and isinstance(obj, cl.CommandQueue))


def is_context(obj: object) -> bool:
    """Whether memory can be made in it."""
    cl = loaded_pyopencl()
    return isinstance(obj, Context) or (cl is not None and isinstance(obj, cl.Context))


def is_pyopencl_queue(obj: object) -> bool:
    """Whether the queue has events."""
    return obj is not None and not isinstance(obj, Queue)


def is_on_cpu(queue: Any) -> bool:
    """Whether the host's processor does the work on a queue."""
    if is_pyopencl_queue(queue):
        return bool(queue.device.type & loaded_pyopencl().device_type.CPU)
    info = queue.device.info
    return bool(info["unified_memory"] and info["system_memory"])


def context_of(queue: Any) -> Any:
    """The context of a queue, of the queue's own library."""
    return queue.context


def queue_in(context: Any) -> Any:
    """A queue of ours in a context: for memory of arrays that have none."""
    if isinstance(context, Context):
        if context == Context(context.device):
            return Queue(context.device)
        context = context.to_pyopencl()
    return _kept(context.int_ptr, context)


def queue_for(device: Any) -> Any:
    """A queue of ours in a context of ours, for a device: to ask its compiler."""
    import pyopencl

    known = _queues.get(("device", device.int_ptr))
    context = pyopencl.Context([device]) if known is None else known[0]
    return _kept(("device", device.int_ptr), context)


def _kept(key: Any, context: Any) -> Any:
    """A queue that lives, with its context, which Intel's queues do not hold."""
    if key not in _queues:
        _queues[key] = context, loaded_pyopencl().CommandQueue(context)
        if len(_queues) > _QUEUES_KEPT:
            _queues.popitem(last=False)
    _queues.move_to_end(key)
    return _queues[key][1]


def need_queue(queue: Any, what: str = "compute") -> Any:
    """The queue itself. Raises: ValueError if there is none."""
    if queue is None:
        raise ValueError(f"the array has no queue to {what} on; x.with_queue(queue) gives it one")
    return queue


def wait_first(queue: Any, events: Iterable[Any] | None) -> None:
    """Puts what comes next on the queue behind the events. Raises: LaunchError for one that has
    failed by now."""
    events = list(events or ())
    if not events:
        return
    if is_pyopencl_queue(queue):
        wrong = [x for x in events if not isinstance(x, loaded_pyopencl().Event)]
        if wrong:
            raise TypeError(
                f"expected a pyopencl.Event to wait for, not {type(wrong[0]).__name__!r}"
            )
        for event in events:
            status = event.command_execution_status
            if status < 0:  # Intel's runtime would drop it, PoCL would wait for ever
                raise LaunchError(f"wait_for: the work of an event failed, with status {status}")
        others = _not_in_order(queue, events)
        if others:
            loaded_pyopencl().enqueue_barrier(queue, wait_for=others)
        return
    for event in events:
        event.wait()


def _not_in_order(queue: Any, events: list[Any]) -> list[Any]:
    """The events that what comes next on the queue would not wait for anyway: a barrier for others
    takes longer than a small kernel."""
    if queue.properties & OUT_OF_ORDER:
        return events
    return [x for x in events if x.command_queue != queue]  # None of a user's event


class Event:
    """The end of what was on an ``isthmus.Queue``; pyopencl's queues have pyopencl's events."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    def wait(self) -> None:
        """Waits for all that is on the queue."""
        self._queue.synchronize()


def end_of(queue: Any) -> Any:
    """An event behind all that is on the queue now."""
    if is_pyopencl_queue(queue):
        return loaded_pyopencl().enqueue_marker(queue)
    return Event(queue)
