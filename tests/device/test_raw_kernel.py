"""Kernels of users' texts: in place, in order with other work, and clear about what is wrong."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.ways import KERNELS_ON_HOST, REAL, WHOSE, Way

TEXT = """
typedef struct { int count; float by; } Rule;

__kernel void scale(__global const float* x, __global float* y, const float a, const int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i];
}
__kernel void totals(__global const float* x, __global float* out, __local float* part) {
  const int k = get_local_id(0);
  part[k] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (k > 0) return;
  float sum = 0;
  for (int i = 0; i < get_local_size(0); ++i) sum += part[i];
  out[get_group_id(0)] = sum;
}
__kernel void place(__global int* out) {
  const int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  out[(i * get_global_size(1) + j) * get_global_size(2) + k] = 100 * i + 10 * j + k;
}
__kernel void by_rule(__global float4* x, const Rule rule, const float2 more) {
  for (int i = 0; i < rule.count; ++i) x[i] = x[i] * rule.by + more.x - more.y;
}
__kernel void fill(__global uchar* out, const ulong a, const char b) {
  out[0] = a == 18446744073709551615UL; out[1] = b == -128;
}
#ifdef WITH
__kernel void option(__global int* out) { out[0] = WITH; }
#endif
"""
DEVICES = ["cpu", *REAL]
RULE = np.dtype([("count", "i4"), ("by", "f4")])


def skip_without_kernels(name: str) -> None:
    """Where kernels of users cannot run on arrays of a device."""
    if name == "cpu" and not KERNELS_ON_HOST:
        pytest.skip("no OpenCL device that reaches the host's memory")


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    skip_without_kernels(name)
    return name


@pytest.fixture
def module() -> xp.RawModule:
    return xp.RawModule(TEXT)


def test_a_kernel_works_in_order_with_all_else(device: str, module: xp.RawModule) -> None:
    scale = module.get_function("scale")
    x = xp.arange(1000, dtype=xp.float32, device=device)
    y = xp.ones(1000, dtype=xp.float32, device=device)
    before = y + 1  # pending, and reads what is overwritten
    launched = xp.statistics()["launched"]
    scale((4,), (256,), (x + 1, y, 2, 1000))
    assert xp.statistics()["launched"] > launched
    after = y * 10
    assert np.all(before.to_numpy() == 2)
    np.testing.assert_array_equal(after.to_numpy(), 20 * (np.arange(1000) + 1))
    scale(4, 256, (y, x, 2**70, 1000))  # which a float holds
    np.testing.assert_array_equal(x.to_numpy(), y.to_numpy() * np.float32(2**70))
    for _ in range(20):  # each reads what the one before wrote
        scale(4, 256, (y, y, np.float64(0.5), np.int64(1000)))
        y += 1
    assert float(y[0]) == pytest.approx(2, rel=1e-5)


def test_local_memory_and_three_axes(device: str, module: xp.RawModule) -> None:
    x = xp.arange(1000, dtype=xp.float32, device=device)
    sums = xp.zeros(10, dtype=xp.float32, device=device)
    module.get_function("totals")((10,), (100,), (x, sums, xp.LocalMemory(400)))
    np.testing.assert_array_equal(
        sums.to_numpy(), np.arange(1000).reshape(10, 100).sum(1).astype("f4")
    )
    out = xp.zeros((4, 6, 2), dtype=xp.int32, device=device)
    module.get_function("place")((2, 3, 1), (2, 2, 2), (out,))
    i, j, k = np.indices((4, 6, 2))
    np.testing.assert_array_equal(out.to_numpy(), 100 * i + 10 * j + k)
    module.get_function("place")((0, 3), (2, 2), (out,))  # no group, nothing to do
    if "NVIDIA" in xp.Device(device).info["name"]:  # whose ptxas refuses kernels that do nothing
        return
    with xp.Device(device):  # which no argument names
        xp.RawKernel("__kernel void none(void) {}", "none")((1,), (1,), ())
        xp.RawKernel("__kernel void step(void) {}", "step")((1,), (1,), ())  # also a function


def test_structs_vectors_and_exact_integers(device: str, module: xp.RawModule) -> None:
    x = xp.ones((8, 4), dtype=xp.float32, device=device)
    rule = np.array((2, 3.0), RULE)[()]
    module.get_function("by_rule")((1,), (1,), (x, rule, 5 + 1j))
    expected = np.ones((8, 4), "f4")
    expected[:2] = 7
    np.testing.assert_array_equal(x.to_numpy(), expected)
    more = np.array([1, 1], "f4").tobytes()
    module.get_function("by_rule")((1,), (1,), (x, rule.tobytes(), more))
    assert float(x[0, 0]) == 21
    out = xp.zeros(2, dtype=xp.bool, device=device)
    module.get_function("fill")((1,), (1,), (out, 2**64 - 1, -128))
    assert out.to_numpy().all()


def test_what_asks_for_the_size_of_a_struct_leaves_the_text_as_it_is(device: str) -> None:
    text = "typedef struct { int count; float by; } Rule;\n__kernel void f(__global float* x, "
    x = xp.zeros(1, dtype=xp.float32, device=device)
    value = np.array([(2, 5)], np.dtype([("count", "i4"), ("by", "f4")]))[0]
    for end in ("// the end \\", "", "#define x 3", "#define __attribute__(a)"):
        kernel = xp.RawKernel(f"{text}Rule r) {{ x[0] += r.by; }}\n{end}", "f")
        kernel((1,), (1,), (x, value))
    assert x.tolist() == [20]


def test_views_are_passed_by_their_first_element(device: str, module: xp.RawModule) -> None:
    x = xp.arange(2048, dtype=xp.float32, device=device)
    module.get_function("scale")((1,), (16,), (x[1024:], x[512:], 1.0, 16))
    expected = np.arange(2048, dtype="f4")
    expected[512:528] = np.arange(1024, 1040)
    np.testing.assert_array_equal(x.to_numpy(), expected)


def test_options_and_attributes(device: str) -> None:
    kernel = xp.RawKernel(TEXT, "option", ("-DWITH=7",))
    out = xp.zeros(1, dtype=xp.int32, device=device)
    kernel((1,), (1,), (out,))
    assert int(out[0]) == 7
    attributes = kernel.attributes(device)
    assert attributes["largest_group"] >= 1 and attributes["group_multiple"] >= 1
    assert kernel.name == "option" and kernel.code == TEXT and "option" in repr(kernel)


def test_memory_that_numpy_sees(module: xp.RawModule) -> None:
    if not KERNELS_ON_HOST:
        pytest.skip("no OpenCL device that reaches the host's memory")
    shown = np.zeros(100, "f4")
    y = xp.asarray(shown)
    module.get_function("scale")((1,), (100,), (xp.ones(100, dtype=xp.float32), y, 3, 100))
    assert np.all(shown == 3)  # it was waited for, since NumPy does not ask
    shown.flags.writeable = False
    y = xp.asarray(shown)
    with pytest.raises(ValueError, match="read-only"):
        module.get_function("scale")((1,), (100,), (y, y, 3, 100))


def test_a_broadcast_is_read_and_not_written(module: xp.RawModule, device: str) -> None:
    x, y = xp.ones(4, dtype=xp.float32, device=device), xp.zeros(1, dtype=xp.float32, device=device)
    seen = xp.broadcast_to(y, (4,))
    scale = module.get_function("scale")
    with pytest.raises(ValueError, match=r"\(y\).*the array is read-only"):
        scale((1,), (4,), (x, seen, 1, 4))
    assert y.item() == 0
    scale((1,), (1,), (seen, x, 1, 1))
    assert x.tolist() == [0, 1, 1, 1]


def test_vectors_as_numpy_and_pyopencl_have_them(device: str) -> None:
    kernel = xp.RawKernel(
        """
__kernel void f(__global float* out, const float4 a, const int2 b, const double2 c,
                const uchar3 d) {
  out[0] = a.x + a.w; out[1] = b.y; out[2] = c.y; out[3] = d.z;
}
""",
        "f",
    )
    four = np.array((1, 2, 3, 4), [(name, "f4") for name in "xyzw"])[()]
    out = xp.zeros(4, dtype=xp.float32, device=device)
    ints, bytes_of_three = np.array([5, 6], "i4").tobytes(), np.array([7, 8, 9, 0], "u1").tobytes()
    kernel((1,), (1,), (out, four, ints, 1 + 7j, bytes_of_three))
    assert out.tolist() == [5, 6, 7, 9]
    if importlib.util.find_spec("pyopencl"):
        from pyopencl import cltypes

        make: Any = cltypes
        vectors = make.make_float4(2, 0, 0, 5), make.make_int2(1, 2)
        more = make.make_double2(3, 4), make.make_uchar3(5, 6, 7)
        kernel((1,), (1,), (out, *vectors, *more))
        assert out.tolist() == [7, 2, 4, 7]


@pytest.mark.parametrize("name", REAL)
def test_types_have_the_names_that_the_text_gives_them(name: str) -> None:
    text = """
    typedef float real; // typedef int real;
    typedef unsigned int word;
    typedef real number;
    typedef int4 four;
    #ifdef WIDE
    typedef double either;
    #else
    typedef float either;
    #endif
    __kernel void f(__global real* x, const number a, word b, four c) {
      x[get_global_id(0)] = a + b + c.w;
    }
    __kernel void g(__global real* x, either a) { x[get_global_id(0)] += a; }
    """
    module = xp.RawModule(text)
    x = xp.zeros(2, dtype=xp.float32, device=name)
    f, g = module.get_function("f"), module.get_function("g")
    four = np.array((1, 2, 3, 4), "i4")
    f((2,), (1,), (x, 0.5, 3, four.tobytes()))
    g((2,), (1,), (x, np.float32(2).tobytes()))
    assert x.tolist() == [9.5, 9.5]
    with pytest.raises(OverflowError, match=r"\(b\) of kernel 'f' is word: -3"):
        f((2,), (1,), (x, 0.5, -3, four.tobytes()))
    with pytest.raises(ValueError, match=r"\(c\) of kernel 'f' is four, 16 bytes, not 12"):
        f((2,), (1,), (x, 0.5, 3, four[:3].tobytes()))
    with pytest.raises(TypeError, match=r"\(x\) of kernel 'f' is real\*; the array is int32"):
        f((2,), (1,), (xp.zeros(2, dtype=xp.int32, device=name), 0.5, 3, four.tobytes()))
    # which of two it is depends on options
    with pytest.raises(TypeError, match=r"\(a\) of kernel 'g' is either, .* pass its bytes"):
        g((2,), (1,), (x, 2.0))


SAVED = """
import pathlib, sys
import numpy as np
import isthmus as xp

folder, device = pathlib.Path(sys.argv[1]), sys.argv[2]
pair = np.array((3, 0.5), np.dtype([("count", "i4"), ("by", "f4")], align=True))[()]
x = xp.ones(4, dtype=xp.float32, device=device).eval()
c = xp.full(1, 8, dtype=xp.float32, device=device).eval()
before = xp.cache.info()
text = (folder / "text.cl").read_text()
module = xp.RawModule(text)
module.get_function("all_kinds")((2,), (2,), (x, c, xp.LocalMemory(8), 2.5, pair))
module.get_function("all_kinds_2")((4,), (1,), (x,))
option = f"-I{folder}"
text = '#include "by.h"\\n__kernel void f(__global float* x) { x[0] = BY; }'
xp.RawKernel(text, "f", options=(option,))((1,), (1,), (x,))
info = xp.cache.info()
compiled, found = info.compiled - before.compiled, info.disk_hits - before.disk_hits
print(x.tolist(), compiled, found, info.rejected)
"""
KINDS = """
typedef struct { int count; float by; } Pair;
__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void all_kinds(
    __global float* restrict x, __constant float* c, __local float* part, const float a,
    Pair pair) {
  part[get_local_id(0)] = a * pair.count;
  x[get_global_id(0)] += part[get_local_id(0)] + c[0] * pair.by;
}
__kernel void all_kinds_2(__global float* x) { x[get_global_id(0)] *= 2; }
"""


@pytest.mark.parametrize("name", REAL)
def test_kernels_are_found_on_disk_unless_they_include_files(
    name: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "text.cl").write_text(KINDS)
    places = {"ISTHMUS_CACHE_DIR": str(tmp_path / "cache"), "ISTHMUS_INLINE": "1"}
    for by, compiled, on_disk in ((7, 2, 0), (9, 1, 1)):
        (tmp_path / "by.h").write_text(f"#define BY {by}\n")
        command = [sys.executable, "-c", SAVED, str(tmp_path), name]
        done = subprocess.run(
            command, env={**os.environ, **places}, capture_output=True, text=True, check=True
        )
        values, counts = [float(by), 25.0, 25.0, 25.0], (compiled, on_disk, 0)
        assert done.stdout == f"{values} {' '.join(map(str, counts))}\n", done.stdout


@pytest.mark.parametrize("name", REAL)
def test_every_kind_of_kernel_in_users_contexts(name: str) -> None:
    whose = WHOSE[name.partition(":")[0]]
    if not importlib.util.find_spec(whose):
        pytest.skip(f"no {whose}")
    queue = Way(name, "0", False, context=whose).queue()
    doubled = xp.ElementwiseKernel("T x", "T y", "y = 2 * x")
    total = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0)
    running = xp.ScanKernel("T x", "T y", "x", "a + b", "y = a", exclusive=True, identity=0)
    turned = xp.ElementwiseKernel("raw complex64 x", "complex64 y", "y = cfloat_conj(x[i])")
    with queue:
        x = xp.arange(64, dtype=xp.float32, device=name)
        y = doubled(x) + 1
        z = turned(y + 1j, size=64)
        xp.RawKernel("__kernel void f(__global float* x) { x[get_global_id(0)] += 1; }", "f")(
            (64,), (1,), (x,)
        )
    # outside, arrays keep their context
    numbers = np.arange(64, dtype="f4")
    assert total(y).item() == np.sum(2 * numbers + 1)
    np.testing.assert_array_equal(x.to_numpy(), numbers + 1)
    np.testing.assert_array_equal(z.to_numpy(), 2 * numbers + 1 - 1j)
    np.testing.assert_array_equal(running(x).to_numpy(), np.cumsum(numbers + 1) - numbers - 1)
    np.testing.assert_array_equal(doubled(x, x).to_numpy(), 2 * numbers + 2)
    with pytest.raises(xp.DeviceMismatchError):
        xp.add(doubled(x), xp.ones(64, dtype=xp.float32, device=name)).eval()


@pytest.mark.skipif(not importlib.util.find_spec("pyopencl"), reason="no pyopencl")
def test_users_contexts_and_queues(module: xp.RawModule) -> None:
    import pyopencl as cl
    import pyopencl.array as cl_array

    for name in [d for d in REAL if d.startswith("opencl")]:
        context = cl.Context([xp.Queue(name).to_pyopencl().device])
        queue = cl.CommandQueue(context)
        theirs = cl_array.to_device(queue, np.arange(64, dtype=np.float32))
        x = xp.asarray(theirs)
        module.get_function("scale")((1,), (64,), (x, x, 2, 64))
        np.testing.assert_array_equal(theirs.get(), 2 * np.arange(64))
        with pytest.raises(xp.DeviceMismatchError):
            other = xp.ones(64, dtype=xp.float32, device=name)
            module.get_function("scale")((1,), (64,), (x, other, 2, 64))
