"""Reductions to arrays without axes, and the running sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl import _vectors
from isthmus.cl._array_class import Array
from isthmus.cl._choices import maximum, minimum
from isthmus.cl._joining import one_number
from isthmus.cl._operators import is_scalar
from isthmus.cl._ordering import need_arrays, queue_of_arrays
from isthmus.cl._places import end_of, wait_first


class _NoValue:
    """As an argument: none."""


def _part(x: _isthmus.Array, chosen: slice | None) -> _isthmus.Array:
    """What a slice leaves of the elements in row-major order."""
    return x if chosen is None else x.reshape(-1)[chosen]


def _check_initial(initial: Any) -> None:
    if initial is not _NoValue and not is_scalar(initial):
        raise ValueError(f"initial is a {type(initial).__name__}; expected a number")


def _lanes_to_sum(of: np.dtype[Any], into: np.dtype[Any]) -> np.dtype[Any] | None:
    """What lanes are summed in, of vectors into vectors; else None.

    Raises: ValueError for vectors of two lengths.
    """
    _vectors.require_one_count([of, into])
    return _vectors.scalar_of(into) if _vectors.scalar_of(of) is not None else None


def sum(
    a: Array, dtype: Any = None, queue: Any = None, slice: Any = None, initial: Any = _NoValue
) -> Array:
    """Sum of all elements, or of those that slice selects, in row-major order.

    Without dtype small integers are summed as int64 or uint64, as NumPy does; pyopencl sums in
    the dtype of the array, which overflows.

    Returns: a 0-d array, pending; for vectors, such as float4, the sums of their lanes, evaluated.
    Waits: no. Raises: ValueError without a queue. Source: pyopencl 2026.1, sum.
    """
    _check_initial(initial)
    on = queue_of_arrays(queue, [a])
    with Queue(on):
        x = _part(a._x, slice)
        kind = a.dtype if dtype is None else np.dtype(dtype)
        if (scalar := _lanes_to_sum(a.dtype, kind)) is not None:
            total = _isthmus.sum(_vectors.lanes_of(x.reshape(-1), x), axis=0, dtype=scalar)
            if initial is not _NoValue:
                total = total + scalar.type(initial)
            return a._made(_vectors.joined(total, kind), on)
        result = _isthmus.sum(x, dtype=None if dtype is None else kind)
        if initial is not _NoValue:
            result = result + result.dtype.type(initial)
        return a._made(result, on)


def any(a: Array, queue: Any = None, wait_for: Any = None) -> Array:
    """1 if any element is not 0, else 0. As Array.any."""
    need_arrays(a)
    return a.any(queue=queue, wait_for=wait_for)


def all(a: Array, queue: Any = None, wait_for: Any = None) -> Array:
    """1 if no element is 0, else 0. As Array.all."""
    need_arrays(a)
    return a.all(queue=queue, wait_for=wait_for)


def _summed(
    x: _isthmus.Array, y: _isthmus.Array, dtype: Any, chosen: Any, subset: Any = None
) -> _isthmus.Array:
    if x.shape != y.shape:
        raise ValueError(f"shapes {x.shape} and {y.shape} differ")
    x, y = _part(x, chosen), _part(y, chosen)
    if subset is not None:
        x, y = _isthmus.take(x, subset), _isthmus.take(y, subset)
    if x.dtype.fields is not None or y.dtype.fields is not None:
        return _summed_lanes(x, y, None if dtype is None else np.dtype(dtype))
    if dtype is None and x.dtype == y.dtype:
        return _isthmus.sum(x * y, dtype=x.dtype)
    kind = np.result_type(x.dtype, y.dtype) if dtype is None else np.dtype(dtype)
    return _isthmus.sum(_isthmus.astype(x, kind) * _isthmus.astype(y, kind), dtype=kind)


def _summed_lanes(
    x: _isthmus.Array, y: _isthmus.Array, into: np.dtype[Any] | None
) -> _isthmus.Array:
    """A vector: each lane the sum of its products. A number is a factor of all lanes."""
    given = [x.dtype, y.dtype] if into is None else [x.dtype, y.dtype, into]
    if into is not None and _vectors.scalar_of(into) is None:
        raise TypeError(f"products of vectors are summed as vectors, not as {into}")
    _vectors.require_one_count(given)
    lanes = [_vectors.lanes_of(each.reshape(-1), each) for each in (x, y)]
    if into is not None:
        lanes = [_isthmus.astype(each, _vectors.scalar_of(into)) for each in lanes]
    products = _isthmus.multiply(*lanes)
    if into is None:
        vector = next(dtype for dtype in given if _vectors.scalar_of(dtype) is not None)
        into = _vectors.with_lanes(vector, products.dtype)
    total = _isthmus.sum(products, axis=0, dtype=_vectors.scalar_of(into))
    return _vectors.joined(total, into)


def dot(a: Array, b: Array, dtype: Any = None, queue: Any = None, slice: Any = None) -> Array:
    """Sum of the products of all pairs of elements; neither is conjugated.

    Returns: a 0-d array, pending; for vectors, such as float4, the sums of their lanes, evaluated.
    Raises: ValueError for different shapes and for vectors of different lengths; TypeError for a
    dtype of numbers with vectors.
    Source: pyopencl 2026.1, dot.
    """
    on = queue_of_arrays(queue, [a, b])
    with Queue(on):
        return a._made(_summed(a._x, b._x, dtype, slice), on)


def vdot(a: Array, b: Array, dtype: Any = None, queue: Any = None, slice: Any = None) -> Array:
    """As dot, with the conjugates of the first.

    Source: pyopencl 2026.1, vdot.
    """
    on = queue_of_arrays(queue, [a, b])
    with Queue(on):
        x = _isthmus.conj(a._x) if a.dtype.kind == "c" else a._x
        return a._made(_summed(x, b._x, dtype, slice), on)


def subset_dot(
    subset: Array, a: Array, b: Array, dtype: Any = None, queue: Any = None, slice: Any = None
) -> Array:
    """As dot, of the elements at the indices of subset, or at those that slice selects.

    Returns: a 0-d array. Waits: for the indices.
    Raises: IndexError for an index out of range; ValueError for different shapes.
    Source: pyopencl 2026.1, subset_dot.
    """
    on = queue_of_arrays(queue, [a, b, subset])
    with Queue(on):
        indices = _part(subset._x, slice)
        x, y = a._x.reshape(-1), b._x.reshape(-1)
        try:
            return a._made(_summed(x, y, dtype, None, indices), on)
        except IndexError as error:
            raise IndexError(str(error).replace("take: ", "subset_dot: ", 1)) from None


def _extreme_of(
    name: str, function: Callable[..., _isthmus.Array], of_two: Callable[..., Any]
) -> Callable[..., Any]:
    def extreme(a: Any, queue: Any = None, initial: Any = _NoValue) -> Any:
        if one_number(a):
            return np.array(a).dtype.type(a)
        need_arrays(a)
        _check_initial(initial)
        if not a.size:
            if initial is _NoValue:
                raise ValueError(f"{name}: there are no elements")
            return initial
        on = queue_of_arrays(queue, [a])
        with Queue(on):
            result = a._made(function(a._x), on)
        if initial is _NoValue:
            return result
        return of_two(result, a.dtype.type(initial), queue=on)

    extreme.__name__ = extreme.__qualname__ = name
    word = "largest" if name == "max" else "smallest"
    extreme.__doc__ = f"""The {word} element; NaN if any is.

    Returns: a 0-d array, pending; for no elements `initial`; for a number the number.
    Raises: ValueError for no elements without `initial`, and without a queue.
    Source: pyopencl 2026.1, {name}.
    """
    return extreme


max = _extreme_of("max", _isthmus.max, maximum)
min = _extreme_of("min", _isthmus.min, minimum)


def _extreme_of_subset(name: str, function: Callable[..., _isthmus.Array]) -> Callable[..., Array]:
    def extreme(subset: Array, a: Array, queue: Any = None, slice: Any = None) -> Array:
        on = queue_of_arrays(queue, [a, subset])
        with Queue(on):
            return a._made(function(_isthmus.take(a._x, _part(subset._x, slice))), on)

    extreme.__name__ = extreme.__qualname__ = name
    word = "largest" if name == "subset_max" else "smallest"
    extreme.__doc__ = f"""The {word} of the elements at the indices of subset; NaN if any is.

    Returns: a 0-d array. Waits: for the indices.
    Raises: IndexError for an index out of range; ValueError for no indices.
    Source: pyopencl 2026.1, {name}.
    """
    return extreme


subset_max = _extreme_of_subset("subset_max", _isthmus.max)
subset_min = _extreme_of_subset("subset_min", _isthmus.min)


def cumsum(
    a: Array,
    output_dtype: Any = None,
    queue: Any = None,
    wait_for: Any = None,
    *,
    return_event: bool = False,
) -> Any:
    """Sums of the elements up to each one, in row-major order, in the shape of the array.

    Without output_dtype they have the dtype of the array.
    For vectors, such as float4, lane by lane.

    Returns: new memory, pending; with return_event (event, array).
    Source: pyopencl 2026.1, cumsum.
    """
    on = queue_of_arrays(queue, [a])
    wait_first(on, wait_for)
    dtype = a.dtype if output_dtype is None else np.dtype(output_dtype)
    with Queue(on):
        x = a._x.reshape(-1)
        if (scalar := _lanes_to_sum(a.dtype, dtype)) is not None:
            lanes = _isthmus.cumulative_sum(_vectors.lanes_of(x, x), axis=0, dtype=scalar)
            sums = _vectors.joined(lanes, dtype)
        else:
            sums = _isthmus.cumulative_sum(x, dtype=dtype)
        result = a._made(sums.reshape(a.shape), on)
        if return_event:
            result._x.eval()
            return end_of(on), result
    return result
