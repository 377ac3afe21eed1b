"""What calls of drivers must bear: threads, forks, Python's lock, and the end of the process."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus
from tests.device.arrays import get, put
from tests.device.test_process import run
from tests.ways import DEVICES, KERNELS_ON_HOST, NULLS, REAL

devices = pytest.mark.parametrize("name", DEVICES)
drivers = pytest.mark.parametrize("name", [name for name in DEVICES if name != "cpu"])


def in_threads(count: int, work: Any) -> None:
    """Runs work(number) in that many threads at once; the first error is ours."""
    start, errors = threading.Barrier(count), []

    def run_one(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run_one, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@devices
def test_64_threads_calculate_on_one_device(name: str, request: pytest.FixtureRequest) -> None:
    xp.config.inline = "0"
    steps = 2500 if request.config.getoption("--thorough") else 12  # of four operations
    shared = put(np.arange(256, dtype=np.int32), name)

    def work(number: int) -> None:
        own = put(np.full(256, number, np.int32), name)
        for step in range(steps):
            own += shared
            view = own[::-1] * 2
            assert int(xp.sum(view).item()) == 2 * (256 * number + (step + 1) * 255 * 128)

    in_threads(64, work)
    assert get(shared).tolist() == list(range(256))


@drivers
def test_no_driver_is_called_with_pythons_lock(name: str) -> None:
    xp.config.inline = "0"
    before = _isthmus._calls_with_gil()
    calls = _isthmus._driver_calls()
    x = put(np.arange(60, dtype=np.float32), name)
    y = (x[::-1] * 2).eval()
    pending = xp.sum(x + y)
    str(pending), float(pending), bool(xp.any(x > 1)), x.device.info
    x[::2] = 1
    get(x.to_device("cpu").to_device(name))
    with pytest.raises(MemoryError):
        xp.empty((1 << 50,), dtype="int8", device=name)
    del x, y, pending
    gc.collect()
    _isthmus._pool_trim(name, 0)
    _isthmus._clear_cache(False)
    xp.synchronize(name)
    assert _isthmus._driver_calls() > calls
    assert _isthmus._calls_with_gil() == before


@pytest.mark.parametrize("name", REAL)
def test_pools_of_real_devices_count_cap_and_trim(name: str) -> None:
    _isthmus._pool_trim(name, 0)
    start = _isthmus._pool_statistics(name)
    x = xp.zeros((1 << 20,), dtype="int8", device=name).eval()
    held = _isthmus._pool_statistics(name)
    assert held["bytes_in_use"] - start["bytes_in_use"] == 1 << 20
    xp.synchronize(name)  # so that its memory is idle at once, not when the reaper has waited
    del x
    assert _isthmus._pool_statistics(name)["bytes_idle"] == 1 << 20
    again = xp.zeros((1 << 20,), dtype="int8", device=name).eval()
    assert _isthmus._pool_statistics(name)["hits"] == held["hits"] + 1
    xp.synchronize(name)
    try:
        _isthmus._pool_set_cap(name, 1 << 19)
        del again
        assert _isthmus._pool_statistics(name)["bytes_idle"] == 0
    finally:
        _isthmus._pool_set_cap(name, 0)


@drivers
def test_a_forked_child_has_the_cpu_and_a_clear_error_for_the_rest(name: str) -> None:
    text = f"""
        import os
        import numpy as np
        import isthmus as xp
        x = (xp.ones((4,), dtype="float32", device={name!r}) + 1).eval()
        loop = xp.ElementwiseKernel(
            "float32 x", "float32 y", "y = 0; for (int i = 0; i < 3; ++i) y += x;", "loop"
        )
        child = os.fork()
        if child == 0:
            if float(xp.sum(xp.arange(1000, dtype="int64")).item()) != 499500:
                os._exit(2)
            for action in (
                lambda: (x + 1).to_device("cpu").eval(),
                lambda: xp.zeros((1 << 16,), device={name!r}).eval(),
                lambda: xp.asarray(np.ones(3, "f4"), device={name!r}, copy=True),
                *([lambda: loop(xp.ones((4,), dtype="float32")).eval()] * {KERNELS_ON_HOST}),
            ):
                try:
                    action()
                except xp.LaunchError as error:
                    if "a forked child cannot use the drivers" not in str(error):
                        os._exit(4)
                else:
                    os._exit(3)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, status
        assert float(xp.sum(x).item()) == 8
        print("ok")
    """
    assert run(text, ISTHMUS_INLINE="0") == "ok\n"


@drivers
def test_forks_while_threads_use_a_device_do_not_hang(name: str) -> None:
    text = f"""
        import os, threading
        import isthmus as xp
        stop = threading.Event()
        def work():
            x = xp.arange(2000, dtype="float32", device={name!r})
            while not stop.is_set():
                float(xp.sum(x * 2).item())
        threads = [threading.Thread(target=work) for _ in range(3)]
        for t in threads: t.start()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                try:
                    xp.ones((3,), device={name!r}).to_device("cpu")
                except xp.LaunchError:
                    x = xp.arange(1000, dtype="int64") + 1
                    os._exit(0 if int(xp.sum(x).item()) == 500500 else 3)
                os._exit(4)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        stop.set()
        for t in threads: t.join()
        print("ok")
    """
    assert run(text, ISTHMUS_INLINE="0") == "ok\n"


@drivers
def test_nothing_is_alive_when_its_arrays_are_gone(name: str) -> None:
    text = f"""
        import atexit, gc, time
        import isthmus as xp
        from isthmus import _isthmus
        def look():
            gc.collect()
            xp.synchronize({name!r})
            until = time.monotonic() + 5  # the reaper's thread has its own pace
            while xp.counters()["reaper_backlog"] and time.monotonic() < until:
                time.sleep(0.001)
            for device in ("cpu", {name!r}):
                _isthmus._pool_trim(device, 0)
            print(xp.counters())
        atexit.register(look)
        x = xp.arange(5000, dtype="float32", device={name!r})
        for _ in range(20):
            x = x * 0.5 + xp.sum(x)
        x.eval()
        dropped = xp.sin(x)
        del x, dropped
    """
    assert run(text, ISTHMUS_INLINE="0") == "{'memories': 0, 'nodes': 0, 'reaper_backlog': 0}\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NULLS, *REAL])
def test_fresh_processes_bear_16_first_calls_at_once(
    name: str, request: pytest.FixtureRequest
) -> None:
    text = f"""
        import threading
        import isthmus as xp
        barrier, results = threading.Barrier(16), []
        def first(number):
            barrier.wait()
            if number % 2: xp.devices()
            x = xp.arange(1000, dtype="int32", device={name!r}) * 2
            results.append(int(xp.sum(x + x).item()))
        threads = [threading.Thread(target=first, args=(n,)) for n in range(16)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert results == [1998000] * 16, results
        print("ok")
    """
    for _ in range(50 if request.config.getoption("--thorough") else 8):
        assert run(text, ISTHMUS_INLINE="0") == "ok\n"


@pytest.mark.skipif("opencl:0" not in DEVICES, reason="there is no opencl:0")
def test_selectors_of_opencl_are_read_to_their_end() -> None:
    for wrong in ("cpu:0,cpu", "cpu:", "cpu:0x", "cpu:-1", "abacus", "cpu:99"):
        with pytest.raises(LookupError, match=r"the devices are opencl:0 \("):
            xp.Device(f"opencl:{wrong}")
