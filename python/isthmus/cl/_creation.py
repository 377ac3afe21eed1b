"""Functions that make arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._array_class import Array
from isthmus.cl._block import dense_strides
from isthmus.cl._facts import _copy_queue
from isthmus.cl._ordering import has_elements, need_arrays, not_a_queue, not_an_array
from isthmus.cl._places import is_queue
from isthmus.cl._transfers import _take_async
from isthmus.cl.cltypes import vec_types


class _same_as_transfer:  # the name that pyopencl's defaults have
    """As an argument: the queue that the copy is put on."""


empty = Array


def to_device(
    queue: Any,
    ary: Any,
    allocator: Any = None,
    async_: Any = None,
    array_queue: Any = _same_as_transfer,
    **kwargs: Any,
) -> Array:
    """Copies a NumPy array of any layout, with its axes in the same order.

    Also copies an object with ``__dlpack__``; its lanes become vectors (``float4``).

    array_queue: the queue of the result, if it is not `queue`; None for no queue.

    Returns: new memory. Waits: for the copy. Raises: TypeError for arrays of objects.
    Source: pyopencl 2026.1, to_device.
    """
    _take_async("to_device", async_, kwargs)
    host = _from_dlpack(ary) if _has_dlpack(ary) else np.asarray(ary)
    if host.dtype.hasobject:
        if has_elements(ary) and not isinstance(ary, (np.ndarray, list, tuple)):
            raise not_an_array(ary, "an array of NumPy", "to_device: ")
        kind = type(ary).__name__
        raise TypeError(
            f"to_device: {kind!r} is an array of Python objects, which devices do not support"
        )
    strides = dense_strides(host.shape, host.dtype.itemsize, like=host.strides)
    new = Array(queue, host.shape, host.dtype, allocator=allocator, strides=strides)
    if host.size:
        new._overwrite(host, queue)
    if array_queue is not _same_as_transfer:
        new._context = new.context
        new.queue = array_queue
    return new


def _has_dlpack(ary: Any) -> bool:
    return hasattr(ary, "__dlpack__") and not isinstance(ary, (np.ndarray, np.generic))


def _from_dlpack(ary: Any) -> np.ndarray[Any, Any]:
    """On the host; structs of equal fields, as lanes come, as the vector type of OpenCL."""
    host: np.ndarray[Any, Any] = _isthmus.asarray(ary, device="cpu").to_numpy()
    names = host.dtype.names or ()
    scalar = host.dtype[0] if names else host.dtype
    vector = vec_types.get((scalar, len(names)))
    if vector is None or any(host.dtype[name] != scalar for name in names):
        return host
    return host.view(vector) if vector.itemsize == host.itemsize else host


def zeros(queue: Any, shape: Any, dtype: Any, order: str = "C", allocator: Any = None) -> Array:
    """An array of zeros; for a context, without a queue.

    Returns: new memory. Waits: no. Source: pyopencl 2026.1, zeros.
    """
    new = Array(queue, shape, dtype, order=order, allocator=allocator)
    new._zero(new._some_queue())
    return new


def empty_like(ary: Array, queue: Any = _copy_queue, allocator: Any = None) -> Array:
    """An array with undefined contents and the shape, dtype and order of axes of another.

    Returns: new memory. Waits: no. Source: pyopencl 2026.1, empty_like.
    """
    need_arrays(ary, who="empty_like: ")
    chosen = ary.queue if queue is _copy_queue else queue
    return type(ary)(
        chosen if chosen is not None else ary.context,
        ary.shape,
        ary.dtype,
        allocator=ary.allocator if allocator is None else allocator,
        strides=dense_strides(ary.shape, ary.dtype.itemsize, like=ary.strides),
    )


def zeros_like(ary: Array) -> Array:
    """Zeros of the shape, dtype and order of axes of another array.

    Returns: new memory. Waits: no. Source: pyopencl 2026.1, zeros_like.
    """
    need_arrays(ary, who="zeros_like: ")
    new = empty_like(ary)
    new._zero(new._some_queue())
    return new


def arange(queue: Any, *args: Any, **kwargs: Any) -> Array:
    """arange(queue, [start, ] stop [, step], dtype=..., allocator=None): evenly spaced numbers.

    There are ceil((stop - start) / step) of them. Without a dtype, or with None, it is the common
    dtype of start, stop and step in NumPy. pyopencl's page says so; pyopencl itself requires one.

    Returns: new memory, pending without an allocator. Waits: no.
    Raises: TypeError for other keywords; ValueError for an argument too many, too few, or given
    twice; OverflowError for integers that do not fit the dtype.
    Source: pyopencl 2026.1, arange.
    """
    if not is_queue(queue):
        raise not_a_queue(queue, "arange")
    given: dict[str, Any] = {}
    if args and isinstance(args[-1], np.dtype):
        *args, given["dtype"] = args  # type: ignore[assignment]
    if len(args) > 3:
        raise ValueError(f"arange: {len(args)} numbers; expected at most start, stop and step")
    names = ("stop",) if len(args) == 1 else ("start", "stop", "step")
    given.update(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in ("start", "stop", "step", "dtype", "allocator"):
            raise TypeError(f"arange: unexpected keyword argument {name!r}")
        if name in given:
            raise ValueError(f"arange: {name} is given twice")
        given[name] = value
    if given.get("stop") is None:
        raise ValueError("arange: stop is missing")
    start, stop, step = (
        default if given.get(name) is None else given[name]
        for name, default in (("start", 0), ("stop", 0), ("step", 1))
    )
    numbers = np.array([start, stop, step])
    wanted = given.get("dtype")
    dtype = numbers.dtype if wanted is None else np.dtype(wanted)
    if dtype.kind in "iu":
        start, stop, step = int(start), int(stop), int(step)
    kind = _index_type(dtype)
    if dtype.kind in "iu":
        count = max(0, -((start - stop) // step))
        ends = [start, start + (count - 1) * step] if count else []
        limits = np.iinfo(dtype)
        if any(not limits.min <= end <= limits.max for end in ends):
            raise OverflowError(f"arange: {ends[0]} to {ends[-1]} do not fit {dtype}")
        if any(not -(1 << 63) <= number < 1 << 63 for number in (step, *ends)):
            kind = np.dtype(np.uint64)  # whose sums and products wrap to those of the dtype
            start, step = start % (1 << 64), step % (1 << 64)
    else:
        count = max(0, math.ceil(((stop - start) / step).real))
    on = Queue(queue)
    with on:
        values = _isthmus.astype(_isthmus.arange(count, dtype="int64", device=on.device), kind)
        if count and step != 1:
            values = values * kind.type(step)
        if count and start != 0:
            values = values + kind.type(start)
        values = _isthmus.astype(values, dtype)
    allocator = given.get("allocator")
    new = Array(queue, (count,), dtype, allocator=allocator)
    if count and allocator is not None:
        new._overwrite(values, queue, is_new=True)
        return new
    return new._made(values, queue)


def _index_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """What i * step + start is calculated in: that of the result, or a larger one."""
    if dtype.kind in "iu":
        return np.dtype(np.int64)
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


def _reach(shape: Sequence[int], strides: Sequence[int], offset: int) -> tuple[int, int]:
    """The first element of the memory, and that behind the last, that an array touches."""
    if 0 in shape:
        return offset, offset
    ends = [step * (length - 1) for step, length in zip(strides, shape, strict=True)]
    return offset + sum(min(end, 0) for end in ends), offset + sum(max(end, 0) for end in ends) + 1


def as_strided(
    ary: Array, shape: Sequence[int] | None = None, strides: Sequence[int] | None = None
) -> Array:
    """The memory of an array as another shape, with strides in bytes.

    Returns: a view from the first element of the array on.
    Waits: until the calculation of its value has started.
    Raises: ExchangeError (BufferError) if it extends beyond the memory.
    Source: pyopencl 2026.1, as_strided.
    """
    need_arrays(ary, who="as_strided: ")
    x = ary._x
    lengths = ary.shape if shape is None else tuple(shape)
    steps = ary.strides if strides is None else tuple(strides)
    if any(step % x.itemsize for step in steps):
        raise ValueError(f"as_strided: strides {steps} are not multiples of {x.itemsize} bytes")
    if is_queue(ary.queue):
        with Queue(ary.queue):
            x.eval()
    item_steps = [step // x.itemsize for step in steps]
    block = ary._block
    if block.given is None:  # a block of the pool may be larger than what was asked for
        first, last = _reach(block.array.shape, block.array.strides, block.array.offset)
        lowest, highest = _reach(lengths, item_steps, x.offset)
        if lowest < first or highest > last:
            raise _isthmus.ExchangeError(
                f"as_strided: elements {lowest - first} to {highest - first} of {last - first}"
            )
    found = _isthmus.from_memory(
        x.memory,
        lengths,
        x.dtype,
        strides=item_steps,
        offset=x.offset,
    )
    return ary._seen(found)
