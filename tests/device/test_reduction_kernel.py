"""Users' reductions and scans: along any axes, in one kernel with what is around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_raw_kernel import device as device

NORM = xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm")
LARGEST = xp.ReductionKernel("T x, T y", "T z", "x > y ? x : y", "a > b ? a : b", "z = a")
RUNNING = xp.ScanKernel("T x", "T y", "x", "a > b ? a : b", "y = a + 1", "running")
A = np.random.default_rng(5).standard_normal((7, 2500)).astype("f4")


def there(values: Any, device: str) -> xp.Array:
    return xp.asarray(np.asarray(values), device=device, copy=True)


def test_axes_and_layouts(device: str) -> None:
    x = there(A, device)
    for axis in (None, 0, 1, (0, 1), -1, ()):
        got = LARGEST(x, 0.5, axis=axis)
        np.testing.assert_array_equal(got.to_numpy(), np.maximum(A, 0.5).max(axis))
        kept = LARGEST(x.T[::-1], 0.5, axis=axis, keepdims=True)
        turned = np.maximum(A, 0.5).T[::-1]
        np.testing.assert_array_equal(kept.to_numpy(), turned.max(axis, keepdims=True))
    np.testing.assert_allclose(NORM(x, axis=1).to_numpy(), np.linalg.norm(A, axis=1), 1e-5)
    assert NORM(x[:0]).item() == 0
    assert NORM(x[:0], axis=1).shape == (0,)
    assert NORM(x, axis=0).to_numpy().tobytes() == NORM(x, axis=0).to_numpy().tobytes()


def test_dtypes_of_what_is_combined(device: str) -> None:
    whole = there(np.full(1000, 100, "i1"), device)
    text = ("T x", "int64 y", "x", "a + b", "y = a", 0)
    assert xp.ReductionKernel(*text)(whole).item() == 100_000
    narrow = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, reduce_type="int8")
    assert narrow(whole).item() == np.full(1000, 100, "i1").sum(dtype="i1")
    count = xp.ReductionKernel("T x", "int32 y", "x > 0", "a + b", "y = a", "0")
    np.testing.assert_array_equal(count(there(A, device), axis=0).to_numpy(), (A > 0).sum(0))


def test_one_kernel_with_what_is_around_it(device: str) -> None:
    if device == "cpu":
        pytest.skip("a kernel of its own there")
    x = there(A, device)
    before = xp.statistics()["kernels"]
    got = (2 * NORM(x + 1, axis=1) + 3).eval()
    assert xp.statistics()["kernels"] == before + 1
    np.testing.assert_allclose(got.to_numpy(), 2 * np.linalg.norm(A + 1, axis=1) + 3, 1e-5)


def test_scans(device: str) -> None:
    x = there(A, device)
    for axis in (0, 1, -2):
        got = RUNNING(x, axis=axis).to_numpy()
        np.testing.assert_array_equal(got, np.maximum.accumulate(A, axis) + 1)
    np.testing.assert_array_equal(
        RUNNING(x[0, ::-1]).to_numpy(), np.maximum.accumulate(A[0, ::-1]) + 1
    )
    assert RUNNING(x[:, :0], axis=1).shape == (7, 0)
    weigh = xp.ScanKernel("T x, T w", "float32 y", "x * w", "a + b", "y = a")
    whole = np.arange(50, dtype="f4")
    np.testing.assert_array_equal(weigh(there(whole, device), 2.0).to_numpy(), np.cumsum(2 * whole))


def summed(values: Any, starts: Any, before: int | None) -> Any:
    """Sums from the last start on, by plain loops; `before`: of an exclusive scan, its first."""
    made = np.empty_like(values)
    for row, out, begins in zip(values, made, starts, strict=True):
        total: Any = None
        for k, value in enumerate(row):
            total = None if begins[k] else total
            if before is not None:
                out[k] = before if total is None else total
            total = value if total is None else total + value
            if before is None:
                out[k] = total
    return made


def test_segments_and_exclusive_scans(device: str) -> None:
    rng = np.random.default_rng(8)
    starts = rng.random((2, 2600)) < 0.01
    none = np.zeros_like(starts)
    cases: list[tuple[str, str | None, int | None]] = [
        ("int8", "start", None),
        ("uint32", "start", 3),
        ("int64", "start", None),
        ("float16", "start", 3),
        ("float32", None, 3),
        ("float64", "start", 3),
        ("complex64", "start", None),
    ]
    for dtype, segment, before in cases:
        scan = xp.ScanKernel(
            *("T x, bool start", "T y", "x"),
            *("cfloat_add(a, b)" if dtype == "complex64" else "a + b", "y = a"),
            is_segment_start_expr=segment,
            exclusive=before is not None,
            identity=before,
        )
        values = rng.integers(0, 2, starts.shape).astype(dtype)
        with np.errstate(over="ignore"):
            wanted = summed(values, starts if segment else none, before)
        for axis in (1, 0) if dtype == "uint32" else (1,):
            x, s = there(values, device), there(starts, device)
            got = scan(x if axis else x.T, s if axis else s.T, axis=axis).to_numpy()
            np.testing.assert_array_equal(got if axis else got.T, wanted)
    every = xp.ScanKernel("T x", "T y", "x", "a + b", "y = a", is_segment_start_expr="i % 4 == 0")
    assert every(xp.ones(10, dtype=xp.int32, device=device)).tolist() == [1, 2, 3, 4] * 2 + [1, 2]


def test_texts_of_vectors_have_the_same_bits(device: str) -> None:
    if device == "cpu":
        pytest.skip("its own sum has another executor")
    # each map is a text that is calculated on vectors where the device has them, then one that is
    # not, then what it means; added up by "a + b", which is, and by what is not
    maps = (
        ("x * y", "x * y * (x == x)", lambda x, y: x * y),
        ("2 * x / 3 - y", "(T)2 * x / 3 - y", lambda x, y: 2 * x / 3 - y),
        ("sqrt(fabs(x))", "sqrt(fabs(x) * (y == y))", lambda x, y: xp.sqrt(xp.abs(x))),
        ("x > y ? x : y", "x >= y ? x : y", xp.maximum),
    )
    for dtype, some in (("float32", maps), ("float64", maps[:1])):
        x, y = there(A.astype(dtype), device), there(A[::-1].astype(dtype), device)
        for text, other, meaning in some:
            wanted = xp.sum(meaning(x, y), axis=1)
            for map_expr, combine in ((text, "a + b"), (other, "a + b * (b == b)")):
                added = xp.ReductionKernel("T x, T y", "T z", map_expr, combine, "z = a", 0)
                got = added(x, y, axis=1).to_numpy()
                assert got.tobytes() == wanted.to_numpy().tobytes(), map_expr


def test_scans_keep_the_order(device: str) -> None:
    # x -> (x >> 16) x + (x & 65535) after one another, which is associative and no more
    text = "(a >> 16) * (b >> 16) << 16 | ((a & 65535) * (b >> 16) + b & 65535)"
    after = xp.ScanKernel("uint32 x", "uint32 y", "x", text, "y = a")
    values = np.random.default_rng(2).integers(0, 2**32, 5000, dtype=np.uint32)
    wanted, total = [], None
    for value in values.tolist():
        if total is None:
            total = value
        else:
            by = value >> 16
            total = ((total >> 16) * by << 16 | ((total & 65535) * by + value) & 65535) % 2**32
        wanted.append(total)
    assert after(there(values, device)).tolist() == wanted
