"""The class Array: an array of Isthmus and the queue for its work."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._block import Block, adopt, allocated, dense_strides, new_memory
from isthmus.cl._facts import (
    InconsistentOpenCLQueueWarning,
    _copy_queue,
    shape_of,
    steps_of,
)
from isthmus.cl._fresh import fresh_for
from isthmus.cl._memory import InMemory
from isthmus.cl._numpy_calls import NumpyCalls
from isthmus.cl._operators import INT8, Operators, is_scalar
from isthmus.cl._ordering import Ordering, queue_of
from isthmus.cl._places import is_context, is_pyopencl_queue, is_queue, queue_in, wait_first
from isthmus.cl._setting import install
from isthmus.cl._transfers import Transfers
from isthmus.cl._vectors import joined
from isthmus.cl._views import Views, _write, as_element


class Array(Operators, Views, Transfers, Ordering, NumpyCalls):
    """An n-d array on a queue, or in a context.

    cq is a pyopencl.CommandQueue or Context, or an isthmus.Queue or Context. An array of a context
    has no queue, and refuses operators until with_queue gives it one. allocator is called with a
    number of bytes and returns a memory object: a pyopencl.Buffer, SVM, or memory of
    isthmus.memory. data is an existing memory object; offset and strides count bytes.

    Values are pending until they are needed. Memory that the caller passed, or has accessed by
    ``data``, is shared: operations that read it run when they are called.

    Raises: TypeError if cq is not a queue or context, and for dtypes of objects; ValueError for
    invalid shapes.
    Source: pyopencl 2026.1, Array.
    """

    __array_priority__ = 100

    def __init__(
        self,
        cq: Any,
        shape: Any,
        dtype: Any,
        order: str = "C",
        allocator: Any = None,
        data: Any = None,
        offset: int = 0,
        strides: Sequence[int] | None = None,
        events: list[Any] | None = None,
        _flags: Any = None,
        _fast: bool = False,
        _size: int | None = None,
        _context: Any = None,
        _queue: Any = None,
    ) -> None:
        if is_queue(cq):
            _queue, _context = cq, None
        elif is_context(cq):
            _queue, _context = None, cq
        elif cq is not None or (_queue is None and _context is None):
            raise TypeError(f"Array: cq is a queue or a context, not {type(cq).__name__!r}")
        kind = np.dtype(dtype)
        if kind.hasobject:
            raise TypeError("Array: a device has no Python objects")
        lengths = shape_of(shape)
        place = queue_in(_context) if _queue is None else _queue
        steps = (
            dense_strides(lengths, kind.itemsize, order)
            if strides is None
            else steps_of(strides, len(lengths))
        )
        self.queue = _queue
        self.allocator = allocator
        self._context = _context
        self._events = [] if events is None else events
        self._news = 0
        self._held = None
        given = data
        nbytes = kind.itemsize * math.prod(lengths)
        is_allocated = given is None and allocator is not None and nbytes > 0
        if is_allocated:
            given = allocated(allocator, nbytes)
        if nbytes and not offset and is_pyopencl_queue(place):
            self._fresh = fresh_for(place, lengths, kind, steps, given, data is not None)
            if self._fresh is not None:
                if given is not None:
                    wait_first(place, events)
                return
        if not nbytes or (given is None and not is_allocated):
            self._place(Block(new_memory(Queue(place), lengths, kind, steps)))
            return
        self._warn_of_queue(given)
        found = adopt(given, place, lengths, kind, steps, int(offset), data is None)
        self._place(Block(found, given, is_shown=data is not None))
        wait_first(place, events)

    # ---- making others

    def _like_me(self, queue: Any) -> Self:
        new = type(self).__new__(type(self))
        if type(self) is not Array:
            new.__dict__.update(self.__dict__)
        new.queue = queue
        new.allocator = self.allocator
        new._context = self._context
        new._events = self._events
        new._news = self._news
        return new

    def _made(self, x: _isthmus.Array, queue: Any = None) -> Self:
        """An array of new memory."""
        new = self._like_me(self.queue if queue is None else queue)
        new._events = []
        new._news = 1
        new._x = x
        return new

    def _made_of_lanes(self, lanes: _isthmus.Array, dtype: np.dtype[Any], queue: Any) -> Self:
        """An array of vectors whose lanes are pending."""
        new = self._made(lanes, queue)
        del new._x
        new._lanes = lanes
        new._vector = dtype
        return new

    def _join(self) -> None:
        """The vectors whose lanes are pending become _x, for which somebody asks."""
        if self._lanes is not None:
            self._x = _isthmus._on_queue(self._some_queue(), joined, self._lanes, self._vector)
            self._lanes = None

    def __copy__(self) -> Self:
        """A view of the whole array, as ``copy.copy`` of a pyopencl array."""
        return self._seen(self._x)

    def _seen(self, x: _isthmus.Array) -> Self:
        """An array that looks at the same memory."""
        new = self._like_me(self.queue)
        new._place(self._block, x)
        return new

    def _rewrite(self, result: _isthmus.Array) -> None:
        """Gets values that are calculated from itself. The queue is the current one."""
        x = self._x
        if self._is_replaceable() and result.strides == x.strides:
            if result.dtype != x.dtype:
                result = _isthmus.astype(result, x.dtype)
            self._replace(result)
        else:
            _write(x, ..., result)
        self._wrote()

    def _overwrite(self, value: Any, queue: Any, is_new: bool = False) -> None:
        """All elements get a value of the host, or of another array, or one number.

        A new array stays in the memory that its allocator has just given."""
        with Queue(queue):
            stays = is_new and self.allocator is not None
            pending = self._pending(value) if self._is_replaceable() and not stays else None
            if pending is not None:
                former = self._former()
                self._replace(pending)
                if former is not None:
                    self._block.former = former
            elif isinstance(value, np.ndarray) and self._is_reachable():
                np.copyto(self._briefly().to_numpy(), value, casting="unsafe")
            else:
                _write(self._x, ..., value)
        self._wrote()

    def _former(self) -> Block | None:
        """The block of an allocator's memory that a new value can go back to; None for a view that
        sees a part of it, or all in another order or dtype."""
        held: Block | None = self._held
        x = self._x
        if held is None or (held.array.shape, held.array.dtype) != (x.shape, x.dtype):
            return None
        if (held.array.strides, held.array.offset) != (x.strides, x.offset):
            return None
        return held if held.given is not None else held.former

    def _is_reachable(self) -> bool:
        """Whether the host reaches the values; calculates them, since that says where they lie."""
        self._x.eval()
        return _isthmus._is_host_reachable(self._x)

    def _pending(self, value: Any) -> _isthmus.Array | None:
        """The value as an array that lies like this one, not calculated yet; None if it has to be
        written."""
        x = self._x
        if x.dtype.fields is not None or not x.size:
            return None
        if isinstance(value, _isthmus.Array):
            is_alike = value.shape == x.shape and value.strides == x.strides
            if not is_alike or _isthmus._context_of(value) != _isthmus._context_of(x):
                return None
            return _isthmus.astype(value, x.dtype)
        if not is_scalar(value):
            return None
        axes = sorted(range(x.ndim), key=lambda axis: -x.strides[axis])
        shape = [x.shape[axis] for axis in axes]
        dense = _isthmus.full(shape, as_element(value, x.dtype), x.dtype, device=x.device)
        filled = _isthmus.permute_dims(dense, sorted(range(x.ndim), key=axes.__getitem__))
        return filled if filled.strides == x.strides else None

    def _new_like_me(self, dtype: Any = None, queue: Any = None) -> Self:
        """New memory of the same shape and order of axes; its contents are undefined."""
        kind = self.dtype if dtype is None else np.dtype(dtype)
        queue = self.queue if queue is None else queue
        strides = dense_strides(self.shape, kind.itemsize, like=self._x.strides)
        return type(self)(
            queue if queue is not None else self.context,
            self.shape,
            kind,
            allocator=self.allocator,
            strides=strides,
        )

    def with_queue(self, queue: Any) -> Self:
        """The same memory with another queue, or None.

        Returns: a view. Waits: no. Raises: ValueError for a queue of another context; TypeError if
        it is not a queue.
        Source: pyopencl 2026.1, Array.with_queue.
        """
        if queue is not None and not is_queue(queue):
            raise TypeError(f"with_queue: expected a queue or None, not {type(queue).__name__!r}")
        if queue is not None and Queue(queue).context != Queue(self._some_queue()).context:
            raise ValueError("with_queue: the queue is of another context")
        new = self._seen(self._x)
        new._context = self.context
        new.queue = queue
        new._warn_of_queue(self._block.given)
        return new

    def copy(self, queue: Any = _copy_queue) -> Self:
        """A copy, whose queue is `queue`.

        Returns: new memory, pending. Waits: no. Raises: ValueError without any queue.
        Source: pyopencl 2026.1, Array.copy.
        """
        chosen = self.queue if queue is _copy_queue else queue
        on = queue_of(chosen, [self], "copy")
        with Queue(on):
            new = self._made(self._x.copy("K"), on)
        if chosen is None:
            new._context = self.context
            new.queue = None
        return new

    def astype(self, dtype: Any, queue: Any = None) -> Self:
        """A copy with another dtype; floats lose their fraction, complex ones their imaginary part.

        Returns: new memory, pending. Waits: no. Raises: ValueError without a queue.
        """
        on = queue_of(queue, [self])
        wanted = np.dtype(dtype)
        with Queue(on):
            x = self._x
            if x.dtype.kind == "c" and wanted.kind not in "cb":
                x = _isthmus.real(x)
            return self._made(_isthmus.astype(x, wanted), on)

    def reverse(self, queue: Any = None) -> Self:
        """The elements in reversed order, in the same shape.

        Returns: new memory, pending. Raises: ValueError without a queue.
        """
        on = queue_of(queue, [self])
        with Queue(on):
            return self._made(_isthmus.flip(self._x).copy("K"), on)

    def _warn_of_queue(self, given: Any) -> None:
        bound = getattr(given, "_queue", self.queue)
        is_svm = hasattr(given, "svm_ptr")
        if is_svm and self.queue is not None and bound is not None and bound != self.queue:
            warnings.warn(
                "the SVM is bound to another queue than the array's, and may be freed before the "
                "array's work has finished",
                InconsistentOpenCLQueueWarning,
                stacklevel=3,
            )

    def __len__(self) -> int:
        """Length of the first axis. Raises: TypeError for a 0-d array."""
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return self.shape[0]

    def __bool__(self) -> bool:
        """Of an array without axes. Raises: ValueError for others."""
        if self.shape:
            raise ValueError("an array with axes is neither true nor false; use any() or all()")
        return bool(self.get())

    __nonzero__ = __bool__

    def _is_made(self) -> bool:
        """Whether it is an array yet: what ``Array.__new__`` alone has made is none."""
        return self._fresh is not None or hasattr(self, "_x")

    def __str__(self) -> str:
        if not self._is_made():
            return f"<cl.{type(self).__name__} before __init__>"
        if self.queue is None:
            return f"<cl.{type(self).__name__} {self.shape} of {self.dtype} without a queue>"
        return str(self.get())

    def __repr__(self) -> str:
        name = f"cl.{type(self).__name__}"
        if not self._is_made():
            return str(self)
        if self.queue is None:
            return f"<{name} {self.shape} of {self.dtype} at {id(self):x} without a queue>"
        return name + repr(self.get()).removeprefix("array")

    def safely_stringify_for_pudb(self) -> str:
        """What it is, without its values."""
        return f"cl.{type(self).__name__} {self.dtype} {self.shape}"

    # ---- writing and asking

    def fill(self, value: Any, queue: Any = None, wait_for: Any = None) -> Self:
        """Sets all elements to one number, or struct.

        Returns: the array. Raises: ValueError without a queue; TypeError for other values.
        """
        on = queue_of(queue, [self], "write")
        _require_element(value, self.dtype)
        wait_first(on, wait_for)
        self._overwrite(value, on)
        return self

    def any(self, queue: Any = None, wait_for: Any = None) -> Self:
        """1 if any element is not 0, else 0: int8, 0-d; pending."""
        return self._asked(_isthmus.any, queue, wait_for)

    def all(self, queue: Any = None, wait_for: Any = None) -> Self:
        """1 if no element is 0, else 0: int8, 0-d; pending."""
        return self._asked(_isthmus.all, queue, wait_for)

    def _asked(self, function: Any, queue: Any, wait_for: Any) -> Self:
        on = queue_of(queue, [self])
        wait_first(on, wait_for)
        with Queue(on):
            return self._made(_isthmus.astype(function(self._x), INT8), on)


def _require_element(value: Any, dtype: np.dtype[Any]) -> None:
    if isinstance(value, (np.ndarray, np.void, InMemory, _isthmus.Array)):
        return
    if not is_scalar(value):
        raise TypeError(f"fill: value is a {type(value).__name__!r}; expected a number")
    if dtype.fields is not None:
        raise TypeError(
            f"fill: {value!r} cannot become a struct {dtype}; numpy.zeros((), x.dtype) is one"
        )


install(Array)
