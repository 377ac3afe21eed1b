"""OpenCL's math functions for arrays of any layout.

Results are pending and fuse with the operations around them. Integers are calculated as floats,
bools are refused. All functions that are defined for complex numbers accept them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from isthmus import _isthmus, special
from isthmus._isthmus import Queue
from isthmus.cl._array_class import Array
from isthmus.cl._operators import has_vectors, of_lanes
from isthmus.cl._ordering import not_an_array, queue_of, queue_of_arrays

Function = Callable[..., _isthmus.Array]


def _as_floats(x: Any) -> Any:
    """Integers as the floats that Isthmus calculates them in."""
    if isinstance(x, _isthmus.Array) and x.dtype.kind in "iu":
        return _isthmus.astype(x, _isthmus.sqrt(x).dtype)
    return x


def _special(name: str, function: str, complex_one: Function | None = None) -> Function:
    """A function of isthmus.special, whose operands are real."""
    real_one: Function = getattr(special, function)

    def apply(x: _isthmus.Array) -> _isthmus.Array:
        if x.dtype.kind == "c" and complex_one is not None:
            return complex_one(x)
        _refuse(x, name, "fiu")
        return real_one(x)

    return apply


def _refuse(x: _isthmus.Array, name: str, kinds: str) -> None:
    if x.dtype.kind not in kinds:
        raise TypeError(f"{name}: an array of {x.dtype}")


def _special_of_two(name: str) -> Function:
    function: Function = getattr(special, name)

    def apply(x: Any, y: Any) -> _isthmus.Array:
        arrays = [value for value in (x, y) if isinstance(value, _isthmus.Array)]
        for value in arrays:
            _refuse(value, name, "fiu")
        dtype = np.result_type(*[a.dtype for a in arrays], *_weak(x), *_weak(y))
        if dtype.kind in "iu":
            dtype = np.dtype(np.float64)
        return function(_cast(x, dtype), _cast(y, dtype))

    return apply


def _weak(value: Any) -> tuple[Any, ...]:
    return () if isinstance(value, _isthmus.Array) else (value,)


def _cast(value: Any, dtype: np.dtype[Any]) -> Any:
    return _isthmus.astype(value, dtype) if isinstance(value, _isthmus.Array) else value


def _away_from_zero(x: _isthmus.Array) -> _isthmus.Array:
    """The nearest whole number, halves away from 0, as C rounds."""
    _refuse(x, "round", "fiu")
    whole = _isthmus.trunc(x)
    if x.dtype.kind in "iu":
        return whole
    step = _isthmus.where(_isthmus.abs(x - whole) >= 0.5, _isthmus.copysign(1.0, x), 0.0)
    return _isthmus.copysign(whole + _isthmus.astype(step, x.dtype), x)


def _nan(x: _isthmus.Array) -> _isthmus.Array:
    """NaN; of unsigned integers with their lowest bits, as OpenCL's nan."""
    _refuse(x, "nan", "fiu")
    if x.dtype.kind == "f":
        return _isthmus.full(x.shape, math.nan, x.dtype, device=x.device)
    size = 8 if x.itemsize == 8 else 4
    mantissa, quiet = (51, 0x7FF8 << 48) if size == 8 else (22, 0x7FC00000)
    bits = _isthmus.astype(x, f"u{size}")
    bits = _isthmus.bitwise_or(_isthmus.bitwise_and(bits, (1 << mantissa) - 1), quiet)
    return bits.view(f"f{size}")


def _ilogb(x: _isthmus.Array) -> _isthmus.Array:
    """As floats, which pyopencl writes whole numbers to."""
    return _isthmus.astype(_special("ilogb", "ilogb")(x), _isthmus.sqrt(x).dtype)


def _complex_powers_of(base: float) -> Function:
    return lambda x: _isthmus.exp(x * math.log(base))


def _of_pi_times(function: Function) -> Function:
    return lambda x: function(x * math.pi)


def _over_pi(function: Function) -> Function:
    return lambda x: _isthmus.divide(function(x), math.pi)


_FUNCTIONS: dict[str, Function] = {
    "acos": _isthmus.acos,
    "acosh": _isthmus.acosh,
    "acospi": _special("acospi", "acospi", complex_one=_over_pi(_isthmus.acos)),
    "asin": _isthmus.asin,
    "asinh": _isthmus.asinh,
    "asinpi": _special("asinpi", "asinpi", complex_one=_over_pi(_isthmus.asin)),
    "atan": _isthmus.atan,
    "atanh": _isthmus.atanh,
    "atanpi": _special("atanpi", "atanpi", complex_one=_over_pi(_isthmus.atan)),
    "cbrt": _special("cbrt", "cbrt", complex_one=lambda x: x ** (1 / 3)),
    "ceil": _isthmus.ceil,
    "cos": _isthmus.cos,
    "cosh": _isthmus.cosh,
    "cospi": _special("cospi", "cospi", complex_one=_of_pi_times(_isthmus.cos)),
    "erf": _special("erf", "erf"),
    "erfc": _special("erfc", "erfc"),
    "exp": _isthmus.exp,
    "exp10": _special("exp10", "exp10", complex_one=_complex_powers_of(10)),
    "exp2": _special("exp2", "exp2", complex_one=_complex_powers_of(2)),
    "expm1": _isthmus.expm1,
    "fabs": _isthmus.abs,
    "floor": _isthmus.floor,
    "lgamma": _special("lgamma", "gammaln"),
    "log": _isthmus.log,
    "log10": _isthmus.log10,
    "log1p": _isthmus.log1p,
    "log2": _isthmus.log2,
    "logb": _special("logb", "logb"),
    "nan": _nan,
    "rint": _isthmus.round,
    "round": _away_from_zero,
    "sin": _isthmus.sin,
    "sinh": _isthmus.sinh,
    "sinpi": _special("sinpi", "sinpi", complex_one=_of_pi_times(_isthmus.sin)),
    "sqrt": _isthmus.sqrt,
    "tan": _isthmus.tan,
    "tanh": _isthmus.tanh,
    "tanpi": _special("tanpi", "tanpi", complex_one=_of_pi_times(_isthmus.tan)),
    "tgamma": _special("tgamma", "gamma"),
    "trunc": _isthmus.trunc,
    "ilogb": _ilogb,
}


def _unary(name: str) -> Callable[..., Array]:
    given = _FUNCTIONS[name]

    def function(x: _isthmus.Array) -> _isthmus.Array:
        if x.dtype == bool:
            raise TypeError(f"{name}: an array of bool")
        return given(_as_floats(x) if name in _WHOLE else x)

    def apply(array: Array, queue: Any = None) -> Array:
        on = queue_of_arrays(queue, [array])
        with Queue(on):
            if has_vectors(array):
                return array._made_of_lanes(*of_lanes(function, (array,)), on)
            return array._made(function(array._x), on)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"""{name} of each element.

    Returns: new memory, pending; floats for integers. Waits: no.
    Raises: TypeError for unsupported dtypes, ValueError without a queue.
    Source: pyopencl 2026.1, clmath; OpenCL 3.0, {name}.
    """
    return apply


_WHOLE = ("ceil", "fabs", "floor", "rint", "round", "trunc")

acos = _unary("acos")
acosh = _unary("acosh")
acospi = _unary("acospi")
asin = _unary("asin")
asinh = _unary("asinh")
asinpi = _unary("asinpi")
atan = _unary("atan")
atanh = _unary("atanh")
atanpi = _unary("atanpi")
cbrt = _unary("cbrt")
ceil = _unary("ceil")
cos = _unary("cos")
cosh = _unary("cosh")
cospi = _unary("cospi")
erf = _unary("erf")
erfc = _unary("erfc")
exp = _unary("exp")
exp10 = _unary("exp10")
exp2 = _unary("exp2")
expm1 = _unary("expm1")
fabs = _unary("fabs")
floor = _unary("floor")
ilogb = _unary("ilogb")
lgamma = _unary("lgamma")
log = _unary("log")
log10 = _unary("log10")
log1p = _unary("log1p")
log2 = _unary("log2")
logb = _unary("logb")
nan = _unary("nan")
rint = _unary("rint")
round = _unary("round")
sin = _unary("sin")
sinh = _unary("sinh")
sinpi = _unary("sinpi")
sqrt = _unary("sqrt")
tan = _unary("tan")
tanh = _unary("tanh")
tanpi = _unary("tanpi")
tgamma = _unary("tgamma")
trunc = _unary("trunc")

_ATAN2PI = _special_of_two("atan2pi")
_FMOD = _special_of_two("fmod")


def _of_two(function: Function, first: Any, second: Any, queue: Any) -> Array:
    arrays = [x for x in (first, second) if isinstance(x, Array)]
    if not arrays:
        raise not_an_array(first)
    on = queue_of(queue, arrays)
    with Queue(on):
        if has_vectors(first, second):
            return arrays[0]._made_of_lanes(*of_lanes(function, (first, second)), on)
        operands = [x._x if isinstance(x, Array) else x for x in (first, second)]
        return arrays[0]._made(function(*operands), on)


def atan2(y: Any, x: Any, queue: Any = None) -> Array:
    """Angle of the point (x, y), by the signs of both; one of them may be a number.

    Returns: new memory, pending. Source: pyopencl 2026.1, atan2.
    """
    return _of_two(_isthmus.atan2, y, x, queue)


def atan2pi(y: Any, x: Any, queue: Any = None) -> Array:
    """atan2(y, x) / pi. As atan2."""
    return _of_two(_ATAN2PI, y, x, queue)


def fmod(arg: Any, mod: Any, queue: Any = None) -> Array:
    """Remainder of arg / mod with the sign of arg; one of them may be a number.

    Returns: new memory, pending. Source: pyopencl 2026.1, fmod.
    """
    return _of_two(_FMOD, arg, mod, queue)


def ldexp(significand: Array, exponent: Any, queue: Any = None) -> Array:
    """significand * 2**exponent; exponents of any dtype, whose fraction is dropped.

    Returns: new memory, pending. Source: pyopencl 2026.1, ldexp.
    """

    def apply(x: Any, y: Any) -> _isthmus.Array:
        _refuse(x, "ldexp", "fiu")
        return special.ldexp(_as_floats(x), y if isinstance(y, _isthmus.Array) else int(y))

    return _of_two(apply, significand, exponent, queue)


def _pair(name: str, function: Callable[..., Any], arg: Array, queue: Any) -> tuple[Array, Array]:
    on = queue_of_arrays(queue, [arg])
    with Queue(on):
        _refuse(arg._x, name, "fiu")
        first, second = function(_as_floats(arg._x))
        return arg._made(first, on), arg._made(second, on)


def frexp(arg: Array, queue: Any = None) -> tuple[Array, Array]:
    """(significands, exponents): arg is significand * 2**exponent, exponents are int32.

    Returns: new memory, pending. Source: pyopencl 2026.1, frexp.
    """
    return _pair("frexp", _isthmus.frexp, arg, queue)


def modf(arg: Array, queue: Any = None) -> tuple[Array, Array]:
    """(fractions, whole parts), both with the sign of arg.

    Returns: new memory, pending. Source: pyopencl 2026.1, modf.
    """
    return _pair("modf", _isthmus.modf, arg, queue)
