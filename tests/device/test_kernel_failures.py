"""Users' kernels: each driver call of theirs fails in turn, threads, and the end of a process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_failures import each_call_fails, step_of
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


@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("name", REAL)
def test_every_driver_call_may_fail(name: str, sticky: bool) -> None:
    xp.config.inline = "0"
    each_call_fails(lambda: kernels(name), step_of(name, sticky), sticky)


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
