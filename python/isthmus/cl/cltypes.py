"""OpenCL's scalar and vector types as dtypes of NumPy.

``float4`` is a dtype with the fields s0, s1, ... and, up to four, x, y, z, w; ``float3`` has the
size of ``float4``. ``make_float4(1, 2, 3, 4)``, ``filled_float4(1)``, ``zeros_float4()`` and
``ones_float4()`` are such elements, as arrays without axes.
"""

# the names hide builtins: int, float

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from isthmus.cl._registry import get_or_register_dtype

char = np.int8
uchar = np.uint8
short = np.int16
ushort = np.uint16
int = np.int32
uint = np.uint32
long = np.int64
ulong = np.uint64
half = np.float16
float = np.float32
double = np.float64

vec_types: dict[tuple[np.dtype[Any], builtins.int], np.dtype[Any]] = {}
vec_type_to_scalar_and_count: dict[np.dtype[Any], tuple[np.dtype[Any], builtins.int]] = {}

_SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double")
_COUNTS = (2, 3, 4, 8, 16)


def _vector_type(scalar: np.dtype[Any], count: builtins.int) -> np.dtype[Any]:
    names = [f"s{i}" for i in range(count)]
    titles: list[str | None] = list("xyzw"[:count])
    if count == 3:
        names.append("padding0")
    titles += [None] * (len(names) - len(titles))
    return np.dtype({"names": names, "formats": [scalar] * len(names), "titles": titles})


def _maker(
    name: str, dtype: np.dtype[Any], count: builtins.int
) -> Callable[..., np.ndarray[Any, Any]]:
    lanes = len(dtype.names or ())

    def make(*args: Any, **kwargs: Any) -> np.ndarray[Any, Any]:
        if len(args) > count:
            raise TypeError(f"make_{name}: {len(args)} values for {count} lanes")
        given = len(args) + len(kwargs)
        if given < count:
            warnings.warn(
                f"make_{name} with {given} of {count} values is deprecated: give all, "
                f"or use zeros_{name}",
                DeprecationWarning,
                stacklevel=2,
            )
        made = np.array((*args, *[0] * (lanes - len(args))), dtype=dtype)
        for key, value in kwargs.items():
            made[key] = value
        return made

    make.__name__ = make.__qualname__ = f"make_{name}"
    make.__doc__ = f"One {name} of its {count} values, or of values by the names of their fields."
    return make


def _filler(
    name: str, make: Callable[..., np.ndarray[Any, Any]], count: builtins.int
) -> Callable[[Any], np.ndarray[Any, Any]]:
    def filled(val: Any) -> np.ndarray[Any, Any]:
        return make(*[val] * count)

    filled.__name__ = filled.__qualname__ = f"filled_{name}"
    filled.__doc__ = f"One {name} of equal values."
    return filled


def _constant(
    name: str, filled: Callable[[Any], np.ndarray[Any, Any]], value: builtins.int
) -> Callable[[], np.ndarray[Any, Any]]:
    def constant() -> np.ndarray[Any, Any]:
        return filled(value)

    constant.__name__ = constant.__qualname__ = name
    constant.__doc__ = f"One vector of {'ones' if value else 'zeros'}."
    return constant


def _define_vectors() -> None:
    for scalar_name in _SCALARS:
        scalar = np.dtype(globals()[scalar_name])
        for count in _COUNTS:
            name = f"{scalar_name}{count}"
            dtype = get_or_register_dtype(name, _vector_type(scalar, count))
            vec_types[scalar, count] = dtype
            vec_type_to_scalar_and_count[dtype] = scalar, count
            make = _maker(name, dtype, count)
            filled = _filler(name, make, count)
            globals().update(
                {
                    name: dtype,
                    f"make_{name}": make,
                    f"filled_{name}": filled,
                    f"zeros_{name}": _constant(f"zeros_{name}", filled, 0),
                    f"ones_{name}": _constant(f"ones_{name}", filled, 1),
                }
            )


_define_vectors()


def __getattr__(name: str) -> Any:  # for type checkers: the vector types are made above
    raise AttributeError(f"isthmus.cl.cltypes has no {name!r}")
