"""Views of arrays: other shapes, parts, other dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._memory import InMemory
from isthmus.cl._ordering import has_elements, not_an_array, queue_of
from isthmus.cl._places import need_queue, wait_first


class Views(InMemory):
    """What looks at the same memory in another way, and indexing."""

    # what Array has
    _seen: Callable[..., Self]
    _made: Callable[..., Self]

    def reshape(self, *shape: Any, **kwargs: Any) -> Self:
        """The elements in another shape; order "F" reads and places them first index fastest.

        Returns: a view. Waits: no.
        Raises: ValueError for another number of elements, and if it needs a copy.
        Source: pyopencl 2026.1, Array.reshape.
        """
        order = kwargs.pop("order", "C")
        if kwargs:
            raise TypeError(f"reshape: unexpected keyword arguments {sorted(kwargs)}")
        if order not in ("C", "F"):
            raise ValueError(f"reshape: order is {order!r}; expected 'C' or 'F'")
        if len(shape) == 1 and isinstance(shape[0], Sequence):
            shape = tuple(shape[0])
        return self._seen(self._x.reshape(shape, order=order, copy=False))

    def ravel(self, order: str = "C") -> Self:
        """All elements as a 1-d view. Raises: as reshape."""
        return self.reshape(self.size, order=order)

    def squeeze(self) -> Self:
        """Without the axes of length 1, as a view."""
        return self._seen(_isthmus.squeeze(self._x))

    def transpose(self, axes: Sequence[int] | None = None) -> Self:
        """The axes in another order, by default reversed; as a view.

        Raises: ValueError for axes that are not all of the array's.
        """
        count = self._x.ndim
        chosen = list(range(count))[::-1] if axes is None else [int(axis) for axis in axes]
        if sorted(axis % count if -count <= axis < count else -1 for axis in chosen) != list(
            range(count)
        ):
            raise ValueError(f"transpose: axes {chosen} for {count} axes")
        return self._seen(_isthmus.permute_dims(self._x, chosen))

    @property
    def T(self) -> Self:
        """The axes in reversed order, as a view."""
        return self.transpose()

    def view(self, dtype: Any = None) -> Self:
        """The bytes as elements of another dtype, along the axis whose elements lie closest.

        Returns: a view.
        Waits: until the calculation of the values has started, if the dtype is another.
        Raises: ValueError where sizes do not fit.
        Source: pyopencl 2026.1, Array.view.
        """
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        x = self._x
        if wanted == self.dtype:
            return self._seen(x)
        long = [axis for axis in range(x.ndim) if x.shape[axis] != 1] or [-1]
        axis = min(long, key=lambda axis: abs(x.strides[axis])) if x.ndim else None
        if self.queue is None:
            x.eval()
        else:
            with Queue(self.queue):
                x.eval()
        try:
            if axis is None or wanted.itemsize == x.itemsize:
                return self._seen(x.view(wanted))
            found = _isthmus.moveaxis(x, axis, -1).view(wanted)
        except ValueError:
            text = f"view: elements of {self.dtype} do not fit together as {wanted}"
            raise ValueError(text) from None
        return self._seen(_isthmus.moveaxis(found, -1, axis))

    def __getitem__(self, index: Any) -> Self:
        """A view for slices, numbers, None and ...; new memory for arrays of indices and masks.

        An array of int8, as comparisons give, is one of indices, as in pyopencl: use
        ``mask.astype(bool)`` for a mask.

        Waits: for masks; for indices as isthmus.take. Raises: IndexError for an index out of range.
        Source: pyopencl 2026.1, Array.__getitem__.
        """
        key, is_view = _key_of(index)
        if is_view:
            return self._seen(self._x[key])
        queue = need_queue(self.queue)
        with Queue(queue):
            return self._made(self._x[key], queue)

    def setitem(self, subscript: Any, value: Any, queue: Any = None, wait_for: Any = None) -> None:
        """Writes an array, an array of NumPy or a number, of any dtype and layout, broadcast.

        Returns: None. Waits: for indices and for NumPy's arrays; for `wait_for`, on the queue.
        Raises: ValueError without a queue, and for shapes that do not fit; IndexError.
        Source: pyopencl 2026.1, Array.setitem.
        """
        queue = queue_of(queue, [self], "write")
        wait_first(queue, wait_for)
        key, _ = _key_of(subscript)
        if isinstance(value, Views):
            value = value._x
        if _is_all(key):
            self._overwrite(value, queue)
            return
        with Queue(queue):
            target = self._x[key] if _key_of(subscript)[1] else None
            if target is not None and not target.size:
                return
            _write(self._x, key, value)
        self._wrote()

    def __setitem__(self, subscript: Any, value: Any) -> None:
        """As setitem, on the array's queue."""
        self.setitem(subscript, value)


def _write(x: _isthmus.Array, key: Any, value: Any) -> None:
    """As NumPy assigns: the value takes the dtype, whatever is lost."""
    if isinstance(value, _isthmus.Array):
        if value.dtype != x.dtype:
            value = _isthmus.astype(value, x.dtype)
    elif isinstance(value, np.void):
        value = np.array(value, x.dtype)
    elif isinstance(value, np.ndarray) and value.dtype != x.dtype:
        value = value.astype(x.dtype)
    else:
        value = as_element(value, x.dtype)
    x[key] = value


def as_element(value: Any, dtype: np.dtype[Any]) -> Any:
    """A number as NumPy assigns it to integers: without its fraction."""
    if isinstance(value, (float, complex, np.inexact)) and dtype.kind in "iub":
        return dtype.type(value.real)
    return value


def _key_of(index: Any) -> tuple[Any, bool]:
    """The index for Isthmus, and whether it gives a view."""
    entries = index if isinstance(index, tuple) else (index,)
    found, is_view = [], True
    for entry in entries:
        if isinstance(entry, Views):
            if entry.dtype.kind not in "iub":
                raise TypeError("an index must be an array of integers, or a mask of bools")
            entry = entry._x
        if isinstance(entry, (_isthmus.Array, np.ndarray, list)):
            is_view = False
        elif has_elements(entry) and not isinstance(entry, tuple):
            raise not_an_array(entry, "an array of integers as an index")
        elif not (entry is None or entry is Ellipsis or isinstance(entry, slice)):
            try:
                entry = entry.__index__()
            except AttributeError:
                raise IndexError(f"an index cannot be a {type(entry).__name__}") from None
        found.append(entry)
    return (tuple(found) if isinstance(index, tuple) else found[0]), is_view


def _is_all(key: Any) -> bool:
    if isinstance(key, tuple):
        return not key
    return key is Ellipsis or (isinstance(key, slice) and key == slice(None))
