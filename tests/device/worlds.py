"""The two worlds in which a random program runs: NumPy's, and ours. Their text is the same."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

import isthmus as xp
from tests.device.arrays import Values, dtype_of

DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64"),
)
POOL = 8192  # elements of each dtype that programs take theirs from

FUNCTIONS = (
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum", "minimum"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and"),
    *("logical_or", "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor"),
    *("bitwise_invert", "bitwise_left_shift", "bitwise_right_shift", "negative", "abs", "square"),
    *("sqrt", "sign", "isnan", "isfinite", "signbit", "floor", "ceil", "trunc", "round", "conj"),
    *("real", "imag", "where", "copysign"),
)
REDUCTIONS = ("sum", "prod", "max", "min", "any", "all")
VIEWS = ("permute_dims", "broadcast_to", "reshape", "flip", "expand_dims")


def _pool(dtype: str) -> Values:
    """Mostly small numbers, which stay exact, and some at which things break."""
    rng = np.random.default_rng(len(dtype))
    kind = dtype_of(dtype)
    if dtype == "bool":
        return rng.integers(0, 2, POOL).astype(bool)
    whole = rng.integers(-8, 9, POOL)
    if kind.kind in "iu":
        ends = np.array([np.iinfo(kind).min, np.iinfo(kind).max], kind)
        values = np.abs(whole).astype(kind) if kind.kind == "u" else whole.astype(kind)
        return np.where(rng.random(POOL) < 0.03, rng.choice(ends, POOL), values)
    real = whole / rng.choice([1, 2, 4, 3], POOL)
    real = np.where(rng.random(POOL) < 0.03, rng.choice([np.inf, -np.inf, np.nan], POOL), real)
    real = np.where(rng.random(POOL) < 0.03, -0.0, real)
    if kind.kind == "c":
        return (whole + 1j * rng.integers(-8, 9, POOL)).astype(kind)
    return real.astype(kind)


VALUES = {dtype: _pool(dtype) for dtype in DTYPES}


def values(shape: tuple[int, ...], dtype: str, start: int) -> Values:
    """A new NumPy array with elements of the pool."""
    count = int(np.prod(shape, dtype=np.int64))
    return VALUES[dtype][start : start + count].reshape(shape).copy()


def _floor_divide(x: Any, y: Any) -> Values:
    """NumPy's, but for infinite operands, where the Array API is not of its opinion."""
    whole = np.asarray(np.floor_divide(x, y))
    if whole.dtype.kind != "f":
        return whole
    return np.where(np.isinf(x) | np.isinf(y), np.divide(x, y).astype(whole.dtype), whole)


class Total:
    """A sum of floats, and how far from it another order of adding may lead."""

    def __init__(self, sum: Values, tolerance: Values) -> None:
        self.sum, self.tolerance = sum, tolerance


class NumpyWorld:
    """NumPy where every result is an array with axes of its own, even one of none."""

    def __init__(self) -> None:
        for name in FUNCTIONS:
            function = getattr(np, name)
            dense = name in ("real", "imag")  # views, in NumPy
            setattr(self, name, self._fresh(function) if dense else self._array(function))
        self.floor_divide = _floor_divide
        self.signbit = lambda x: np.asarray(np.signbit(x) & ~np.isnan(x))  # a NaN has no sign
        for name in REDUCTIONS:
            setattr(self, name, self._dense(getattr(np, name)))
        for name in VIEWS:
            setattr(self, name, getattr(np, name))
        # NumPy makes a number of an array without axes
        self.flip = lambda x, axis: np.flip(x, axis) if x.ndim else x[...]
        # where our result is row-major whatever the operands are
        self.concat, self.stack = self._dense(np.concat), self._dense(np.stack)
        self.values = self.memory = values
        self.zeros, self.full, self.arange, self.astype = np.zeros, np.full, np.arange, np.astype

    @staticmethod
    def _array(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *operands: np.asarray(function(*operands))

    @staticmethod
    def _fresh(function: Callable[..., Any]) -> Callable[..., Any]:
        # laid out as an element-wise operation's result, which it is for us
        return lambda x: np.asarray(np.positive(function(x)))

    @staticmethod
    def _dense(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *operands, **how: np.array(function(*operands, **how), order="C")

    def share(self, memory: Any) -> Any:
        return memory[...]

    show = show_dlpack = share

    def copy(self, x: Any) -> Any:
        return x.copy(order="K")

    def total(self, x: Any, axis: Any) -> Total:
        wide = np.abs(x.astype(np.float64))
        count = x.size / max(np.sum(wide, axis=axis).size, 1)
        tolerance = np.sum(wide, axis=axis) * float(np.finfo(x.dtype).eps) * (count + 1)
        return Total(np.sum(x, axis=axis, dtype=np.float64).astype(x.dtype), tolerance)

    def eval(self, x: Any) -> None:
        """Nothing is ever pending."""

    def look(self, x: Any) -> None:
        """Nothing is ever pending."""

    def enter_fusing(self) -> None:
        """Nothing to promise."""

    leave_fusing = enter_fusing


class OurWorld:
    """Isthmus on one device."""

    def __init__(self, device: xp.Device) -> None:
        self.device = device
        self.exports = str(device) == "cpu"
        for name in (*FUNCTIONS, *REDUCTIONS, *VIEWS, "concat", "stack", "astype"):
            setattr(self, name, getattr(xp, name))
        self.signbit = lambda x: xp.signbit(x) & ~xp.isnan(x)
        self.memory = values
        self._fusing = contextlib.ExitStack()

    def values(self, shape: tuple[int, ...], dtype: str, start: int) -> xp.Array:
        return xp.asarray(values(shape, dtype, start), copy=True, device=self.device)

    def zeros(self, shape: Any, dtype: str) -> xp.Array:
        return xp.zeros(shape, dtype=dtype, device=self.device)

    def full(self, shape: Any, value: Any, dtype: str) -> xp.Array:
        return xp.full(shape, value, dtype=dtype, device=self.device)

    def arange(self, start: int, stop: int, step: int, dtype: str) -> xp.Array:
        return xp.arange(start, stop, step, dtype=dtype, device=self.device)

    def share(self, memory: Values) -> xp.Array:
        """An array over NumPy's memory, which the program goes on to write to."""
        return xp.asarray(memory)

    def show(self, x: xp.Array) -> Values:
        """NumPy's array over our memory."""
        return np.asarray(x)

    def show_dlpack(self, x: xp.Array) -> Values:
        return np.from_dlpack(x)

    def copy(self, x: xp.Array) -> xp.Array:
        return x.copy()

    def total(self, x: xp.Array, axis: Any) -> xp.Array:
        return xp.sum(x, axis=axis)

    def eval(self, x: xp.Array) -> None:
        x.eval()

    def look(self, x: xp.Array) -> None:
        x.to_device("cpu")
        xp.synchronize(self.device)

    def enter_fusing(self) -> None:
        self._fusing.enter_context(xp.fusing())

    def leave_fusing(self) -> None:
        self._fusing.close()
