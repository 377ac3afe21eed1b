"""New arrays: until somebody uses their contents, only what their memory is or will be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Device, Queue
from isthmus.cl._block import (
    Block,
    Strides,
    adopt,
    dense_strides,
    is_given_private,
    new_memory,
    new_on_host,
)
from isthmus.cl._places import OUT_OF_ORDER, context_of, loaded_pyopencl, queue_in

_DTYPES_KEPT = 256
_checked: set[np.dtype[Any]] = set()  # dtypes that arrays can have
_facts: dict[Device, tuple[bool, int]] = {}


def _facts_of(on: Queue) -> tuple[bool, int]:
    """See is_pool_moved, and the bytes that one allocation may have."""
    device = on.device
    if device not in _facts:
        with on:
            is_moved = _isthmus._kind_of(_isthmus.empty(1, "uint8", device=device)) != "buffer"
        _facts[device] = is_moved, on.to_pyopencl().device.max_mem_alloc_size
    return _facts[device]


def is_pool_moved(on: Queue) -> bool:
    """Whether memory of the pool cannot be shown: the values go to another memory object then."""
    return _facts_of(on)[0]


class Fresh:
    """What the memory of an array is or will be that no operation of the library has used.

    Many programs pass a new array's memory object to a kernel of their own and read the results:
    memory of the pool would be taken for nothing, and its contents copied. Others make an array of
    each buffer that they pass around.

    strides: in bytes, without gaps. given: the memory object, of the allocator or the caller, or
    already shown.
    is_zero: whether its contents are zeros rather than undefined. shown: the queues and contexts
    that have got the memory object.
    """

    __slots__ = (
        "_is_moved",
        "_is_theirs",
        "_on",
        "dtype",
        "given",
        "is_zero",
        "shape",
        "shown",
        "strides",
    )

    def __init__(
        self,
        on: Queue,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        strides: Strides,
        given: Any,
        is_theirs: bool,
        is_moved: bool,
    ) -> None:
        self.shape = shape
        self.dtype = dtype
        self.strides = strides
        self.given = given
        self._on = on
        self._is_theirs = is_theirs
        self._is_moved = is_moved
        self.is_zero = False
        self.shown: list[Any] = []

    @property
    def is_shown(self) -> bool:
        """Whether others have its memory object."""
        return self._is_theirs or bool(self.shown)

    def is_shown_for(self, place: Any) -> bool:
        """Whether this queue or context has got the memory object."""
        return any(known is place for known in self.shown)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return math.prod(self.shape) * self.dtype.itemsize

    def show(self, place: Any) -> Any:
        """The memory object; None if that is the pool's memory, which has to be made first."""
        if self.given is None:
            if not self._is_moved:
                return None
            cl = loaded_pyopencl()
            context = place if isinstance(place, cl.Context) else context_of(place)
            self.given = cl.Buffer(context, cl.mem_flags.READ_WRITE, self.nbytes)
        if self.is_zero and not self.shown:
            self._fill(place)
        if not self.is_shown_for(place):
            self.shown.append(place)
        return self.given

    def _fill(self, place: Any) -> None:
        """Writes the zeros for work on a queue, or on all queues of a context."""
        cl = loaded_pyopencl()
        is_of_all = isinstance(place, cl.Context)
        queue = queue_in(place) if is_of_all else place
        zero = np.zeros(1, np.uint8)
        filled = cl.enqueue_fill_buffer(queue, self.given, zero, 0, self.nbytes)
        if is_of_all:
            filled.wait()
        elif queue.properties & OUT_OF_ORDER:
            cl.enqueue_barrier(queue, wait_for=[filled])

    def read(self, queue: Any) -> np.ndarray[Any, Any] | None:
        """The elements, which kernels of others have written on this queue; None if they have to be
        read as those of other arrays."""
        if self.given is None or any(known != queue for known in self.shown):
            return None
        if not self.shown and not (self._is_theirs and Queue(queue) == self._on):
            return None
        if queue.properties & OUT_OF_ORDER:
            return None
        dense, host = new_on_host(self.shape, self.dtype, self.strides)
        loaded_pyopencl().enqueue_copy(queue, dense, self.given)
        return host

    def begin(self) -> Block:
        """The memory, for somebody who uses the contents."""
        if self.given is None:
            return Block(new_memory(self._on, self.shape, self.dtype, self.strides))
        is_private = not self._is_theirs
        found = adopt(self.given, self._on, self.shape, self.dtype, self.strides, 0, is_private)
        block = Block(found, self.given, is_shown=self._is_theirs)
        for shown in self.shown:
            block.show(shown)
        return block


def is_dense(shape: tuple[int, ...], strides: Strides, itemsize: int, order: str) -> bool:
    """Whether the elements lie without gaps in this order; axes of length 1 do not count."""
    wanted = dense_strides(shape, itemsize, order)
    return all(
        length == 1 or step == other
        for length, step, other in zip(shape, strides, wanted, strict=True)
    )


def _is_buffer(given: Any, queue: Any, nbytes: int) -> bool:
    """Whether it is a buffer in the queue's context with so many bytes."""
    if not is_given_private(given) or isinstance(given, loaded_pyopencl().Image):
        return False
    return bool(given.size >= nbytes and given.context == context_of(queue))


def fresh_for(
    queue: Any,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    strides: Strides,
    given: Any,
    is_theirs: bool,
) -> Fresh | None:
    """What a new array on a queue of pyopencl is at first; `given` is of its allocator, or, if it
    is theirs, of the caller.

    None if the memory has to be made or adopted now, since there are gaps, or it is not a buffer of
    the queue's context, or too much or too little, which is an error then.

    Raises: TypeError for dtypes that arrays cannot have.
    """
    on = Queue(queue)
    is_moved, most = _facts_of(on)
    nbytes = math.prod(shape) * dtype.itemsize
    has_gaps = strides != dense_strides(shape, dtype.itemsize, like=strides)
    if nbytes > most or (has_gaps and strides != dense_strides(shape, dtype.itemsize, "F")):
        return None
    if given is not None and not _is_buffer(given, queue, nbytes):
        return None
    if dtype not in _checked:
        with on:
            _isthmus.empty(0, dtype, device=on.device)
        if len(_checked) >= _DTYPES_KEPT:
            _checked.clear()
        _checked.add(dtype)
    return Fresh(on, shape, dtype, strides, given, is_theirs, is_moved)
