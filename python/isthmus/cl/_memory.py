"""What an array lies in, and how: its facts and its memory object."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Context, Queue
from isthmus.cl._block import Block, adopt, allocated
from isthmus.cl._facts import ArrayHasOffsetError, Flags
from isthmus.cl._fresh import Fresh, is_dense, is_pool_moved
from isthmus.cl._ordering import queue_of
from isthmus.cl._places import context_of, loaded_pyopencl, queue_in, wait_first
from isthmus.cl._setting import lie_in

# Two threads that ask at once shall get the same memory object.
_showing = threading.RLock()


def _zero_of(dtype: np.dtype[Any]) -> Any:
    return np.zeros((), dtype)[()]


class InMemory(_isthmus._ArrayOnQueue):
    """Memory, and how elements lie there."""

    queue: Any
    allocator: Any
    _context: Any
    _held: Block | None
    _fresh: Fresh | None

    # what Array has
    _overwrite: Callable[..., None]
    _wrote: Callable[[], None]

    @property
    def _block(self) -> Block:
        """What it lies in: most results are never asked, and have none until then."""
        x = self._x  # a new array begins to lie somewhere by that
        if self._held is None:
            self._place(Block(x))
        return self._held  # type: ignore[return-value]

    def _is_replaceable(self) -> bool:
        """Whether new memory can take the place of its own."""
        if self._held is None and self._fresh is None:
            return True
        return self._block.is_replaceable()

    def _begin(self) -> None:
        """A new array gets its memory, since somebody uses it."""
        fresh = self._fresh
        if fresh is None:
            return
        self._place(fresh.begin())
        self._fresh = None
        if fresh.is_zero and not fresh.is_shown:
            count = self._news
            self._overwrite(_zero_of(fresh.dtype), self._some_queue(), is_new=True)
            self._news = count

    def _zero(self, queue: Any) -> None:
        """All elements become zeros, of structs too; of a new array when they are needed."""
        fresh = self._fresh
        if fresh is not None and not fresh.is_shown and queue is self._some_queue():
            fresh.is_zero = True
            self._wrote()
        elif self.size:
            self._overwrite(_zero_of(self.dtype), queue, is_new=True)

    def _zero_fill(self, queue: Any = None, wait_for: Any = None) -> None:
        """As fill(0), for structs too. arraycontext calls this name of pyopencl's Array, although
        it is a private one."""
        on = queue_of(queue, [self], "write")
        wait_first(on, wait_for)
        self._zero(on)

    def _replace(self, x: _isthmus.Array) -> None:
        """Gets new memory."""
        self._held = None
        self._x = x

    def _place(self, block: Block, x: _isthmus.Array | None = None) -> None:
        """Begins to be an array in this memory: of all of it, or as `x` sees it."""
        self._held = block
        self._x = block.array if x is None else x
        block.hold(self)

    @property
    def context(self) -> Any:
        """The context of the queue, or the context that the array was created with."""
        return self._context if self.queue is None else context_of(self.queue)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype of the elements."""
        fresh = self._fresh
        return self._x.dtype if fresh is None else fresh.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""
        fresh = self._fresh
        return self._x.shape if fresh is None else fresh.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._x.size if self._fresh is None else math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._x.nbytes if self._fresh is None else self._fresh.nbytes

    @property
    def strides(self) -> tuple[int, ...]:
        """Distance between neighbours along each axis, in bytes, not elements."""
        if self._fresh is not None:
            return self._fresh.strides
        item = self._x.itemsize
        return tuple(step * item for step in self._x.strides)

    @property
    def offset(self) -> int:
        """Number of bytes from the start of ``base_data`` to the first element."""
        if self._fresh is not None:
            return 0
        x = self._x
        return 0 if self._held is None else x.offset * x.itemsize - self._block.start

    @property
    def flags(self) -> Flags:
        """Whether the elements are contiguous, and in which order."""
        fresh = self._fresh
        if fresh is not None:
            c, f = (is_dense(fresh.shape, fresh.strides, fresh.dtype.itemsize, o) for o in "CF")
            return Flags(c, f)
        return Flags(*_isthmus._is_contiguous(self._x))

    @property
    def base_data(self) -> Any:
        """The memory object: that of the allocator or the caller, else a pyopencl.Buffer or SVM;
        for an isthmus.Queue an object of isthmus.memory. None without elements.

        From then on the memory counts as shared. Later work on the queue waits for the work on it.
        One that is set becomes the array's, as ``Array(data=)`` has it; its views stay where they
        are.
        """
        if self._fresh is None and not self._x.size:
            return None
        with _showing:
            return self._shown()

    @base_data.setter
    def base_data(self, memory: Any) -> None:
        lie_in(self, memory)

    def _shown(self) -> Any:
        place = self.queue if self.queue is not None else self.context
        if self._fresh is not None:
            shown = self._fresh.show(place)
            if shown is not None:
                return shown
        with Queue(self._some_queue()):
            shown = self._in_new_buffer(place)
            if shown is not None:
                return shown
            block = self._block
            if block.given is None:
                self._move_to_allocator()
            return block.show(place)

    @property
    def data(self) -> Any:
        """As base_data. Raises: ArrayHasOffsetError if the first element is not at its start."""
        if self.offset:
            raise ArrayHasOffsetError
        return self.base_data

    def _some_queue(self) -> Any:
        return queue_in(self._context) if self.queue is None else self.queue

    def _in_new_buffer(self, place: Any) -> Any:
        """A buffer that gets the values, if they are few and nobody has to wait for them, and if
        nobody else looks at their memory. None, and nothing was done, otherwise."""
        if self.allocator is not None or isinstance(place, (Queue, Context)):
            return None
        if not self._is_replaceable() or (self._held and self._held.former is not None):
            return None
        on = Queue(self._some_queue())
        values = _isthmus._bytes_at_rest(self._x) if is_pool_moved(on) else None
        if not values:
            return None
        flags = loaded_pyopencl().mem_flags
        given = loaded_pyopencl().Buffer(
            self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=values
        )
        self._fresh = Fresh(on, self.shape, self.dtype, self.strides, given, False, True)
        self._held = None
        del self._x
        return self._fresh.show(place)

    def _allocator_to_show(self) -> Any:
        """What makes the memory object; None if the pool's memory can be shown where it is, or has
        been shown there: maps and capsules stay in it."""
        if self._block.is_shown:
            return None
        if self.allocator is not None:
            return self.allocator
        context = self.context
        if isinstance(context, Context):
            return None
        if not is_pool_moved(Queue(self._some_queue())):
            return None
        cl = loaded_pyopencl()
        return lambda nbytes: cl.Buffer(context, cl.mem_flags.READ_WRITE, nbytes)

    def _move_to_allocator(self) -> None:
        """Values lie in memory of the pool until somebody asks for the memory object."""
        allocator = self._allocator_to_show()
        if allocator is None:
            return
        block, queue = self._block, self._some_queue()
        old, former = block.array, block.former
        start = old.offset * old.itemsize
        if former is not None:
            given, new = former.given, former.array
        else:
            given = allocated(allocator, old.nbytes)
            strides = tuple(step * old.itemsize for step in old.strides)
            new = adopt(given, queue, old.shape, old.dtype, strides, 0, True)
        new[...] = old
        for found in (reference() for reference in block.arrays):
            if found is None or found._block is not block:
                continue
            x = found._x
            at = (x.offset * x.itemsize - start) // x.itemsize
            found._x = _isthmus.from_memory(
                new.memory, x.shape, x.dtype, strides=x.strides, offset=at
            )
        block.place(new, given)
        block.former = None
