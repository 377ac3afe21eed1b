"""Identities that are numbers become what is combined, or are errors, as arguments of kernels."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_raw_kernel import device as device

LARGEST = ("T x", "T y", "x", "a > b ? a : b", "y = a")
GOOD: list[tuple[str, Any]] = [
    ("f4", -np.inf),
    ("f4", np.nan),
    ("f4", 0.1),
    ("f4", -0.0),
    ("f4", 2**70),
    ("f4", 3e38),
    ("f4", np.float64(1e300)),
    ("f2", 0.1),
    ("f2", 1e6),
    ("f4", True),
    ("f4", np.float32(0.1)),
    ("f4", np.int8(-3)),
    ("bool", True),
    ("bool", np.False_),
    ("i4", False),
    ("i4", -(2**31)),
    ("i8", -(2**63)),
    ("i8", 2**63 - 1),
    ("u8", 2**64 - 1),
    ("u8", np.uint64(2**64 - 1)),
    ("u1", 255),
    ("i1", np.True_),
    ("f4", "-FLT_MAX"),
]
BAD: list[tuple[str, Any, type[Exception]]] = [
    ("u1", 300, OverflowError),
    ("u1", -1, OverflowError),
    ("u8", 2**64, OverflowError),
    ("i8", 2**63, OverflowError),
    ("i8", -(2**70), OverflowError),
    ("i4", 0.5, TypeError),
    ("i4", 8.0, TypeError),
    ("i4", np.nan, TypeError),
    ("f4", 1j, TypeError),
    ("f4", 10**400, OverflowError),
]


def of_none(dtype: str, identity: Any, device: str) -> xp.Array:
    return xp.ReductionKernel(*LARGEST, identity)(xp.zeros(0, dtype=dtype, device=device))


@pytest.mark.parametrize(("dtype", "identity"), GOOD)
def test_numbers_are_converted(device: str, dtype: str, identity: Any) -> None:
    with np.errstate(over="ignore"):
        value = float(np.finfo("f4").min) if isinstance(identity, str) else identity
        expected = np.asarray(value).astype(dtype)
    got = of_none(dtype, identity, device)
    assert got.dtype == np.dtype(dtype)
    assert got.to_numpy().tobytes() == expected.tobytes() or np.isnan([got.item(), expected]).all()
    zeros = xp.zeros(3, dtype=dtype, device=device)
    scan = xp.ScanKernel(*LARGEST, exclusive=True, identity=identity)
    assert scan(zeros)[0].to_numpy().tobytes() == got.to_numpy().tobytes()


@pytest.mark.parametrize(("dtype", "identity", "error"), BAD)
def test_numbers_that_do_not_fit_are_errors(
    device: str, dtype: str, identity: Any, error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"kernel '.*': identity: .*|past 64 bits"):
        of_none(dtype, identity, device)
    scan = xp.ScanKernel(*LARGEST, exclusive=True, identity=identity)
    with pytest.raises(error, match=r"identity"):
        scan(xp.zeros(3, dtype=dtype, device=device))
    # dtypes that are known are asked at once
    known = np.dtype(dtype).name
    with pytest.raises(error, match=r"identity"):
        xp.ReductionKernel(f"{known} x", f"{known} y", "x", "a", "y = a", identity)
    with pytest.raises(error, match=r"identity"):
        xp.ReductionKernel("T x", "T y", "x", "a", "y = a", identity, reduce_type=dtype)


def test_complex_numbers(device: str) -> None:
    added = ("T x", "T y", "x", "complex_add(a, b)", "y = a")
    for identity in (1 - 2j, 3, np.complex64(0.1j), 0.5):
        kernel = xp.ReductionKernel(*added, identity)
        got = kernel(xp.zeros(0, dtype="complex64", device=device))
        assert got.item() == np.complex64(identity)


def test_numbers_of_structs_and_others_are_errors() -> None:
    by = np.dtype([("by", "f4")])
    with pytest.raises(TypeError, match="combined values are structs; C code is needed"):
        xp.ReductionKernel("T x", "by y", "x", "a", "y = a", 0, structs={"by": by})
    wrong: list[Any] = [[0], xp.zeros(()), b"0"]
    for identity in wrong:
        with pytest.raises(TypeError, match="identity: expected a number, C code as a str or None"):
            xp.ReductionKernel(*LARGEST, identity)


def test_a_pickled_kernel_has_its_identity(device: str) -> None:
    for dtype, identity in (("u8", 2**64 - 1), ("f4", -np.inf), ("f4", np.float32(0.1))):
        again = pickle.loads(pickle.dumps(xp.ReductionKernel(*LARGEST, identity)))
        got = again(xp.zeros(0, dtype=dtype, device=device))
        assert got.item() == np.asarray(identity, dtype).item()
    big = pickle.loads(pickle.dumps(xp.ReductionKernel(*LARGEST, 2**64)))
    with pytest.raises(OverflowError):
        big(xp.zeros(0, dtype="u8", device=device))
