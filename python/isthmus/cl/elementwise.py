"""``pyopencl.elementwise``: a kernel from a statement for each element."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

from isthmus._isthmus import Queue
from isthmus.cl._capture import capture
from isthmus.cl._launching import (
    EACH,
    Arguments,
    declared,
    first_array,
    indices,
    kernels_by_step,
    launch,
    plain_kernel,
    pointers,
    read_indexed,
    text_before,
)
from isthmus.cl._ordering import not_a_queue, queue_of
from isthmus.cl._parameters import parse_arg_list, reserve_names
from isthmus.cl._places import end_of, is_queue, wait_first
from isthmus.cl._templates import Pairs, Template
from isthmus.cl._user_lines import users

__all__ = ["ElementwiseKernel", "ElementwiseTemplate"]


class ElementwiseKernel:
    """A kernel that runs a statement in OpenCL C for each element.

    ElementwiseKernel(context, "float *x, float *y, float a", "y[i] = a * x[i]")

    arguments are C declarations, or VectorArg, ScalarArg and OtherArg of tools. `i` is the index of
    the element and `n` the number of elements of the first array. ``PYOPENCL_ELWISE_CONTINUE``
    continues with the next element. preamble is placed before the kernel, loop_prep before the
    loop, and after_loop after it.

    Waits: no. Raises: ValueError for declarations that cannot be parsed.
    Source: pyopencl 2026.1, ElementwiseKernel.
    """

    def __init__(
        self,
        context: Any,
        arguments: Any,
        operation: str,
        name: str = "elwise_kernel",
        options: Any = None,
        *,
        preamble: str = "",
        loop_prep: str = "",
        after_loop: str = "",
        auto_preamble: bool = True,
    ) -> None:
        self.context = context
        self.arguments = arguments
        self.operation = operation
        self.name = name
        self.options = options
        self.texts = {
            "preamble": preamble,
            "loop_prep": loop_prep,
            "after_loop": after_loop,
            "auto_preamble": auto_preamble,
        }
        self.parameters = parse_arg_list(arguments)
        reserve_names(self.parameters, {"i": "the index", "n": "the number of elements"}, self.name)
        if re.search(r"\breturn\b", operation):
            warnings.warn(
                f"{name}: return ends the work-item and skips its other elements; "
                "PYOPENCL_ELWISE_CONTINUE continues with the next",
                stacklevel=2,
            )
        before = text_before(self.parameters if auto_preamble else (), (), preamble)
        own = None
        if not (preamble or loop_prep or after_loop or options):
            own = read_indexed(operation, self.parameters)
        if own is not None:  # the host's results: it rounds a product before it adds to it
            before = f"#pragma OPENCL FP_CONTRACT OFF\n{before}"
        text = (
            f"{before}#define PYOPENCL_ELWISE_CONTINUE continue\n"
            f"__kernel void {name}({declared(self.parameters)}"
            "long isthmus_start, long isthmus_step, long isthmus_count, long n) {\n"
            f"{pointers(self.parameters)}  long i;\n{users('loop_prep', loop_prep)}  ;\n"
            "  for (long isthmus_k = get_global_id(0); isthmus_k < isthmus_count;\n"
            "       isthmus_k += get_global_size(0)) {\n"
            "    i = isthmus_start + isthmus_k * ISTHMUS_STEP;\n"
            f"{users('operation', operation)}    ;\n  }}\n"
            f"{users('after_loop', after_loop)}  ;\n}}\n"
        )
        self._kernels = kernels_by_step(text, name, options)
        self._plain = plain_kernel(self._kernels[0], self.parameters, own)

    def __call__(
        self,
        *args: Any,
        range: slice | None = None,
        slice: slice | None = None,
        capture_as: Any = None,
        queue: Any = None,
        wait_for: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Runs it on arrays and numbers.

        range or slice selects the values of `i`, slice among the elements of the first array.
        Arrays with different memory orders are read in row-major order. capture_as, a path or an
        open file, receives a Python program that repeats this call, with the arguments as they are
        now.

        Returns: an event. Waits: for the build, and for pending arguments.
        Raises: CompileError; TypeError for arguments that do not fit; ValueError without a queue.
        Source: pyopencl 2026.1, ElementwiseKernel.
        """
        if kwargs:
            raise TypeError(f"{self.name}: unexpected keyword arguments {sorted(kwargs)}")
        if capture_as is not None:
            capture(self, args, range, slice, capture_as)
        if queue is not None and not is_queue(queue):
            raise not_a_queue(queue, f"run {self.name}")
        if self._plain is not None and range is None and slice is None and not wait_for:
            event = self._plain(args, queue)
            if event is not None:
                return event
        first = first_array(self.parameters, args, self.name)
        place = queue_of(queue, args, f"run {self.name}")
        wait_first(place, wait_for)
        n = first.size
        start, step, count = indices(n, range, slice, self.name)
        on = Queue(place)
        if count:
            with on:
                arguments = Arguments(self.parameters, args, self.name)
                values = [*arguments.values, start, step, count, n]
                launch(self._kernels[step != 1], count, values, on, EACH)
                arguments.finish()
        return end_of(place)


class ElementwiseTemplate(Template):
    """A template of an ElementwiseKernel, with types and values left open; see build_inner.

    Source: pyopencl 2026.1, ElementwiseTemplate.
    """

    def __init__(
        self,
        arguments: Any,
        operation: str,
        name: str = "elwise",
        preamble: str = "",
        template_processor: str | None = None,
    ) -> None:
        super().__init__(template_processor)
        self.arguments = arguments
        self.operation = operation
        self.name = name
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
    ) -> ElementwiseKernel:
        """Builds the kernel: type_aliases are names of types in it, var_values are inserted into
        the code.
        """
        filled = self._filled(type_aliases, var_values)
        parameters = filled.parameters(self.arguments, more_arguments)
        return ElementwiseKernel(
            context,
            parameters,
            filled.text(self.operation),
            name=filled.text(self.name),
            options=options,
            preamble=filled.preamble(self.preamble, more_preamble, declare_types, parameters),
        )
