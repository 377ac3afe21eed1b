"""Products that are large enough for blocks on the host and for tiles on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, get, has, put
from tests.device.test_products import values_of, wide_of
from tests.ways import REAL, Way


def assert_close_sums(got: Any, wanted: Any, terms: int, note: object) -> None:
    """Equal for integers and bools, else as near as sums of so many terms of up to 32 can be."""
    assert got.shape == wanted.shape, note
    if got.dtype.kind in "biu":
        np.testing.assert_array_equal(got, wanted, err_msg=str(note))
        return
    eps = float(xp.finfo(got.dtype).eps)
    sums = np.finfo(np.float32).eps if got.dtype.itemsize == 2 else eps
    kind = np.complex128 if wanted.dtype.kind == "c" else np.float64
    near = 32 * terms * float(sums)
    np.testing.assert_allclose(got.astype(kind), wanted, 2 * eps, near, err_msg=str(note))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_products_in_tiles_are_near(way: Way, device: xp.Device, dtype: str) -> None:
    """On devices that do not leave them to the host: tiles in local memory."""
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    for m, k, n in [(70, 130, 90), (24, 50, 65)] if way.is_main else [(24, 50, 65)]:
        a, b = values_of(dtype, (2, m, k)), values_of(dtype, (2, k, n), 6)
        x, y = put(a, device), put(b, device)
        wanted = wide_of(a) @ wide_of(b)
        turned_x, turned_y = x.mT.copy().mT, y.mT.copy().mT
        note = (m, k, n)
        assert_close_sums(get(x @ y), wanted, k, note)
        assert_close_sums(get(turned_x @ turned_y), wanted, k, note)
        got = get((x[::-1, ::-1] @ y[::-1, :, ::-1])[::-1, ::-1, ::-1])
        assert_close_sums(got, wanted, k, note)
        assert_close_sums(get(x[:1] @ y), wide_of(a)[:1] @ wide_of(b), k, note)
        assert_close_sums(get(x[:, None] @ y), wide_of(a)[:, None] @ wide_of(b), k, note)


def test_a_product_in_tiles_is_one_kernel_that_copies_nothing(way: Way, device: xp.Device) -> None:
    if not way.is_real or way.inline != "0":
        pytest.skip("the host multiplies")
    a, b = values_of("float32", (3, 1, 40, 50)), values_of("float32", (2, 60, 50), 6)
    x, y = put(a, device).eval(), put(b, device).mT.eval()
    xp.matmul(x, y).eval()
    before = xp.statistics()["kernels"]
    with xp.profile() as profile:
        got = x @ y
        got.eval()
    assert xp.statistics()["kernels"] == before + 1
    assert [kernel.operations for kernel in profile.kernels] == [("matmul",)]
    assert profile.kernels[0].where == "launched"
    assert_close_sums(get(got), wide_of(a) @ wide_of(b).swapaxes(-1, -2), 50, "stack")
    many = xp.broadcast_to(put(a, device)[:, :, None, None], (3, 1, 2, 2, 40, 50))[:, :, ::-1]
    wanted = wide_of(a)[:, :, None, None] @ wide_of(b).swapaxes(-1, -2)
    assert_close_sums(get(many @ y)[:, :, :1], wanted, 50, "more axes than the kernel has")


def test_products_of_a_vendors_library_are_in_order_with_other_work(
    way: Way, device: xp.Device
) -> None:
    if not way.is_real or way.inline != "0":
        pytest.skip("the host multiplies")
    rng = np.random.default_rng(4)
    a, b = (rng.integers(-3, 4, (96, 96)).astype("f4") for _ in range(2))
    wanted = (a + 1) @ (2 * b) + 3
    y = put(b, device)
    for _ in range(5 if way.is_main else 1):
        x = put(a, device)
        got = (x + 1) @ (y * 2) + 3
        x += 100  # behind the product that read it
        np.testing.assert_array_equal(get(got @ y), wanted @ b)
        np.testing.assert_array_equal(get(got), wanted)
        np.testing.assert_array_equal(get(x), a + 100)


def test_onemkl_multiplies_on_sycl_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dpnp", reason="no dpnp, which brings oneMKL, and has opened it then")
    for name in [name for name in REAL if name.startswith("sycl")]:
        library = xp._isthmus._blas_library_of(name)
        assert "libmkl_sycl_blas" in library
        assert xp._isthmus._blas_library_of("cpu") == ""
        monkeypatch.setattr(xp.config, "inline", "0")
        a = np.random.default_rng(5).standard_normal((3, 70, 60))
        for dtype in ("float32", "float64", "complex64", "complex128"):
            if not has(xp.Device(name), dtype):
                continue
            x = put(a.astype(dtype) * (1 + 1j if dtype[0] == "c" else 1), name)
            turned = get(xp.matmul(x, x.mT))
            assert_close_sums(turned, get(x) @ get(x).swapaxes(-1, -2), 60, dtype)
            before = xp.config.blas
            xp.config.blas = "builtin"  # a kernel of ours, which the profile shows as well
            try:
                assert_close_sums(get(xp.matmul(x, x.mT)), turned, 60, dtype)
            finally:
                xp.config.blas = before


BLOCKS = [(70, 300, 90), (65, 193, 257), (9, 9, 9), (300, 8, 5), (100, 400, 2), (2, 2050, 2)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("library", ["auto", "builtin"])
def test_products_in_blocks_are_near(dtype: str, library: str) -> None:
    """Sizes that end within tiles, strips and blocks, and operands of all strides."""
    before = xp.config.blas
    xp.config.blas = library
    try:
        for m, k, n in BLOCKS:
            a, b = values_of(dtype, (m, k)), values_of(dtype, (k, n), 6)
            x, y = put(a, "cpu"), put(b, "cpu")
            wanted = wide_of(a) @ wide_of(b)
            turned_x, turned_y = x.mT.copy().mT, y.mT.copy().mT
            pairs = [(x, y), (turned_x, y), (x, turned_y), (turned_x[:], turned_y[:])]
            for left, right in pairs:
                assert_close_sums(get(left @ right), wanted, k, (m, k, n))
            got = get((x[::-1] @ y[:, ::-1])[::-1, ::-1])
            assert_close_sums(got, wanted, k, (m, k, n))
            two = get(xp.stack([x, x]) @ xp.broadcast_to(y, (2, k, n)))
            assert_close_sums(two, np.stack([wanted, wanted]), k, (m, k, n))
    finally:
        xp.config.blas = before


def test_a_product_that_takes_a_while_is_whole() -> None:
    """A library gets it in pieces, so that interrupts are heard between them."""
    rng = np.random.default_rng(3)
    for m, k, n in [(1700, 1650, 1750), (300, 400, 40_000), (300, 40_000, 400)]:
        x = xp.asarray(rng.random((m, k)))
        y = xp.asarray(rng.random((n, k))).T
        vector = xp.asarray(rng.random(n))
        np.testing.assert_allclose(get((x @ y) @ vector), get(x @ (y @ vector)), 1e-9)


def test_products_in_blocks_have_the_same_bits_on_any_number_of_threads() -> None:
    before = xp.config.blas, xp.config.num_threads
    try:
        xp.config.blas = "builtin"
        x = put(values_of("float32", (300, 500)), "cpu")
        y = put(values_of("float32", (500, 310)), "cpu")
        found = set()
        for count in (1, 2, 3):
            xp.config.num_threads = count
            found.add(get(x @ y).tobytes())
        assert len(found) == 1
    finally:
        xp.config.blas, xp.config.num_threads = before
