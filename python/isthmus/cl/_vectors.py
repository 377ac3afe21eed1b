"""Arithmetic of arrays of OpenCL's vectors: each lane by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus.cl.cltypes import vec_type_to_scalar_and_count, vec_types

Function = Callable[..., _isthmus.Array]


def scalar_of(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """What the lanes of a vector type are; None for other types."""
    if dtype.fields is None:
        return None
    found = vec_type_to_scalar_and_count.get(dtype)
    return None if found is None else found[0]


def require_one_count(dtypes: Iterable[np.dtype[Any]]) -> None:
    """Vectors of different lengths are not calculated with: `float3` has a fourth lane, unused.

    Raises: ValueError.
    """
    found = [vec_type_to_scalar_and_count[dtype][1] for dtype in dtypes if scalar_of(dtype)]
    if len(set(found)) > 1:
        each = " and ".join(str(count) for count in dict.fromkeys(found))
        raise ValueError(f"vectors of {each} lanes; expected one length")


def with_lanes(dtype: np.dtype[Any], scalar: np.dtype[Any]) -> np.dtype[Any]:
    """The vectors of as many lanes of another dtype: of float32 for float16, and of the same for
    bools, of which there are none.

    Raises: TypeError for complex numbers.
    """
    if scalar.kind == "c":
        raise TypeError(f"there are no vectors of {scalar}; calculate with their lanes")
    count = vec_type_to_scalar_and_count[dtype][1]
    missing = vec_types[np.dtype(np.float32), count] if scalar.kind == "f" else dtype
    return vec_types.get((scalar, count), missing)


def is_element(value: object) -> bool:
    """Whether it is one vector of the host, as make_float4 gives."""
    return (
        isinstance(value, (np.void, np.ndarray))
        and value.shape == ()
        and scalar_of(value.dtype) is not None
    )


def lanes_of(x: Any, like: Any) -> Any:
    """The lanes as a last axis of scalars; numbers stay, and arrays of scalars get that axis."""
    if is_element(x):
        scalar = scalar_of(x.dtype)
        host = np.frombuffer(np.asarray(x).tobytes(), scalar)
        return _isthmus.asarray(host, device=like.device, copy=True)
    if not isinstance(x, _isthmus.Array):
        return x
    scalar = scalar_of(x.dtype)
    row = _isthmus.expand_dims(x, -1)
    return row if scalar is None else row.view(scalar)


def joined(lanes: _isthmus.Array, dtype: np.dtype[Any]) -> _isthmus.Array:
    """The vectors whose lanes the last axis has. Evaluates them."""
    count = lanes.shape[-1]
    scalar = scalar_of(dtype)
    assert scalar is not None
    shape = lanes.shape[:-1]
    if 0 in shape:
        return _isthmus.empty(shape, dtype, device=lanes.device)
    found = _isthmus.astype(lanes, scalar).eval()
    *steps, last = found.strides
    if last != 1 or found.offset % count or any(step % count for step in steps):
        found = _isthmus.reshape(found, (-1,), copy=True).reshape(lanes.shape)
    return found.view(dtype)[..., 0]


def compared(function: Function, dtype: np.dtype[Any], x: Any, y: Any) -> _isthmus.Array:
    """Whether vectors of these lanes are equal: all that count, without padding. Pending."""
    if function not in (_isthmus.equal, _isthmus.not_equal):
        raise TypeError("vectors have no order; compare their lanes")
    found = function(x, y)[..., : vec_type_to_scalar_and_count[dtype][1]]
    over = _isthmus.all if function is _isthmus.equal else _isthmus.any
    return over(found, axis=-1)
