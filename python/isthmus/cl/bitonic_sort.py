"""``pyopencl.bitonic_sort``: sorting along an axis, in place."""

from __future__ import annotations

from typing import Any

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._array_class import Array
from isthmus.cl._ordering import need_arrays, queue_of
from isthmus.cl._places import end_of, wait_first

__all__ = ["BitonicSort"]


class BitonicSort:
    """Sorts an array along an axis of any length, stably: it is the merge sort of Isthmus.

    Source: pyopencl 2026.1, BitonicSort, which takes lengths that are powers of two.
    """

    def __init__(self, context: Any) -> None:
        self.context = context

    def __call__(
        self,
        arr: Array,
        idx: Array | None = None,
        queue: Any = None,
        wait_for: Any = None,
        axis: int = 0,
    ) -> tuple[Array, Any]:
        """Sorts arr in place; idx, of the same shape, is rearranged in the same way.

        Returns: (arr, event). Waits: no.
        Raises: ValueError for an invalid axis, and for idx of another shape.
        Source: pyopencl 2026.1, BitonicSort.
        """
        need_arrays(arr, *(() if idx is None else (idx,)), who="BitonicSort: ")
        if not -arr.ndim <= axis < arr.ndim:
            raise ValueError(f"BitonicSort: axis {axis} of an array with {arr.ndim} axes")
        if idx is not None and idx.shape != arr.shape:
            raise ValueError(f"BitonicSort: idx has shape {idx.shape}, the array {arr.shape}")
        place = queue_of(queue, [arr], "sort")
        wait_first(place, wait_for)
        if arr.size:
            with Queue(place):
                order = None if idx is None else _isthmus.argsort(arr._x, axis=axis)
                if idx is None or order is None:
                    arr._rewrite(_isthmus.sort(arr._x, axis=axis))
                else:
                    new = _isthmus.take_along_axis(idx._x, order, axis=axis)
                    arr._rewrite(_isthmus.take_along_axis(arr._x, order, axis=axis))
                    idx._rewrite(new)
        return arr, end_of(place)
