"""The true values of rows of ops.def, by mpmath, and how far a result is from them.

A row's NumPy text is evaluated with mpmath's functions in the place of NumPy's, in as many digits
as it takes: until twice as many change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from mpmath import mp

from tests.device.arrays import Values
from tests.device.special_meanings import MEANINGS

Number = Any  # mpf or mpc
LEAST_BITS, MOST_BITS = 160, 20_000
AGREEMENT = 100  # bits that two precisions must share


@dataclass(frozen=True)
class Format:
    """A binary floating-point format: digits in bits, and exponents of the normal numbers' ends."""

    digits: int
    least: int  # the smallest normal number is 2**least
    most: int  # all numbers are below 2**most

    def unit(self, size: Number) -> Number:
        """One unit in the last place of a number of this size."""
        exponent = mp.frexp(size)[1] - 1 if size else self.least
        return mp.ldexp(1, max(min(exponent, self.most - 1), self.least) - self.digits + 1)


FORMATS = {
    "float16": Format(11, -14, 16),
    "bfloat16": Format(8, -126, 128),
    "float32": Format(24, -126, 128),
    "float64": Format(53, -1022, 1024),
}
FORMATS |= {"complex64": FORMATS["float32"], "complex128": FORMATS["float64"]}


def _logaddexp(x: Number, y: Number) -> Number:
    return max(x, y) + mp.log1p(mp.exp(-abs(x - y)))


class Exact:
    """NumPy's functions, as far as rows' texts use them, of mpmath's numbers."""

    def __getattr__(self, name: str) -> Callable[..., Number]:
        function: Callable[..., Number] = getattr(mp, name)
        return function

    add = staticmethod(lambda x, y: x + y)
    subtract = staticmethod(lambda x, y: x - y)
    multiply = staticmethod(lambda x, y: x * y)
    divide = staticmethod(lambda x, y: x / y)
    floor_divide = staticmethod(lambda x, y: (x - x % y) / y)
    remainder = staticmethod(lambda x, y: x % y)  # which mpmath does exactly
    pow = staticmethod(lambda x, y: mp.power(x, y))
    negative = staticmethod(lambda x: -x)
    positive = staticmethod(lambda x: +x)
    abs = staticmethod(lambda x: mp.fabs(x))
    reciprocal = staticmethod(lambda x: 1 / x)
    square = staticmethod(lambda x: x * x)
    copysign = staticmethod(lambda x, y: abs(x) if y >= 0 else -abs(x))
    trunc = staticmethod(lambda x: mp.sign(x) * mp.floor(abs(x)))
    round = staticmethod(lambda x: mp.nint(x))
    maximum = staticmethod(max)
    minimum = staticmethod(min)
    clip = staticmethod(lambda x, low, high: min(max(x, low), high))
    log2 = staticmethod(lambda x: mp.log(x) / mp.log(2))
    log10 = staticmethod(lambda x: mp.log(x) / mp.log(10))
    logaddexp = staticmethod(_logaddexp)
    real = staticmethod(mp.re)
    imag = staticmethod(mp.im)
    where = staticmethod(lambda x, y, z: y if x else z)


NAMES = {"np": Exact(), "math": math, "special": SimpleNamespace(**MEANINGS)}
POWER = "np.exp(y * np.log(x))"


def _evaluate(text: str, operands: tuple[Number, ...], bits: int) -> Number:
    with mp.workprec(bits):
        return eval(text, NAMES | dict(zip("xyz", operands, strict=False)))


def _agree(value: Number, finer: Number) -> bool:
    return bool(abs(value - finer) <= mp.ldexp(abs(finer), -AGREEMENT))


def _settled(text: str, operands: tuple[Number, ...]) -> Number:
    bits = LEAST_BITS
    value = _evaluate(text, operands, bits)
    while True:
        bits *= 2
        finer = _evaluate(text, operands, bits)
        if _agree(value, finer) or bits > MOST_BITS:
            return finer
        value = finer


def _beside(x: complex) -> Number:
    """A number off the axes, on the side that signs of zeros say."""
    size = min(max(abs(x.real), abs(x.imag)) or 1.0, 1.0)
    off = [
        part if part else math.copysign(1, part) * mp.ldexp(size, -120) for part in (x.real, x.imag)
    ]
    return mp.mpc(*off)


def _with_signs(text: str, x: complex) -> Number:
    """mpmath has no signed zeros: on a cut it chooses a side. The values on both sides differ in
    signs of parts only; a point beside the cut tells which.
    """
    value = mp.mpc(_settled(text, (mp.mpc(x),)))
    if x.real and x.imag:
        return value
    near = mp.mpc(_evaluate(text, (_beside(x),), LEAST_BITS))
    sides = [mp.mpc(a * value.real, b * value.imag) for a in (1, -1) for b in (1, -1)]
    return min(sides, key=lambda side: abs(side - near))


def _signed_pow(x: complex, y: complex) -> Number:
    """On the cut, from the side that the sign of the imaginary zero of x says."""
    if x == 0 and y != 0 and y.real <= 0:
        raise ZeroDivisionError
    if x == 0 or y == 0:
        return mp.mpc(y == 0)
    power = _settled(POWER, (mp.mpc(x), mp.mpc(y)))
    if x.real > 0 or x.imag or math.copysign(1, x.imag) > 0:
        return power
    return mp.conj(_settled(POWER, (mp.mpc(x), mp.mpc(y).conjugate())))


def _text_of(row: dict[str, Any]) -> str:
    if not row["space"]:
        return str(row["numpy"])
    return f"special.{row['name']}({', '.join('xyz'[: row['arity']])})"


def true_value(row: dict[str, Any], operands: tuple[Any, ...]) -> Number | None:
    """Of finite Python numbers; None at a pole, or where there is no value."""
    try:
        if not any(isinstance(x, complex) for x in operands):
            value = _settled(_text_of(row), tuple(mp.mpf(x) for x in operands))
        elif row["name"] == "pow":
            value = _signed_pow(*operands)
        elif row["arity"] == 1:
            value = _with_signs(row["numpy"], complex(operands[0]))
        else:
            value = _settled(row["numpy"], tuple(mp.mpc(x) for x in operands))
    except ZeroDivisionError:
        return None
    return value if mp.isfinite(value) else None


def shown(value: Number) -> str:
    return str(mp.nstr(value, 20))


@dataclass(frozen=True)
class Truths:
    """True values in long doubles, which are a thousandth of a double's unit off at most. What is
    out of range is the number after the largest; beside that, the smaller part is nan.
    """

    values: tuple[Number | None, ...]
    re: Values
    im: Values
    unit: Values  # in the last place of the larger part; nan where there is no value


def _long(value: Number) -> Any:
    part, exponent = mp.frexp(value)
    high = float(part)
    long = np.longdouble(high) + np.longdouble(float(part - high))
    return np.ldexp(long, max(int(exponent), -16000))


def truths(row: dict[str, Any], operands: tuple[Values, ...], dtype: str) -> Truths:
    """Of results of this dtype."""
    kind = complex if operands[-1].dtype.kind == "c" else float
    points = zip(*(map(kind, x) for x in operands), strict=True)
    values = tuple(true_value(row, point) for point in points)
    form = FORMATS[dtype]
    top = mp.ldexp(1, form.most)
    columns = np.full((3, len(values)), np.nan, np.longdouble)
    for i, value in enumerate(values):
        if value is None:
            continue
        parts = (value.real, value.imag)
        size = max(map(abs, parts))
        for k, part in enumerate(parts):
            if abs(part) == size or size < top:
                columns[k, i] = _long(max(-top, min(top, part)))
        columns[2, i] = _long(form.unit(min(size, top)))
    return Truths(values, *columns)


def errors(got: Values, true: Truths) -> Values:
    """Of each result, in units in the last place of the larger part of the true value: infinite for
    a nan, and 0 where there is no true value. Where that part is out of range, a number with an
    infinite part is right; else infinities count as the number after the largest.
    """
    top = np.ldexp(np.longdouble(1), FORMATS[got.dtype.name].most)
    is_infinite = np.isinf(np.real(got)) | np.isinf(np.imag(got))
    squares = np.zeros(got.shape, np.longdouble)
    for part, right in ((np.real(got), true.re), (np.imag(got), true.im)):
        off = (np.clip(part.astype(np.longdouble), -top, top) - right) / true.unit
        off = np.where(np.isnan(part), np.inf, off)
        squares += np.where(np.isnan(right), 0, off) ** 2
    is_out = (np.abs(true.re) == top) | (np.abs(true.im) == top)
    return np.where(is_out & is_infinite, 0, np.sqrt(squares)).astype(np.float64)
