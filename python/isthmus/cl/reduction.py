"""``pyopencl.reduction``: a kernel that combines all elements."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue, RawKernel
from isthmus.cl._array_class import Array
from isthmus.cl._launching import (
    GROUP,
    ONE_BY_ONE,
    Arguments,
    as_options,
    declared,
    first_array,
    indices,
    kernels_by_step,
    launch,
    passed,
    pointers,
    text_before,
)
from isthmus.cl._ordering import need_arrays, queue_of
from isthmus.cl._parameters import VectorArg, parse_arg_list, reserve_names
from isthmus.cl._places import end_of, wait_first
from isthmus.cl._registry import dtype_to_ctype
from isthmus.cl._templates import Pairs, Template
from isthmus.cl._user_lines import users

__all__ = ["ReductionKernel", "ReductionTemplate"]

_GROUPS = 256

# values of a group in local memory become one
_JOIN = f"""
  isthmus_part[get_local_id(0)] = isthmus_sum;
  for (int isthmus_half = {GROUP // 2}; isthmus_half > 0; isthmus_half /= 2) {{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < isthmus_half)
      isthmus_part[get_local_id(0)] = isthmus_reduce(
          isthmus_part[get_local_id(0)], isthmus_part[get_local_id(0) + isthmus_half]);
  }}
  if (get_local_id(0) == 0) isthmus_out[get_group_id(0)] = isthmus_part[0];
}}
"""


class ReductionKernel:
    """A kernel that maps all elements and combines the results.

    ReductionKernel(context, float32, neutral="0", reduce_expr="a + b", map_expr="x[i] * y[i]",
    arguments="float *x, float *y")

    reduce_expr combines two values, a and b; neutral is the result for no elements. Values are
    combined in an order that is the same each time: the combination must be associative and
    commutative. Without map_expr, the only array is `in`, and its elements are combined. In
    map_expr `i` is the index and `n` the number of indices.

    Waits: no. Raises: ValueError for declarations that cannot be parsed, or none.
    Source: pyopencl 2026.1, ReductionKernel.
    """

    def __init__(
        self,
        ctx: Any,
        dtype_out: Any,
        neutral: str,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: Any = None,
        name: str = "reduce_kernel",
        options: Any = None,
        preamble: str = "",
    ) -> None:
        if arguments is None:
            raise ValueError("ReductionKernel: there are no arguments")
        if neutral is None:
            raise ValueError("ReductionKernel: there is no neutral element")
        self.context = ctx
        self.dtype_out = np.dtype(dtype_out)
        self.name = name
        self._parameters = parse_arg_list(arguments)
        reserve_names(self._parameters, {"i": "the index"}, name)
        out = dtype_to_ctype(self.dtype_out)
        result = VectorArg(self.dtype_out, "isthmus_out")
        before = text_before(self._parameters, [self.dtype_out], preamble) + (
            f"inline {out} isthmus_reduce({out} a, {out} b) {{\n"
            f"  return {users('reduce_expr', reduce_expr)};\n}}\n"
            f"{ONE_BY_ONE}"
        )
        mapped = "in[i]" if map_expr is None else users("map_expr", map_expr)
        first = users("neutral", neutral)
        is_named_n = any(parameter.name == "n" for parameter in self._parameters)
        count = "isthmus_count" if is_named_n or not re.search(r"\bn\b", mapped) else "n"
        # a group has neighbours, which its work-items take in turn: a CPU does these one by one
        map_text = (
            f"{before}ISTHMUS_ONE_BY_ONE __kernel void {name}_stage1("
            f"{declared([result, *self._parameters])}"
            f"long isthmus_start, long isthmus_step, long {count}) {{\n"
            f"{pointers([result, *self._parameters])}"
            f"  __local {out} isthmus_part[{GROUP}];\n  {out} isthmus_sum = {first};\n"
            "  const long isthmus_items = get_global_size(0), isthmus_each =\n"
            f"      ({count} + isthmus_items - 1) / isthmus_items * {GROUP};\n"
            "  const long isthmus_from = get_group_id(0) * isthmus_each;\n"
            f"  const long isthmus_end = min({count}, isthmus_from + isthmus_each);\n"
            "  for (long isthmus_k = isthmus_from + get_local_id(0); isthmus_k < isthmus_end;\n"
            f"       isthmus_k += {GROUP}) {{\n"
            "    const long i = isthmus_start + isthmus_k * ISTHMUS_STEP;\n"
            f"    isthmus_sum = isthmus_reduce(isthmus_sum, {mapped});\n  }}{_JOIN}"
        )
        self._maps = kernels_by_step(map_text, f"{name}_stage1", options)
        self._join = RawKernel(
            f"{before}ISTHMUS_ONE_BY_ONE __kernel void {name}_stage2({declared([result])}"
            f"__global const {out}* isthmus_in, int isthmus_count) {{\n"
            f"{pointers([result])}"
            f"  __local {out} isthmus_part[{GROUP}];\n  {out} isthmus_sum = {first};\n"
            "  for (int k = get_global_id(0); k < isthmus_count; k += get_global_size(0))\n"
            f"    isthmus_sum = isthmus_reduce(isthmus_sum, isthmus_in[k]);{_JOIN}",
            f"{name}_stage2",
            as_options(options),
        )

    def __call__(
        self,
        *args: Any,
        return_event: bool = False,
        queue: Any = None,
        allocator: Any = None,
        wait_for: Any = None,
        out: Array | None = None,
        range: slice | None = None,
        slice: slice | None = None,
    ) -> Any:
        """Runs it on arrays and numbers.

        range or slice selects the values of `i`, slice among the elements of the first array. out
        receives the result, and is returned: any array of one element, such as ``out=a[3]``.

        Returns: a 0-d array; with return_event (array, event).
        Waits: for the build. Raises: as ElementwiseKernel.
        Source: pyopencl 2026.1, ReductionKernel.
        """
        who = self.name
        n, make = 0, Array
        if any(isinstance(arg, VectorArg) for arg in self._parameters):
            first = first_array(self._parameters, args, who)
            n, make = first.size, type(first)
            allocator = first.allocator if allocator is None else allocator
        elif range is None:
            raise TypeError(f"{who}: there is no array, and no range")
        place = queue_of(queue, args, f"run {who}")
        wait_first(place, wait_for)
        start, step, count = indices(n, range, slice, who)
        if out is not None:
            need_arrays(out, who=f"{who}: out: ")
        result = make(place, (), self.dtype_out, allocator=allocator) if out is None else out
        if result.size != 1 or result.dtype != self.dtype_out:
            raise ValueError(
                f"{who}: out is {result.dtype} of shape {result.shape}; "
                f"expected one element of {self.dtype_out}"
            )
        groups = max(1, min(_GROUPS, -(-count // (4 * GROUP))))
        on = Queue(place)
        with on:
            arguments = Arguments(self._parameters, args, who)
            x = result._x
            parts = x if groups == 1 else _isthmus.empty(groups, x.dtype, device=on.device)
            values = [*passed(parts), *arguments.values, start, step, count]
            launch(self._maps[step != 1], groups * GROUP, values, on)
            if groups > 1:
                launch(self._join, 1, [*passed(x), parts, groups], on)
        result._wrote()
        return (result, end_of(place)) if return_event else result


class ReductionTemplate(Template):
    """A template of a ReductionKernel, with types and values left open; see build_inner.

    is_segment_start_expr and input_fetch_exprs are accepted and have no effect, as in pyopencl.

    Source: pyopencl 2026.1, ReductionTemplate.
    """

    def __init__(
        self,
        arguments: Any,
        neutral: str,
        reduce_expr: str,
        map_expr: str | None = None,
        is_segment_start_expr: str | None = None,
        input_fetch_exprs: Any = None,
        name_prefix: str = "reduce",
        preamble: str = "",
        template_processor: str | None = None,
    ) -> None:
        super().__init__(template_processor)
        if is_segment_start_expr is not None or input_fetch_exprs:
            warnings.warn(
                "ReductionTemplate: is_segment_start_expr and input_fetch_exprs have no meaning "
                "in a reduction",
                stacklevel=2,
            )
        self.arguments = arguments
        self.neutral = neutral
        self.reduce_expr = reduce_expr
        self.map_expr = map_expr
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
    ) -> ReductionKernel:
        """The kernel: type_aliases are names of types in it, `reduction_t` among them."""
        filled = self._filled(type_aliases, var_values)
        parameters = filled.parameters(self.arguments, more_arguments)
        return ReductionKernel(
            context,
            filled.type_of("reduction_t"),
            filled.text(self.neutral),
            filled.text(self.reduce_expr),
            filled.text(self.map_expr),
            arguments=parameters,
            name=filled.text(self.name_prefix),
            options=options,
            preamble=filled.preamble(self.preamble, more_preamble, declare_types, parameters),
        )
