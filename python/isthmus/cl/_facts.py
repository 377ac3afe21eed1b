"""What arrays say of themselves, and their warnings and errors."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._places import need_queue


class ArrayHasOffsetError(ValueError):
    """``data`` of an array that does not start where its memory does; use ``base_data``."""

    def __init__(
        self,
        val: str = "the array starts at an offset in its memory: use base_data and offset",
    ) -> None:
        super().__init__(val)


class DoubleDowncastWarning(UserWarning):
    """A result is of single precision, because the device has no double precision."""


class InconsistentOpenCLQueueWarning(UserWarning):
    """The SVM of an array is bound to another queue than the array's."""


class _copy_queue:  # the name that pyopencl's defaults have
    """As an argument: the queue of the array that is given."""


class Flags:
    """The memory layout of an array: ``c_contiguous``, ``f_contiguous``, ``forc``."""

    def __init__(self, c_contiguous: bool, f_contiguous: bool) -> None:
        self.c_contiguous, self.f_contiguous = c_contiguous, f_contiguous
        self.forc = c_contiguous or f_contiguous

    def __repr__(self) -> str:
        return f"<Flags: c_contiguous={self.c_contiguous}, f_contiguous={self.f_contiguous}>"


def shape_of(shape: Any) -> tuple[int, ...]:
    if type(shape) is tuple and all(type(length) is int and length >= 0 for length in shape):
        return shape
    if type(shape) is int and shape >= 0:
        return (shape,)
    if isinstance(shape, (int, np.integer)):
        shape = (shape,)
    try:
        lengths = tuple(shape)
    except TypeError:
        raise TypeError(f"Array: shape is a {type(shape).__name__}") from None
    for length in lengths:
        if not isinstance(length, (int, np.integer)) and np.asarray(length).dtype.kind not in "ui":
            raise ValueError(f"Array: shape {lengths}: all lengths must be integers")
    if min(lengths, default=0) < 0:
        raise ValueError(f"Array: shape {lengths}: lengths must not be negative")
    return tuple(int(length) for length in lengths)


def _get_common_dtype(obj1: Any, obj2: Any, queue: Any) -> np.dtype[Any]:
    """What an operation of both gives on the device of the queue."""
    result: np.dtype[Any] = np.result_type(
        *[getattr(obj, "dtype", obj) if not np.isscalar(obj) else obj for obj in (obj1, obj2)]
    )
    device = Queue(need_queue(queue)).device
    smaller = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}
    if result in smaller and not _isthmus._has_dtype(device, result):
        warnings.warn(
            f"{device} has no {result}: the result is of single precision",
            DoubleDowncastWarning,
            stacklevel=3,
        )
        return np.dtype(smaller[result])
    return result


def steps_of(strides: Any, ndim: int) -> tuple[int, ...]:
    """Strides in bytes, one for each axis."""
    try:
        steps = tuple(operator.index(step) for step in strides)
    except TypeError:
        raise TypeError(f"Array: strides: expected ints, one for each axis: {strides!r}") from None
    if len(steps) != ndim:
        raise ValueError(f"Array: {len(steps)} strides {steps} for a shape of {ndim} axes")
    return steps
