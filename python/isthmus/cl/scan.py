"""``pyopencl.scan``: what was combined up to each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue, RawKernel
from isthmus.cl._array_class import Array
from isthmus.cl._launching import (
    ONE_BY_ONE,
    Arguments,
    as_options,
    declared,
    first_array,
    launch,
    need_as_many,
    number_of,
    pointers,
    text_before,
)
from isthmus.cl._ordering import need_arrays, queue_of
from isthmus.cl._parameters import VectorArg, parse_arg_list, reserve_names
from isthmus.cl._places import end_of, wait_first
from isthmus.cl._registry import dtype_to_ctype
from isthmus.cl._templates import Pairs, Template
from isthmus.cl._user_lines import users
from isthmus.cl._vectors import scalar_of

__all__ = ["ExclusiveScanKernel", "GenericScanKernel", "InclusiveScanKernel", "ScanTemplate"]

_CHUNKS = 4096  # each scanned by one work-item
_SMALLEST = 16  # elements of a chunk

# N elements in chunks of `step`. The scan within each; its last value; where its first segment
# begins, N if none does.
_FIRST = """
ISTHMUS_ONE_BY_ONE __kernel void $name_chunks(
    __global scan_type* isthmus_items, __global scan_type* isthmus_ends,
    __global index_type* isthmus_starts, __global char* isthmus_flags, $declared
    $index isthmus_step, $index N) {
$pointers  const index_type isthmus_k = get_global_id(0);
  const index_type isthmus_from = isthmus_k * isthmus_step;
  if (isthmus_from >= N) return;
  const index_type isthmus_end = min(isthmus_from + isthmus_step, N);
  scan_type isthmus_sum = isthmus_neutral();
  index_type isthmus_start = N;
  for (index_type i = isthmus_from; i < isthmus_end; ++i) {
    $fetch
    const scan_type isthmus_value = ($input);
    bool isthmus_begins;
    { const scan_type a = isthmus_value; isthmus_begins = ($begins); }
    if (isthmus_begins && isthmus_start == N) isthmus_start = i;
    isthmus_sum = i == isthmus_from ? isthmus_value
                                    : isthmus_scan(isthmus_sum, isthmus_value, isthmus_begins);
    isthmus_items[i] = isthmus_sum;
    $keep_flag
  }
  isthmus_ends[isthmus_k] = isthmus_sum;
  isthmus_starts[isthmus_k] = isthmus_start;
}
"""

# isthmus_ends becomes what is combined before each chunk; the last entry, of all
_MIDDLE = """
__kernel void $name_ends(__global scan_type* isthmus_ends,
                         __global const index_type* isthmus_starts,
                         $index isthmus_chunks, $index N) {
  if (get_global_id(0) > 0) return;
  scan_type sum = isthmus_ends[0];
  for (index_type k = 1; k < isthmus_chunks; ++k) {
    const scan_type end = isthmus_ends[k];
    isthmus_ends[k] = sum;
    sum = isthmus_scan(sum, end, isthmus_starts[k] != N);
  }
  isthmus_ends[isthmus_chunks] = sum;
}
"""

_LAST = """
ISTHMUS_ONE_BY_ONE __kernel void $name_outputs(
    __global const scan_type* isthmus_items, __global const scan_type* isthmus_ends,
    __global const index_type* isthmus_starts, __global const char* isthmus_flags, $declared
    $index isthmus_step, $index isthmus_chunks, $index N) {
$pointers  const index_type isthmus_k = get_global_id(0);
  const index_type isthmus_from = isthmus_k * isthmus_step;
  if (isthmus_from >= N) return;
  const index_type isthmus_end = min(isthmus_from + isthmus_step, N);
  const index_type isthmus_start = isthmus_starts[isthmus_k];
  const scan_type isthmus_before = isthmus_ends[isthmus_k];
  const scan_type last_item = isthmus_ends[isthmus_chunks];
  scan_type isthmus_previous = isthmus_k > 0 ? isthmus_before : isthmus_neutral();
  for (index_type i = isthmus_from; i < isthmus_end; ++i) {
    scan_type item = isthmus_items[i];
    if (isthmus_k > 0) item = isthmus_scan(isthmus_before, item, i >= isthmus_start);
    scan_type prev_item = isthmus_previous;
    if (i == 0 || $flag) prev_item = isthmus_neutral();
    { $output; }
    isthmus_previous = item;
  }
}
"""


_MEANINGS = {
    "i": "the index",
    "N": "the number of elements",
    "item": "what is combined up to an element",
    "prev_item": "what is combined up to the one before",
    "last_item": "what all are combined to",
}


class GenericScanKernel:
    """A kernel that scans the values of an expression, and runs a statement for each result.

    input_expr is the value of element `i`; scan_expr combines a, the result before it, and b, the
    value that is updated. output_statement has `item`, `prev_item` (neutral for the first of all
    and of a segment), `last_item` and `i`. All of them have `N`, the number of elements, and the
    arguments. is_segment_start_expr is true if a segment starts at `i`, whose value is `a`;
    scan_expr then has across_seg_boundary, and must use it. input_fetch_exprs are (name, array, 0
    or -1): name is array[i] or array[i - 1], the latter for i > 0 only.

    Waits: no.
    Raises: ValueError for declarations that cannot be parsed, without a neutral element, and for
    input_fetch_exprs of what is no array; TypeError for an unsigned index_dtype.
    Source: pyopencl 2026.1, GenericScanKernel.
    """

    def __init__(
        self,
        ctx: Any,
        dtype: Any,
        arguments: Any,
        input_expr: str,
        scan_expr: str,
        neutral: str | None,
        output_statement: str,
        is_segment_start_expr: str | None = None,
        input_fetch_exprs: Sequence[tuple[str, str, int]] | None = None,
        index_dtype: Any = None,
        name_prefix: str = "scan",
        options: Any = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        if neutral is None:
            raise ValueError(f"{type(self).__name__}: there is no neutral element")
        self.context = ctx
        self.dtype = np.dtype(dtype)
        self.index_dtype = np.dtype(np.int32 if index_dtype is None else index_dtype)
        if self.index_dtype.kind != "i":
            raise TypeError(f"GenericScanKernel: index_dtype {self.index_dtype} is not signed")
        self.parsed_args = parse_arg_list(arguments)
        reserve_names(self.parsed_args, _MEANINGS, name_prefix)
        self.is_segmented = is_segment_start_expr is not None
        self.name_prefix = name_prefix
        fetches = list(input_fetch_exprs or ())
        self._least: dict[str, int] = {}  # of arrays: how many more than elements are needed
        if any(offset not in (0, -1) for _, _, offset in fetches):
            raise RuntimeError("GenericScanKernel: offsets of input_fetch_exprs must be 0 or -1")
        text = {
            "$declared": declared(self.parsed_args),
            "$pointers": pointers(self.parsed_args),
            "$name": name_prefix,
            "$index": dtype_to_ctype(self.index_dtype),
            "$fetch": self._fetch(fetches),
            "$input": users("input_expr", input_expr),
            "$output": users("output_statement", output_statement),
            "$flag": "isthmus_flags[i]" if self.is_segmented else "false",
            "$keep_flag": "isthmus_flags[i] = isthmus_begins;" if self.is_segmented else "",
            "$begins": users("is_segment_start_expr", is_segment_start_expr or "") or "false",
        }
        before = text_before(self.parsed_args, [self.dtype], preamble, self._types()) + (
            f"inline scan_type isthmus_neutral() {{\n"
            f"  return {users('neutral', neutral)};\n}}\n"
            "inline scan_type isthmus_scan(scan_type a, scan_type b, bool across_seg_boundary) {\n"
            f"  return {users('scan_expr', scan_expr)};\n}}\n{ONE_BY_ONE}"
        )
        self._kernels = [
            RawKernel(before + _filled(part, text), f"{name_prefix}_{end}", as_options(options))
            for part, end in ((_FIRST, "chunks"), (_MIDDLE, "ends"), (_LAST, "outputs"))
        ]

    def _types(self) -> str:
        scan, index = dtype_to_ctype(self.dtype), dtype_to_ctype(self.index_dtype)
        return f"typedef {scan} scan_type;\ntypedef {index} index_type;\n"

    def _fetch(self, fetches: Sequence[tuple[str, str, int]]) -> str:
        dtypes = {arg.name: arg.dtype for arg in self.parsed_args if isinstance(arg, VectorArg)}
        lines = []
        for name, array, offset in fetches:
            if array not in dtypes:
                raise ValueError(
                    f"{self.name_prefix}: input_fetch_exprs: {name} is of {array!r}; the arrays "
                    f"are {', '.join(dtypes) or 'none'}"
                )
            self._least[array] = max(offset, self._least.get(array, -1))
            at = f"{array}[i > 0 ? i - 1 : 0]" if offset else f"{array}[i]"
            lines.append(f"{dtype_to_ctype(dtypes[array])} {name} = {at};")
        return "\n    ".join(lines)

    def _need_fetched(self, args: Sequence[Any], n: int) -> None:
        """Of input_fetch_exprs it is known which elements are read. Raises: ValueError."""
        for parameter, arg in zip(self.parsed_args, args, strict=False):
            if isinstance(arg, Array) and parameter.name in self._least:
                least = max(n + self._least[parameter.name], min(n, 1))
                what = f"elements of {parameter.name}"
                need_as_many(arg, least, what, "that input_fetch_exprs read", self.name_prefix)

    def __call__(
        self,
        *args: Any,
        queue: Any = None,
        allocator: Any = None,
        size: int | None = None,
        wait_for: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Runs it on arrays and numbers; size is the number of elements.

        By default it is that of the first array.

        Returns: an event. Waits: for the build. Raises: as ElementwiseKernel; ValueError for a
        negative size, and for an array that is shorter than input_fetch_exprs reads it.
        Source: pyopencl 2026.1, GenericScanKernel.
        """
        who = self.name_prefix
        if kwargs:
            raise TypeError(f"{who}: unexpected keyword arguments {sorted(kwargs)}")
        if size is None:
            n = first_array(self.parsed_args, args, who).size
        else:
            n = number_of(size, "size", who)
        self._need_fetched(args, n)
        place = queue_of(queue, args, f"run {who}")
        wait_first(place, wait_for)
        on = Queue(place)
        if not n:
            return end_of(place)
        step = max(_SMALLEST, -(-n // _CHUNKS))
        chunks = -(-n // step)
        with on:
            arguments = Arguments(self.parsed_args, args, who)
            items = _isthmus.empty(n, self.dtype, device=on.device)
            ends = _isthmus.empty(chunks + 1, self.dtype, device=on.device)
            starts = _isthmus.empty(chunks, self.index_dtype, device=on.device)
            flags = _isthmus.empty(n if self.is_segmented else 1, "int8", device=on.device)
            first, middle, last = self._kernels
            launch(first, chunks, [items, ends, starts, flags, *arguments.values, step, n], on)
            launch(middle, 1, [ends, starts, chunks, n], on)
            values = [items, ends, starts, flags, *arguments.values, step, chunks, n]
            launch(last, chunks, values, on)
            arguments.finish()
        return end_of(place)


def _filled(text: str, values: dict[str, str]) -> str:
    for name in sorted(values, key=len, reverse=True):
        text = text.replace(name, values[name])
    return text


def _nothing(dtype: np.dtype[Any]) -> str:
    """C for any value, where nothing asks for what is before the first element."""
    has_parts = dtype.kind == "c" or (dtype.fields is not None and scalar_of(dtype) is None)
    return "(scan_type){0}" if has_parts else "0"


class _ScanOfArray(GenericScanKernel):
    """A scan of one array into another."""

    _output = ""

    def __init__(
        self,
        ctx: Any,
        dtype: Any,
        scan_expr: str,
        neutral: str | None = None,
        name_prefix: str = "scan",
        options: Any = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        ctype = dtype_to_ctype(dtype)
        is_inclusive = type(self)._output.endswith("= item;")
        super().__init__(
            ctx,
            dtype,
            f"{ctype} *input_ary, {ctype} *output_ary",
            "input_ary[i]",
            scan_expr,
            _nothing(np.dtype(dtype)) if neutral is None and is_inclusive else neutral,
            type(self)._output,
            name_prefix=name_prefix,
            options=options,
            preamble=preamble,
            devices=devices,
        )

    def __call__(  # type: ignore[override]
        self,
        input_ary: Array,
        output_ary: Array | None = None,
        allocator: Any = None,
        queue: Any = None,
    ) -> Array:
        """The scan of an array.

        Returns: output_ary, or the input, which is overwritten. Waits: for the build.
        Source: pyopencl 2026.1, InclusiveScanKernel.
        """
        target = input_ary if output_ary is None else output_ary
        need_arrays(input_ary, target, who=f"{self.name_prefix}: ")
        if target.shape != input_ary.shape:
            raise ValueError("the input and the output have different shapes")
        super().__call__(input_ary, target, allocator=allocator, queue=queue)
        return target


class InclusiveScanKernel(_ScanOfArray):
    """A scan that includes each element itself; scan_expr combines a and b.

    Source: pyopencl 2026.1, InclusiveScanKernel.
    """

    _output = "output_ary[i] = item;"


class ExclusiveScanKernel(_ScanOfArray):
    """A scan of the elements before each element; neutral for the first.

    Source: pyopencl 2026.1, ExclusiveScanKernel.
    """

    _output = "output_ary[i] = prev_item;"


class ScanTemplate(Template):
    """A template of a GenericScanKernel, with types and values left open; see build_inner.

    Source: pyopencl 2026.1, ScanTemplate.
    """

    def __init__(
        self,
        arguments: Any,
        input_expr: str,
        scan_expr: str,
        neutral: str | None,
        output_statement: str,
        is_segment_start_expr: str | None = None,
        input_fetch_exprs: Sequence[tuple[str, str, int]] | None = None,
        name_prefix: str = "scan",
        preamble: str = "",
        template_processor: str | None = None,
    ) -> None:
        super().__init__(template_processor)
        self.arguments = arguments
        self.input_expr = input_expr
        self.scan_expr = scan_expr
        self.neutral = neutral
        self.output_statement = output_statement
        self.is_segment_start_expr = is_segment_start_expr
        self.input_fetch_exprs = input_fetch_exprs
        self.name_prefix = name_prefix
        self.preamble = preamble

    def build_inner(
        self,
        context: Any,
        type_aliases: Pairs = (),
        var_values: Pairs = (),
        more_preamble: str = "",
        more_arguments: Any = (),
        declare_types: Sequence[Any] = (),
        options: Any = None,
        devices: Any = None,
        scan_cls: type[GenericScanKernel] = GenericScanKernel,
    ) -> GenericScanKernel:
        """The kernel: type_aliases are names of types in it, `scan_t` among them."""
        filled = self._filled(type_aliases, var_values)
        parameters = filled.parameters(self.arguments, more_arguments)
        return scan_cls(
            context,
            filled.type_of("scan_t"),
            parameters,
            filled.text(self.input_expr),
            filled.text(self.scan_expr),
            filled.text(self.neutral),
            filled.text(self.output_statement),
            is_segment_start_expr=filled.text(self.is_segment_start_expr),
            input_fetch_exprs=self.input_fetch_exprs,
            index_dtype=filled.types.get("index_t", np.dtype(np.int32)),
            name_prefix=filled.text(self.name_prefix),
            options=options,
            preamble=filled.preamble(self.preamble, more_preamble, declare_types, parameters),
            devices=devices,
        )
