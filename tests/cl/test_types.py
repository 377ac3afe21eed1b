"""Vector types, structs, names of C types, and complex and half arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import clmath, cltypes, tools
from isthmus.cl.reduction import ReductionKernel
from isthmus.cl.scan import GenericScanKernel

import isthmus as xp


def test_vector_types() -> None:
    assert len(cltypes.vec_types) == 50
    vectors: Any = cltypes
    for (scalar, count), dtype in cltypes.vec_types.items():
        name = tools.dtype_to_ctype(dtype)
        assert getattr(vectors, name) is dtype
        assert dtype.itemsize == scalar.itemsize * (4 if count == 3 else count)
        one = getattr(vectors, f"make_{name}")(*range(count))
        assert [one[f"s{i}"].item() for i in range(count)] == list(range(count))
        assert getattr(vectors, f"filled_{name}")(7)["s1"] == 7
        assert getattr(vectors, f"ones_{name}")()["s0"] == 1
        assert getattr(vectors, f"zeros_{name}")()["s0"] == 0
    assert vectors.make_float3(1, 2, 3)["z"] == 3
    with pytest.warns(DeprecationWarning):
        assert vectors.make_float2(1)["y"] == 0
    with pytest.warns(DeprecationWarning):
        assert cl_array.vec.float4 is vectors.float4


def test_arithmetic_of_vectors(queue: Any) -> None:
    vectors: Any = cltypes
    host = np.zeros(5, vectors.float3)
    host["x"], host["y"], host["z"] = np.arange(5), 1, 2
    x = cl_array.to_device(queue, host)
    found = (2 * x + vectors.make_float3(1, 2, 3) - x / 2).get()
    assert found["x"].tolist() == (1.5 * np.arange(5) + 1).tolist()
    assert found["z"].tolist() == [6] * 5
    factors = cl_array.arange(queue, 5, dtype=np.float32)
    assert (x * factors).get()["y"].tolist() == list(range(5))
    x += x
    assert (x == x[::-1]).get().tolist() == [0, 0, 1, 0, 0]
    assert clmath.sqrt(x).get()["z"].tolist() == [2] * 5
    assert x.fill(vectors.make_float3(4, 5, 6))[3].get()["y"] == 5
    with pytest.raises(TypeError):
        x < x  # noqa: B015


def test_sums_and_choices_of_vectors(queue: Any) -> None:
    vectors: Any = cltypes
    host = np.zeros((2, 3), vectors.float4)
    host["x"], host["w"] = np.arange(6).reshape(2, 3), 1
    x = cl_array.to_device(queue, host)
    total = cl_array.sum(x)
    assert total.shape == () and total.dtype == vectors.float4
    assert total.get().tolist() == (15, 0, 0, 6)
    assert cl_array.sum(x, slice=slice(1, 3), initial=1).get().tolist() == (4, 1, 1, 3)
    assert cl_array.sum(x[:, ::-2]).get().tolist() == (10, 0, 0, 4)
    assert cl_array.sum(x[:0]).get().tolist() == (0, 0, 0, 0)
    with pytest.raises(ValueError, match="vectors of 4 and 2 lanes"):
        cl_array.sum(x, dtype=vectors.float2)
    running = cl_array.cumsum(x).get()
    assert running["x"].tolist() == [[0, 1, 3], [6, 10, 15]]
    assert running["w"].tolist() == [[1, 2, 3], [4, 5, 6]]
    sign = cl_array.to_device(queue, np.array([[1, -1, 0], [-1, 1, 1]]))
    chosen = cl_array.if_positive(sign, x, x[:, ::-1] * 2).get()
    assert chosen["x"].tolist() == [[0, 2, 0], [10, 4, 5]]
    chosen = cl_array.if_positive(sign, x, vectors.make_float4(7, 8, 9, 10)).get()
    assert chosen["x"].tolist() == [[0, 7, 7], [7, 4, 5]]
    assert chosen["w"].tolist() == [[1, 10, 10], [10, 1, 1]]
    doubles = cl_array.to_device(queue, np.full((2, 3), vectors.make_double4(0.1, 0, 0, 0)))
    chosen = cl_array.if_positive(sign * 0, x, doubles)
    assert chosen.dtype == vectors.double4 and (chosen.get()["x"] == 0.1).all()
    with pytest.raises(ValueError, match="vectors of 4 and 2 lanes"):
        cl_array.cumsum(x, output_dtype=vectors.float2)
    with pytest.raises(ValueError, match="vectors of 4 and 2 lanes"):
        cl_array.if_positive(sign, x, cl_array.to_device(queue, np.zeros((2, 3), vectors.float2)))
    small = np.zeros(5, vectors.char2)
    small["x"] = 100
    assert cl_array.sum(cl_array.to_device(queue, small)).get().tolist() == (-12, 0)


def test_products_of_vectors_are_summed_by_lanes(queue: Any) -> None:
    vectors: Any = cltypes
    host = np.zeros(4, vectors.float4)
    host["s0"], host["s1"] = [1, 2, 3, 4], 2
    x = cl_array.to_device(queue, host)
    for product in (cl_array.dot(x, x), cl_array.vdot(x, x, dtype=vectors.float4)):
        assert product.dtype == vectors.float4
        assert product.get().tolist() == (30, 16, 0, 0)
    chosen = cl_array.to_device(queue, np.array([3, 0]))
    assert cl_array.subset_dot(chosen, x, x).get().tolist() == (17, 8, 0, 0)
    assert cl_array.dot(x, x, slice=slice(0, 2)).get().tolist() == (5, 8, 0, 0)
    assert cl_array.dot(x[::-1], x).get().tolist() == (20, 16, 0, 0)
    assert cl_array.dot(x[:0], x[:0]).get().tolist() == (0, 0, 0, 0)
    weights = cl_array.arange(queue, 4, dtype=np.float32)
    for product in (cl_array.dot(x, weights), cl_array.dot(weights, x)):
        assert product.get().tolist() == (20, 12, 0, 0)
    whole = cl_array.to_device(queue, host.astype(vectors.int4))
    assert cl_array.dot(whole, x).dtype == (whole * x).dtype
    with pytest.raises(TypeError, match="as vectors, not as float32"):
        cl_array.dot(x, x, dtype=np.float32)
    with pytest.raises(ValueError, match="vectors of 4 and 3 lanes"):
        cl_array.dot(x, cl_array.zeros(queue, 4, vectors.float3))


def test_registry() -> None:
    name = "isthmus_test_pair"
    with pytest.raises(tools.TypeNameNotKnown):
        tools.get_or_register_dtype(name)
    dtype = np.dtype([("a", np.int32), ("b", np.float32)])
    assert tools.get_or_register_dtype([name, name + "_t"], dtype) is dtype
    assert tools.get_or_register_dtype(name, np.dtype(dtype.descr)) is dtype
    assert tools.dtype_to_ctype(dtype) == name
    with pytest.raises(RuntimeError):
        tools.get_or_register_dtype(name, np.float32)
    with pytest.warns(DeprecationWarning), pytest.raises(RuntimeError):
        tools.register_dtype(np.float32, "other")
    with pytest.raises(ValueError):
        tools.dtype_to_ctype(np.dtype([("c", "i1")]))
    assert tools.get_or_register_dtype("unsigned  int".replace("  ", " ")) == np.uint32


def test_structs(cl_queue: Any) -> None:
    given = np.dtype([("id", np.int8), ("value", np.float64), ("more", np.float32, (3,))])
    dtype, text = tools.match_dtype_to_c_struct(cl_queue.device, "isthmus_test_id", given)
    assert dtype.fields is not None
    assert dtype.fields["value"][1] == 8 and dtype.itemsize == 32
    assert "double value;" in text and "float more[3];" in text
    dtype = tools.get_or_register_dtype("isthmus_test_id", dtype)
    x = cl_array.zeros(cl_queue, 4, dtype)
    one = np.zeros((), dtype)
    one["value"] = 2.5
    x.fill(one)
    x[2] = np.zeros((), dtype)
    assert x.get()["value"].tolist() == [2.5, 2.5, 0, 2.5]
    index = cl_array.to_device(cl_queue, np.array([2, 0]))
    assert x[index].get()["value"].tolist() == [0, 2.5]


def test_functions_of_numbers(queue: Any) -> None:
    special = pytest.importorskip("scipy.special")
    reals = np.array([0.3, 0.7, -0.4, 0.01])
    x = cl_array.to_device(queue, reals)
    expected = {
        "cbrt": np.cbrt(reals),
        "erf": special.erf(reals),
        "erfc": special.erfc(reals),
        "exp10": 10.0**reals,
        "exp2": np.exp2(reals),
        "ilogb": np.floor(np.log2(abs(reals))),
        "lgamma": special.gammaln(reals),
        "logb": np.floor(np.log2(abs(reals))),
        "rint": np.rint(reals),
        "round": np.round(reals),
        "tgamma": special.gamma(reals),
        **{
            f"a{name}pi": getattr(np, "arc" + name)(reals) / np.pi for name in ("cos", "sin", "tan")
        },
        **{f"{name}pi": getattr(np, name)(np.pi * reals) for name in ("cos", "sin", "tan")},
    }
    value: Any
    for name in clmath._FUNCTIONS:
        if name in ("acosh", "nan"):
            continue
        plain = {"fabs": np.abs, "acos": np.arccos, "asin": np.arcsin, "atan": np.arctan}
        plain |= {"asinh": np.arcsinh, "atanh": np.arctanh}
        with np.errstate(invalid="ignore"):
            value = expected[name] if name in expected else plain.get(name, getattr(np, name, None))
            value = value(reals) if callable(value) else value
        np.testing.assert_allclose(getattr(clmath, name)(x).get(), value, rtol=1e-12, err_msg=name)
    assert clmath.sin(cl_array.arange(queue, 3, dtype=np.int32)).dtype == np.float64
    assert clmath.erf(cl_array.arange(queue, 3, dtype=np.int32)).dtype == np.float64
    halves = cl_array.to_device(queue, np.array([0.5, -0.5, 2.5], np.float16))
    assert clmath.cbrt(halves).dtype == np.float16
    assert clmath.round(halves).get().tolist() == [1, -1, 3]
    small = clmath.round(cl_array.to_device(queue, np.array([-0.3, -0.0, 0.3], np.float32))).get()
    assert np.signbit(small).tolist() == [True, True, False]
    z = reals + 1j
    w = cl_array.to_device(queue, z)
    for name, value in {
        "exp2": 2**z,
        "exp10": 10**z,
        "sinpi": np.sin(np.pi * z),
        "acospi": np.arccos(z) / np.pi,
        "log10": np.log10(z),
        "fabs": abs(z),
        "asinh": np.arcsinh(z),
    }.items():
        np.testing.assert_allclose(getattr(clmath, name)(w).get(), value, rtol=1e-12, err_msg=name)
    with pytest.raises(TypeError):
        clmath.erf(w)
    np.testing.assert_allclose(clmath.atan2(x, 2).get(), np.arctan2(reals, 2))
    np.testing.assert_allclose(clmath.atan2pi(x, x).get(), np.arctan2(reals, reals) / np.pi)
    np.testing.assert_allclose(clmath.fmod(x, 0.2).get(), np.fmod(reals, 0.2))
    np.testing.assert_allclose(
        clmath.ldexp(x, cl_array.arange(queue, 4, dtype=np.int64)).get(),
        np.ldexp(reals, np.arange(4)),
    )
    fractions, wholes = clmath.modf(x * 10)
    np.testing.assert_allclose(fractions.get(), np.modf(reals * 10)[0])
    np.testing.assert_allclose(wholes.get(), np.modf(reals * 10)[1])
    mantissas, exponents = clmath.frexp(x)
    np.testing.assert_allclose(mantissas.get(), np.frexp(reals)[0])
    assert exponents.dtype == np.int32
    codes = cl_array.to_device(queue, np.array([0, 5], np.uint32))
    found = clmath.nan(codes).get()
    assert np.isnan(found).all() and found.dtype == np.float32
    assert found.view(np.uint32)[1] & 7 == 5 and np.isnan(clmath.nan(x).get()).all()


def test_a_struct_with_several_names(cl_queue: Any) -> None:
    """Kernels call it by the name that the text before them declares."""
    given = np.dtype([("low", np.int32), ("high", np.int32), ("isthmus_pad", np.int32)])
    first = tools.get_or_register_dtype("isthmus_test_first_name", given)
    matched, text = tools.match_dtype_to_c_struct(cl_queue.device, "isthmus_test_second", given)
    dtype = tools.get_or_register_dtype("isthmus_test_second", matched)
    assert dtype is first and tools.dtype_to_ctype(dtype) == "isthmus_test_first_name"
    text += """
    isthmus_test_second of(int low, int high) {
      isthmus_test_second r;
      r.low = low; r.high = high; r.isthmus_pad = 0;
      return r;
    }
    isthmus_test_second both(isthmus_test_second a, isthmus_test_second b) {
      return of(min(a.low, b.low), max(a.high, b.high));
    }
    """
    x = cl_array.arange(cl_queue, 1000, dtype=np.int32)
    ends = ReductionKernel(
        cl_queue.context,
        dtype,
        "of(5, -5)",
        "both(a, b)",
        "of(x[i], x[i])",
        "int *x",
        preamble=text,
    )
    assert ends(x - 10).get().tolist() == (-10, 989, 0)
    found = cl_array.zeros(cl_queue, 1000, dtype)
    GenericScanKernel(
        cl_queue.context,
        dtype,
        [tools.VectorArg(np.int32, "x"), tools.VectorArg(dtype, "found")],
        "of(x[i], x[i])",
        "both(a, b)",
        "of(5, -5)",
        "found[i] = item",
        preamble=text,
    )(x, found)
    assert found.get()[100].tolist() == (0, 100, 0)


def test_chains_of_vectors_are_one_kernel(cl_queue: Any) -> None:
    host = np.zeros((4, 6), cltypes.float4)
    for at, name in enumerate("xyzw"):
        host[name] = np.arange(24).reshape(4, 6) + at
    x = cl_array.to_device(cl_queue, host)
    y = cl_array.to_device(cl_queue, np.asfortranarray(host))
    assert (x.get() == host).all()  # the values stay private
    factor = cltypes.make_float4(1, 2, 3, 4)
    with xp.profile() as profile:
        z = (x * y + 2 * x - factor) * y
        z.finish()
    assert len(profile.kernels) == 1
    wanted = [(v * v + 2 * v - f) * v for v, f in ((host[n], factor[n]) for n in "xyzw")]
    for made in (z, z[...], z.with_queue(cl_queue), z.copy()):
        for values, name in zip(wanted, "xyzw", strict=True):
            assert (made.get()[name] == values).all()
    z = x + y
    z += x  # of lanes that were put together
    z[1:3] = x[1:3] * 2
    z = -z
    for name in "xyzw":
        expected = -3 * host[name]
        expected[1:3] = -2 * host[name][1:3]
        assert (z.get()[name] == expected).all()
    assert ((x + y) == (y + x)).get().all()
    before, again = x * y, x + x
    x[1:3] = y[:2]
    y.fill(factor)
    for name in "xyzw":
        assert (before.get()[name] == host[name] ** 2).all()
        assert (again.get()[name] == 2 * host[name]).all()
    assert (x + y).dtype == cltypes.float4 and (x[:0] + y[:0]).shape == (0, 6)
    with pytest.raises(ValueError, match="shape"):
        x * y + x[:2]
    with pytest.raises(TypeError):
        x + y + "text"


def test_what_is_written_in_place_of_vectors_is_pending(cl_queue: Any) -> None:
    host = np.zeros((4, 6), cltypes.float4)
    for at, name in enumerate("xyzw"):
        host[name] = np.arange(24).reshape(4, 6) + at
    for order in (np.ascontiguousarray, np.asfortranarray):
        x = cl_array.to_device(cl_queue, order(host))
        x.finish()
        before = x + 0
        with xp.profile() as profile:
            x *= 2
            x -= cltypes.make_float4(1, 2, 3, 4)
            x += x
            x.finish()
        assert len(profile.kernels) == 1
        assert x.strides == order(host).strides
        for at, name in enumerate("xyzw"):
            assert (x.get()[name] == 4 * host[name] - 2 * (at + 1)).all()
            assert (before.get()[name] == host[name]).all()
    whole = cl_array.to_device(cl_queue, host)
    row = whole[1]
    row += 1  # seen by whom it is a part of
    whole *= 2  # and the other way round
    assert (whole.get()["y"][1] == 2 * host["y"][1] + 2).all()
    assert (row.get()["y"] == 2 * host["y"][1] + 2).all()
    with pytest.raises(ValueError, match="does not fit"):
        row += whole
    with pytest.raises(TypeError, match="does not fit"):
        row *= 1j
    numbers = cl_array.zeros(cl_queue, (4, 6), np.float32)
    with pytest.raises(TypeError):
        numbers += whole


def test_functions_and_comparisons_of_vectors_fuse(cl_queue: Any) -> None:
    host = np.zeros((3, 5), cltypes.float4)
    for at, name in enumerate("xyzw"):
        host[name] = np.arange(15).reshape(3, 5) + at
    x, y = (cl_array.to_device(cl_queue, values) for values in (host, host[::-1].copy()))
    assert (x.get() == host).all() and (y.get() == host[::-1]).all()
    with xp.profile() as profile:
        z = clmath.fabs(x.mul_add(2, y, -3) - clmath.fmod(x, y + 1))
        z.finish()
    assert len(profile.kernels) == 1
    for name in "xyzw":
        a, b = host[name], host[::-1][name]
        assert (z.get()[name] == abs(2 * a - 3 * b - np.fmod(a, b + 1))).all()
    with xp.profile() as profile:
        equal = x + y == y + y
        equal.finish()
    assert len(profile.kernels) == 1
    assert equal.get().tolist() == [[0] * 5, [1] * 5, [0] * 5]
    assert (x + y != y + y).get().tolist() == [[1] * 5, [0] * 5, [1] * 5]


@pytest.mark.parametrize(
    ("name", "vectors", "expected"),
    [
        ("sin", "int4", "double4"),
        ("ceil", "int4", "double4"),
        ("sqrt", "short3", "float3"),
        ("exp", "char2", "float2"),
        ("nan", "uint4", "float4"),
    ],
)
def test_functions_of_vectors_of_integers_make_floats(
    cl_queue: Any, name: str, vectors: str, expected: str
) -> None:
    host = np.zeros(3, getattr(cltypes, vectors))
    for lane in ("s0", "s1"):
        host[lane] = [0, 1, 2]
    x = cl_array.to_device(cl_queue, host)
    found = getattr(clmath, name)(x)
    assert found.dtype == getattr(cltypes, expected)
    lanes = cl_array.to_device(cl_queue, host["s0"].copy())
    wanted = getattr(clmath, name)(lanes).get()
    np.testing.assert_allclose(found.get()["s0"], wanted, rtol=1e-3)
    np.testing.assert_array_equal(found.get()["s1"], found.get()["s0"])


def test_a_number_array_compares_with_vectors_on_either_side(cl_queue: Any) -> None:
    host = np.zeros(3, cltypes.float2)
    host["x"], host["y"] = [0, 1, 2], [0, 1, 5]
    x = cl_array.to_device(cl_queue, host)
    numbers = cl_array.arange(cl_queue, 3, dtype=np.float32)
    for vectors in (x, x + 0):
        assert (numbers == vectors).get().tolist() == [1, 1, 0]
        assert (vectors == numbers).get().tolist() == [1, 1, 0]
        assert (numbers != vectors).get().tolist() == [0, 0, 1]
        with pytest.raises(TypeError, match="no order"):
            numbers < vectors  # noqa: B015


def test_vectors_of_different_lengths_do_not_mix(cl_queue: Any) -> None:
    x = cl_array.zeros(cl_queue, 3, cltypes.float4)
    y = cl_array.zeros(cl_queue, 3, cltypes.float3)
    for call in (
        lambda: x + y,
        lambda: x == y,
        lambda: y != x,
        lambda: x.mul_add(1, y, 2),
        lambda: clmath.fmod(y, x),
        lambda: x.__iadd__(y),
        lambda: x + cltypes.make_float3(1, 2, 3),
    ):
        with pytest.raises(ValueError, match="lanes; expected one length"):
            call()


OPERATIONS = [
    ("x + 2.5", "int4"),
    ("2.5 - x", "int4"),
    ("x / 2", "int4"),
    ("x * 2", "int4"),
    ("x * 2.5", "float4"),
    ("x + y.astype(np.float32)", "short2"),
    ("x + y", "uchar4"),
    ("x // 2", "uint3"),
    ("x * np.float64(0.5)", "float4"),
]


@pytest.mark.parametrize(("text", "vectors"), OPERATIONS)
def test_lanes_are_promoted_as_numbers_are(cl_queue: Any, text: str, vectors: str) -> None:
    dtype = getattr(cltypes, vectors)
    host = np.zeros(3, dtype)
    host["s0"] = [1, 5, 9]
    numbers = cl_array.to_device(cl_queue, host["s0"].copy())
    x = cl_array.to_device(cl_queue, host)
    names = {"np": np, "y": cl_array.arange(cl_queue, 3, dtype=np.int32)}
    wanted = eval(text, {**names, "x": numbers})
    for operand in (x, x + 0):
        found = eval(text, {**names, "x": operand})
        count = cltypes.vec_type_to_scalar_and_count[dtype][1]
        assert found.dtype == cltypes.vec_types[wanted.dtype, count]
        np.testing.assert_array_equal(found.get()["s0"], wanted.get())


def test_in_place_lanes_are_not_cut(cl_queue: Any) -> None:
    x = cl_array.zeros(cl_queue, 3, cltypes.int4)
    with pytest.raises(
        TypeError, match="the result is float64 and does not fit the array's dtype int32"
    ):
        x += 2.5
    with pytest.raises(TypeError, match="no vectors of complex128"):
        cl_array.zeros(cl_queue, 3, cltypes.double2) + 1j
    x += 2
    assert x.get()["s3"].tolist() == [2, 2, 2]


def test_differences_of_vectors(cl_queue: Any) -> None:
    values = np.zeros(4, cltypes.int3)
    for name, lane in (("x", [1, 2, 4, 8]), ("y", [0, 5, 5, 1]), ("z", [9, 8, 7, 6])):
        values[name] = lane
    found = cl_array.diff(cl_array.to_device(cl_queue, values)).get()
    for name in "xyz":
        assert found[name].tolist() == np.diff(values[name]).tolist()
