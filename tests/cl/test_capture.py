"""capture_as: a call of a kernel, written as a program."""

from __future__ import annotations

import io
import pathlib
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import cltypes, tools
from isthmus.cl.elementwise import ElementwiseKernel


def made_again(program: str, queue: Any) -> list[Any]:
    """What the arguments are after the captured call, run anew."""
    names: dict[str, Any] = {"__name__": "captured"}
    exec(compile(program, "captured", "exec"), names)
    return list(names["main"](queue))


@pytest.mark.parametrize("is_file", [False, True])
def test_a_captured_call(cl_queue: Any, tmp_path: pathlib.Path, is_file: bool) -> None:
    axpy = ElementwiseKernel(
        cl_queue.context,
        "const float *x, double *y, int a, float b",
        "y[i] = twice(a) * x[i] + b",
        "axpy",
        preamble='#define twice(x) (2 * (x)) /* "quoted" */',
    )
    x = cl_array.to_device(cl_queue, np.arange(12, dtype=np.float32).reshape(3, 4).T)
    y = cl_array.zeros(cl_queue, (4, 3), np.float64, order="F")
    text = io.StringIO()
    target = tmp_path / "call.py" if is_file else text
    axpy(x, y, 3, np.float32(0.5), slice=slice(1, 9, 2), capture_as=target)
    after = y.get()
    assert after.any()
    y.fill(7)  # the program has the arguments as they were before the call
    program = (tmp_path / "call.py").read_text() if is_file else text.getvalue()
    again = made_again(program, cl_queue)
    np.testing.assert_array_equal(again[1].get(), after)
    assert again[1].flags.f_contiguous
    np.testing.assert_array_equal(again[0].get(), x.get())


def test_structs_and_vectors(cl_queue: Any) -> None:
    pair, text = tools.match_dtype_to_c_struct(
        cl_queue.device, "captured_pair", np.dtype([("id", np.int32), ("value", np.float32)])
    )
    pair = tools.get_or_register_dtype("captured_pair", pair)
    kernel = ElementwiseKernel(
        cl_queue.context,
        "captured_pair *p, float4 *v",
        "p[i].value = v[i].x + v[i].w; p[i].id += 1",
        preamble=text,
    )
    host = np.zeros(3, pair)
    host["id"] = 1, 2, 3
    p = cl_array.to_device(cl_queue, host)
    v = cl_array.to_device(
        cl_queue, np.array([(i, 0, 0, 10 * i) for i in range(3)], cltypes.float4)
    )
    program = io.StringIO()
    kernel(p, v, capture_as=program)
    again = made_again(program.getvalue(), cl_queue)
    assert again[0].get().tolist() == p.get().tolist() == [(2, 0.0), (3, 11.0), (4, 22.0)]


def test_what_cannot_be_captured(cl_queue: Any) -> None:
    kernel = ElementwiseKernel(cl_queue.context, "float *x", "x[i] = 1")
    x = cl_array.zeros(cl_queue, 3, np.float32)
    with pytest.raises(TypeError, match=r"capture_as: arrays and numbers .* not a str"):
        kernel(x, "text", capture_as=io.StringIO())
    kernel(x)
    assert x.get().tolist() == [1, 1, 1]
