"""Threads that change one array in place."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array

TIMES, THREADS = 100, 4


def run(*calls: Callable[[], None]) -> None:
    failed: list[BaseException] = []

    def guarded(call: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as problem:
            failed.append(problem)

    threads = [threading.Thread(target=guarded, args=(call,), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not failed


def adds(y: Any, times: int = TIMES) -> Callable[[], None]:
    def add() -> None:
        x = y
        for _ in range(times):
            x += 1

    return add


SEEN: dict[str, Callable[[Any], list[Any]]] = {
    "the array": lambda x: [x] * THREADS,
    "views": lambda x: [x[:] for _ in range(THREADS)],
    "the array and views": lambda x: [x, x[:], x[::-1], x.with_queue(x.queue)],
}


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("is_shown", [False, True])
@pytest.mark.parametrize("size", [3, 50000])
def test_no_addition_is_lost(cl_queue: Any, size: int, is_shown: bool, seen: str) -> None:
    x = cl_array.zeros(cl_queue, size, np.int32)
    if is_shown:
        assert x.data is not None
    run(*(adds(y) for y in SEEN[seen](x)))
    assert (x.get() == TIMES * THREADS).all()


def test_no_addition_of_vectors_is_lost(cl_queue: Any) -> None:
    from isthmus.cl import cltypes

    x = cl_array.zeros(cl_queue, 5000, cltypes.float4)
    run(*[adds(x)] * THREADS)
    assert (x.get()["x"] == TIMES * THREADS).all()


def test_arrays_that_add_each_other(cl_queue: Any) -> None:
    x, y = (cl_array.zeros(cl_queue, 1000, np.uint8) for _ in range(2))

    def mix(a: Any, b: Any) -> Callable[[], None]:
        def add() -> None:
            mine = a
            for _ in range(TIMES):
                mine ^= b

        return add

    run(mix(x, y), mix(y, x), mix(x[::2], y[::2]), mix(x, x))
    assert (x.get() == 0).all() and (y.get() == 0).all()


def test_work_that_waits_for_an_event_of_another_thread(cl_queue: Any) -> None:
    import pyopencl as cl

    x, y = (cl_array.zeros(cl_queue, 1000, np.int32) for _ in range(2))
    event = cl.UserEvent(cl_queue.context)
    x.add_event(event)

    def later() -> None:
        adds(y, 10)()
        adds(x, 10)()
        event.set_status(cl.command_execution_status.COMPLETE)

    run(adds(x, 10), later)
    assert (x.get() == 20).all() and (y.get() == 10).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_has_turns_of_its_own() -> None:
    program = """
import os, threading
from isthmus.cl import _turns

held, done = threading.Event(), threading.Event()
thing = object()

def hold():
    held.set()
    done.wait()

thread = threading.Thread(target=_turns.in_turn, args=(thing, hold))
thread.start()
held.wait()
child = os.fork()
if child == 0:
    _turns.in_turn(thing, os._exit, 7)
status = os.waitpid(child, 0)[1]
done.set()
thread.join()
assert os.waitstatus_to_exitcode(status) == 7
assert not _turns._turns
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60)
