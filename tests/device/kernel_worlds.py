"""Kernels of users in random programs, and products that are large enough for blocks and for
tiles, beside what NumPy makes of them; see worlds.py."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import isthmus as xp
from tests.device.arrays import get, put

LESS = xp.ElementwiseKernel("T x, T y", "T z", "z = x < y ? x : y", "less")
# With them a kernel is its own, or one of what has the same ones.
OPTIONS = ("-DNOTHING=0", "-cl-mad-enable")
FLAGS = xp.ElementwiseKernel("T x", "bool z", "z = x != NOTHING", "flags", options=OPTIONS)
FLAGS_OF_PARTS = xp.ElementwiseKernel("T x", "bool z", "z = x.real", "flags_of_parts")
ADDED = xp.ElementwiseKernel("T x, T y", "T z", "z = complex_add(x, y)", "added")
COUNT = ("x > 0", "a + b", "y = a")
POSITIVE = xp.ReductionKernel(
    *("T x", "int32 y", "x > NOTHING", *COUNT[1:]), 0, "positive", options=OPTIONS
)
POSITIVE_REAL = xp.ReductionKernel("T x", "int32 y", "x.real > 0", *COUNT[1:], 0, "positive_real")


@cache
def counting(has_parts: bool, is_exclusive: bool) -> xp.ScanKernel:
    """How many were positive since the last negative element."""
    x = "x.real" if has_parts else "x"
    return xp.ScanKernel(
        *("T x", "int32 y", f"{x} > 0", *COUNT[1:]),
        is_segment_start_expr=f"{x} < 0",
        exclusive=is_exclusive,
        identity=0,
    )


LARGE = (26, 30), (30, 25)  # shapes past what the small kernels multiply


class NumpyKernels:
    """What they mean. Results are row-major."""

    def large_matmul(self, x: Any, y: Any) -> Any:
        left, right = (np.resize(z, shape) for z, shape in zip((x, y), LARGE, strict=True))
        return np.array(np.matmul(left, right)[::5, ::7], order="C")

    def users_map(self, x: Any, y: Any) -> Any:
        y = np.asarray(y, x.dtype)
        made = x + y if x.dtype.kind == "c" else np.where(x < y, x, y)
        return np.array(made, x.dtype, order="C")

    def users_flags(self, x: Any) -> Any:
        return np.array(x.real != 0, order="C")

    def users_reduction(self, x: Any, axis: Any) -> Any:
        return np.array(np.sum(x.real > 0, axis=axis, dtype=np.int32), order="C")

    def users_scan(self, x: Any, axis: int, is_exclusive: bool) -> Any:
        rows = np.moveaxis(x.real, axis, -1)
        made = np.zeros(rows.shape, np.int32)
        for place in np.ndindex(rows.shape[:-1]):
            count = 0
            for k, value in enumerate(rows[place]):
                count = 0 if value < 0 else count
                made[(*place, k)] = count if is_exclusive else count + (value > 0)
                count += int(value > 0)
        return np.array(np.moveaxis(made, -1, axis), order="C")


@cache
def has_kernels(device: xp.Device) -> bool:
    """Whether users' kernels run there in their own words."""
    try:
        POSITIVE(xp.ones(1, device=device)).eval()
    except NotImplementedError:
        return False
    return True


class OurKernels:
    """The kernels themselves where the device runs them, or the library reads them; else what NumPy
    makes of the elements."""

    device: xp.Device

    def large_matmul(self, x: xp.Array, y: xp.Array) -> xp.Array:
        def of_size(z: xp.Array, shape: tuple[int, int]) -> xp.Array:
            size = shape[0] * shape[1]
            places = xp.arange(size, dtype="int64", device=self.device) % z.size
            return xp.take(xp.reshape(z, (-1,)), places, axis=0).reshape(shape)

        return (of_size(x, LARGE[0]) @ of_size(y, LARGE[1]))[::5, ::7].copy()

    def _of_numpy(self, name: str, x: xp.Array, *more: Any) -> xp.Array:
        hosts = [get(y) if isinstance(y, xp.Array) else y for y in (x, *more)]
        return put(getattr(NumpyKernels(), name)(*hosts), self.device)

    def users_map(self, x: xp.Array, y: Any) -> xp.Array:
        is_read = not is_complex(x) and x.dtype.name not in ("float16", "bfloat16")
        if not is_read and not has_kernels(self.device):
            return self._of_numpy("users_map", x, y)
        made: xp.Array = (ADDED if is_complex(x) else LESS)(x, y)
        return made

    def users_flags(self, x: xp.Array) -> xp.Array:
        if not has_kernels(self.device):
            return self._of_numpy("users_flags", x)
        made: xp.Array = (FLAGS_OF_PARTS if is_complex(x) else FLAGS)(x)
        return made

    def users_reduction(self, x: xp.Array, axis: Any) -> xp.Array:
        if not has_kernels(self.device):
            return self._of_numpy("users_reduction", x, axis)
        return (POSITIVE_REAL if is_complex(x) else POSITIVE)(x, axis=axis)

    def users_scan(self, x: xp.Array, axis: int, is_exclusive: bool) -> xp.Array:
        if not has_kernels(self.device):
            return self._of_numpy("users_scan", x, axis, is_exclusive)
        return counting(is_complex(x), is_exclusive)(x, axis=axis)


def is_complex(x: xp.Array) -> bool:
    return xp.isdtype(x.dtype, "complex floating")
