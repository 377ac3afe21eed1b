"""Users' functions of elements: any layout, fused with what is around them, clear when wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_raw_kernel import device as device

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
