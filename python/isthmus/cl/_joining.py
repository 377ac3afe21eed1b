"""Functions that take and put elements, and join arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._array_class import Array
from isthmus.cl._ordering import need_arrays, queue_of_arrays
from isthmus.cl._places import wait_first
from isthmus.cl._vectors import scalar_of


def _warn_of_classes(arrays: Sequence[Array]) -> None:
    if any(type(x) is not type(arrays[0]) for x in arrays[1:]):
        warnings.warn(
            f"the arrays are of several classes; the result is a {type(arrays[0]).__name__}",
            stacklevel=4,
        )


def into(out: Array | None, like: Array, x: _isthmus.Array, queue: Any) -> Array:
    """The result as a new array, or written to `out`."""
    if out is None:
        return like._made(x, queue)
    need_arrays(out, who="out: ")
    if out.shape != x.shape:
        raise ValueError(f"out has shape {out.shape}, the result {x.shape}")
    out._rewrite(x)
    return out


def take(
    a: Array, indices: Array, out: Array | None = None, queue: Any = None, wait_for: Any = None
) -> Array:
    """Elements of `a`, in row-major order, at indices; negative indices count from the end.

    Returns: new memory of the shape of `indices`, or `out`. Waits: as isthmus.take.
    Raises: IndexError for an index out of range, where pyopencl takes the nearest element.
    Source: pyopencl 2026.1, take.
    """
    on = queue_of_arrays(queue, [a, indices])
    wait_first(on, wait_for)
    with Queue(on):
        return into(out, a, _isthmus.take(a._x, indices._x), on)


def _outputs(
    arrays: Sequence[Array], out: Sequence[Array] | None, make: Callable[[Array], Array]
) -> list[Array]:
    if out is None:
        return [make(x) for x in arrays]
    if len(out) != len(arrays):
        raise ValueError(f"there are {len(arrays)} arrays, but {len(out)} for results")
    need_arrays(*arrays, *out)
    if any(y.dtype != x.dtype for x, y in zip(arrays, out, strict=True)):
        raise TypeError("arrays and out have different dtypes")
    return list(out)


def multi_take(
    arrays: Sequence[Array], indices: Array, out: Sequence[Array] | None = None, queue: Any = None
) -> list[Array]:
    """take() of several arrays at the same indices.

    Returns: a list of new arrays, or `out`. Waits, raises: as take.
    Source: pyopencl 2026.1, multi_take.
    """
    targets: Sequence[Array | None] = [None] * len(arrays) if out is None else out
    if len(targets) != len(arrays):
        raise ValueError(f"there are {len(arrays)} arrays, but {len(targets)} for results")
    on = queue_of_arrays(queue, [indices])
    return [take(x, indices, y, on) for x, y in zip(arrays, targets, strict=True)]


def _need_1d(indices: Array, name: str) -> None:
    if len(indices.shape) != 1:
        raise ValueError(f"{name} has {len(indices.shape)} axes; expected 1")


def multi_put(
    arrays: Sequence[Array],
    dest_indices: Array,
    dest_shape: Any = None,
    out: Sequence[Array] | None = None,
    queue: Any = None,
    wait_for: Any = None,
) -> list[Array]:
    """Writes the elements of each array to the corresponding array of `out`, at indices.

    If there are fewer elements than indices, they repeat from the first. Without `out` the results
    are new arrays of `dest_shape`, with undefined elements where nothing is written.

    Returns: a list. Waits: as isthmus.put. Raises: IndexError for an index out of range.
    Source: pyopencl 2026.1, multi_put.
    """
    if not arrays:
        return []
    need_arrays(dest_indices, who="dest_indices: ")
    _need_1d(dest_indices, "dest_indices")
    on = queue_of_arrays(queue, [dest_indices, *arrays])
    wait_first(on, wait_for)
    targets = _outputs(arrays, out, lambda x: type(x)(on, dest_shape, x.dtype))
    with Queue(on):
        for x, y in zip(arrays, targets, strict=True):
            values = x._x.reshape(-1)
            count = dest_indices.size
            if values.size != count:
                order = _isthmus.arange(count, device=values.device) % values.size
                values = _isthmus.take(values, order)
            _put(y, dest_indices._x, values)
    return targets


def _put(target: Array, indices: _isthmus.Array, values: _isthmus.Array) -> None:
    if target._x.ndim == 1:
        target._x[indices] = values
    else:
        _isthmus.put(target._x, indices, values)
    target._wrote()


def multi_take_put(
    arrays: Sequence[Array],
    dest_indices: Array,
    src_indices: Array,
    dest_shape: Any = None,
    out: Sequence[Array] | None = None,
    queue: Any = None,
    src_offsets: Sequence[int] | None = None,
) -> list[Array]:
    """out[dest_indices] = array[src_indices + src_offset] for each array.

    Returns: a list, of `out` or new arrays of `dest_shape`. Waits: as isthmus.take.
    Raises: IndexError for an index out of range; ValueError, TypeError for arguments that do
    not fit together.
    Source: pyopencl 2026.1, multi_take_put.
    """
    if not arrays:
        return []
    need_arrays(src_indices, dest_indices, who="multi_take_put: ")
    _need_1d(src_indices, "src_indices")
    if src_indices.dtype != dest_indices.dtype:
        raise TypeError("src_indices and dest_indices have different dtypes")
    if src_indices.shape != dest_indices.shape:
        raise ValueError("src_indices and dest_indices have different shapes")
    if src_offsets is not None and len(src_offsets) != len(arrays):
        raise ValueError(f"there are {len(arrays)} arrays, but {len(src_offsets)} src_offsets")
    on = queue_of_arrays(queue, [src_indices, *arrays])
    targets = _outputs(arrays, out, lambda x: type(x)(on, dest_shape, x.dtype))
    offsets = [0] * len(arrays) if src_offsets is None else list(src_offsets)
    with Queue(on):
        for x, y, offset in zip(arrays, targets, offsets, strict=True):
            at = src_indices._x + offset if offset else src_indices._x
            _put(y, dest_indices._x, _isthmus.take(x._x, at))
    return targets


def concatenate(
    arrays: Sequence[Array], axis: int = 0, queue: Any = None, allocator: Any = None
) -> Array:
    """Joins arrays of any layout along an axis.

    Returns: new memory, of the class of the first array. Waits: no.
    Raises: ValueError for shapes that do not fit, and for no arrays.
    Source: pyopencl 2026.1, concatenate.
    """
    if not arrays:
        raise ValueError("concatenate: there are no arrays")
    on = queue_of_arrays(queue, arrays)
    _warn_of_classes(arrays)
    with Queue(on):
        joined = _isthmus.concat([x._x for x in arrays], axis=axis)
    return _with_allocator(arrays[0]._made(joined, on), arrays, allocator)


def _with_allocator(new: Array, arrays: Sequence[Array], allocator: Any) -> Array:
    found = [allocator, *(x.allocator for x in arrays)]
    new.allocator = next((one for one in found if one is not None), None)
    new._place(new._block)
    return new


def stack(arrays: Sequence[Array], axis: int = 0, queue: Any = None) -> Array:
    """Joins arrays of one shape along a new axis.

    Returns: new memory. Waits: no.
    Raises: ValueError for different shapes, no arrays, and an axis out of range.
    Source: pyopencl 2026.1, stack.
    """
    if not arrays:
        raise ValueError("stack: there are no arrays")
    on = queue_of_arrays(queue, arrays)
    _warn_of_classes(arrays)
    if not -1 <= axis <= arrays[0].ndim:
        raise ValueError(f"stack: axis {axis} of {arrays[0].ndim} + 1")
    with Queue(on):
        return arrays[0]._made(_isthmus.stack([x._x for x in arrays], axis=axis), on)


def hstack(arrays: Sequence[Array], queue: Any = None) -> Array:
    """Joins arrays along the last axis.

    Returns: new memory. Waits: no. Raises: as concatenate.
    Source: pyopencl 2026.1, hstack.
    """
    if not arrays:
        raise ValueError("hstack: there are no arrays")
    queue = queue_of_arrays(queue, arrays)
    if any(x.ndim != arrays[0].ndim for x in arrays):
        raise ValueError("hstack: the arrays have different numbers of axes")
    return concatenate(arrays, arrays[0].ndim - 1, queue)


def diff(array: Array, queue: Any = None, allocator: Any = None) -> Array:
    """Differences of neighbours along the only axis, for vectors lane by lane.

    Returns: new memory, pending. Raises: ValueError for more axes.
    Source: pyopencl 2026.1, diff.
    """
    need_arrays(array, who="diff: ")
    if array.ndim != 1:
        raise ValueError(f"diff: {array.ndim} axes; expected 1")
    on = queue_of_arrays(queue, [array])
    with Queue(on):
        if scalar_of(array.dtype):
            after, before = array[1:].with_queue(on), array[:-1].with_queue(on)
            return _with_allocator(after - before, [array], allocator)
        return _with_allocator(array._made(_isthmus.diff(array._x), on), [array], allocator)


def transpose(a: Array, axes: Sequence[int] | None = None) -> Array:
    """The axes in another order, by default reversed, as a view."""
    need_arrays(a, who="transpose: ")
    return a.transpose(axes)


def reshape(a: Array, shape: Any) -> Array:
    """The elements in another shape, as a view. Raises: as Array.reshape."""
    need_arrays(a, who="reshape: ")
    return a.reshape(shape)


def one_number(value: Any) -> bool:
    """Whether it is no array."""
    return isinstance(value, (Number, np.generic)) and not isinstance(value, (str, bytes))
