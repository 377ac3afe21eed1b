"""What the functions of isthmus.special mean, in numbers of mpmath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mpmath import mp

Number = Any  # mpf


def _whole(x: Number) -> Number:
    return mp.sign(x) * mp.floor(abs(x))


def _nonzero(x: Number) -> Number:
    """Raises at the pole that a function has there."""
    if x == 0:
        raise ZeroDivisionError
    return x


def _power(x: Number, y: Number) -> Number:
    return mp.power(x, _whole(y))


def _sign_of_gamma(x: Number) -> Number:
    if x <= 0:
        _nonzero(x - mp.floor(x))
    return mp.sign(mp.gamma(x))


def _magnitude(x: Number, y: Number, *, larger: bool) -> Number:
    if abs(x) == abs(y):
        return max(x, y) if larger else min(x, y)
    return x if (abs(x) > abs(y)) == larger else y


MEANINGS: dict[str, Callable[..., Number]] = {
    "erf": lambda x: mp.erf(x),
    "erfc": lambda x: mp.erfc(x),
    "gamma": lambda x: mp.gamma(_nonzero(x)),
    "gammaln": lambda x: mp.re(mp.loggamma(_nonzero(x))),
    "gammasgn": _sign_of_gamma,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "exp2": lambda x: mp.power(2, x),
    "exp10": lambda x: mp.power(10, x),
    "log1mexp": lambda x: mp.log(-mp.expm1(-abs(_nonzero(x)))),
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "logb": lambda x: mp.mpf(mp.frexp(_nonzero(x))[1] - 1),
    "ilogb": lambda x: mp.mpf(mp.frexp(x)[1] - 1 if x else -(2**31)),
    "pown": _power,
    "rootn": lambda x, y: mp.power(x, 1 / _whole(y)),
    "ldexp": lambda x, y: mp.ldexp(x, int(_whole(y))),
    "sinpi": lambda x: mp.sinpi(x),
    "cospi": lambda x: mp.cospi(x),
    "tanpi": lambda x: mp.sinpi(x) / mp.cospi(x),
    "asinpi": lambda x: mp.asin(x) / mp.pi,
    "acospi": lambda x: mp.acos(x) / mp.pi,
    "atanpi": lambda x: mp.atan(x) / mp.pi,
    "atan2pi": lambda x, y: mp.atan2(x, y) / mp.pi,
    "fract": lambda x: x - mp.floor(x),
    "fmod": lambda x, y: mp.sign(x) * (abs(x) % abs(_nonzero(y))),
    "fdim": lambda x, y: max(x - y, mp.mpf(0)),
    "fmax": max,
    "fmin": min,
    "maxmag": lambda x, y: _magnitude(x, y, larger=True),
    "minmag": lambda x, y: _magnitude(x, y, larger=False),
    "fma": lambda x, y, z: x * y + z,
}


def means(name: str, operands: tuple[Any, ...], dtype: Any) -> Any:
    """Of arrays of finite reals, element by element, rounded once to float32 or float64, or to a
    long double's digits; nan at poles.
    """
    kind = np.dtype(dtype)
    made = np.empty(operands[0].shape, kind)
    points = zip(*(x.reshape(-1).astype(np.float64).tolist() for x in operands), strict=True)
    with mp.workprec(200):
        for i, point in enumerate(points):
            try:
                value = MEANINGS[name](*map(mp.mpf, point))
            except ZeroDivisionError:
                made.reshape(-1)[i] = np.nan
                continue
            high = float(value)
            rest = float(value - high) if kind == np.longdouble and np.isfinite(high) else 0.0
            made.reshape(-1)[i] = kind.type(high) + kind.type(rest)
    return made
