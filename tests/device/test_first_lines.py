"""Wrong texts of users' kernels: the first line of the error is the user's own, with its number in
the text that the user wrote, whatever the library writes round it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import isthmus as xp
from tests.device.test_raw_kernel import device as device

PREAMBLE = "float twice(float a) {\n  return 2 * a;\n}"

# operations of "T x" to "T z", and the line that the error shows, "number of what: line"
OPERATIONS = {
    "z = x": None,
    "T t = x;\nz = t + nowhere;": "2 of operation: z = t + nowhere;",
    "T t = x\nz = t;": "1 of operation: T t = x",
    "z = x;\n}\n": "2 of operation: }",
    "z = x; }": "1 of operation: z = x; }",
    "if (x > 0) {\n  z = x;\n": "2 of operation: z = x;",
    "{ {\nz = x;\n}": "3 of operation: }",
    "z = (x;\nz += 1;": "1 of operation: z = (x;",
    "z = x;\nz = (x": "2 of operation: z = (x",
    "z = x);\nz += 1;": "1 of operation: z = x);",
    "z = x +": "1 of operation: z = x +",
    "z = x +\n\n": "1 of operation: z = x +",
    "\n\nz = x *": "3 of operation: z = x *",
    "z = x;\nz = 1 ?": "2 of operation: z = 1 ?",
    'z = x;\nz = "a;': '2 of operation: z = "a;',
    "z = x;\nz = 'a;": "2 of operation: z = 'a;",
    "z = x;\n/* what follows": "2 of operation: /* what follows",
    "z = x;\n#if 1\nz = 2;": "2 of operation: #if 1",
    "#if 1\nz = x;": "1 of operation: #if 1",
    "z = x;\n#endif": "2 of operation: #endif",
    "z = x;\n#error stop here": "2 of operation: #error stop here",
    "#define N 4\nz = x + M;": "2 of operation: z = x + M;",
    "#define HALF(a) ((a) / nowhere)\nz = HALF(x);": "2 of operation: z = HALF(x);",
    "strange t = 1;\nz = t;": "1 of operation: strange t = 1;",
    "z = x;\nnowhere(z);": "2 of operation: nowhere(z);",
    "z = x[0];": "1 of operation: z = x[0];",
    "z = x.real;": "1 of operation: z = x.real;",
    "z = x;\nelse z = 2;": "2 of operation: else z = 2;",
    "z = x;\nz = 1 2;": "2 of operation: z = 1 2;",
    "z = x;\n@": "2 of operation: @",
    "z = x;\nint k = 0; int k = 1;": "2 of operation: int k = 0; int k = 1;",
    "z = x;\nbreak;": "2 of operation: break;",
    "z = x;\n3 = z;": "2 of operation: 3 = z;",
    "z = x;\ngoto end;": "2 of operation: goto end;",
    "for (int k = 0; k < 3; ++k {\n  z += x;\n}": "1 of operation: for (int k = 0; k < 3; ++k {",
    "z = twice(x, 1);": "1 of operation: z = twice(x, 1);",
}
PREAMBLES = {
    "float f(float a) {\n  return a + ;\n}": "2 of preamble: return a + ;",
    "float f(float a) {\n  return a;\n": "2 of preamble: return a;",
    "#include <pyopencl-complex.h>\nfloat f(strange a) { return 1; }": (
        "2 of preamble: float f(strange a) { return 1; }"
    ),
    "float f(float a);": "1 of preamble: float f(float a);",  # which a linker does not find
    "#define N (\nfloat f(float a) { return N; }": "2 of preamble: float f(float a) { return N; }",
}
# map_expr, reduce_expr, post_map_expr, identity
REDUCTIONS = {
    ("x *", "a + b", "y = a", "0"): "1 of map_expr: x *",
    ("x\n* nowhere", "a + b", "y = a", "0"): "2 of map_expr: * nowhere",
    ("x)", "a + b", "y = a", "0"): "1 of map_expr: x)",
    ("(x", "a + b", "y = a", "0"): "1 of map_expr: (x",
    ('"x"', "a + b", "y = a", "0"): '1 of map_expr: "x"',
    ("x", "a +\n c", "y = a", "0"): "2 of {combine}: c",
    ("x", "a + b;", "y = a", "0"): "1 of {combine}: a + b;",
    ("x", "a + b", "y = a;\ny = nowhere", "0"): "2 of post_map_expr: y = nowhere",
    ("x", "a + b", "y = a; }", "0"): "1 of post_map_expr: y = a; }",
}


def first_of(use: Callable[[], Any]) -> str:
    with pytest.raises(xp.CompileError) as caught:
        xp.asarray(use()).tolist()
    return str(caught.value).splitlines()[0]


def check(use: Callable[[], Any], line: str) -> None:
    first = first_of(use)
    assert re.search(f": .*, in line {re.escape(line)}$", first), (line, first)


def test_of_operations(device: str) -> None:
    x = xp.ones(4, dtype=xp.float32, device=device)
    for text, line in OPERATIONS.items():
        kernel = xp.ElementwiseKernel("T x", "T z", text, preamble=PREAMBLE)
        if line is None:
            assert kernel(x).tolist() == [1] * 4
        else:
            check(partial(kernel, x), line)


def test_of_preambles(device: str) -> None:
    x = xp.ones(4, dtype=xp.float32, device=device)
    for preamble, line in PREAMBLES.items():
        kernel = xp.ElementwiseKernel("T x", "T z", "z = f(x)", preamble=preamble)
        check(partial(kernel, x), line)


def test_of_reductions_and_scans(device: str) -> None:
    x = xp.ones(4, dtype=xp.float32, device=device)
    for texts, line in REDUCTIONS.items():
        reduction = xp.ReductionKernel("T x", "T y", *texts)
        check(partial(reduction, x), line.replace("{combine}", "reduce_expr"))
        scan = xp.ScanKernel("T x", "T y", *texts[:3])
        check(partial(scan, x), line.replace("{combine}", "scan_expr"))
    sums = ("T x", "T y", "x", "a + b", "y = a")
    wrong = xp.ReductionKernel(*sums, "nowhere")
    check(lambda: wrong(x[:0]), "1 of identity: nowhere")
    segments = xp.ScanKernel(*sums, is_segment_start_expr="x >\n nowhere")
    check(lambda: segments(x), "2 of is_segment_start_expr: nowhere")


def test_of_complex_numbers(device: str) -> None:
    """The second line says what calculates with them."""
    z = xp.ones(4, dtype=xp.complex64, device=device)
    operators = "OpenCL C has no operators for complex numbers; use cfloat_mul"
    numbers = "OpenCL C does not convert a real number to a complex one; cfloat_new"
    code = (
        "#include <pyopencl-complex.h>\n__kernel void f(__global cfloat_t* x) { *x = x[1] * x[2]; }"
    )
    uses: dict[str, list[Callable[[], Any]]] = {
        operators: [
            lambda: xp.ElementwiseKernel("T x", "T z", "z = x * x")(z),
            lambda: xp.ElementwiseKernel("T x", "T z", "T t = x; z = t + 1")(z),
            lambda: xp.ElementwiseKernel("complex64 x", "complex64 z", "z = -x")(z),
            lambda: xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0)(z),
            lambda: xp.RawKernel(code, "f")((1,), (1,), (z,)),
        ],
        numbers: [
            lambda: xp.ElementwiseKernel("T x", "T z", "z = 1 + x.real")(z),
            lambda: xp.ElementwiseKernel("T x", "T z", "T t = 1; z = t")(z),
        ],
    }
    for said, kernels in uses.items():
        for use in kernels:
            with pytest.raises(xp.CompileError) as caught:
                xp.asarray(use()).tolist()
            assert str(caught.value).splitlines()[1].startswith(said), caught.value


def test_of_the_kernel_that_is_wrong(device: str) -> None:
    """It is fused with others, whose texts are right."""
    x = xp.ones(4, dtype=xp.float32, device=device)
    right = xp.ElementwiseKernel("T x", "T z", "T once = x;\nfor (int k = 0; k < 2; ++k) z += once")
    wrong = xp.ElementwiseKernel("T x", "T z", "z = x;\nz = x + nowhere")
    check(lambda: right(wrong(right(x))), "2 of operation: z = x + nowhere")


def test_of_a_users_own_kernel(device: str) -> None:
    x = xp.ones(4, dtype=xp.float32, device=device)
    for text, line in {
        "__kernel void f(__global float* x) {\n  x[0] = nowhere;\n}": "2: x[0] = nowhere;",
        "__kernel void f(__global float* x) {\n  x[0] = 1;\n\n": "2: x[0] = 1;",
        "#include <pyopencl-complex.h>\n__kernel void f(__global strange* x) {}": (
            "2: __kernel void f(__global strange* x) {}"
        ),
    }.items():
        kernel = xp.RawKernel(text, "f")
        check(partial(kernel, (1,), (1,), (x,)), line)
