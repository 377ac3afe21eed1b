"""``pyopencl.algorithm``: choosing, sorting, and building lists."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._array_class import Array
from isthmus.cl._creation import empty_like
from isthmus.cl._launching import first_array, need_as_many, number_of
from isthmus.cl._lists import BuiltList, ListOfListsBuilder
from isthmus.cl._ordering import need_arrays, queue_of, queue_of_arrays
from isthmus.cl._parameters import ScalarArg, VectorArg, parse_arg_list
from isthmus.cl._places import end_of, wait_first
from isthmus.cl.elementwise import ElementwiseKernel
from isthmus.cl.scan import GenericScanKernel

__all__ = [
    "BuiltList",
    "KeyValueSorter",
    "ListOfListsBuilder",
    "RadixSort",
    "copy_if",
    "partition",
    "remove_if",
    "unique",
]


def _extra(extra_args: Sequence[tuple[str, Any]] | None) -> tuple[tuple[Any, ...], list[Any]]:
    parameters: list[Any] = []
    values: list[Any] = []
    for name, value in extra_args or ():
        if isinstance(value, Array):
            parameters.append(VectorArg(value.dtype, name))
        elif isinstance(value, np.generic):
            parameters.append(ScalarArg(value.dtype, name))
        else:
            raise RuntimeError(
                f"extra_args: {name} is a {type(value).__name__}; expected an Array or a number "
                "of NumPy"
            )
        values.append(value)
    return tuple(parameters), values


@functools.lru_cache(maxsize=256)
def _scan(
    context_key: Any,
    arrays: tuple[tuple[np.dtype[Any], str], ...],
    extra: tuple[Any, ...],
    input_expr: str,
    output_statement: str,
    fetches: tuple[tuple[str, str, int], ...],
    preamble: str,
) -> GenericScanKernel:
    count = arrays[-1][0]
    return GenericScanKernel(
        None,
        count,
        [*(VectorArg(dtype, name) for dtype, name in arrays), *extra],
        input_expr,
        "a + b",
        "0",
        output_statement,
        input_fetch_exprs=fetches,
        index_dtype=np.int64 if count.itemsize == 8 else np.int32,
        preamble=preamble,
    )


def _count_type(ary: Array) -> np.dtype[Any]:
    return np.dtype(np.uint32 if ary.size <= np.iinfo(np.int32).max else np.uint64)


def _choose(
    ary: Array,
    outs: Sequence[str],
    input_expr: str,
    output_statement: str,
    extra_args: Any,
    preamble: str,
    queue: Any,
    wait_for: Any,
    fetches: tuple[tuple[str, str, int], ...] = (),
) -> tuple[Any, ...]:
    parameters, values = _extra(extra_args)
    place = queue_of_arrays(queue, [ary])
    kind = _count_type(ary)
    count = type(ary)(place, (), kind, allocator=ary.allocator)
    count.fill(0)
    results = [empty_like(ary, place) for _ in outs]
    arrays = [(ary.dtype, "ary"), *((ary.dtype, name) for name in outs), (kind, "count")]
    kernel = _scan(None, tuple(arrays), parameters, input_expr, output_statement, fetches, preamble)
    event = kernel(ary, *results, count, *values, queue=place, wait_for=wait_for)
    return (*results, count, event)


_COPY = "if (prev_item != item) out[item - 1] = ary[i]; if (i + 1 == N) *count = item"


def copy_if(
    ary: Array,
    predicate: str,
    extra_args: Sequence[tuple[str, Any]] | None = None,
    preamble: str = "",
    queue: Any = None,
    wait_for: Any = None,
) -> tuple[Array, Array, Any]:
    """The elements for which the predicate, an expression of ``ary[i]``, is true, in order.

    extra_args are (name, Array or number of NumPy), which the predicate may use.

    Returns: (out, count, event): out is as long as ary, its first `count` elements are valid.
    Waits: for the build. Source: pyopencl 2026.1, copy_if.
    """
    chosen = f"({predicate}) ? 1 : 0"
    return _choose(ary, ["out"], chosen, _COPY, extra_args, preamble, queue, wait_for)


def remove_if(
    ary: Array,
    predicate: str,
    extra_args: Sequence[tuple[str, Any]] | None = None,
    preamble: str = "",
    queue: Any = None,
    wait_for: Any = None,
) -> tuple[Array, Array, Any]:
    """As copy_if, for which the predicate is false.

    Source: pyopencl 2026.1, remove_if.
    """
    return copy_if(ary, f"!({predicate})", extra_args, preamble, queue, wait_for)


def partition(
    ary: Array,
    predicate: str,
    extra_args: Sequence[tuple[str, Any]] | None = None,
    preamble: str = "",
    queue: Any = None,
    wait_for: Any = None,
) -> tuple[Array, Array, Array, Any]:
    """The elements for which the predicate is true, and the others, each in their order.

    Returns: (out_true, out_false, count of the former, event); both are as long as ary.
    Waits: for the build. Source: pyopencl 2026.1, partition.
    """
    output = (
        "if (prev_item != item) out_true[item - 1] = ary[i]; else out_false[i - item] = ary[i]; "
        "if (i + 1 == N) *count = item"
    )
    outs = ["out_true", "out_false"]
    chosen = f"({predicate}) ? 1 : 0"
    return _choose(ary, outs, chosen, output, extra_args, preamble, queue, wait_for)


def unique(
    ary: Array,
    is_equal_expr: str = "a == b",
    extra_args: Sequence[tuple[str, Any]] | None = None,
    preamble: str = "",
    queue: Any = None,
    wait_for: Any = None,
) -> tuple[Array, Array, Any]:
    """The first of each run of equal elements; is_equal_expr compares a and b.

    Returns: as copy_if. Source: pyopencl 2026.1, unique.
    """
    before = f"{preamble}\n#define ISTHMUS_ARE_EQUAL(a, b) ({is_equal_expr})\n"
    fetches = (("isthmus_before", "ary", -1), ("isthmus_this", "ary", 0))
    new = "(i == 0 || !ISTHMUS_ARE_EQUAL(isthmus_before, isthmus_this)) ? 1 : 0"
    found = _choose(ary, ["out"], new, _COPY, extra_args, before, queue, wait_for, fetches)
    return found


class RadixSort:
    """Sorts arrays by an integer key, stably.

    RadixSort(context, "int *keys, float *values", "keys[i]", ["keys", "values"])

    key_expr is an expression of the arguments and `i`; the key is treated as unsigned.
    bits_at_a_time, index_dtype and scan_kernel have no effect: the sort is that of Isthmus.

    Waits: no. Source: pyopencl 2026.1, RadixSort.
    """

    def __init__(
        self,
        context: Any,
        arguments: Any,
        key_expr: str,
        sort_arg_names: Sequence[str],
        bits_at_a_time: int = 2,
        index_dtype: Any = np.int32,
        key_dtype: Any = np.uint32,
        scan_kernel: Any = GenericScanKernel,
        options: Any = None,
    ) -> None:
        self.arguments = parse_arg_list(arguments)
        self.sort_arg_names = list(sort_arg_names)
        self.key_dtype = np.dtype(key_dtype)
        self._unsigned = np.dtype(f"u{self.key_dtype.itemsize}")
        arrays = {arg.name for arg in self.arguments if isinstance(arg, VectorArg)}
        unknown = sorted(set(self.sort_arg_names) - arrays)
        if unknown or not arrays:
            raise ValueError(f"RadixSort: no array is named {', '.join(unknown) or 'at all'}")
        self._keys = ElementwiseKernel(
            context,
            [VectorArg(self._unsigned, "isthmus_keys"), *self.arguments],
            f"isthmus_keys[i] = {key_expr}",
            "keys",
            options,
        )

    def __call__(
        self,
        *args: Any,
        queue: Any = None,
        allocator: Any = None,
        key_bits: int | None = None,
        wait_for: Any = None,
        **kwargs: Any,
    ) -> tuple[tuple[Array, ...], Any]:
        """Sorts by the lowest key_bits bits of the keys, by default all.

        Returns: (sorted copies of the arrays named in sort_arg_names, event). Waits: for the build.
        Raises: ValueError for an array that is shorter than the first one.
        Source: pyopencl 2026.1, RadixSort.
        """
        if kwargs:
            raise TypeError(f"RadixSort: unexpected keyword arguments {sorted(kwargs)}")
        first = first_array(self.arguments, args, "sort")
        for parameter, arg in zip(self.arguments, args, strict=True):
            if parameter.name in self.sort_arg_names:
                need_arrays(arg, who=f"sort: {parameter.name}: ")
                need_as_many(arg, first.size, f"elements of {parameter.name}", "keys", "sort")
        if key_bits is not None:
            key_bits = number_of(key_bits, "key_bits", "sort")
        place = queue_of(queue, args, "sort")
        keys = Array(place, first.shape, self._unsigned)
        self._keys(keys, *args, queue=place, wait_for=wait_for)
        bits = 8 * self._unsigned.itemsize
        sorted_ones = []
        with Queue(place):
            x = keys._x
            if key_bits is not None and key_bits < bits:
                x = _isthmus.bitwise_and(x, (1 << key_bits) - 1)
            order = _isthmus.argsort(x)
            for parameter, arg in zip(self.arguments, args, strict=True):
                if parameter.name in self.sort_arg_names:
                    new = arg._made(_isthmus.take(arg._x, order, mode="clip"), place)
                    new.allocator = arg.allocator if allocator is None else allocator
                    new._x.eval()
                    sorted_ones.append(new)
        return tuple(sorted_ones), end_of(place)


class KeyValueSorter:
    """Groups values by their keys.

    Source: pyopencl 2026.1, KeyValueSorter.
    """

    def __init__(self, context: Any) -> None:
        self.context = context

    def __call__(
        self,
        queue: Any,
        keys: Array,
        values: Array,
        nkeys: int,
        starts_dtype: Any,
        allocator: Any = None,
        wait_for: Any = None,
    ) -> tuple[Array, Array, Any]:
        """Values sorted by keys, which are below nkeys, and where those of each key begin.

        Keys are not checked: values of keys below 0 come before starts[0], those of keys from nkeys
        on behind starts[nkeys].

        Returns: (starts, values, event): values[starts[k]:starts[k + 1]] are those of key k.
        Raises: ValueError for fewer values than keys; OverflowError for a starts_dtype that does
        not have the number of keys.
        Source: pyopencl 2026.1, KeyValueSorter.
        """
        need_arrays(keys, values, who="sort: ")
        place = queue_of(queue, [keys, values], "sort")
        wanted = np.dtype(starts_dtype)
        nkeys = number_of(nkeys, "nkeys", "sort")
        need_as_many(values, keys.size, "values", "keys", "sort")
        if wanted.kind in "iu" and keys.size > np.iinfo(wanted).max:
            raise OverflowError(
                f"sort: starts of {wanted} are at most {np.iinfo(wanted).max}; there are "
                f"{keys.size} keys"
            )
        wait_first(place, wait_for)
        on = Queue(place)
        with on:
            order = _isthmus.argsort(keys._x)
            ordered = _isthmus.take(keys._x, order, mode="clip")
            grouped = _isthmus.take(values._x, order, mode="clip")
            fits = keys.dtype.kind not in "iu" or nkeys <= np.iinfo(keys.dtype).max
            bounds = _isthmus.arange(
                nkeys + 1, dtype=keys.dtype if fits else "int64", device=on.device
            )
            starts = _isthmus.searchsorted(ordered, bounds)
            starts = _isthmus.astype(starts, wanted)
            found = values._made(starts, place), values._made(grouped, place)
            for new in found:
                new.allocator = values.allocator if allocator is None else allocator
                new._x.eval()
        return (*found, end_of(place))
