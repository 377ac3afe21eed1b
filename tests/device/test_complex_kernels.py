"""Complex numbers, and raw float16, in the texts of users' kernels."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_raw_kernel import device as device

A = (np.linspace(-2, 1.5, 24) + 1j * np.linspace(1, -3, 24)).reshape(4, 6)
TEXT = """// the header counts as one line
#include <pyopencl-complex.h>
__kernel void turn(__global cfloat_t* x, const cfloat_t by, __global cdouble_t* y) {
  const int i = get_global_id(0);
  x[i] = cfloat_mul(x[i], by);
  y[i] = cdouble_new(cdouble_abs(y[i]), 0);
}
"""
# What each function of pyopencl-complex.h is in NumPy; a and b are complex, r is real.
MEANINGS = {
    "real(a)": "a.real",
    "imag(a)": "a.imag",
    "abs(a)": "abs(a)",
    "abs_squared(a)": "abs(a) ** 2",
    "new(r, 2)": "r + 2j",
    "fromreal(r)": "r + 0j",
    "neg(a)": "-a",
    "conj(a)": "a.conj()",
    "add(a, b)": "a + b",
    "addr(a, r)": "a + r",
    "radd(r, a)": "r + a",
    "sub(a, b)": "a - b",
    "subr(a, r)": "a - r",
    "rsub(r, a)": "r - a",
    "mul(a, b)": "a * b",
    "mulr(a, r)": "a * r",
    "rmul(r, a)": "r * a",
    "fma(a, b, a)": "a * b + a",
    "divide(a, b)": "a / b",
    "divider(a, r)": "a / r",
    "rdivide(r, a)": "r / a",
    "pow(a, b)": "a**b",
    "powr(a, r)": "a**r",
    "rpow(r, a)": "r**a",
    "sqrt(a)": "np.sqrt(a)",
    "exp(a)": "np.exp(a)",
    "log(a)": "np.log(a)",
    "sin(a)": "np.sin(a)",
    "cos(a)": "np.cos(a)",
    "tan(a)": "np.tan(a)",
    "sinh(a)": "np.sinh(a)",
    "cosh(a)": "np.cosh(a)",
    "tanh(a)": "np.tanh(a)",
    "cast(a)": "a",
}


def every_function(name: str, real: str) -> str:
    """A kernel that calls them all on one element, and puts the results behind one another."""
    lines = []
    for k, call in enumerate(MEANINGS):
        value = f"{name}_{call}"
        if call.startswith(("real", "imag", "abs")):
            value = f"{name}_fromreal({value})"
        lines.append(f"  out[{k} * n + i] = {value};")
    parameters = ", ".join(f"__global const {name}_t* {x}" for x in ("as", "bs"))
    return f"""
#include <pyopencl-complex.h>
__kernel void every(__global {name}_t* out, {parameters}, __global const {real}* rs) {{
  const int i = get_global_id(0), n = get_global_size(0);
  const {name}_t a = as[i], b = bs[i];
  const {real} r = rs[i];
{chr(10).join(lines)}
}}
"""


def test_every_function_of_the_header(device: str) -> None:
    if device == "cpu":
        pytest.skip("the kernel of opencl:0")
    for dtype, name, real, near in (
        ("complex64", "cfloat", "float", 1e-5),
        ("complex128", "cdouble", "double", 1e-13),
    ):
        a = A.astype(dtype).ravel()
        b = a[::-1].copy()
        r = np.linspace(0.5, 2, a.size).astype(a.real.dtype)
        out = xp.zeros((len(MEANINGS), a.size), dtype=dtype, device=device)
        kernel = xp.RawKernel(every_function(name, real), "every")
        kernel((a.size,), (1,), (out, put(a, device), put(b, device), put(r, device)))
        for got, (call, meaning) in zip(get(out), MEANINGS.items(), strict=True):
            wanted = eval(meaning, {"np": np, "a": a, "b": b, "r": r})
            np.testing.assert_allclose(got, wanted, near, near, err_msg=call)


def test_capital_letters_views_numbers_and_fusion(device: str) -> None:
    times = xp.ElementwiseKernel("T x, T y", "T z", "z = complex_mul(x, y)", "times")
    for dtype in ("complex64", "complex128"):
        x = put(A.astype(dtype), device)
        a = get(x)
        for y, b in ((x[::-1, ::-1], a[::-1, ::-1]), (x.T[:1].T, a[:, :1]), (2 - 1j, 2 - 1j)):
            got = get(times(x, y))
            assert got.dtype == a.dtype
            np.testing.assert_allclose(got, a * b, 1e-6)
        assert times(x[:0], x[:0]).shape == (0, 6)
        np.testing.assert_allclose(get(times(x, 3)), a * 3, 1e-6)
        before = xp.statistics()["kernels"]
        summed = xp.sum(times(x + 1, x) * 2, axis=1).eval()
        assert xp.statistics()["kernels"] == before + (1 if device != "cpu" else 4)
        np.testing.assert_allclose(get(summed), np.sum((a + 1) * a * 2, 1), 1e-5)
    single = times(put(A.astype("c8"), device), 1j)  # a number is of the array's dtype
    assert single.dtype == xp.complex64
    turned = xp.ElementwiseKernel("raw T x", "T y", "y.real = x[i].imag; y.imag = x[n - 1 - i].x")
    flat = A.astype("c8").ravel()
    np.testing.assert_array_equal(
        get(turned(put(flat, device), size=24)), flat.imag + 1j * flat.real[::-1]
    )


def test_reductions_and_scans(device: str) -> None:
    a = np.exp(1j * np.arange(6000) * 0.01).reshape(2, 3000)
    product = ("T x", "T y", "x", "complex_mul(a, b)", "y = a")
    reduce = xp.ReductionKernel(*product, "complex_new(1, 0)", "product")
    scan = xp.ScanKernel(*product)
    norm = xp.ReductionKernel(
        "complex64 x", "float32 y", "cfloat_abs_squared(x)", "a + b", "y = sqrt(a)", 0
    )
    for dtype in ("complex64", "complex128")[: 1 if device == "cpu" else 2]:
        x = put(a.astype(dtype), device)
        near = 2e-4 if dtype == "complex64" else 1e-11
        np.testing.assert_allclose(get(reduce(x, axis=1)), a.prod(1), near, near)
        np.testing.assert_allclose(get(reduce(x)), a.prod(), near, near)
        assert reduce(x[:, :0]).item() == 1
        np.testing.assert_allclose(get(scan(x, axis=1)), a.cumprod(1), near, near)
    assert norm(put(A.astype("c8"), device)).item() == pytest.approx(np.linalg.norm(A), 1e-6)
    # what is mapped is real, and is made complex
    total = xp.ReductionKernel("float32 x", "complex64 y", "x", "cfloat_add(a, b)", "y = a", 0)
    assert total(xp.arange(10, dtype=xp.float32, device=device)).item() == 45


def test_a_text_of_its_own(device: str) -> None:
    for text in (TEXT, TEXT.replace("pyopencl-complex", "isthmus-complex")):
        turn = xp.RawKernel(text, "turn")
        x, y = put(A.astype("c8").ravel(), device), put(A.ravel(), device)
        turn((24,), (1,), (x, 1 - 2j, y))
        turn((24,), (1,), (x, 2, y))
        turn((24,), (1,), (x, np.complex64(0.5j), y))
        np.testing.assert_allclose(get(x), A.ravel() * (1 - 2j) * 1j, 1e-5)
        np.testing.assert_allclose(get(y), abs(A.ravel()), 1e-14)


def test_raw_float16(device: str) -> None:
    half = np.linspace(-3, 3, 12).astype("f2")
    turned = xp.ElementwiseKernel("raw float16 x", "float16 y", "y = 2 * vload_half(n - 1 - i, x)")
    x = put(half, device)
    np.testing.assert_array_equal(get(turned(x[::2], size=6)), 2 * half[::2][::-1])


def test_what_is_wrong_is_said(device: str) -> None:
    x = put(A.astype("c8"), device)
    new = xp.ElementwiseKernel
    f4, f8 = put(np.ones(3, "f4"), device), put(np.ones(3, "f8"), device)
    brain = xp.ones(3, dtype=xp.bfloat16, device=device)
    turn = xp.RawKernel(TEXT, "turn")
    cases: list[tuple[type[BaseException], str, Callable[[], Any]]] = [
        (xp.CompileError, r"y = x \* x", lambda: new("T x", "T y", "y = x * x")(x).eval()),
        (xp.CompileError, "y = x", lambda: new("T x", "float32 y", "y = x")(x).eval()),
        (
            TypeError,
            "complex64 x: the array is float32",
            lambda: new("complex64 x", "T y", "y=0")(f4),
        ),
        (TypeError, "take real", lambda: new("float32 x", "float32 y", "y = x")(1j, size=3)),
        (TypeError, "cannot be bfloat16", lambda: new("raw T x", "T y", "y = x[i]")(brain, size=3)),
        (TypeError, r"cfloat_t\*; the array is float64", lambda: turn(1, 1, (f8, 1, x))),
    ]
    for error, text, call in cases:
        with pytest.raises(error, match=text):
            call()
    with pytest.raises(xp.CompileError) as caught:
        xp.RawKernel(TEXT.replace("cfloat_mul(", "oops("), "turn")(1, 1, (x, 1, x))
    assert "5    x[i] = oops(x[i], by);" in str(caught.value)
    if "NVIDIA" not in xp.Device(device).info["name"]:  # which counts the header's lines, too
        assert re.search(r":5:\d+: .*error|:5:\d+: .*oops", str(caught.value))  # the user's line
    assert "cfloat_mul" not in caught.value.source
