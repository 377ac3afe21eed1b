"""Threads, forks, signals and the end of the process; each in a process of its own."""

from __future__ import annotations

import copy
import gc
import pathlib
import pickle
import re
import weakref
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests import programs
from tests.device.arrays import assert_same, get, put
from tests.ways import DEVICES

devices = pytest.mark.parametrize("name", DEVICES)


def run(text: str, *, may_say: str = "", **environment: str) -> str:
    """Runs a script to its end; returns what it printed. Nothing may be printed as an error but
    what this expression matches.
    """
    printed, said = programs.run(text, **environment)
    assert re.fullmatch(may_say, said, re.DOTALL), said
    return printed


@devices
def test_16_threads_make_the_first_call_at_once(name: str) -> None:
    text = f"""
        import threading
        barrier, results = threading.Barrier(16), []
        def first():
            barrier.wait()
            import isthmus as xp
            x = xp.arange(1000, dtype="int32", device={name!r}) * 2
            results.append(int(xp.sum(x + x).item()))
        threads = [threading.Thread(target=first) for _ in range(16)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert results == [1998000] * 16, results
        print("ok")
    """
    assert run(text, ISTHMUS_INLINE="0") == "ok\n"


@devices
def test_arrays_outlive_the_thread_that_made_them(name: str) -> None:
    text = f"""
        import threading
        import isthmus as xp
        made = []
        def make():
            x = xp.arange(100, dtype="float32", device={name!r})
            made.extend([x + 1, (x * 2).eval(), x[::-1]])
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        del thread
        total = sum(float(xp.sum(x).item()) for x in made)
        assert total == 5050 + 9900 + 4950, total
        print("ok")
    """
    assert run(text, ISTHMUS_INLINE="0") == "ok\n"


def test_a_forked_child_calculates_on_the_cpu() -> None:
    text = """
        import os
        import isthmus as xp
        import numpy as np
        x = xp.asarray(np.arange(1 << 20, dtype=np.float32), copy=True)
        y = (x * 2 + 1).eval()   # threads are running now
        pending = x + y
        child = os.fork()
        if child == 0:
            big = float(xp.sum(pending).item())
            new = xp.sin(xp.ones((1 << 20,), dtype="float32"))
            wanted = float(np.sum(np.arange(1 << 20) * 3.0 + 1))  # exact
            ok = abs(big - wanted) < 20 * np.finfo(np.float32).eps * wanted
            ok = ok and abs(float(xp.mean(new).item()) - np.sin(1.0)) < 1e-6
            os._exit(0 if ok else 3)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, status
        assert not pending.eval().is_pending
        print("ok")
    """
    assert run(text) == "ok\n"


def test_forks_while_threads_calculate_do_not_hang() -> None:
    text = """
        import os, threading
        import isthmus as xp
        stop = threading.Event()
        def work():
            while not stop.is_set():
                float(xp.sum(xp.arange(20000, dtype="float32") * 2).item())
        threads = [threading.Thread(target=work) for _ in range(3)]
        for t in threads: t.start()
        for _ in range(25):
            child = os.fork()
            if child == 0:
                x = xp.arange(1000, dtype="int64") + 1
                os._exit(0 if int(xp.sum(x).item()) == 500500 else 3)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        stop.set()
        for t in threads: t.join()
        print("ok")
    """
    assert run(text) == "ok\n"


@devices
def test_an_interrupt_stops_a_long_evaluation_and_leaves_the_library_usable(name: str) -> None:
    text = f"""
        import os, signal, threading, time
        import isthmus as xp
        # a shell starts background jobs with the signal ignored, and Python inherits that
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def build():
            x = xp.ones((1 << 19,), dtype="float32", device={name!r}).eval()
            total = xp.zeros((), dtype="float32", device={name!r})
            for i in range(400):  # a reduction each, so that there are many kernels
                total = total + xp.sum(xp.sin(x + i) * xp.cos(x * i))
            return total
        def interrupt():
            time.sleep(0.15)
            os.kill(os.getpid(), signal.SIGINT)
        stopped = 0
        for _ in range(5):
            thread = threading.Thread(target=interrupt)
            try:
                thread.start()
                for _ in range(100):
                    total = build()
                    xp.synchronize({name!r})
                    total.item()
            except KeyboardInterrupt:
                stopped += 1
            thread.join()
        assert stopped == 5, stopped
        again = build()
        assert abs(again.item() - build().item()) == 0
        assert int(xp.sum(xp.arange(10, dtype="int32", device={name!r})).item()) == 45
        print("ok")
    """
    # PoCL's compiler says so when the signal comes while it works
    assert run(text, may_say="(1 error generated.\n)*") == "ok\n"


@pytest.mark.skipif("null:2" not in DEVICES, reason="there is no null backend; build it")
@pytest.mark.parametrize("look", ["total.item()", 'xp.synchronize("null:2")', "float(total)"])
def test_an_interrupt_ends_one_long_wait_and_leaves_the_library_usable(look: str) -> None:
    text = f"""
        import os, signal, threading, time
        import isthmus as xp
        from tests.device.control import table
        signal.signal(signal.SIGINT, signal.default_int_handler)
        total = xp.zeros((), dtype="float32", device="null:2")
        table().set_delay(4_000_000)
        for i in range(30):  # they follow each other on the queue, for more than ten seconds
            total = (total + 1).eval()
        def interrupt():
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        start = time.monotonic()
        try:
            thread.start()
            {look}
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start < 2)
        thread.join()
        table().set_delay(0)
        print(total.item())
    """
    assert run(text) == "interrupted True\n30.0\n"


@devices
@pytest.mark.parametrize("is_built", [False, True], ids=["new-kernels", "old-kernels"])
def test_the_interpreter_ends_with_threads_pending_arrays_and_exports_alive(
    name: str, is_built: bool, tmp_path: pathlib.Path
) -> None:
    text = f"""
        import threading, sys
        import numpy as np
        import isthmus as xp
        x = xp.arange(1000, dtype="float32", device={name!r})
        sys.keep = [x + 1, x[::2], (x * 3).eval(), xp.asarray(np.ones(5, "f4"))]
        if {name!r} == "cpu":
            sys.more = [x.__dlpack__(), x.__dlpack__(max_version=(1, 0)), memoryview(x)]
            sys.more += [np.asarray(x), np.from_dlpack(x)]
        def work():
            y = xp.ones((5000,), dtype="float32", device={name!r})
            while True:
                y = y * 0.5 + 1
                xp.sum(y).eval()
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        class Late:
            def __del__(self):
                try:
                    (x + 1).eval()
                except Exception:
                    pass
        sys.late = Late()
        import time
        time.sleep(0.1)
        print("ok")
    """
    leaks = "(nanobind: leaked.*)?"  # where objects must outlive the interpreter
    for i in range(3):
        (tmp_path / str(i)).mkdir()
        new = {"ISTHMUS_CACHE": "0", "POCL_CACHE_DIR": str(tmp_path / str(i))}
        caches = {} if is_built else new  # else compilers are at work when the process ends
        assert run(text, may_say=leaks, ISTHMUS_INLINE="0", **caches) == "ok\n"


@devices
def test_functions_at_exit_calculate_and_end_threads_that_do(name: str) -> None:
    text = f"""
        import atexit, threading
        stopped, said = threading.Event(), []
        def work():
            i = 0
            try:
                while not stopped.is_set():
                    i += 1
                    (x * float(i)).eval()
            except xp.Error as error:
                said.append(type(error).__name__)
        thread = threading.Thread(target=work, daemon=True)
        @atexit.register  # before the package's own: runs after it
        def end():
            print(float(xp.sum(xp.sqrt(x)).item()))
            stopped.set()
            thread.join(30)
            print(thread.is_alive(), set(said) <= {{"LaunchError"}})
        import isthmus as xp
        x = xp.full((10,), 4.0, dtype="float32", device={name!r}).eval()
        thread.start()
    """
    assert run(text, ISTHMUS_INLINE="0", ISTHMUS_CACHE="0") == "20.0\nFalse True\n"


class Producer:
    """Memory that an Isthmus array holds, which this object holds in turn."""

    consumer: Any

    def __init__(self) -> None:
        self.memory = np.arange(4.0)
        self.__array_interface__ = self.memory.__array_interface__


def test_cycles_through_producers_are_collected() -> None:
    memory = Producer()
    memory.consumer = xp.asarray(memory)
    gone = weakref.ref(memory)
    del memory
    gc.collect()
    assert gone() is None, "the array and its producer keep each other alive"


class Bytes(bytearray):
    """A producer by the buffer protocol."""


@pytest.mark.parametrize("producer", [Producer, lambda: Bytes(32)], ids=["interface", "buffer"])
def test_cycles_through_several_views_of_a_producer_are_collected(producer: Any) -> None:
    memory = producer()
    first = xp.asarray(memory)
    memory.arrays = [first, first[1:], xp.reshape(first[:4], (2, 2)), xp.asarray(first)]
    memory.shown = [memoryview(first), memoryview(memory.arrays[1]), memoryview(first)]
    memory.shown[2].release()
    view, gone = first[::-1], weakref.ref(memory)
    del memory, first
    gc.collect()
    assert gone() is not None, "one of its views is in use"
    assert view.shape[0] == view.size
    del view
    gc.collect()
    assert gone() is None, "the arrays and their producer keep each other alive"


def test_a_cycle_that_a_capsule_leads_out_of_is_kept() -> None:
    memory = Producer()
    memory.consumer = xp.asarray(memory)
    shown = np.from_dlpack(memory.consumer)
    gone = weakref.ref(memory)
    del memory
    gc.collect()
    assert gone() is not None
    assert shown[3] == 3.0
    del shown
    gc.collect()
    assert gone() is None


def test_cycles_through_pending_readers_end_when_they_are_evaluated() -> None:
    memory = Producer()
    with xp.fusing():
        memory.consumer = xp.asarray(memory) + 1
    memory.consumer.eval()
    gone = weakref.ref(memory)
    del memory
    gc.collect()
    assert gone() is None


SAMPLES = [
    np.arange(6, dtype=np.int16).reshape(2, 3),
    np.array(2.5, np.float32),
    np.zeros((2, 0, 3), np.complex64),
    np.array([True, False]),
    np.asfortranarray(np.arange(6, dtype=np.float16).reshape(2, 3)),
]


@pytest.mark.parametrize("values", SAMPLES, ids=lambda v: f"{v.dtype}-{v.shape}")
@pytest.mark.no_kernel
def test_pickle_copy_and_deepcopy_keep_values_dtype_and_device(
    values: Any, device: xp.Device
) -> None:
    x = put(values, device)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(x, protocol))
        assert back.device == device
        assert_same(get(back), values)
    for copied in (copy.copy(x), copy.deepcopy(x), copy.deepcopy({"x": [x]})["x"][0]):
        assert copied.device == device
        assert_same(get(copied), values)
        if values.size:
            copied[...] = 0
            assert_same(get(x), values)


@pytest.mark.no_kernel
def test_devices_and_bfloat16_arrays_are_pickled(device: xp.Device) -> None:
    assert pickle.loads(pickle.dumps(device)) == device
    x = xp.astype(put(np.arange(4, dtype=np.float32), device), xp.bfloat16)
    back = pickle.loads(pickle.dumps(x))
    assert back.dtype == xp.bfloat16
    assert get(xp.astype(back, xp.float32)).tolist() == [0, 1, 2, 3]


def test_import_calls_no_driver_and_needs_no_environment() -> None:
    text = """
        import sys
        import isthmus
        assert not any(name.split(".")[0] in ("jax", "numba", "torch") for name in sys.modules)
        print(isthmus.statistics()["kernels"])
    """
    assert run(text, PYTHONDONTWRITEBYTECODE="1") == "0\n"


def test_eager_and_device_come_from_the_environment() -> None:
    text = """
        import isthmus as xp
        x = xp.ones((3,), dtype="float32") + 1
        print(x.device, x.is_pending, xp.config.eager, xp.config.inline)
    """
    assert run(text) == "cpu True False auto\n"
    assert run(text, ISTHMUS_EAGER="1", ISTHMUS_INLINE="0") == "cpu False True 0\n"
    if "null:1" in DEVICES:
        assert run(text, ISTHMUS_DEVICE="null:1") == "null:1 True False auto\n"
