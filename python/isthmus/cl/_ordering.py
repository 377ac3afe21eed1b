"""Events of arrays: for work of others, on any queue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._fresh import Fresh
from isthmus.cl._places import (
    end_of,
    is_pyopencl_queue,
    is_queue,
    loaded_pyopencl,
    need_queue,
    wait_first,
)

EVENTS_KEPT = _isthmus._EVENTS_KEPT
_PROFILING_ENABLE = 2  # CL_QUEUE_PROFILING_ENABLE


def queue_of(queue: Any, operands: Iterable[Any], what: str = "compute") -> Any:
    """The queue that is given, else that of the first array that has one.

    Raises: ValueError if there is none, and for a queue of another context than the arrays';
    TypeError for what is no queue, and if all arrays are those of other libraries.
    """
    operands = list(operands)
    if queue is None:
        for x in operands:
            if isinstance(x, Ordering) and x.queue is not None:
                return x.queue
        others = [x for x in operands if has_elements(x)]
        if others and not any(isinstance(x, Ordering) for x in operands):
            raise not_an_array(others[0])
        return need_queue(None, what)
    if not is_queue(queue):
        raise not_a_queue(queue, what)
    for x in operands:
        if not isinstance(x, Ordering):
            continue
        if queue is not x.queue and Queue(queue).context != Queue(x._some_queue()).context:
            raise ValueError(
                f"cannot {what} on a queue of another context than the array's; "
                "to_device(queue, x.get()) copies there"
            )
    return queue


def queue_of_arrays(queue: Any, arrays: Iterable[Any], what: str = "compute") -> Any:
    """As queue_of, of operands that are all arrays. Raises: TypeError if one is not."""
    arrays = list(arrays)
    need_arrays(*arrays)
    return queue_of(queue, arrays, what)


def need_arrays(*values: Any, who: str = "") -> None:
    """Raises: TypeError for the first that is no array."""
    for x in values:
        if not isinstance(x, Ordering):
            raise not_an_array(x, who=who)


def not_a_queue(value: object, what: str) -> TypeError:
    """The error that says what was found."""
    return TypeError(f"{what}: expected a queue, not {type(value).__name__!r}")


def has_elements(value: object) -> bool:
    """Whether it is a sequence, or an array of another library: no number."""
    kind = type(value)
    return (
        isinstance(value, (np.ndarray, list, tuple))
        or hasattr(kind, "__dlpack__")
        or kind.__module__ == "pyopencl.array"
    )


def not_an_array(
    value: object, wanted: str = "an isthmus.cl.array.Array", who: str = ""
) -> TypeError:
    """The error that says what was found and what makes an array of it."""
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else _full_name(kind)
    what_would_do = ""
    if kind.__module__ == "pyopencl.array":
        what_would_do = (
            "; isthmus.cl.array.Array(a.queue, a.shape, a.dtype, data=a.base_data, "
            "offset=a.offset, strides=a.strides) shares its memory"
        )
    elif has_elements(value):
        given = "numpy.asarray(a)" if isinstance(value, (list, tuple)) else "a"
        what_would_do = f"; to_device(queue, {given}) copies it"
    return TypeError(f"{who}expected {wanted}, not {name}{what_would_do}")


def _full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


class Ordering(_isthmus._ArrayOnQueue):
    """Events that an array depends on."""

    # what Array has
    _some_queue: Callable[[], Any]
    base_data: Any
    _fresh: Fresh | None

    def _wrote(self) -> None:
        self._news = min(self._news + 1, EVENTS_KEPT)

    @property
    def events(self) -> list[Any]:
        """Events that the contents depend on: one for each operation since finish(), at most 12.

        The contents are complete when all of them have ended. On a queue with PROFILING_ENABLE they
        have the times of the kernel that last wrote the array, if one did; xp.config.inline = "0"
        keeps the host from doing that itself. Reading them evaluates the array. Empty on an
        isthmus.Queue, whose work needs no events.
        """
        if self._news and is_pyopencl_queue(self.queue):
            with Queue(self.queue):
                self._x.eval()
            event = None
            if self._x.size:
                if self.queue.properties & _PROFILING_ENABLE:
                    event = _isthmus._writing_event(self._x, self.queue)
                _isthmus._lend_to_pyopencl(self._x, self.queue)  # the queue comes behind the work
            self._add(end_of(self.queue) if event is None else event, self._news)
        self._news = 0
        return self._events

    def _add(self, event: Any, count: int) -> None:
        self._events += [event] * count
        if len(self._events) > EVENTS_KEPT:
            loaded_pyopencl().wait_for_events(self._events[:-EVENTS_KEPT])
            del self._events[:-EVENTS_KEPT]

    def add_event(self, evt: Any) -> None:
        """Makes later work on the array wait for an event.

        From then on the memory counts as shared, as after reading base_data. Waits: no, except for
        the event if the array has no pyopencl queue.
        """
        if not is_pyopencl_queue(self.queue):
            evt.wait()
            self._add(evt, 1)
            return
        # Shown: what reads it is launched behind the queue. On the host it would wait.
        if self._fresh is None or not self._fresh.is_shown_for(self.queue):
            with Queue(self.queue):
                self.base_data  # noqa: B018
        wait_first(self.queue, [evt])
        self._add(evt, 1)

    def _end_events(self) -> None:
        """What finish() does for the work of others."""
        loaded_pyopencl().wait_for_events(self._events)
        self._events.clear()
