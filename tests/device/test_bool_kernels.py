"""Bools in users' kernels are C's: whatever is assigned or combined becomes 0 or 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_raw_kernel import device as device

INTEGERS = np.array([0, 256, 2, -1, 255], np.int32)
REALS = np.array([0, 0.5, np.nan, -0.0, 1e10], np.float32)
TEXTS = (
    *("z = x", "z = x ? 256 : 0", "bool q = x; z = q", "z = 0; z |= x", "if (x) z = x"),
    *("z = 0; z += x", "T t = x; z = t", "z = x + 0 * cos((float)x)"),
)


def there(values: Any, device: str) -> xp.Array:
    return xp.asarray(np.asarray(values), device=device, copy=True)


def same(got: xp.Array, wanted: Any) -> None:
    host = got.to_numpy()
    np.testing.assert_array_equal(host, wanted)
    if host.dtype == bool:
        assert host.reshape(-1).view(np.uint8).max(initial=0) <= 1


@pytest.mark.parametrize("count", [5, 40_000])  # calculated by the host, and launched
@pytest.mark.parametrize("text", TEXTS)
def test_outputs_are_0_or_1(device: str, text: str, count: int) -> None:
    kernel = xp.ElementwiseKernel("T x", "bool z", text.replace("T t", "bool t"))
    for values in (np.resize(INTEGERS, count), np.resize(REALS, count)):
        if values.dtype.kind == "f" and ("|=" in text or "?" in text):
            continue  # OpenCL C has these of integers only
        x, wanted = there(values, device), values != 0
        same(kernel(x), wanted)
        out = xp.zeros(2 * count, dtype=bool, device=device)
        kernel(x, out[::2])
        same(out[::2], wanted)
        assert xp.sum(kernel(x)).item() == wanted.sum()  # one kernel, in which no byte is stored
        same(xp.astype(kernel(x), "uint8"), wanted.astype(np.uint8))
        same(kernel(x) == there(wanted, device), np.ones(count, bool))
        same(x[kernel(x)], values[wanted])


def test_variables_and_raw_arrays_of_a_letters_dtype(device: str) -> None:
    flags = INTEGERS != 0
    x = there(flags, device)
    same(xp.ElementwiseKernel("T x", "T z", "z = x + x")(x), flags)
    same(xp.ElementwiseKernel("T x", "T z", "T t = 2; z = t + x - x")(x), np.ones(5, bool))
    same(xp.ElementwiseKernel("T x", "T z", "T t = 2; z = t * cos(0.f * x)")(x), np.ones(5, bool))
    by_index = xp.ElementwiseKernel("raw T x, int32 y", "T z", "z = x[i] + y")
    same(by_index(x, there(np.zeros(5, "i4"), device)), flags)
    both = xp.ElementwiseKernel("int32 x", "bool z, int32 w", "z = x; w = z")
    for found in both(there(INTEGERS, device)):
        same(found, flags)


def test_raw_arrays_of_bytes_that_others_made_are_0_or_1(device: str) -> None:
    """NumPy has any byte but 0 for true, where it was made by view(bool)."""
    values = np.array([0, 2, 255, 1], np.uint8).view(bool)
    x = xp.asarray(values, device=device)
    both = xp.ElementwiseKernel("raw bool x", "int32 z", "z = x[i] + x[n - 1 - i]")
    assert both(x, size=4).tolist() == [1, 2, 2, 1]
    assert both(x[::-1], size=4).tolist() == [1, 2, 2, 1]
    is_true = xp.ElementwiseKernel("raw bool x, float32 y", "bool z", "z = x[i] == true")
    same(is_true(x, xp.zeros(4, dtype="f4", device=device)), values != 0)
    total = xp.ReductionKernel("raw bool x, int32 y", "int32 z", "x[i] + y", "a + b", "z = a", "0")
    assert total(x, xp.zeros(4, dtype="i4", device=device)).item() == 3
    assert values.view(np.uint8).tolist() == [0, 2, 255, 1]


def test_combined_values_are_0_or_1(device: str) -> None:
    for values in ([2, 256, -2], [128, 128], [0, 0]):
        any_of = xp.ReductionKernel("int32 x", "bool y", "x", "a + b", "y = a", "0")
        same(any_of(there(np.array(values, "i4"), device)), np.any(values))
        same(xp.sum(any_of(there(np.array([values], "i4"), device), axis=1)), int(np.any(values)))
    ones = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0")
    same(ones(there(np.ones(256, bool), device)), True)
    x, flags = there(INTEGERS, device), INTEGERS != 0
    scanned = np.logical_or.accumulate(flags)
    same(xp.ScanKernel("int32 x", "bool y", "x", "a + b", "y = a")(x), scanned)
    before = xp.ScanKernel("int32 x", "bool y", "x", "a + b", "y = a", exclusive=True, identity="0")
    same(before(x), [False, *scanned[:-1]])
    totals = xp.ScanKernel("int32 x", "bool y", "x", "a + b", "y = a", scan_type="int32")
    same(totals(x), np.cumsum(INTEGERS) != 0)


@pytest.mark.parametrize("exclusive", [False, True])
def test_a_segment_may_start_where_a_float_is_not_0(device: str, exclusive: bool) -> None:
    texts = ("int32 x, float32 f", "int32 y", "x", "a + b", "y = a")
    kernel = xp.ScanKernel(*texts, is_segment_start_expr="f", exclusive=exclusive, identity=0)
    x, starts = np.arange(1, 7, dtype="i4"), np.array([0, 0, 0.5, 0, -0.0, np.nan], "f4")
    wanted = [0, 1, 0, 3, 7, 0] if exclusive else [1, 3, 3, 7, 12, 6]
    same(kernel(there(x, device), there(starts, device)), wanted)
