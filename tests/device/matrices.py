"""What tests of linear algebra share: matrices of every dtype and layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus
from tests.device.arrays import has, put

FLOATS = ("float32", "float64", "complex64", "complex128")
SHAPES = [(1, 1), (3, 3), (2, 4, 4), (2, 3, 5, 5)]
TALL_AND_WIDE = [(1, 4), (4, 1), (5, 3), (3, 5), (2, 6, 2), (2, 1, 2, 6)]
EMPTY = [(0, 0), (0, 3), (3, 0), (0, 3, 3), (2, 0, 0), (2, 0, 3), (2, 3, 0)]


def reals(dtype: str) -> Any:
    """The dtype of singular values."""
    return np.dtype({"complex64": "float32", "complex128": "float64"}.get(dtype, dtype))


def random(dtype: str, shape: tuple[int, ...], seed: int = 3) -> Any:
    rng = np.random.default_rng(seed)
    parts = rng.normal(size=shape) + (1j * rng.normal(size=shape) if "complex" in dtype else 0)
    return parts.astype(dtype)


def adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


def hermitian(dtype: str, shape: tuple[int, ...]) -> Any:
    a = random(dtype, shape)
    return (a + adjoint(a)).astype(dtype)


def positive(dtype: str, shape: tuple[int, ...]) -> Any:
    a = random(dtype, shape)
    return (a @ adjoint(a) + np.eye(shape[-1])).astype(dtype)


def near(got: Any, wanted: Any, dtype: str, note: object = "") -> None:
    """Equal but for rounding, and of the same dtype and shape."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape, note
    close = 2e-4 if reals(dtype) == np.float32 else 1e-10
    np.testing.assert_allclose(got, wanted, close, close, err_msg=str(note))


def reached(device: xp.Device, dtype: str = "float32") -> None:
    """Skips the test on a device whose memory the host does not reach, or without the dtype."""
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    if not _isthmus._is_host_reachable(put(np.ones(1, "float32"), device)):
        pytest.skip("the host does not reach it")


# Of a stack (2, 4, 4), in other places of memory, of the namespace it is of.
LAYOUTS: dict[str, Callable[[Any, Any], Any]] = {
    "rows": lambda x, n: x,
    "columns": lambda x, n: n.matrix_transpose(x),
    "steps": lambda x, n: x[:, ::2, 1::2],
    "backwards": lambda x, n: x[::-1, ::-1, ::-1],
    "backwards columns": lambda x, n: n.matrix_transpose(x)[:, ::-1],
    "one row": lambda x, n: n.broadcast_to(x[:, :1], (2, 4, 4)),
    "one matrix": lambda x, n: n.broadcast_to(x[:1], (3, 4, 4)),
    "a stack as columns": lambda x, n: n.moveaxis(x, 0, -1)[..., :2],
    "a part": lambda x, n: x[1, 1:, :3],
}
