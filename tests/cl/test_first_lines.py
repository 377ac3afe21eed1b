"""Wrong texts of kernels of isthmus.cl: the first line of the error is the user's own, with its
number in the user's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl.algorithm import ListOfListsBuilder
from isthmus.cl.elementwise import ElementwiseKernel
from isthmus.cl.reduction import ReductionKernel
from isthmus.cl.scan import GenericScanKernel, InclusiveScanKernel

import isthmus as xp


def element(operation: str, **texts: Any) -> Callable[[Any, Any], Any]:
    return lambda q, x: ElementwiseKernel(q.context, "float *x, float *y", operation, **texts)(x, x)


def reduced(neutral: str, reduce_expr: str, map_expr: str, **texts: Any) -> Callable[..., Any]:
    return lambda q, x: ReductionKernel(
        q.context, np.float32, neutral, reduce_expr, map_expr, "float *x", **texts
    )(x)


def scanned(
    input_expr: str, scan_expr: str, output: str, begins: str | None = None
) -> Callable[..., Any]:
    return lambda q, x: GenericScanKernel(
        *(q.context, np.float32, "float *x", input_expr, scan_expr, "0", output),
        is_segment_start_expr=begins,
    )(x)


def listed(template: str) -> Callable[[Any, Any], Any]:
    return lambda q, x: ListOfListsBuilder(q.context, [("out", np.int32)], template, "float *x")(
        q, 6, x
    )


TEMPLATE = "void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {{\n  APPEND_out({});\n}}"
WRONG: dict[str, list[Callable[[Any, Any], Any]]] = {
    "2 of operation: y[i] += nowhere;": [element("y[i] = x[i];\ny[i] += nowhere;")],
    "1 of operation: y[i] = x[i]; }": [element("y[i] = x[i]; }")],
    "1 of operation: y[i] = (x[i]": [element("y[i] = (x[i]")],
    "2 of operation: y[i] = x[i];": [element("if (i > 1) {\ny[i] = x[i];")],
    "1 of loop_prep: strange k": [element("y[i] = k", loop_prep="strange k")],
    "2 of after_loop: nowhere": [element("y[i] = 1", after_loop="int k = 1;\nnowhere")],
    "2 of preamble: float f() { return nowhere; }": [
        element("y[i] = f()", preamble="\nfloat f() { return nowhere; }"),
        element(
            "y[i] = 1", preamble="#include <pyopencl-complex.h>\nfloat f() { return nowhere; }"
        ),
        reduced("0", "a + b", "x[i]", preamble="\nfloat f() { return nowhere; }"),
    ],
    "4 of preamble: float f() { return nowhere; }": [
        element(
            "y[i] = 1",
            preamble="#include <pyopencl-complex.h>\n#include <pyopencl-random123/philox.cl>\n\n"
            "float f() { return nowhere; }",
        ),
    ],
    "1 of neutral: nowhere": [reduced("nowhere", "a + b", "x[i]")],
    "1 of reduce_expr: a + nowhere": [reduced("0", "a + nowhere", "x[i]")],
    "2 of map_expr: nowhere": [reduced("0", "a + b", "x[i] +\nnowhere")],
    "1 of input_expr: nowhere": [scanned("nowhere", "a + b", "x[i] = item")],
    "1 of scan_expr: a + nowhere": [
        scanned("x[i]", "a + nowhere", "x[i] = item"),
        lambda q, x: InclusiveScanKernel(q.context, np.float32, "a + nowhere")(x),
    ],
    "2 of output_statement: nowhere": [scanned("x[i]", "a + b", "x[i] = item;\nnowhere")],
    "1 of is_segment_start_expr: nowhere": [
        scanned("x[i]", "across_seg_boundary ? b : a + b", "x[i] = item", "nowhere")
    ],
    "2 of generate_template: APPEND_out(nowhere);": [listed(TEMPLATE.format("nowhere"))],
}


@pytest.mark.parametrize("line", WRONG)
def test_first_line(cl_queue: Any, line: str) -> None:
    for wrong in WRONG[line]:
        x = cl_array.arange(cl_queue, 6, dtype=np.float32)
        with pytest.raises(xp.CompileError) as caught:
            wrong(cl_queue, x)
        first = str(caught.value).splitlines()[0]
        assert re.search(f": .*, in line {re.escape(line)}$", first), first


def test_words_of_c_are_no_names_of_parameters(cl_queue: Any) -> None:
    context = cl_queue.context
    for name in ("kernel", "int", "__private", "return"):
        arguments = f"float *{name}"
        for make in (
            lambda a=arguments: ElementwiseKernel(context, a, "x"),
            lambda a=arguments: ReductionKernel(context, np.float32, "0", "a + b", "1", a),
            lambda a=arguments: GenericScanKernel(
                *(context, np.float32, a, "1", "a + b", "0", "item")
            ),
            lambda a=arguments: ListOfListsBuilder(context, [("out", np.int32)], "", a),
        ):
            with pytest.raises(ValueError, match=f"'{name}' is a word of OpenCL C; give the par"):
                make()
    for name, what in (("i", "the index"), ("n", "the number of objects")):
        with pytest.raises(ValueError, match=f"'{name}' is {what}"):
            ListOfListsBuilder(context, [("out", np.int32)], "", f"int {name}")


def test_complex_numbers_have_functions(cl_queue: Any) -> None:
    z = cl_array.zeros(cl_queue, 6, np.complex64)
    square = ElementwiseKernel(cl_queue.context, "cfloat_t *z", "z[i] = z[i] * z[i]")
    with pytest.raises(xp.CompileError) as caught:
        square(z)
    first, second = str(caught.value).splitlines()[:2]
    assert first.endswith(", in line 1 of operation: z[i] = z[i] * z[i]")
    assert second.startswith("OpenCL C has no operators for complex numbers; use cfloat_mul(x, y)")
