"""Users' reductions and scans: along any axes, in one kernel with what is around them."""

from __future__ import annotations

from collections.abc import Callable
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


def test_what_is_wrong_is_said(device: str) -> None:
    x = there(A, device)
    new = xp.ReductionKernel
    cases: list[tuple[type[BaseException], str, Callable[[], Any]]] = [
        (ValueError, "it has no identity", lambda: LARGEST(x[:0], 0.5)),
        (IndexError, "axis 2", lambda: NORM(x, axis=2)),
        (ValueError, "repeated", lambda: NORM(x, axis=(0, 0))),
        (TypeError, "takes 1 arguments, not 2", lambda: NORM(x, x)),
        (TypeError, "float32 by another", lambda: LARGEST(x, there(A.astype("i4"), device))),
        (ValueError, "one output", lambda: new("T x", "T y, T z", "x", "a", "y = a")),
        (ValueError, "one output", lambda: new("T x", "", "x", "a", "y = a")),
        (TypeError, "identity", lambda: new("T x", "T y", "x", "a", "y = a", [0])),  # type: ignore[arg-type]
        (
            TypeError,
            "cannot be combined",
            lambda: new("T x", "T y", "x", "a", "y = a", 0, "f", "c8"),
        ),
        (xp.CompileError, "oops", lambda: new("T x", "T y", "x", "oops", "y = a", 0)(x).eval()),
        (ValueError, "needs an axis", lambda: RUNNING(x)),
    ]
    for error, text, call in cases:
        with pytest.raises(error, match=text):
            call()
    assert NORM(x[:1, :1]).item() == pytest.approx(abs(A[0, 0]))
