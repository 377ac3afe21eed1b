"""Functions that choose: by sign, by size, by truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl import _vectors
from isthmus.cl._array_class import Array
from isthmus.cl._joining import into, one_number
from isthmus.cl._operators import INT8
from isthmus.cl._ordering import need_arrays, not_an_array, queue_of
from isthmus.cl._places import need_queue


def _operand(value: Any) -> Any:
    return value._x if isinstance(value, Array) else value


def _place_of(operands: tuple[Any, ...], queue: Any) -> tuple[Array, Any]:
    """An array among the operands that results are like, and the queue to work on."""
    arrays = [x for x in operands if isinstance(x, Array)]
    others = [x for x in operands if not isinstance(x, Array)]
    wrong = [x for x in others if not (one_number(x) or _vectors.is_element(x))]
    if wrong or not arrays:
        raise not_an_array((wrong or operands)[0], "an isthmus.cl.array.Array or a number")
    return arrays[0], queue_of(queue, arrays)


def _host_result(result: Any, out: Array | None) -> Any:
    if out is None:
        return result
    out[...] = result
    return out


def if_positive(
    criterion: Any, then_: Any, else_: Any, out: Array | None = None, queue: Any = None
) -> Any:
    """then_ where the criterion is greater than 0, else else_; arrays of any layout, or numbers.

    Returns: new memory, pending, or `out`; vectors, such as float4, are evaluated; of three numbers
    a number of NumPy. Raises: ValueError for shapes that do not fit.
    Source: pyopencl 2026.1, if_positive.
    """
    operands = (criterion, then_, else_)
    if all(one_number(x) for x in operands):
        return _host_result(np.where(criterion, then_, else_), out)
    if one_number(criterion):
        raise TypeError("if_positive: the criterion is a number, and the others are arrays")
    need_arrays(criterion, who="if_positive: ")
    shape = criterion.shape
    for value in (then_, else_):
        if isinstance(value, Array) and value.shape not in ((), shape):
            raise ValueError(f"if_positive: the criterion has shape {shape}, a value {value.shape}")
    like, on = _place_of(operands, queue)
    with Queue(on):
        x, y, z = (_operand(value) for value in operands)
        dtypes = [value.dtype for value in (then_, else_) if hasattr(value, "dtype")]
        vectors = [dtype for dtype in dtypes if _vectors.scalar_of(dtype)]
        if vectors:
            _vectors.require_one_count(vectors)
            lanes = [_vectors.lanes_of(value, x) for value in (y, z)]
            chosen = _isthmus.where(_isthmus.expand_dims(x > 0, -1), *lanes)
            dtype = _vectors.with_lanes(vectors[0], chosen.dtype)
            return into(out, like, _vectors.joined(chosen, dtype), on)
        return into(out, like, _isthmus.where(x > 0, *_typed(y, z, x)), on)


def _typed(y: Any, z: Any, x: _isthmus.Array) -> tuple[Any, Any]:
    """Two numbers get the dtype that NumPy gives both."""
    if isinstance(y, _isthmus.Array) or isinstance(z, _isthmus.Array):
        return y, z
    dtype = np.result_type(np.asarray(y), np.asarray(z))
    return _isthmus.full((), y, dtype, device=x.device), z


def _extreme(
    name: str, function: Callable[..., _isthmus.Array], on_host: Callable[..., Any]
) -> Callable[..., Any]:
    def extreme(a: Any, b: Any, out: Array | None = None, queue: Any = None) -> Any:
        if one_number(a) and one_number(b):
            return _host_result(on_host(a, b), out)
        like, on = _place_of((a, b), queue)
        with Queue(on):
            return into(out, like, function(_operand(a), _operand(b)), on)

    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"""The {name} of two arrays, or an array and a number; NaN if either is.

    Returns: new memory, pending, or `out`; of two numbers a number of NumPy.
    Raises: ValueError for shapes that do not fit, and without a queue.
    Source: pyopencl 2026.1, {name}.
    """
    return extreme


maximum = _extreme("maximum", _isthmus.maximum, np.maximum)
minimum = _extreme("minimum", _isthmus.minimum, np.minimum)


def _logical(name: str, operands: tuple[Any, ...], out: Array | None, queue: Any) -> Any:
    if out is not None:
        need_arrays(out, who=f"{name}: out: ")
    if out is not None and out.dtype != INT8:
        raise TypeError(f"{name}: out is {out.dtype}; expected int8")
    if all(one_number(x) for x in operands):
        if out is None:
            out = Array(need_queue(queue), (), INT8)
        return _host_result(getattr(np, name)(*operands), out)
    like, on = _place_of(operands, queue)
    with Queue(on):
        truths = [_truth(x) for x in operands]
        found = getattr(_isthmus, name)(*truths)
        return into(out, like, _isthmus.astype(found, INT8), on)


def _truth(value: Any) -> Any:
    return value._x != 0 if isinstance(value, Array) else bool(value)


def logical_and(x1: Any, x2: Any, /, out: Array | None = None, queue: Any = None) -> Any:
    """1 where neither is 0, else 0: int8.

    Returns: new memory, pending, or `out`.
    Raises: TypeError if one is neither an array nor a number; ValueError for numbers without a
    queue.
    Source: pyopencl 2026.1, logical_and.
    """
    return _logical("logical_and", (x1, x2), out, queue)


def logical_or(x1: Any, x2: Any, /, out: Array | None = None, queue: Any = None) -> Any:
    """1 where either is not 0, else 0: int8. As logical_and."""
    return _logical("logical_or", (x1, x2), out, queue)


def logical_not(x: Any, /, out: Array | None = None, queue: Any = None) -> Any:
    """1 where it is 0, else 0: int8. As logical_and."""
    return _logical("logical_not", (x,), out, queue)
