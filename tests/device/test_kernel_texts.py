"""Users' texts beside others: lines of their own, and errors that stay with what has the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_kernel_misuse import any_use
from tests.device.test_raw_kernel import device as device
from tests.ways import REAL

BAD = xp.ElementwiseKernel("T x", "T z", "z = no_such_function(x)", "bad")
# On `cpu` the call itself raises.
LATE = pytest.mark.parametrize("device", REAL)


def fails(x: xp.Array) -> None:
    for _ in range(2):
        with pytest.raises(xp.CompileError, match="no_such_function"):
            x.tolist()


def pending(device: str) -> xp.Array:
    """0, 1, 2, 3, which nothing has asked for yet."""
    return xp.arange(4, dtype=xp.float32, device=device) * 1


@LATE
def test_what_a_wrong_text_reads_stays_right(device: str) -> None:
    x = pending(device)
    total, more = xp.sum(x), x + 1
    wrong = BAD(x)
    after = wrong * 2 + x
    fails(after)
    fails(wrong)
    assert x.tolist() == [0, 1, 2, 3]
    assert total.item() == 6
    assert more.tolist() == [1, 2, 3, 4]
    assert xp.ElementwiseKernel("T x", "T z", "z = 2 * x")(x).tolist() == [0, 2, 4, 6]


@LATE
def test_what_stands_beside_a_failed_operand_stays_right(device: str) -> None:
    x, y = pending(device), pending(device) + 1
    wrong = BAD(xp.ones(4, dtype=xp.float32, device=device))
    fails(wrong)
    fails(wrong + x * y)
    fails(xp.concat([x, wrong]))
    fails(xp.sum(x) + xp.sum(wrong))
    assert x.tolist() == [0, 1, 2, 3]
    assert y.tolist() == [1, 2, 3, 4]


@LATE
def test_what_reads_that_stays_right(device: str) -> None:
    x = pending(device)
    wrong = BAD(x)
    joined, total = xp.concat([x + 1, x]), xp.sum(x * 2)
    fails(wrong)
    assert joined.tolist() == [1, 2, 3, 4, 0, 1, 2, 3]
    assert total.item() == 12
    x = pending(device)
    fails(xp.concat([x, x * 2, BAD(x), x + 1]))
    fails(xp.sum(BAD(x)) + xp.sum(x))
    assert xp.concat([x, x + 1]).tolist() == [0, 1, 2, 3, 1, 2, 3, 4]


@LATE
def test_a_write_comes_behind_what_read(device: str) -> None:
    base = pending(device).eval()
    x = base + 10
    wrong = BAD(x)
    base[...] = 7  # x is calculated first, without the text
    assert x.tolist() == [10, 11, 12, 13]
    assert base.tolist() == [7] * 4
    fails(wrong)
    x = base + 1
    with pytest.raises(xp.CompileError):
        base[1:] = BAD(x)[1:] + x[1:]
    assert base.tolist() == [7] * 4
    assert x.tolist() == [8] * 4


def test_a_text_has_lines_of_its_own(device: str) -> None:
    x = xp.asarray([1.0, 2, 3], dtype=xp.float32, device=device, copy=True)
    for text in (
        "#define FACTOR 3\nz = x * FACTOR",
        "  #define FACTOR 3\n  z = x * FACTOR;",
        "z = x * 3 // three times",
        "z = x * 3; // three times",
        "z = x;\n#ifdef NOT_THERE\nz = 0;\n#else\nz *= 3;\n#endif",
        "#pragma unroll\nfor (int k = 0; k < 3; ++k) z += x;",
    ):
        assert xp.ElementwiseKernel("T x", "T z", text)(x).tolist() == [3, 6, 9], text
    both = xp.ElementwiseKernel("T x", "T y, T z", "#define TWO 2\ny = x * TWO; z = y + 1 // more")
    assert [one.tolist() for one in both(x)] == [[2, 4, 6], [3, 5, 7]]
    parts = (
        "x // itself",
        "a + b // their sum",
        "#define TWO 2\ny = a * TWO // twice",
        "0 // none",
    )
    assert xp.ReductionKernel("T x", "T y", *parts)(x).item() == 12
    assert xp.ReductionKernel("T x", "T y", *parts)(x[:0]).item() == 0
    scan = xp.ScanKernel(
        *("T x", "T y", "x // itself", "a + b // their sum", "y = a // that"),
        is_segment_start_expr="i == 1 // the second",
        exclusive=True,
        identity="0 // none",
    )
    assert scan(x).tolist() == [0, 0, 2]


def test_an_error_begins_with_what_is_wrong_and_where(device: str) -> None:
    x = xp.ones(4, dtype=xp.float32, device=device)
    text = "T t = x;\n  z = t + undefined_name;"
    preamble = "float f(float a) {\n  return a + ;\n}"
    raw = "__kernel void f(__global float* x) {\n  x[0] = undefined_name;\n}"
    uses: list[tuple[str, Callable[[], Any]]] = [
        (r"z = t \+ undefined_name;+", lambda: xp.ElementwiseKernel("T x", "T z", text)(x)),
        (r"return a \+ ;", lambda: xp.ElementwiseKernel("T x", "T z", "z = f(x)", "", preamble)(x)),
        (r".*x \*.*", lambda: xp.ReductionKernel("T x", "T y", "x *", "a + b", "y = a", "0")(x)),
        (r"x\[0\] = undefined_name;", lambda: xp.RawKernel(raw, "f")((1,), (1,), (x,))),
    ]
    for line, use in uses:
        with pytest.raises(xp.CompileError) as caught:
            xp.asarray(use()).tolist()
        first = str(caught.value).splitlines()[0]
        wanted = rf": .*(undefined_name|expression).*, in line [0-9]+( of \w+)?: {line}$"
        assert re.search(wanted, first), first


def test_names_that_the_library_has_are_refused() -> None:
    for name in "ab":
        with pytest.raises(ValueError, match=f"the output is '{name}'; a and b are the values"):
            xp.ReductionKernel("T x", f"T {name}", "x", "a + b", f"{name} = 1")
        with pytest.raises(ValueError, match=f"the output is '{name}'"):
            xp.ScanKernel("T x", f"T {name}", "x", "a + b", f"{name} = 1")
    with pytest.raises(ValueError, match="'T' is a type and a name"):
        xp.ElementwiseKernel("T T", "T z", "z = T")
    with pytest.raises(ValueError, match="'U' is a type and a name"):
        xp.ElementwiseKernel("T x, U y, int32 U", "T z", "z = x")


def test_a_type_of_c_is_no_dtype_where_numpy_means_another() -> None:
    text: Any = ("T x", "T y", "x", "a + b", "y = a")
    for name in ("float", "int", "uint"):
        said = f"'{name}' has 32 bits in C, 64 in NumPy; write {name}32 or {name}64"
        with pytest.raises(TypeError, match=f"reduce_type: {said}"):
            any_use(xp.ReductionKernel)(*text, reduce_type=name)
        with pytest.raises(TypeError, match=f"scan_type: {said}"):
            any_use(xp.ScanKernel)(*text, scan_type=name)


def test_a_struct_is_combined_by_its_name(device: str) -> None:
    spread = xp.ReductionKernel(
        "float32 x",
        "float32 y",
        "make(x, x)",
        "make(fmin(a.low, b.low), fmax(a.high, b.high))",
        "y = a.high - a.low",
        preamble="Range make(float l, float h) { Range r; r.low = l; r.high = h; return r; }",
        reduce_type="Range",
        structs={"Range": np.dtype([("low", "f4"), ("high", "f4")])},
    )
    assert spread(xp.asarray([3, 1, 8], dtype=xp.float32, device=device)).item() == 7


def test_a_scan_says_that_a_number_has_no_axis(device: str) -> None:
    scan = xp.ScanKernel("T x", "T y", "x", "a + b", "y = a")
    with pytest.raises(ValueError, match=r"an array without axes; reshape it to \(1,\)"):
        scan(xp.asarray(1.0, device=device))


def test_a_variable_of_the_text_may_have_the_name_of_an_input(device: str) -> None:
    x = xp.asarray([1, 2, 3], dtype=xp.float32, device=device)
    for text in (
        "{ T x = 2; x += 1; z = x; } z += x",
        "{ T y, x; x = 3; y = x; z = y; } z += x",
        "#define x w\nT x = 3; x += 0;\n#undef x\nz = w + x",
        "z = 3; // x = 1; return\nz += x /* return x; */;",
        "z = 3;\nif (x == x) z += x",
    ):
        assert xp.ElementwiseKernel("T x", "T z", text)(x).tolist() == [4, 5, 6], text


def test_an_operation_is_as_it_was_written() -> None:
    for text in ("#define TWO 2\nz = x * TWO", "z = x // itself"):
        assert xp.ElementwiseKernel("T x", "T z", text).operation == text
