"""Users' kernels that write out of range or never end: work of the library stays right."""

from __future__ import annotations

import numpy as np
import pytest

import isthmus as xp
from tests import programs
from tests.device.arrays import get
from tests.ways import DEVICES, REAL

devices = pytest.mark.parametrize("name", [name for name in DEVICES if name in REAL])
BEYOND = """
__kernel void beyond(__global float* x, const int n) {
  const int i = get_global_id(0);
  x[i - 16] = -1;
  x[n + i] = -2;
}
"""


@devices
def test_what_is_written_out_of_range_harms_no_other_array(name: str) -> None:
    """Out of range of a view; beyond memory that belongs to the array, drivers promise nothing."""
    whole = xp.ones((4096,), dtype=xp.float32, device=name).eval()
    others = [(xp.arange(1000, dtype="int32", device=name) + k).eval() for k in range(8)]
    kernel = xp.RawKernel(BEYOND, "beyond")
    kernel((1,), (16,), (whole[1024:2048], 1024))
    summed = xp.sum(whole * 2, dtype=xp.float64)
    assert float(summed) == 2 * (4096 - 32) - 2 * 16 - 4 * 16
    np.testing.assert_array_equal(
        np.flatnonzero(get(whole) < 0), [*range(1008, 1024), *range(2048, 2064)]
    )
    for k, other in enumerate(others):
        np.testing.assert_array_equal(get(other), np.arange(1000) + k)
        np.testing.assert_array_equal(get(xp.sort(-other)), np.sort(-np.arange(1000) - k))


@devices
def test_a_kernel_that_never_ends_holds_up_only_what_waits_for_it(name: str) -> None:
    """An interrupt ends the wait. The process is left without the driver, which might wait too."""
    text = f"""
        import os, signal
        import isthmus as xp

        def interrupt(*_):
            raise KeyboardInterrupt

        loop = "__kernel void f(__global volatile int* x) {{ while (x[0] == 0) {{}} x[1] = 7; }}"
        x = xp.zeros(16, dtype="int32", device={name!r}).eval()
        y = (xp.arange(100_000, device={name!r}) * 2).eval()
        xp.synchronize({name!r})
        with xp.Queue({name!r}):
            xp.RawKernel(loop, "f")((1,), (1,), (x,))
        assert int(xp.sum(xp.arange(1000) * 2)) == 999_000
        assert int(xp.sum(y)) == 9_999_900_000
        signal.signal(signal.SIGALRM, interrupt)
        for wait in (x.to_numpy, lambda: int(x[1]), lambda: (x + 1).tolist()):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            try:
                wait()
            except KeyboardInterrupt:
                print("interrupted")
        assert int(xp.sum(y + 1)) == 10_000_000_000
        print("right", flush=True)
        os._exit(0)
    """
    printed, said = programs.run(text)
    assert printed.split() == ["interrupted"] * 3 + ["right"], said
