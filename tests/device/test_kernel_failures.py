"""Kernels in texts: each driver call of theirs fails in turn, threads, and the end of a process."""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.control import LAUNCH, OUT_OF_MEMORY, failing_calls
from tests.device.test_failures import (
    calls_of,
    calls_that_fail,
    each_call_fails,
    forget,
)
from tests.device.test_process import run
from tests.ways import REAL

pytestmark = pytest.mark.skipif(not REAL, reason="no device that compiles")
TEXT = """
__kernel void scale(__global const float* x, __global float* y, float by, __local float* part) {
  part[get_local_id(0)] = x[get_global_id(0)] * by;
  y[get_global_id(0)] = part[get_local_id(0)];
}
"""
SCALE = xp.RawKernel(TEXT, "scale")
TURNED = xp.ElementwiseKernel("complex64 x", "float32 y", "y = cfloat_abs(x)", "turned")
SEGMENTS = xp.ScanKernel(
    *("T x", "T y", "x", "a + b", "y = a", "segments"),
    is_segment_start_expr="i % 7 == 0",
    exclusive=True,
    identity=0,
)
SQUARED = xp.ElementwiseKernel("T x, raw T y", "T z", "z = x * x + y[n - 1 - i]", "squared")
NORM = xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm")
RUNNING = xp.ScanKernel("T x", "T y", "x", "a > b ? a : b", "y = a", "running")


def kernels(device: str) -> Any:
    x = put(np.arange(64, dtype=np.float32), device)
    y = xp.zeros(64, dtype="float32", device=device)
    reader = y + 1
    SCALE((8,), (8,), (x + 1, y, 2.0, xp.LocalMemory(32)))
    made = SQUARED(y, x) + reader
    total = get(made).sum() + get(NORM(made)) + get(RUNNING(made[::-1])).sum() + get(y).sum()
    return total + get(TURNED(x * 1j)).sum() + get(SEGMENTS(made)).sum()


def module(device: str) -> Any:
    """Several kernels of one text, made anew, with what they ask of a device."""
    made = xp.RawModule(TEXT + "__kernel void none(__global float* x) { x[0] = 0; }")
    scale = made.get_function("scale")
    x = put(np.arange(64, dtype=np.float32), device)
    y = xp.zeros(64, dtype="float32", device=device)
    group = min(scale.attributes(device)["largest_group"], 8)
    scale((64 // group,), (group,), (x, y, 2.0, xp.LocalMemory(4 * group)))
    made.get_function("none")((1,), (1,), (y,))
    return get(y).sum()


def in_own_context(device: str) -> Any:
    """On a queue and in a context of the user."""
    with xp.Queue(device):
        return kernels(device)


def tiles(device: str) -> Any:
    """A product in local memory, whose text is ours."""
    x = put(np.arange(2 * 40 * 30, dtype=np.int32).reshape(2, 40, 30), device)
    made = (x + 1) @ x[0].T
    return get(made + 1).sum()


WORKLOADS = {f.__name__: f for f in (kernels, module, in_own_context, tiles)}
DEVICES_OF_TEXTS = [*REAL, "cpu"]


def has_texts(device: str) -> bool:
    """Whether kernels run on it: arrays of the host need an OpenCL device that reaches them."""
    try:
        module(device)
    except NotImplementedError:
        return False
    return True


@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("name", DEVICES_OF_TEXTS)
def test_every_driver_call_may_fail(name: str, workload: str, sticky: bool) -> None:
    before = held()  # before any work: what a call leaves to other threads would be counted, too
    if name == "cpu" and (workload in ("tiles", "in_own_context") or not has_texts(name)):
        pytest.skip("no driver works for this on the host")
    xp.config.inline = "0"
    action = WORKLOADS[workload]
    driver = REAL[0] if name == "cpu" else name  # that of OpenCL, which works for the host
    each_call_fails(lambda: action(name), driver, sticky)
    end = time.monotonic() + 10
    while held() != before and time.monotonic() < end:
        time.sleep(0.05)  # what work on a queue keeps is released behind it
    assert held() == before


def held() -> tuple[int, int]:
    gc.collect()
    for device in REAL:
        xp.synchronize(device)
    counters = xp.counters()
    return counters["memories"], counters["nodes"]


@pytest.mark.parametrize("name", REAL)
def test_the_error_says_what_failed(name: str) -> None:
    """Memory is an OutOfMemoryError, else a build is a CompileError and all else a LaunchError."""
    xp.config.inline = "0"
    _, count = calls_of(lambda: module(name), commands=False)
    kinds = set()
    for nth in calls_that_fail(count, name):
        for code in (OUT_OF_MEMORY, LAUNCH):
            forget()
            try:
                with failing_calls(nth, code=code):
                    module(name)
            except (xp.OutOfMemoryError, xp.LaunchError, xp.CompileError) as error:
                kinds.add((code, type(error)))
                assert "as a test asked" in str(error)
                assert code != OUT_OF_MEMORY or not isinstance(error, xp.LaunchError), error
                assert code != LAUNCH or not isinstance(error, xp.OutOfMemoryError), error
    assert {(OUT_OF_MEMORY, xp.OutOfMemoryError), (LAUNCH, xp.LaunchError)} <= kinds


@pytest.mark.parametrize("name", REAL)
def test_threads_share_a_kernel(name: str) -> None:
    wanted = kernels(name)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: kernels(name), range(40))) == {wanted}


def test_a_process_ends_while_kernels_run() -> None:
    program = f"""
import isthmus as xp
for name in {REAL}:
    x = xp.ones(1 << 20, dtype="float32", device=name)
    k = xp.ElementwiseKernel("T x", "T y", "y = x; for (int k = 0; k < 50; ++k) y = y * 0.5f + 1")
    made = [k(x + j).eval() for j in range(4)]
print("ends")
"""
    out = run(program)
    assert out.split() == ["ends"]
