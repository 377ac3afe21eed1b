"""Users' functions of elements: any layout, fused with what is around them, clear when wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_raw_kernel import device as device
from tests.device.test_raw_kernel import skip_without_kernels
from tests.ways import REAL

SQUARED = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
A = np.arange(-12, 12, dtype="f4").reshape(4, 6)


def there(values: Any, device: str) -> xp.Array:
    return xp.asarray(np.asarray(values), device=device, copy=True)


def test_every_layout_and_dtype(device: str) -> None:
    layouts: list[tuple[Any, Any]] = [
        (A, A[::-1]),
        (A.T, A.T[::-1, ::-1]),
        (A[::2, 1::2], A[:2, :3]),
        (A, A[0]),
        (A[:, :1], A[:1]),
        (A[0, 0], A),
        (A[:0], A[:0]),
        (A[0, 0], A[0, 1]),
    ]
    for a, b in layouts:
        x, y = there(A, device), there(A, device)
        # the same views of arrays of the device
        views = [
            xp.asarray(v, device=device, copy=True) if v.base is None else view_like(v, base)
            for v, base in ((np.asarray(a), x), (np.asarray(b), y))
        ]
        got = SQUARED(*views)
        np.testing.assert_array_equal(got.to_numpy(), (a - b) * (a - b))
    for dtype in ("int8", "uint8", "int16", "int32", "uint32", "int64", "float16", "float32"):
        a, b = np.arange(7).astype(dtype), np.arange(7)[::-1].astype(dtype)
        got = SQUARED(there(a, device), there(b, device))
        assert got.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(got.to_numpy(), (a - b) * (a - b))
    flag = xp.ElementwiseKernel("T x", "bool y", "y = x > 0")
    np.testing.assert_array_equal(flag(there(A, device)).to_numpy(), A > 0)


def view_like(view: Any, base: xp.Array) -> xp.Array:
    """The same view of another array with the elements of A."""
    address = view.__array_interface__["data"][0] - A.__array_interface__["data"][0]
    start = address // A.itemsize
    index = start + sum(
        (np.arange(n) * (s // A.itemsize)).reshape(-1, *[1] * (view.ndim - 1 - k))
        for k, (n, s) in enumerate(zip(view.shape, view.strides, strict=True))
    )
    flat = base.reshape(-1)
    if view.ndim == 0:
        return flat[int(start)]
    return xp.take(flat, xp.asarray(np.asarray(index), device=base.device))


def test_it_fuses_with_what_is_around_it(device: str) -> None:
    x, y = there(A, device), there(A[::-1], device)
    z = xp.sum(xp.sqrt(SQUARED(x * 2, y + 1)) + 1, axis=0)
    before = xp.statistics()["kernels"]
    z.eval()
    assert xp.statistics()["kernels"] == before + 1
    np.testing.assert_allclose(z.to_numpy(), np.sum(np.abs(A * 2 - A[::-1] - 1) + 1, 0), 1e-6)
    assert "squared" in xp.source(SQUARED(x, y) + 1)
    assert "squared" in str(xp.show(SQUARED(x, y) + 1))


def test_raw_arrays_index_and_several_outputs(device: str) -> None:
    text = "z = (x[i > 0 ? i - 1 : 0] + x[i + 1 < n ? i + 1 : n - 1]) * f; where = i"
    stencil = xp.ElementwiseKernel("raw T x, T f", "T z, int64 where", text, "stencil")
    x = there(A, device)[:, ::2]
    z, where = stencil(x, 0.5, size=(3, 4))
    flat = A[:, ::2].ravel()
    neighbours = (np.r_[flat[:1], flat[:-1]] + np.r_[flat[1:], flat[-1:]]) / 2
    np.testing.assert_array_equal(z.to_numpy(), neighbours.reshape(3, 4))
    np.testing.assert_array_equal(where.to_numpy(), np.arange(12).reshape(3, 4))
    table = xp.ElementwiseKernel("raw T table, int64 k", "T y", "y = table[k]")
    k = there(np.array([[3, 1], [0, 2]]), device)
    np.testing.assert_array_equal(
        table(there(A, device), k).to_numpy(), A.ravel()[[[3, 1], [0, 2]]]
    )


def test_several_outputs_come_from_one_kernel(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if device == "cpu":
        pytest.skip("a kernel for each there")
    parts = xp.ElementwiseKernel(
        "T x",
        "T lower, T rest, int32 whole",
        """
        lower = floor(x); rest = x - lower; whole = (int)lower""",
    )
    x = there(A, device)
    for is_eager in (False, True):
        monkeypatch.setattr(xp.config, "eager", is_eager)
        before = xp.statistics()["kernels"]
        lower, rest, whole = (one.eval() for one in parts(2 * x))
        assert xp.statistics()["kernels"] == before + 1 + is_eager
        np.testing.assert_array_equal(lower.to_numpy(), np.floor(2 * A))
        np.testing.assert_array_equal(rest.to_numpy(), 2 * A - np.floor(2 * A))
        np.testing.assert_array_equal(whole.to_numpy(), np.floor(2 * A))
    monkeypatch.setattr(xp.config, "eager", False)
    _, rest, _ = parts(x)
    before = xp.statistics()["kernels"]
    assert xp.sum(rest).item() == pytest.approx((A - np.floor(A)).sum(), 1e-5)
    assert xp.statistics()["kernels"] <= before + 2
    many = xp.ElementwiseKernel(
        "T x", ", ".join(f"T y{k}" for k in range(7)), ";".join(f"y{k} = x + {k}" for k in range(7))
    )
    for k, one in enumerate(many(x)):
        np.testing.assert_array_equal(one.to_numpy(), A + np.float32(k))


def test_outputs_that_are_there(device: str) -> None:
    x, y = there(A, device), there(A[::-1], device)
    out = xp.zeros((8, 6), dtype=xp.float32, device=device)
    view = out[::2]
    assert SQUARED(x, y, view) is view
    expected = np.zeros((8, 6), "f4")
    expected[::2] = (A - A[::-1]) ** 2
    np.testing.assert_array_equal(out.to_numpy(), expected)
    SQUARED(x, x[::-1], x)  # it reads elsewhere than it writes
    np.testing.assert_array_equal(x.to_numpy(), (A - A[::-1]) ** 2)


def test_outputs_may_be_inputs_of_each_other(device: str) -> None:
    turned = xp.ElementwiseKernel("T x, T y", "T z, T w", "z = -y; w = i < 0 ? 0 : x + y")
    loop = "z = -y; w = x; while (w < x + y) w = x + y"
    for kernel in (turned, xp.ElementwiseKernel("T x, T y", "T z, T w", loop)):
        x, y = there(A, device), there(np.abs(A), device)
        kernel(x, y, x, y)
        np.testing.assert_array_equal(x.to_numpy(), -np.abs(A))
        np.testing.assert_array_equal(y.to_numpy(), A + np.abs(A))


def test_preambles_stand_apart(device: str) -> None:
    def kernel(by: int) -> xp.ElementwiseKernel:
        helper = f"static float helper(float x) {{ return x * {by}; }}"
        return xp.ElementwiseKernel("float32 x", "float32 y", "y = helper(x)", preamble=helper)

    x = there(A, device)
    np.testing.assert_array_equal(kernel(3)(kernel(2)(x)).to_numpy(), A * 6)
    twice = kernel(2)
    np.testing.assert_array_equal(twice(twice(x)).to_numpy(), A * 4)


def test_loops_and_many_parameters(device: str) -> None:
    text = "int k = 0; float s = 0; while (s < x && k < 100) s += ++k; steps = k"
    steps = xp.ElementwiseKernel("float32 x", "int32 steps", text)
    assert steps(there(np.array([0, 1, 5, 100], "f4"), device)).tolist() == [0, 1, 3, 14]
    names = [f"x{k}" for k in range(12)]
    many = xp.ElementwiseKernel(
        ", ".join(f"T {n}" for n in names), "T y", f"y = {' + '.join(names)}"
    )
    x = there(np.arange(3), device)
    assert many(*[x + k for k in range(12)]).tolist() == [66, 78, 90]


def test_a_kernel_of_numbers_runs_on_the_device_of_the_block(device: str) -> None:
    count = xp.ElementwiseKernel("T x", "T z", "z = x + i", "count")
    with xp.Device(device):
        got = count(np.float32(2), size=4)
        drawn = xp.random.default_rng(1).random(3)
    assert got.device == drawn.device == xp.Device(device)
    np.testing.assert_array_equal(got.to_numpy(), [2, 3, 4, 5])


KEPT: dict[str, Callable[[Any, Any], Any]] = {
    "z += x": lambda x, z: z + x,
    "z = z + x": lambda x, z: z + x,
    "if (x > 2) z = x": lambda x, z: np.where(x > 2, x, z),
    "for (int k = 0; k < 3; ++k) z += x": lambda x, z: z + x + x + x,
    "z *= 2; { z -= x; }": lambda x, z: 2 * z - x,
    "float t = z; z = 1; if (t > 11) z = t - x": lambda x, z: np.where(z > 11, z - x, 1),
    "if (x > 2) { z = 1; } else { z = 2; }": lambda x, z: np.where(x > 2, 1, 2),
    "z = x; z += 1": lambda x, z: x + 1,
}


@pytest.mark.parametrize("inline", ["auto", "0"])
@pytest.mark.parametrize("text", KEPT)
@pytest.mark.parametrize("name", ["cpu", *REAL])
def test_an_output_is_what_it_was_until_it_is_assigned(
    name: str, text: str, inline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "for" in text:  # what has no loop is calculated without a compiler
        skip_without_kernels(name)
    monkeypatch.setattr(xp.config, "inline", inline)
    x, z = np.array([1, 5, 2, 3], "f4"), np.array([10, 11, 12, 13], "f4")
    kernel = xp.ElementwiseKernel("T x", "T z", text)
    given = put(z, name)
    kernel(put(x, name), given)
    np.testing.assert_array_equal(get(given), KEPT[text](x, z).astype("f4"))
    # a new one is 0
    np.testing.assert_array_equal(get(kernel(put(x, name))), KEPT[text](x, 0 * z).astype("f4"))
    # part of an array that is pending, too
    whole = put(np.arange(8, dtype="f4"), name) + 1
    kernel(put(x, name), whole[::-2])
    wanted = np.arange(1, 9, dtype="f4")
    wanted[::-2] = KEPT[text](x, wanted[::-2].copy())
    np.testing.assert_array_equal(get(whole), wanted)


@pytest.mark.parametrize("name", ["cpu", *REAL])
def test_outputs_of_every_kind_keep_what_is_not_assigned(name: str) -> None:
    skip_without_kernels(name)
    x = np.array([1, 5], "f4")
    a, b = np.array([1, 2], "f4"), np.array([10, 20], "f4")
    s, c = put(a, name), put(b, name)
    xp.ElementwiseKernel("T x", "T s, T c", "T t = s; s = c; c = t + x")(put(x, name), s, c)
    np.testing.assert_array_equal([get(s), get(c)], [b, a + x])
    ints = put(np.array([7, 8], "i2"), name)
    xp.ElementwiseKernel("float32 x", "int16 z", "if (x > 2) z -= 3")(put(x, name), ints)
    assert get(ints).tolist() == [7, 5]
    pairs = put(np.array([1 + 1j, 2], "c8"), name)
    text = "if (x > 2) z = cfloat_add(z, cfloat_new(0, x))"
    xp.ElementwiseKernel("float32 x", "complex64 z", text)(put(x, name), pairs)
    assert get(pairs).tolist() == [1 + 1j, 2 + 5j]
    assert get(xp.ElementwiseKernel("T x", "complex64 z", text)(put(x, name))).tolist() == [0, 5j]
    pair = np.dtype([("a", "f4"), ("b", "i4")], align=True)
    structs = put(np.array([(1, 2), (3, 4)], pair), name)
    kernel = xp.ElementwiseKernel("float32 x", "Pair z", "z.a = x", structs={"Pair": pair})
    kernel(put(x, name), structs)
    assert get(structs).tolist() == [(1, 2), (5, 4)]
    total = xp.ReductionKernel("T x", "T y", "x", "a + b", "if (a > 100) y = a", 0)
    assert total(put(x, name)).item() == 0 and total(put(100 * x, name)).item() == 600
