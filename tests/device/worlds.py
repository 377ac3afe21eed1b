"""The two worlds in which a random program runs: NumPy's, and ours. Their text is the same.

NumPy's raises ValueError for what it and Isthmus may both do right with different bits: products of
complex numbers that round, which NumPy fuses or not as the processor and the layout have it; sums,
products and means of floats in which the order of the elements decides between a number and an
infinity. Complex numbers are not divided: NumPy does it by Smith's method, which rounds even where
the quotient is exact; ours multiplies by the conjugate, so that the bits agree by chance only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

import isthmus as xp
from tests.device import philox
from tests.device.arrays import Values, dtype_of
from tests.device.kernel_worlds import NumpyKernels, OurKernels
from tests.device.surface_worlds import NumpySurface, OurSurface

DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
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
SCANS: dict[str, Callable[..., Any]] = {
    "cumulative_sum": np.cumsum,
    "cumulative_prod": np.cumprod,
    "cumulative_max": np.maximum.accumulate,
    "cumulative_min": np.minimum.accumulate,
}
PLACES = ("take", "sort", "argsort", "argmax", "argmin", *SCANS)
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
        # products of the last ones round; a program takes its elements from one place
        by = np.where(np.arange(POOL) < 2000, 1, 3)
        return ((whole + 1j * rng.integers(-8, 9, POOL)) / by).astype(kind)
    return real.astype(kind)


VALUES = {dtype: _pool(dtype) for dtype in DTYPES}


def values(shape: tuple[int, ...], dtype: str, start: int) -> Values:
    """A new NumPy array with elements of the pool."""
    count = int(np.prod(shape, dtype=np.int64))
    return VALUES[dtype][start : start + count].reshape(shape).copy()


BRAIN = dtype_of("bfloat16")
WIDER = {"float64": np.longdouble, "complex64": np.complex128, "complex128": np.clongdouble}


def kind_of(dtype: np.dtype[Any]) -> str:
    """b, i, f or c."""
    return "f" if dtype == BRAIN else "i" if dtype.kind == "u" else dtype.kind


def common(*dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of a result. bfloat16 meets integers and float16 as NumPy's floats meet each other;
    ml_dtypes refuses most of these, so that there is nothing to ask.
    """
    others = [dtype for dtype in dtypes if dtype != BRAIN]
    if len(others) == len(dtypes):
        return np.result_type(*dtypes)
    if not others:
        return BRAIN
    other = np.result_type(*others)
    if other.kind in "biu" and other.itemsize == 1:
        return BRAIN
    if other.kind in "iu":
        return np.dtype("float32" if other.itemsize == 2 else "float64")
    return np.dtype("float32") if other == np.float16 else other


def _cast(x: Values, dtype: np.dtype[Any]) -> Values:
    """As astype, but what is stretched stays so: a result lies in memory as its operands do."""
    narrow = tuple(slice(0, 1 if step == 0 else None) for step in x.strides)
    return x if x.dtype == dtype else np.broadcast_to(x[narrow].astype(dtype), x.shape)


def _alike(*operands: Any) -> tuple[Any, ...]:
    """Operands of one dtype where one is bfloat16: NumPy makes float32 of it and a number."""
    dtypes = [x.dtype for x in operands if hasattr(x, "dtype")]
    if BRAIN not in dtypes:
        return operands
    return tuple(_cast(np.asarray(x), common(*dtypes)) for x in operands)


def _floor_divide(x: Any, y: Any) -> Values:
    """NumPy's, but for infinite operands, where the Array API is not of its opinion.

    Raises: ValueError for quotients that are no floats: NumPy rounds them twice.
    """
    x, y = _alike(x, y)
    whole = np.asarray(np.floor_divide(x, y))
    if kind_of(whole.dtype) != "f":
        return whole
    if np.any(np.isfinite(whole) & (np.abs(whole) > 2 / float(xp.finfo(whole.dtype).eps))):
        raise ValueError("these quotients round")
    return np.where(np.isinf(x) | np.isinf(y), np.divide(x, y).astype(whole.dtype), whole)


def exact(x: Any, y: Any) -> Any:
    """y, if what the parts of two complex numbers multiply to is exact: then neither a fused
    multiplication and addition nor the recovery of infinities makes a difference.
    """
    dtype = np.result_type(x, y) if BRAIN not in (x.dtype, getattr(y, "dtype", None)) else x.dtype
    single = np.float32
    for a in _parts(x):
        for b in _parts(np.asarray(y, dtype) if np.isscalar(y) else y):
            product = a.astype(single).astype(np.float64) * b.astype(single)
            kept = product.astype(single) if dtype == np.complex64 else product
            is_exact = (a.astype(single) == a) & (b.astype(single) == b) & (kept == product)
            if not np.all(is_exact & np.isfinite(kept)):
                raise ValueError("these products round")
    return y


def _parts(x: Any) -> tuple[Values, ...]:
    return (x.real, x.imag) if x.dtype.kind == "c" else (x,)


def _multiply(x: Any, y: Any) -> Values:
    x, y = _alike(x, y)
    product = np.asarray(np.multiply(x, y))
    if product.dtype.kind == "c":
        exact(x, y)
    return product


def _square(x: Any) -> Values:
    return _multiply(x, x) if x.dtype.kind == "c" else np.asarray(np.square(x))


class Total:
    """What is calculated from floats in an order that nobody promises, and how far from it another
    order may lead. No line of a program goes on with it.
    """

    def __init__(self, value: Values, tolerance: Values, dtype: np.dtype[Any]) -> None:
        self.value, self.tolerance = value.astype(dtype), tolerance


class NumpyWorld(NumpySurface, NumpyKernels):
    """NumPy where every result is an array with axes of its own, even one of none."""

    def __init__(self) -> None:
        for name in FUNCTIONS:
            function = getattr(np, name)
            dense = name in ("real", "imag")  # views, in NumPy
            setattr(self, name, self._fresh(function) if dense else self._array(function))
        self.floor_divide, self.multiply, self.square = _floor_divide, _multiply, _square
        # of -0.0 it is 0.0 for NumPy's floats, -0.0 for ml_dtypes'
        self.sign = lambda x: np.asarray(np.sign(x) + np.zeros((), x.dtype))
        self.exact = exact
        self.where = lambda which, x, y: np.asarray(np.where(which, *_alike(x, y)))
        self.signbit = lambda x: np.asarray(np.signbit(x) & ~np.isnan(x))  # a NaN has no sign
        for name in REDUCTIONS:
            setattr(self, name, self._dense(getattr(np, name)))
        for name in VIEWS:
            setattr(self, name, getattr(np, name))
        # NumPy makes a number of an array without axes
        self.flip = lambda x, axis: np.flip(x, axis) if x.ndim else x[...]
        # where our result is row-major whatever the operands are
        self.concat = self._dense(lambda arrays, axis: np.concat(_alike(*arrays), axis=axis))
        self.stack = self._dense(np.stack)
        self.at = lambda numbers, dtype: np.array(numbers, dtype)
        self.dense = lambda x: np.array(x, order="C")
        self.take = self._dense(np.take)
        self.matmul = self._dense(lambda x, y: np.matmul(*_alike(x, y)))
        for name in ("sort", "argsort"):
            setattr(self, name, self._laid_out(getattr(np, name), kind="stable"))
        for name in ("argmax", "argmin"):
            setattr(self, name, self._dense(getattr(np, name)))
        for name, ufunc in SCANS.items():
            setattr(self, name, self._laid_out(ufunc))
        self.values = self.memory = values
        self.zeros, self.full, self.arange, self.astype = np.zeros, np.full, np.arange, np.astype

    def draw(self, shape: tuple[int, ...], dtype: str, seed: int) -> Values:
        return philox.uniform(xp.random.default_rng(seed).state, shape, dtype)

    def draw_below(self, high: int, shape: tuple[int, ...], seed: int) -> Values:
        return philox.below(xp.random.default_rng(seed).state, high, shape)

    @staticmethod
    def _array(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *operands: np.asarray(function(*_alike(*operands)))

    @staticmethod
    def _fresh(function: Callable[..., Any]) -> Callable[..., Any]:
        # laid out as an element-wise operation's result, which it is for us
        return lambda x: np.asarray(np.positive(function(x)))

    @staticmethod
    def _dense(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *operands, **how: np.array(function(*operands, **how), order="C")

    @staticmethod
    def _laid_out(function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
        """As a copy of its operand is."""

        def calculate(x: Values, axis: int) -> Values:
            # NumPy sorts a bfloat16 without regard to NaN
            numbers = x.astype(np.float32) if more and x.dtype == BRAIN else x
            result = function(numbers, axis=axis, **more)
            if function is np.sort:
                result = result.astype(x.dtype)
            laid_out = x.astype(result.dtype)
            laid_out[...] = result
            return laid_out

        return calculate

    def both(self, function: str, x: Any, *more: Any) -> tuple[Values, Values]:
        n: Any = self
        if function == "divmod":
            return n.floor_divide(x, *more), n.remainder(x, *more)
        if function == "min_max":
            low, high = n.min(x, axis=more[0]), n.max(x, axis=more[0])
            # which of 0.0 and -0.0 is the larger differs between NumPy's own builds
            return (low, high) if x.dtype.kind in "biu" else (n.add(low, 0), n.add(high, 0))
        first, second = getattr(np, function)(np.asarray(x, np.float64))
        given = np.int32 if function == "frexp" else x.dtype
        return np.asarray(first).astype(x.dtype), np.asarray(second).astype(given)

    def share(self, memory: Any) -> Any:
        return memory[...]

    show = show_dlpack = share

    def copy(self, x: Any) -> Any:
        return x.copy()

    def total(self, function: str, x: Any, axis: Any, keepdims: bool) -> Total:
        """sum, prod or mean. With n elements and a unit of eps / 2 in the last place, a sum is off
        by at most n - 1 units of the sum of all sizes, a product by as many of itself, or, if it is
        complex, sqrt(5) times as many (Brent, Percival and Zimmermann, 2007). Twice that is allowed
        and then some, since the reference has its own error where there is no wider dtype.
        """
        if x.size >= 500:
            raise ValueError("a tolerance for so many would be too large")
        info = xp.finfo(x.dtype)
        wide = x.astype(WIDER.get(x.dtype.name, np.float64))
        size, how = np.abs(wide), {"axis": axis, "keepdims": keepdims}
        count = x.size / max(np.sum(size, **how).size, 1)
        unit = float(info.eps) * (count + 1)
        if function == "prod":
            high = np.prod(np.maximum(size, 1), **how)
            low = np.prod(np.where(size == 0, 1, np.minimum(size, 1)), **how)
            tiny = float(info.smallest_normal)
            if not np.all((high < float(info.max) / 4) & (low > 4 * tiny)):
                raise ValueError("some order may overflow or underflow")
            product = np.asarray(np.prod(wide, **how))
            return Total(
                product, np.abs(product) * unit * (3 if x.dtype.kind == "c" else 1), x.dtype
            )
        if not np.all(size < 100):  # nor is there a sum that float16 cannot hold
            raise ValueError("some order may overflow")
        sum, sizes = np.asarray(np.sum(wide, **how)), np.sum(size, **how)
        if function == "sum":
            return Total(sum, sizes * unit, x.dtype)
        mean = np.divide(sum, count) if count else sum * np.nan
        return Total(
            mean, sizes * unit / max(count, 1) + 4 * float(info.eps) * np.abs(mean), x.dtype
        )

    def product(self, x: Any, y: Any) -> Total:
        """Of complex numbers, rounded: sqrt(5) units of the last place of its size at most, with or
        without fused operations.
        """
        x, y = _alike(x, np.asarray(y, x.dtype) if np.isscalar(y) else y)
        dtype = common(x.dtype, y.dtype)
        if dtype.kind != "c":
            raise ValueError("products of reals need no tolerance")
        info = xp.finfo(dtype)
        wide = WIDER[dtype.name]
        product = np.asarray(x.astype(wide) * y.astype(wide))
        size = np.abs(x.astype(wide)) * np.abs(y.astype(wide))
        if not np.all(size < float(info.max) / 4):
            raise ValueError("its parts may overflow")
        return Total(product, size * 2 * float(info.eps) + float(info.smallest_normal), dtype)

    def near_matmul(self, x: Any, y: Any) -> Total:
        """Of floats: off by as much as the sum of the sizes of all products would be."""
        x, y = _alike(x, y)
        dtype = common(x.dtype, y.dtype)
        info, wide = xp.finfo(dtype), WIDER.get(dtype.name, np.float64)
        sizes = np.matmul(np.abs(x.astype(wide)), np.abs(y.astype(wide)))
        if not np.all(sizes < 1000):
            raise ValueError("some order may overflow")
        unit = float(info.eps) * (x.shape[-1] + 1) * (3 if dtype.kind == "c" else 1)
        tiny = float(info.smallest_normal)
        return Total(np.matmul(x.astype(wide), y.astype(wide)), sizes * unit + tiny, dtype)

    def eval(self, x: Any) -> None:
        """Nothing is ever pending."""

    def look(self, x: Any) -> None:
        """Nothing is ever pending."""

    def enter_fusing(self) -> None:
        """Nothing to promise."""

    leave_fusing = enter_fusing


class OurWorld(OurSurface, OurKernels):
    """Isthmus on one device."""

    def __init__(self, device: xp.Device) -> None:
        self.device = device
        for name in (*FUNCTIONS, *REDUCTIONS, *VIEWS, *PLACES, "concat", "stack", "astype"):
            setattr(self, name, getattr(xp, name))
        self.signbit = lambda x: xp.signbit(x) & ~xp.isnan(x)
        self.memory = values
        self.dense = lambda x: x
        self.exact = lambda x, y: y
        self.product = xp.multiply
        self.matmul = self.near_matmul = xp.matmul
        self._fusing = contextlib.ExitStack()

    def values(self, shape: tuple[int, ...], dtype: str, start: int) -> xp.Array:
        return xp.asarray(values(shape, dtype, start), copy=True, device=self.device)

    def both(self, function: str, x: xp.Array, *more: Any) -> tuple[xp.Array, xp.Array]:
        first, second = getattr(xp, function)(x, *more)
        if function == "min_max" and x.dtype.kind not in "biu":
            return first + 0, second + 0
        return first, second

    def at(self, numbers: list[int], dtype: str) -> xp.Array:
        return xp.asarray(np.array(numbers, dtype), copy=True, device=self.device)

    def zeros(self, shape: Any, dtype: str) -> xp.Array:
        return xp.zeros(shape, dtype=dtype, device=self.device)

    def full(self, shape: Any, value: Any, dtype: str) -> xp.Array:
        return xp.full(shape, value, dtype=dtype, device=self.device)

    def arange(self, start: int, stop: int, step: int, dtype: str) -> xp.Array:
        return xp.arange(start, stop, step, dtype=dtype, device=self.device)

    def draw(self, shape: tuple[int, ...], dtype: str, seed: int) -> xp.Array:
        return xp.random.default_rng(seed).random(shape, dtype, device=self.device)

    def draw_below(self, high: int, shape: tuple[int, ...], seed: int) -> xp.Array:
        return xp.random.default_rng(seed).integers(high, size=shape, device=self.device)

    def share(self, memory: Values) -> xp.Array:
        """An array over NumPy's memory, which the program goes on to write to."""
        return xp.asarray(memory, device=self.device)

    def show(self, x: xp.Array) -> Values:
        """NumPy's array over our memory."""
        return np.asarray(x)

    def show_dlpack(self, x: xp.Array) -> Values:
        # which NumPy has no bfloat16 for
        return np.asarray(x) if x.dtype == BRAIN else np.from_dlpack(x, device="cpu")

    def copy(self, x: xp.Array) -> xp.Array:
        return x.copy()

    def total(self, function: str, x: xp.Array, axis: Any, keepdims: bool) -> xp.Array:
        made: xp.Array = getattr(xp, function)(x, axis=axis, keepdims=keepdims)
        return made

    def eval(self, x: xp.Array) -> None:
        x.eval()

    def look(self, x: xp.Array) -> None:
        x.to_device("cpu")
        xp.synchronize(self.device)

    def enter_fusing(self) -> None:
        self._fusing.enter_context(xp.fusing())

    def leave_fusing(self) -> None:
        self._fusing.close()
