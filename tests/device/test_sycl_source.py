"""Kernels in SYCL's own language: one of each family beside the host's, each in its process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import isthmus as xp

PROGRAM = """
import gc
import time

import numpy as np
import isthmus as xp

DEVICE = "sycl:0"
rng = np.random.default_rng(4)


def both(values, call, tolerance=0.0):
    \"\"\"The same call on the device and on the host.\"\"\"
    there = call(*(xp.asarray(v, device=DEVICE, copy=True) for v in values))
    here = call(*(xp.asarray(v, copy=True) for v in values))
    got, wanted = np.asarray(there.to_device("cpu")), np.asarray(here)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    if tolerance:
        np.testing.assert_allclose(got, wanted, rtol=tolerance)
    else:
        np.testing.assert_array_equal(got, wanted)


before = xp.statistics()["launched"]
real = rng.random((64, 33), dtype=np.float32) + 0.5
whole = rng.integers(-50, 50, (64, 33))
both([real, real[::-1]], lambda x, y: 2 * x + xp.sin(y) / 3, 1e-6)
both([real.astype(np.float64)], lambda x: xp.expm1(x) - xp.log(x), 1e-14)
both([whole, np.where(whole == 3, 0, 3)], lambda x, y: (x // y) * 7 + x % y)
both([whole.astype(np.uint8)], lambda x: (x << 1) ^ 3)
both([whole > 0, whole > 9], lambda x, y: x & ~y)
both([real.astype(np.float16)], lambda x: x * x + 1)
both([real + 1j * real[::-1]], lambda z: z * z / (z + 1), 1e-5)
both([real * 40], lambda x: xp.astype(x, "int16"))

# functions of complex infinities, NaNs, signed zeros and numbers of every size, in one kernel
parts = np.array([0.0, -0.0, 1.0, -2.5, 1e300, 1e-310, np.inf, -np.inf, np.nan])
special = np.add.outer(parts, 1j * np.zeros(9)).astype(complex)
special.imag = parts
NAMES = ("sqrt", "exp", "log1p", "cosh", "tanh", "acos", "atanh")


def chosen(which, z, w):
    result = xp.where(which == 0, xp.pow(z, w), xp.where(which == 1, z * w, z / w))
    for k, name in enumerate(NAMES):
        result = xp.where(which == k + 3, getattr(xp, name)(z), result)
    return result


which = np.arange(len(NAMES) + 3)[:, None, None]
both([which, special, special[::-1, ::-1].copy()], chosen, 1e-13)
both([real], lambda x: xp.where(x > 1, x, -x).T)
both([real], lambda x: xp.sum(x * 2, axis=0) + 1)
both([rng.random(100_000, dtype=np.float32)], lambda x: xp.mean(x))
both([whole], lambda x: xp.max(x, axis=1))
# what is read of users' texts can be printed in any language
squared = xp.ElementwiseKernel("T x, T y", "T z", "T d = x - 0.5 * y; z = d > 0 ? d * d : 0")
both([real, real[::-1]], lambda x, y: squared(x, y) + 1)
assert "user_" not in xp.source(squared(xp.asarray(real, device=DEVICE, copy=True), 1.0))
record = np.zeros(5, [("a", "i4"), ("b", "f8")])
record["b"] = np.arange(5)
both([record], lambda r: r[::-1].copy())
assert xp.statistics()["launched"] - before >= 15

# what a launch uses in between goes when it has been waited for
x = xp.asarray(rng.random(100_000, dtype=np.float32), device=DEVICE, copy=True)
mean = xp.mean(x).eval()
assert 0.4 < float(np.asarray(mean)) < 0.6
del x, mean
gc.collect()
xp.synchronize(DEVICE)
until = time.monotonic() + 5  # the reaper's thread has its own pace
while xp.counters()["memories"] and time.monotonic() < until:
    time.sleep(0.001)
assert xp.counters()["memories"] == 0, xp.counters()
"""


@pytest.mark.skipif(
    not any(d.backend == "sycl" for d in xp.devices()), reason="there is no SYCL device"
)
def test_each_family_has_a_kernel_in_sycl_source() -> None:
    environment = os.environ | {"ISTHMUS_SYCL_KERNELS": "source", "ISTHMUS_INLINE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
