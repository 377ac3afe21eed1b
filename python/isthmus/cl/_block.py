"""The memory of arrays: of the pool, of an allocator, or what the caller gave."""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus, memory
from isthmus._isthmus import Context, Queue
from isthmus.cl._places import loaded_pyopencl

__all__ = ["Block", "adopt", "allocated", "dense_strides", "new_memory", "new_on_host"]

Strides = tuple[int, ...]


class Block:
    """What an array and its views lie in.

    array: all of it, as it was made. given: the memory object that the caller gave, or that an
    allocator made; None for memory of the pool. arrays: weak references to those that lie in it.
    is_shown: whether somebody has been given its memory object. former: the block with memory of an
    allocator that this one has replaced, and goes back to when it is shown.
    """

    __slots__ = ("_anchor", "_limit", "array", "arrays", "former", "given", "is_shown", "lent")

    def __init__(self, array: _isthmus.Array, given: Any = None, is_shown: bool = False) -> None:
        self.place(array, given)
        self.is_shown = is_shown
        self.former: Block | None = None
        self.lent: dict[Any, Any] = {}  # to queues: while it is, the memory counts as shared
        self.arrays: list[weakref.ref[Any]] = []  # those that move with it
        self._limit = 8

    def place(self, array: _isthmus.Array, given: Any) -> None:
        """Lies in this memory from now on."""
        self.array = array
        self.given = given
        # The pool of a user's context gives its memory back with the last block of it: results
        # would get new memory each time if arrays lie in memory of an allocator alone.
        self._anchor = None if given is None else _isthmus.empty_like(array[(0,) * array.ndim])

    @property
    def start(self) -> int:
        """Bytes before that of the memory object."""
        return 0 if self.given is not None else self.array.offset * self.array.itemsize

    def is_replaceable(self) -> bool:
        """Whether new memory can take its place, since nobody else looks at it."""
        if self.is_shown:
            return False
        return len(self.arrays) == 1 or sum(known() is not None for known in self.arrays) == 1

    def show(self, place: Any) -> Any:
        """The memory object, for work on a queue or in a context.

        What was given, a pyopencl.Buffer, or isthmus.memory for an isthmus.Queue.
        """
        self.is_shown = True
        if self.given is None and isinstance(place, (Queue, Context)):
            return memory.class_of(self.array)._over(_isthmus._bytes_of(self.array, False))
        # Kept: kernels, sub-buffers and addresses use the memory without the object that they had.
        key = getattr(place, "int_ptr", None)
        if key not in self.lent and (self.given is None or is_given_private(self.given)):
            self.lent[key] = _isthmus._lend_to_pyopencl(self.array, place)
        return self.lent[key][0] if self.given is None else self.given

    def hold(self, array: Any) -> None:
        """Remembers an array that lies in it."""
        if len(self.arrays) >= self._limit:
            self.arrays = [known for known in self.arrays if known() is not None]
            self._limit = 2 * len(self.arrays) + 8
        self.arrays.append(weakref.ref(array))


def is_given_private(given: Any) -> bool:
    """Whether memory of an allocator is adopted as ours alone: buffers are, SVM is not."""
    cl = loaded_pyopencl()
    return cl is not None and isinstance(given, cl.MemoryObjectHolder)


def _memory_of(given: Any, queue: Any, is_private: bool) -> memory.Memory:
    """Raises: TypeError, which says what the allocator or the caller may give."""
    if isinstance(given, memory.Memory):
        return given
    try:
        if is_private and is_given_private(given):
            return _isthmus._adopt_pyopencl(given, queue).memory
        return _isthmus.from_pyopencl(given, queue=queue).memory
    except TypeError:
        found = "None" if given is None else f"{type(given).__module__}.{type(given).__qualname__}"
        who = "the allocator returned" if is_private else "data is"
        raise TypeError(
            f"Array: {who} {found.removeprefix('builtins.')}; expected a memory object: a "
            "pyopencl.Buffer, SVM, or memory of isthmus.memory"
        ) from None


def allocated(allocator: Any, nbytes: int) -> Any:
    """A memory object of an allocator. Raises: TypeError if it returns None."""
    given = allocator(nbytes)
    if given is None:
        raise TypeError("Array: the allocator returned None; it must return a memory object")
    return given


def adopt(
    given: Any,
    queue: Any,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    strides: Strides,
    offset: int,
    is_private: bool,
) -> _isthmus.Array:
    """Elements of a memory object. Strides and offset count bytes.

    Raises: TypeError for what is no memory object; ExchangeError (BufferError) for elements outside
    of the memory, or misaligned ones.
    """
    found = _memory_of(given, queue, is_private)
    item = dtype.itemsize
    wanted = item * math.prod(shape)
    if is_private and found.nbytes < wanted:
        raise _isthmus.ExchangeError(
            f"Array: the allocator returned memory of {found.nbytes} bytes, not the requested "
            f"{wanted}"
        )
    if any(stride % item for stride in strides) or offset % item:
        raise ValueError(
            f"Array: strides {strides} and offset {offset} are not multiples of {item} bytes"
        )
    return _isthmus.from_memory(
        found, shape, dtype, strides=[stride // item for stride in strides], offset=offset // item
    )


def dense_strides(
    shape: Sequence[int], itemsize: int, order: str = "C", like: Strides | None = None
) -> Strides:
    """Strides in bytes of elements without gaps, in row-major or column-major order, or with the
    axes in the order that they have in `like`."""
    if len(shape) < 2 and (order == "C" or like is not None):  # most, and each new array asks
        return (itemsize,) * len(shape)
    axes = list(range(len(shape)))
    if like is not None:
        axes.sort(key=lambda axis: (-abs(like[axis]), axis))
    elif order in ("F", "f"):
        axes.reverse()
    elif order not in ("C", "c"):
        raise ValueError(f"Array: invalid order {order!r}; expected 'C' or 'F'")
    strides = [0] * len(axes)
    step = itemsize
    for axis in reversed(axes):
        strides[axis] = step
        step *= max(1, shape[axis])
    return tuple(strides)


def new_on_host(
    shape: Sequence[int], dtype: np.dtype[Any], strides: Sequence[int]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A NumPy array without gaps, with the axes in the order that they have in `strides`: row by
    row in its memory, and as it is seen."""
    axes = sorted(range(len(shape)), key=lambda axis: (-abs(strides[axis]), axis))
    dense = np.empty([shape[axis] for axis in axes], dtype)
    return dense, dense.transpose(np.argsort(axes)) if axes else dense


def new_memory(
    on: Queue, shape: tuple[int, ...], dtype: np.dtype[Any], strides: Strides
) -> _isthmus.Array:
    """Memory of the pool in the context of the queue, with these strides in bytes."""
    if 0 in shape or strides == dense_strides(shape, dtype.itemsize):
        with on:
            return _isthmus.empty(shape, dtype, device=on.device)
    axes = sorted(range(len(shape)), key=lambda axis: (-abs(strides[axis]), axis))
    inverse = sorted(range(len(shape)), key=axes.__getitem__)
    if strides == dense_strides(shape, dtype.itemsize, like=strides):
        with on:
            dense = _isthmus.empty([shape[axis] for axis in axes], dtype, device=on.device)
            return _isthmus.permute_dims(dense, inverse)
    if any(stride % dtype.itemsize for stride in strides):
        raise ValueError(f"Array: strides {strides} are not multiples of {dtype.itemsize} bytes")
    steps = [stride // dtype.itemsize for stride in strides]
    reach = [step * (length - 1) for step, length in zip(steps, shape, strict=True)]
    first = -sum(step for step in reach if step < 0)
    count = first + sum(step for step in reach if step > 0) + 1
    with on:
        flat = _isthmus.empty(count, dtype, device=on.device)
    return _isthmus.from_memory(flat.memory, shape, dtype, strides=steps, offset=first)
