"""Wrong uses of users' kernels: each is an error of its kind that names what is wrong, and shows
the user's own line where a compiler refused it. Afterwards all works as before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_raw_kernel import TEXT
from tests.device.test_raw_kernel import device as device
from tests.ways import REAL

MODULE = xp.RawModule(TEXT)
SCALE = MODULE.get_function("scale")
FOUR = "__kernel __attribute__((reqd_work_group_size(4, 1, 1)))"
SQUARED = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
LOOP = xp.ElementwiseKernel("T x", "T y", "y = 0; while (y < x) y += 1", "loop")
TWO = xp.ElementwiseKernel("T x", "T y, T z", "y = x; z = -x")
LARGEST = xp.ReductionKernel("T x, T y", "T z", "x > y ? x : y", "a > b ? a : b", "z = a")
NORM = xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm")
RUNNING = xp.ScanKernel("T x", "T y", "x", "a > b ? a : b", "y = a", "running")
raw, element = xp.RawKernel, xp.ElementwiseKernel
reduction, scan = xp.ReductionKernel, xp.ScanKernel


class Given(NamedTuple):
    """Arrays of the device."""

    x: xp.Array  # four float32
    ints: xp.Array
    small: xp.Array  # int8
    table: xp.Array  # float32, (4, 6)
    structs: xp.Array


class Wrong(NamedTuple):
    error: type[BaseException]
    words: str  # what the error says, as a pattern
    use: Callable[[Given], Any]
    line: str = ""  # of the user's text, which the error shows


def scaled(*args: Any) -> Callable[[Given], Any]:
    """Where ... stands for the array."""
    return lambda g: SCALE((1,), (4,), tuple(g.x if a is ... else a for a in args))


def run(text: str, *args: Any, options: Any = ()) -> Callable[[Given], Any]:
    return lambda g: raw(text, "f", options)(
        (1,), (1,), tuple(g.x if a is ... else a for a in args)
    )


def reduced(*text: Any) -> Callable[[Given], Any]:
    return lambda g: any_use(reduction)(*text)


def with_nul(place: int) -> list[str]:
    """The texts of a reduction, the one at a place with a NUL."""
    texts = ["T x", "T y", "x", "a + b", "y = a"]
    texts[place] += "\0"
    return texts


def made(*text: Any, **how: Any) -> Callable[[Given], Any]:
    return lambda g: element(*text, **how)(g.x).eval()


def of_struct(value: Any) -> Callable[[Given], Any]:
    text = "typedef struct { char a; float b; } S; __kernel void f(__global float* x, const S s) {}"
    return lambda g: xp.RawKernel(text, "f")((1,), (1,), (g.x, value))


any_use: Any = lambda f: f  # noqa: E731  # calls that the stubs refuse, too
RAW = [
    Wrong(
        TypeError,
        r"takes 4 arguments \(float\* x, float\* y, float a, int n\), not 3",
        scaled(..., ..., 1),
    ),
    Wrong(
        TypeError,
        r"argument 4 \(n\) .* is int; an int is needed, not",
        scaled(..., ..., 1, 1.5),
    ),
    Wrong(
        TypeError,
        r"argument 3 \(a\) .* is float; a value is needed, not an array",
        scaled(..., ..., ..., 1),
    ),
    Wrong(
        TypeError,
        r"argument 1 \(x\) .* is float\*; an array is needed, not a num",
        scaled(1, ..., 1, 1),
    ),
    Wrong(TypeError, r"argument 1 \(x\) .* not LocalMemory", scaled(xp.LocalMemory(4), ..., 1, 1)),
    Wrong(TypeError, r"a number of complex128 is not a value", scaled(..., ..., 1j, 1)),
    Wrong(TypeError, r"convert it with isthmus.asarray", scaled(np.ones(3), ..., 1, 1)),
    Wrong(
        TypeError,
        r"to pass a struct or a vector, pass .* tobytes\(\)",
        of_struct(np.zeros(2, "f4")),
    ),
    Wrong(
        TypeError,
        r"\(s\) .* is S; a value is needed, not an array .*; pass its bytes, or a struct",
        lambda g: of_struct(g.x)(g),
    ),
    Wrong(
        TypeError,
        r"is float2; a value is needed, not an array .*; pass its bytes, or a struct",
        run("__kernel void f(const float2 by, __global float* x) {}", ..., ...),
    ),
    Wrong(TypeError, r"argument 3 .* is a str", scaled(..., ..., "1", 1)),
    Wrong(TypeError, r"argument 3 .* is NoneType|None", scaled(..., ..., None, 1)),
    Wrong(
        TypeError,
        r"\(y\) of kernel 'scale' is float\*; the array is int32",
        lambda g: SCALE(1, 4, (g.x, g.ints, 1, 4)),
    ),
    Wrong(OverflowError, r"\(n\) .* does not fit int32", scaled(..., ..., 1, 2**31)),
    Wrong(OverflowError, r"\(n\) .* past 64 bits does not fit int32", scaled(..., ..., 1, 2**70)),
    Wrong(OverflowError, r"past 64 bits does not fit float32", scaled(..., ..., 10**400, 1)),
    Wrong(ValueError, r"is float, 4 bytes, not 3", scaled(..., ..., b"abc", 1)),
    Wrong(
        ValueError,
        r"argument 2 \(s\) of kernel 'f' is S, 8 bytes, not 5",
        of_struct(np.zeros(1, [("a", "i1"), ("b", "f4")])[0]),
    ),
    Wrong(ValueError, r"is S, 8 bytes, not 1", of_struct(b"a")),
    Wrong(ValueError, r"is S, 8 bytes, not 400", of_struct(bytes(400))),
    Wrong(
        ValueError,
        r"no kernel 'nothing'; it has .*scale",
        lambda g: MODULE.get_function("nothing")(1, 1, ()),
    ),
    Wrong(ValueError, r"no kernel 'f'; it has none", run("int g(int x) { return x; }")),
    Wrong(ValueError, r"name of the kernel is empty", lambda g: MODULE.get_function("")),
    Wrong(ValueError, r"allows at most", lambda g: SCALE(1, 2**30, (g.x, g.x, 1, 1))),
    Wrong(ValueError, r"-1 blocks along axis 0", lambda g: SCALE(-1, 1, (g.x, g.x, 1, 1))),
    Wrong(ValueError, r"0 work-items along axis 0", lambda g: SCALE(1, 0, (g.x, g.x, 1, 1))),
    Wrong(ValueError, r"than 64 bits count", lambda g: SCALE(2**62, 8, (g.x, g.x, 1, 1))),
    Wrong(ValueError, r"grid .* has 4 axes", lambda g: SCALE((1, 1, 1, 1), 1, (g.x, g.x, 1, 1))),
    Wrong(ValueError, r"block .* has 4 axes", lambda g: SCALE(1, (1, 1, 1, 1), (g.x, g.x, 1, 1))),
    Wrong(ValueError, r"grid .* has 0 axes", lambda g: SCALE((), (1,), (g.x, g.x, 1, 1))),
    Wrong(
        ValueError,
        r"requires groups of \(4, 1, 1\), not \(1,\)",
        run(FOUR + " void f(__global float* x) { x[0] = 1; }", ...),
    ),
    Wrong(
        ValueError,
        r"bytes of local memory; the device has",
        run("__kernel void f(__local float* x) {}", xp.LocalMemory(2**40)),
    ),
    Wrong(
        TypeError,
        r"LocalMemory is needed, not an array",
        run("__kernel void f(__local float* x) {}", ...),
    ),
    Wrong(TypeError, r"expected a tuple or a list", lambda g: any_use(SCALE)(1, 1, g.x)),
    Wrong(TypeError, r"missing a required argument: 'args'", lambda g: any_use(SCALE)(1, 1)),
    Wrong(
        ValueError,
        "^kernel 'scale': grid: an int beyond 64 bits",
        lambda g: SCALE((2**70,), 1, (g.x, g.x, 1, 1)),
    ),
    Wrong(TypeError, r"grid", lambda g: any_use(SCALE)(1.5, 1, (g.x, g.x, 1, 1))),
    Wrong(TypeError, r"options: expected texts", lambda g: any_use(raw)("", "f", (1,))),
    Wrong(TypeError, r"code: expected str, not None", lambda g: any_use(raw)(None, "f")),
    Wrong(ValueError, r"LocalMemory: 0 bytes", lambda g: xp.LocalMemory(0)),
    Wrong(ValueError, r"LocalMemory: -1 bytes", lambda g: xp.LocalMemory(-1)),
    Wrong(xp.DeviceNotFoundError, r"no such device", lambda g: SCALE.attributes("opencl:99")),
    Wrong(xp.CompileError, r"f\( \{", run("\n__kernel void f( {"), "2  __kernel void f( {"),
    Wrong(
        xp.CompileError, r"^kernel .f.: .*stop here", run("#error stop here"), "1  #error stop here"
    ),
    Wrong(xp.CompileError, r"g", run("__kernel void f() {\n  g();\n}"), "2    g();"),
    Wrong(
        xp.CompileError, r"opencl:|sycl:", run("__kernel void f() {}", options="-no-such-option")
    ),
]
ELEMENTS = [
    Wrong(
        TypeError,
        r"T y is float32 because of another argument: the array is int32",
        lambda g: SQUARED(g.x, g.ints),
    ),
    Wrong(TypeError, r"takes 2 arguments, or 3 with its outputs, not 1", lambda g: SQUARED(g.x)),
    Wrong(
        ValueError,
        "T z is an output, and the array is read-only",
        lambda g: SQUARED(g.x, g.x, xp.broadcast_to(g.x[:1], g.x.shape)),
    ),
    Wrong(TypeError, r"not 4", lambda g: SQUARED(g.x, g.x, g.x, g.x)),
    Wrong(TypeError, r"numpy", lambda g: SQUARED(np.ones(4, "f4"), g.x)),
    Wrong(TypeError, r"None is neither an array nor a number", lambda g: SQUARED(g.x, None)),
    Wrong(TypeError, r"is an output; an array is needed", lambda g: SQUARED(g.x, g.x, 1)),
    Wrong(
        TypeError, r"y is complex64 because of another argument", lambda g: SQUARED(g.x * 1j, g.x)
    ),
    Wrong(TypeError, r"complex128 cannot become float32", lambda g: SQUARED(g.x, 1j)),
    Wrong(
        TypeError, r"the array is struct .*no name in C", lambda g: SQUARED(g.structs, g.structs)
    ),
    Wrong(
        TypeError,
        r"int8 y|T y: an int is needed, not a number of float64",
        lambda g: SQUARED(g.small, 1.5),
    ),
    Wrong(OverflowError, r"does not fit int8", lambda g: SQUARED(g.small, 300)),
    Wrong(ValueError, r"kernel 'squared': .*broadcast", lambda g: SQUARED(g.table, g.table[:, :2])),
    Wrong(ValueError, r"size \(3,\) is not the shape", lambda g: SQUARED(g.x, g.x, size=3)),
    Wrong(
        ValueError,
        r"'[yz]' are outputs to the same elements of one array",
        lambda g: TWO(g.x, g.x, g.x),
    ),
    Wrong(
        ValueError,
        r"'[yz]' are outputs to the same elements of one array",
        lambda g: TWO(g.x, g.x, g.x[::-1]),
    ),
    Wrong(ValueError, r"pass size", lambda g: SQUARED(1.0, 2.0)),
    Wrong(ValueError, r"must be an array", lambda g: NORM(2.0)),
    Wrong(
        TypeError,
        r"instead of out: kernel\(x, y\)",
        lambda g: any_use(SQUARED)(g.x, 1, out=g.x),
    ),
    Wrong(
        TypeError,
        r"instead of out: y\[...\] = kernel\(x\)",
        lambda g: any_use(NORM)(g.x, out=g.x),
    ),
    Wrong(
        TypeError,
        r"instead of block_size: leave it out: it is the library's choice",
        lambda g: any_use(SQUARED)(g.x, 1, block_size=128),
    ),
    Wrong(
        TypeError,
        r"^ElementwiseKernel: options: expected texts, not an int",
        lambda _: any_use(xp.ElementwiseKernel)("T x", "T y", "y = x", options=(1,)),
    ),
    Wrong(
        TypeError,
        r"^ReductionKernel: options: expected a tuple of texts, not an int",
        lambda _: any_use(xp.ReductionKernel)("T x", "T y", "x", "a + b", "y = a", options=1),
    ),
    Wrong(
        TypeError,
        r"^ScanKernel: options: expected .*, not None",
        lambda _: any_use(xp.ScanKernel)("T x", "T y", "x", "a + b", "y = a", options=None),
    ),
    Wrong(
        ValueError,
        r"^kernel 'k': .*has a NUL",
        lambda _: xp.ElementwiseKernel("T x", "T y", "y = N", "k", options="-DN=7\0 -DM"),
    ),
    Wrong(
        xp.CompileError,
        r"with the options -no-such-option",
        lambda g: element("T x", "T y", "y = x", options="-no-such-option")(g.x).eval(),
    ),
    Wrong(
        ValueError,
        r"\(-1,\) has a negative extent",
        lambda g: element("raw T x", "T y", "y = x[i]")(g.x, size=-1),
    ),
    Wrong(
        TypeError,
        r"an unexpected keyword argument 'z'",
        lambda g: any_use(SQUARED)(g.x, g.x, z=g.x),
    ),
    Wrong(ValueError, r"two parameters are named 'x'", made("T x, T x", "T y", "")),
    Wrong(ValueError, r"two parameters are named 'x'", made("T x", "T x", "")),
    Wrong(ValueError, r"'float x y' is not a parameter", made("float x y", "T z", "")),
    Wrong(ValueError, r"'T 1x' is not a parameter", made("T 1x", "T z", "")),
    *(
        Wrong(ValueError, f"'{name}' is a word of OpenCL C; take another name", use)
        for name in ("float", "int", "kernel", "__global", "if", "return", "true", "uint", "half")
        for use in (
            made(f"float32 {name}", "T z", "z = 1"),
            made("T x", f"T {name}", f"{name} = x"),
        )
    ),
    Wrong(
        ValueError,
        "structs: 'double' is not a name in C",
        made("double x", "T z", "z = 1", structs={"double": [("low", "f4")]}),
    ),
    Wrong(
        ValueError,
        "the field 'int' has no name in C",
        made("pair x", "T z", "z = 1", structs={"pair": [("int", "f4")]}),
    ),
    *(
        Wrong(ValueError, "operation: 'return' is not allowed .*; assign", made("T x", "T z", text))
        for text in ("z = x;\nif (x > 0) return;\nz = 1;", "return z = x;", "if (!x) return z;")
    ),
    *(
        Wrong(
            ValueError,
            "operation: the input 'x' is assigned, .*; assign a local",
            made("T x", "T z", text),
        )
        for text in ("x = 2; z = x", "z = x; x += 1", "if (x > 0) x = 0; z = x", "z = 1;\n++x")
    ),
    Wrong(
        ValueError,
        "the input 'x' is assigned, .*; write a RawKernel",
        made("raw T x", "T z", "x[i] = 1; z = x[i]"),
    ),
    Wrong(ValueError, r"'float' is not a dtype", made("float x", "T z", "")),
    Wrong(ValueError, r"i and n are the index", made("T i", "T z", "")),
    Wrong(ValueError, r"no output parameter", made("T x", "", "")),
    Wrong(ValueError, r"cannot be raw", made("T x", "raw T y", "")),
    Wrong(ValueError, r"'kernel': output 'z' is never assigned", made("T x", "T z", "")),
    Wrong(ValueError, r"output 'b' is never assigned", made("T x", "T a, T b", "a = x; bb = 1")),
    *(
        Wrong(ValueError, r"output 'z' is never assigned", made("T x", "T z", text))
        for text in ("// z = x", "/* z = x; */", "x; /* z", "x; // a \\\n z = x", '"z"; "\\"z"')
    ),
    Wrong(
        ValueError,
        r"output 'z' is never assigned",
        made("T x", "T z", "x", preamble="// z = x\n#define w z2"),
    ),
    # what compilers would drop, or crash of
    Wrong(ValueError, r"has a NUL", made("T x", "T y", "y = x;\0 #error lost")),
    Wrong(ValueError, r"has a NUL", made("T x", "T y", "y = x", preamble="\0 #error lost")),
    Wrong(ValueError, r"RawKernel: .*has a NUL", run(TEXT + "\0 #error lost")),
    Wrong(ValueError, r"RawKernel: .*has a NUL", run(TEXT, options=("-DN=7\0 -DM",))),
    Wrong(ValueError, r"RawKernel: .*has a NUL", lambda g: raw(TEXT, "scale\0")),
    Wrong(ValueError, r"RawModule: .*has a NUL", lambda g: xp.RawModule(TEXT + "\0")),
    *(Wrong(ValueError, r"has a NUL", reduced(*with_nul(k))) for k in range(5)),
    Wrong(ValueError, r"has a NUL", lambda g: any_use(scan)(*with_nul(3))),
    Wrong(
        ValueError,
        r"nests 2500 brackets",
        made("T x", "T y", "y = " + "(" * 2500 + "x" + ")" * 2500),
    ),
    Wrong(ValueError, r"nests \d+ brackets", run("int x = " + "{" * 1001)),
    Wrong(
        ValueError,
        r"'y = a / n': combined values have no n",
        lambda g: reduction("T x", "T y", "x", "a + b", "y = a / n"),
    ),
    Wrong(
        ValueError,
        r"'y = i \+ a': combined values have no i",
        lambda g: scan("T x", "T y", "x", "a + b", "y = i + a"),
    ),
    Wrong(TypeError, r"no argument determines U", made("T x", "U y", "y = x")),
    Wrong(
        TypeError,
        r"is raw; an array is needed",
        lambda g: element("raw T x", "T y", "y = x[i]")(1, size=3),
    ),
    Wrong(
        TypeError,
        r"missing a required argument: 'operation'",
        lambda g: any_use(element)("T x", "T y"),
    ),
    Wrong(xp.CompileError, r"oops", made("T x", "T y", "y = oops(x)"), "operation: y = oops(x)"),
    Wrong(xp.CompileError, r"y = x \+", made("T x", "T y", "y = x +"), "operation: y = x +"),
    Wrong(
        xp.CompileError,
        r"half_of\( \{",
        made("T x", "T y", "y = x", preamble="int half_of( {"),
        "int half_of( {",
    ),
]
REDUCTIONS = [
    Wrong(ValueError, "the reduction has no identity", lambda g: LARGEST(g.x[:0], 0.5)),
    Wrong(IndexError, "axis 2", lambda g: NORM(g.x, axis=2)),
    Wrong(ValueError, "repeated", lambda g: NORM(g.table, axis=(0, 0))),
    Wrong(TypeError, "takes 1 argument, not 2", lambda g: NORM(g.x, g.x)),
    Wrong(
        TypeError,
        "^kernel 'reduce_kernel': U y: no argument determines U; declare its dtype",
        lambda g: reduction("T x", "U y", "x", "a + b", "y = a", 0)(g.x),
    ),
    Wrong(TypeError, "float32 because of another", lambda g: LARGEST(g.x, g.ints)),
    Wrong(ValueError, "one output", lambda g: reduction("T x", "T y, T z", "x", "a", "y = a")),
    Wrong(
        ValueError,
        "post_map_expr: 'return' is not allowed",
        lambda g: reduction("T x", "T y", "x", "a", "y = a; return;"),
    ),
    Wrong(
        ValueError,
        "post_map_expr: the input 'a' is assigned",
        lambda g: scan("T x", "T y", "x", "a", "a = a + 1; y = a"),
    ),
    Wrong(ValueError, "output 'y' is never", lambda g: reduction("T x", "T y", "x", "a", "z = a")),
    Wrong(ValueError, "output 'y' is never", lambda g: xp.ScanKernel("T x", "T y", "x", "a", "")),
    Wrong(ValueError, "one output", lambda g: reduction("T x", "", "x", "a", "y = a")),
    Wrong(
        TypeError, "identity", lambda g: any_use(reduction)("T x", "T y", "x", "a", "y = a", [0])
    ),
    Wrong(
        TypeError,
        "are combined, which has no name in C",
        lambda g: reduction("T x", "T y", "x", "a", "y = a", 0, "f", [("x", "i4")]),
    ),
    Wrong(
        ValueError,
        "needs an identity",
        lambda g: scan("T x", "T y", "x", "a", "y = a", exclusive=True),
    ),
    Wrong(ValueError, "needs an axis", lambda g: RUNNING(g.table)),
    Wrong(IndexError, "axis 3", lambda g: RUNNING(g.x, axis=3)),
    Wrong(
        xp.CompileError,
        "oops",
        lambda g: reduction("T x", "T y", "x", "oops", "y = a", 0)(g.x).eval(),
        "in line 1 of reduce_expr: oops",
    ),
    Wrong(
        xp.CompileError,
        "nowhere",
        lambda g: scan("T x", "T y", "x", "a", "y = a", is_segment_start_expr="nowhere")(
            g.x
        ).eval(),
        "nowhere",
    ),
]


@pytest.mark.parametrize(
    "table", [RAW, ELEMENTS, REDUCTIONS], ids=["raw", "elements", "reductions"]
)
def test_what_is_wrong_is_said(device: str, table: list[Wrong]) -> None:
    given = Given(
        xp.ones(4, dtype=xp.float32, device=device),
        xp.ones(4, dtype=xp.int32, device=device),
        xp.ones(3, dtype=xp.int8, device=device),
        put(np.arange(24, dtype="f4").reshape(4, 6), device),
        xp.zeros(3, dtype=[("x", "f4")], device=device),
    )
    for array in given:
        array.eval()
    for wrong in table:
        with xp.Device(device), pytest.raises(wrong.error, match=wrong.words) as caught:
            wrong.use(given)
        assert wrong.line in str(caught.value), wrong.line
        del caught  # its frames hold what failed
    SCALE(1, 4, (given.x, given.x, 5, 4))  # all is well after it
    assert np.all(get(given.x) == 5)
    assert NORM(SQUARED(given.x, 2)).item() == 18


def test_there_are_many() -> None:
    assert len(RAW) + len(ELEMENTS) + len(REDUCTIONS) >= 80


def test_devices_without_kernels_of_users() -> None:
    x = xp.ones(4, dtype=xp.float32, device="null:1")
    for use in (lambda: SCALE(1, 4, (x, x, 1, 4)), lambda: LOOP(x), lambda: NORM(x)):
        with pytest.raises(NotImplementedError, match="null:1 does not run user kernels"):
            use()
    if not REAL:
        return
    y = xp.ones(4, dtype=xp.float32, device=REAL[0])
    z = xp.ones(4, dtype=xp.float32)
    for use in (lambda: SCALE(1, 4, (z, y, 1, 4)), lambda: SQUARED(y, z), lambda: LARGEST(y, z)):
        with pytest.raises(xp.DeviceMismatchError, match="arrays are on"):
            use()
