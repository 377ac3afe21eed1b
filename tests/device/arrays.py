"""What the device tests share: values of every dtype, layouts, and comparisons with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import isthmus as xp

Values = npt.NDArray[Any]

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
HALVES = ("float16", "bfloat16")
REALS = (*HALVES, "float32", "float64")
COMPLEX = ("complex64", "complex128")
DTYPES = ("bool", *INTEGERS, *REALS, *COMPLEX)
DOUBLES = ("float64", "complex128")


def dtype_of(name: str) -> np.dtype[Any]:
    """The dtype of a name; bfloat16 is ml_dtypes'."""
    dtype: np.dtype[Any] = np.dtype(getattr(xp, name))
    return dtype


def function_of(row: dict[str, Any]) -> Any:
    """The function of a row, in isthmus or in the module within it."""
    return getattr(getattr(xp, row["space"]) if row["space"] else xp, row["name"])


def family(name: str) -> str:
    """The column of ops.def."""
    if name == "bool":
        return "boolean"
    return "integer" if name in INTEGERS else "complex" if name in COMPLEX else "real"


def has(device: xp.Device, name: str) -> bool:
    """Whether the device calculates in this dtype."""
    return bool(xp.__array_namespace_info__().default_dtypes(device=device)) and (
        name not in DOUBLES or device.info["fp64"]
    )


def needs(device: xp.Device, dtype: str) -> None:
    """Skips the test on a device that has not this dtype."""
    if not has(device, dtype):
        pytest.skip(f"{device} has no {dtype}")


def real_of(device: xp.Device) -> np.dtype[Any]:
    """The default real dtype."""
    return np.dtype("float64" if device.info["fp64"] else "float32")


def spread_dtype(dtype: str, device: xp.Device) -> np.dtype[Any]:
    """Of a variance."""
    if dtype in COMPLEX:
        return np.dtype({"complex64": "float32", "complex128": "float64"}[dtype])
    return dtype_of(dtype) if dtype in REALS else real_of(device)


def put(values: Any, device: xp.Device | str) -> xp.Array:
    """A private copy on a device."""
    return xp.asarray(values, copy=True, device=device)


def get(x: xp.Array) -> Values:
    """The elements as NumPy sees them; its layout is that of the array, or dense."""
    return np.asarray(x.to_device("cpu"))


def random_values(dtype: str, count: int, lo: float, hi: float, rng: np.random.Generator) -> Values:
    """Values all over [lo, hi], as far as the dtype reaches."""
    kind = dtype_of(dtype)
    if dtype == "bool":
        return rng.integers(0, 2, count).astype(bool)
    if dtype in INTEGERS:
        info = np.iinfo(kind)
        low, high = max(info.min, int(max(lo, -1e18))), min(info.max, int(min(hi, 1e18)))
        return rng.integers(low, high, count, endpoint=True, dtype=np.int64).astype(kind)
    if hi > 1e6 and lo >= 0:  # as many of every size
        part = np.exp(rng.uniform(np.log(max(lo, 1e-30)), np.log(hi), count))
    elif hi > 1e6:
        part = np.exp(rng.uniform(-60, np.log(hi), count)) * rng.choice([-1.0, 1.0], count)
        part = np.clip(part, lo, hi)
    else:
        part = rng.uniform(lo, hi, count)
    if dtype in COMPLEX:
        other = rng.uniform(max(lo, -8), min(hi, 8), count)
        return np.asarray(np.clip(part, -8, 8) + 1j * other, kind)
    if dtype == "float16":
        lo, hi = max(lo, -6e4), min(hi, 6e4)
    rounded = np.clip(np.clip(part, lo, hi).astype(kind), kind.type(lo), kind.type(hi))
    return np.asarray(rounded, kind)  # NumPy's clip widens bfloat16


def values_of(dtype: str, shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    rng = np.random.default_rng(11)
    return random_values(dtype, count, -4, 4, rng).reshape(shape)


def wide(values: Any) -> Any:
    """The same in float64 or complex128."""
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)


def special_values(dtype: str) -> Values:
    """The values at which things break."""
    kind = dtype_of(dtype)
    if dtype == "bool":
        return np.array([False, True])
    if dtype in INTEGERS:
        low, top = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
        some = [low, low + 1, -2, -1, 0, 1, 2, 3, top // 2, top - 1, top]
        return np.array([v for v in some if low <= v <= top], dtype=kind)
    info = xp.finfo(kind)
    tiny = info.smallest_normal
    finite = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.0, info.max, info.min]
    reals = [*finite, tiny, -tiny, tiny / 4, -tiny / 4, np.inf, -np.inf, np.nan]
    if dtype not in COMPLEX:
        return np.array(reals).astype(kind)
    return np.array([complex(a, b) for a in reals for b in reals]).astype(kind)


View = Callable[[Any, Any], Any]

# Each takes an array of shape (6, 10) and the namespace it is of, and shows it otherwise.
LAYOUTS: dict[str, View] = {
    "contiguous": lambda x, n: x,
    "one axis": lambda x, n: n.reshape(x, (60,)),
    "offset": lambda x, n: n.reshape(x, (60,))[7:],
    "strided": lambda x, n: x[::2, 1::3],
    "negative": lambda x, n: x[::-1, ::-1],
    "negative steps": lambda x, n: x[4::-2, 8:1:-3],
    "broadcast": lambda x, n: n.broadcast_to(x[:1, :], (4, 10)),
    "broadcast inside": lambda x, n: n.broadcast_to(x[:, :1], (6, 5)),
    "one element for all": lambda x, n: n.broadcast_to(x[2, 3], (3, 4)),
    "F order": lambda x, n: x.T,
    "three axes": lambda x, n: n.reshape(x, (2, 3, 10))[:, ::-1, ::2],
    "new axis": lambda x, n: x[:, None, 2:9:2],
    "no axes": lambda x, n: x[3, 4],
    "no elements": lambda x, n: x[2:2],
    "one element": lambda x, n: x[-1:, -1:],
}


def patterns(n: int, rng: np.random.Generator) -> dict[str, Values]:
    """n whole numbers from 0 on, in orders and with repetitions that a sort may stumble over."""
    rising = np.arange(n)
    return {
        "equal": np.full(n, 5),
        "two": rng.integers(0, 2, n),
        "rising": rising,
        "falling": rising[::-1],
        "saw": rising % 1000,
        "organ pipe": np.minimum(rising, n - rising),
        "one out of place": np.append(rising[:-1], 0),
        "largest first": np.append(n, rising[1:]),
        "any": rng.integers(0, 2**31 - 1, n),
    }


def bits(values: Values) -> Values:
    """Elements as unsigned integers, so that nan equals nan and 0.0 is not -0.0."""
    values = np.ascontiguousarray(values)
    if values.dtype.kind == "c":
        values = values.view(np.dtype(f"f{values.dtype.itemsize // 2}"))
    if values.dtype.kind in "fV" or values.dtype.name == "bfloat16":
        nan = np.isnan(values)
        values = values.view(np.dtype(f"u{values.dtype.itemsize}")).copy()
        values[nan] = np.iinfo(values.dtype).max  # one nan is like another
    return values


def assert_same(got: Values, wanted: Values, note: object = "") -> None:
    """Same dtype, shape and bits, but for the payloads of nan."""
    assert got.dtype == wanted.dtype, f"{note}: dtype {got.dtype}, not {wanted.dtype}"
    assert got.shape == wanted.shape, f"{note}: shape {got.shape}, not {wanted.shape}"
    differs = (bits(got) != bits(wanted)).reshape(-1)
    if differs.any():
        at = int(np.flatnonzero(differs)[0])
        if wanted.dtype.kind == "c":
            at //= 2
        raise AssertionError(
            f"{note}: {int(differs.sum())} of {differs.size} differ; element {at} is "
            f"{got.reshape(-1)[at]!r}, not {wanted.reshape(-1)[at]!r}"
        )


def assert_close(got: Any, wanted: Any, note: object = "", units: float = 64) -> None:
    """In units of the last place of got's dtype."""
    wanted = np.asarray(wanted)
    assert got.shape == wanted.shape, note
    eps = float(xp.finfo(got.dtype).eps)
    kind = np.complex128 if wanted.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(
        got.astype(kind), wanted.astype(kind), units * eps, units * eps, err_msg=str(note)
    )
