"""Derivatives, windows and diagonals, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    HALVES,
    INTEGERS,
    LAYOUTS,
    assert_close,
    assert_same,
    dtype_of,
    get,
    has,
    put,
    values_of,
    wide,
)
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())


def base() -> Any:
    return np.arange(60, dtype=np.int32).reshape(6, 10)


# ---- derivatives


numpys: Any = np.gradient


def all_of(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_derivatives_are_numpys(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = values_of(dtype, (4, 5, 3))
    x, wider = put(values, device), wide(values)
    if dtype == "bool":
        with pytest.raises(TypeError, match="gradient: does not accept bool"):
            xp.gradient(x)
        xp.sum(x).eval()
        return
    for axis in (None, 0, -1, (1, 0)):
        for order in (1, 2):
            got = xp.gradient(x, axis=axis, edge_order=order)
            wanted = numpys(wider, axis=axis, edge_order=order)
            assert isinstance(got, tuple) == isinstance(wanted, tuple)
            for mine, theirs in zip(all_of(got), all_of(wanted), strict=True):
                kind = np.dtype("float64" if device.info["fp64"] else "float32")
                assert mine.dtype == (kind if dtype in INTEGERS else dtype_of(dtype))
                assert_close(get(mine), theirs, (axis, order))


@pytest.mark.parametrize("order", [1, 2])
def test_distances_are_numbers_or_coordinates(way: Way, device: xp.Device, order: int) -> None:
    values = values_of("float32", (4, 5))
    x, wider = put(values, device), wide(values)
    rows = np.asarray([0, 1, 3, 3.5], np.float32)
    columns = np.asarray([-2, -1, 1, 2, 7])
    mine, theirs = (put(rows, device), put(columns, device)), (rows, columns)
    for some in ((0, 1), (1,), (0,)):
        axis = some if len(some) > 1 else some[0]
        for pick in ((2.0,) * len(some), tuple(some)):
            ours = [mine[i] if isinstance(i, int) else i for i in pick]
            coordinates = [theirs[i] if isinstance(i, int) else i for i in pick]
            got = xp.gradient(x, *ours, axis=axis, edge_order=order)
            wanted = numpys(wider, *coordinates, axis=axis, edge_order=order)
            for one, other in zip(all_of(got), all_of(wanted), strict=True):
                assert_close(get(one), other, (pick, order))
    for got, wanted in zip(
        all_of(xp.gradient(x, 0.5, mine[1], edge_order=order)),
        all_of(numpys(wider, 0.5, columns, edge_order=order)),
        strict=True,
    ):
        assert_close(get(got), wanted)
    for got, wanted in zip(
        all_of(xp.gradient(x, put(np.asarray(0.25, np.float32), device), edge_order=order)),
        all_of(numpys(wider, 0.25, edge_order=order)),
        strict=True,
    ):
        assert_close(get(got), wanted)


@pytest.mark.parametrize("dtype", HALVES)
def test_small_distances_are_no_problem_of_half_precision(device: xp.Device, dtype: str) -> None:
    a = np.asarray([0, 1, 4, 9, 16], dtype_of(dtype)) / dtype_of(dtype).type(512)
    (got,) = all_of(xp.gradient(put(a, device), 2.0**-10, edge_order=2))
    assert_same(get(got), np.asarray([0, 4, 8, 12, 16], dtype_of(dtype)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_derivatives(way: Way, device: xp.Device, layout: str) -> None:
    shown, x = LAYOUTS[layout](base(), np), LAYOUTS[layout](put(base(), device), xp)
    xp.sum(put(base(), device)).eval()
    if min(shown.shape, default=2) < 2:
        with pytest.raises(ValueError, match="edge_order 1 needs at least 2"):
            xp.gradient(x)
        return
    got, wanted = xp.gradient(x * x), numpys(wide(shown) ** 2)
    assert len(all_of(got)) == shown.ndim
    for mine, theirs in zip(all_of(got), all_of(wanted), strict=True):
        assert_close(get(mine), theirs, layout)


def test_derivatives_that_cannot_be_are_refused() -> None:
    x = xp.ones((4, 5))
    with pytest.raises(ValueError, match="gradient: axis 0 has length 2; edge_order 2 needs at l"):
        xp.gradient(x[:2], edge_order=2)
    with pytest.raises(ValueError, match="edge_order is 3; it must be 1 or 2"):
        xp.gradient(x, edge_order=3)
    with pytest.raises(TypeError, match="gradient: spacing has 3 entries for 2 axes"):
        xp.gradient(x, 1, 2, 3)
    with pytest.raises(TypeError, match="gradient: spacing has 1 entry for 2 axes"):
        xp.gradient(x, x[0])
    with pytest.raises(ValueError, match=r"coordinates of shape \(4,\) for axis 1 of length 5"):
        xp.gradient(x, x[:, 0], axis=1)
    with pytest.raises(TypeError, match="gradient: does not accept complex64"):
        xp.gradient(x, xp.ones(5, dtype="complex64"), axis=1)
    with pytest.raises(IndexError, match="gradient: axis 2"):
        xp.gradient(x, axis=2)
    with pytest.raises(ValueError, match="gradient: axis 0 is repeated"):
        xp.gradient(x, axis=(0, 0))
    with pytest.raises(TypeError, match="gradient"):
        xp.gradient(x, [1, 2])


def test_coordinates_may_be_a_list(device: xp.Device) -> None:
    a = np.asarray([[1, 4, 2], [3, 1, 5]], np.float32)
    got = xp.gradient(put(a, device), 2, [0, 1, 3])
    for mine, theirs in zip(got, np.gradient(a, 2, [0, 1, 3]), strict=True):
        assert_close(get(mine), theirs)


# ---- windows and diagonals

WINDOWS: list[tuple[Any, Any]] = [
    ((2, 3), None),
    (3, 0),
    (2, -1),
    ((2, 2), (1, 1)),
    ((2, 1), (1, 0)),
    ((), ()),
    (0, 0),
]


@pytest.mark.parametrize(
    "layout", [name for name in LAYOUTS if LAYOUTS[name](base(), np).ndim == 2]
)
def test_windows_are_views(way: Way, device: xp.Device, layout: str) -> None:
    whole = put(base(), device)
    shown, x = LAYOUTS[layout](base(), np), LAYOUTS[layout](whole, xp)
    xp.sum(whole).eval()
    windows = np.lib.stride_tricks.sliding_window_view
    for shape, axis in WINDOWS:
        try:
            wanted = windows(shown, shape, axis)
        except ValueError:
            with pytest.raises(ValueError, match="sliding_window_view: a window of length"):
                xp.sliding_window_view(x, shape, axis)
            continue
        got = xp.sliding_window_view(x, shape, axis)
        assert got.is_read_only
        assert_same(get(got), wanted, (shape, axis))
        if got.size:
            assert_same(get(xp.sum(got, -1)), np.sum(wanted, -1), (shape, axis))
            assert_same(get(xp.max(got + 1)), np.asarray(wanted.max() + 1))


def test_windows_show_what_is_written(device: xp.Device) -> None:
    x = put(np.arange(5, dtype=np.float32), device)
    windows = xp.sliding_window_view(x, 3)
    x[2] = 9
    assert get(windows).tolist() == [[0, 1, 9], [1, 9, 3], [9, 3, 4]]
    with pytest.raises(ValueError, match="read-only"):
        windows[0] = 1
    pending = xp.sliding_window_view(x * 2, 2)
    assert get(pending).tolist() == [[0, 2], [2, 18], [18, 6], [6, 8]]


def test_windows_that_cannot_be_are_refused() -> None:
    x = xp.ones((3, 4))
    with pytest.raises(ValueError, match=r"a window of shape \(2,\) for 2 axes"):
        xp.sliding_window_view(x, 2)
    with pytest.raises(ValueError, match="a window of length 4 on axis 0 of length 3"):
        xp.sliding_window_view(x, (4, 1))
    with pytest.raises(ValueError, match="a window of length -1"):
        xp.sliding_window_view(x, -1, 0)
    with pytest.raises(ValueError, match="a window of length 3 on axis 0 of length 2"):
        xp.sliding_window_view(x, (2, 3), (0, 0))
    with pytest.raises(IndexError, match="sliding_window_view: axis 2"):
        xp.sliding_window_view(x, 1, 2)


DIAGONALS = [(0, 0, 1), (1, 0, 1), (-2, 0, 1), (2, 1, 0), (0, -1, -2), (7, 0, 1), (-99, 0, 1)]


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_diagonals_are_numpys(way: Way, device: xp.Device, layout: str) -> None:
    whole = put(base(), device)
    shown, x = LAYOUTS[layout](base(), np), LAYOUTS[layout](whole, xp)
    xp.sum(whole).eval()
    if shown.ndim < 2:
        for name in ("diagonal", "trace"):
            with pytest.raises(ValueError, match=f"{name}: an array of {shown.ndim} ax[ie]s"):
                getattr(xp, name)(x)
        return
    for where in DIAGONALS:
        assert_same(get(xp.diagonal(x, *where)), np.diagonal(shown, *where), where)
        assert_same(get(xp.trace(x, *where)), np.asarray(np.trace(shown, *where)), where)
        assert_same(get(xp.diagonal(x + 1, *where)), np.diagonal(shown + 1, *where), where)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_traces_have_the_dtype_of_sums(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = (np.arange(24) % 5).astype(dtype_of(dtype)).reshape(2, 3, 4)
    x = put(a, device)
    wanted = np.trace(a.astype(np.complex128 if dtype in COMPLEX else np.float64), 1, 1, 2)
    got = xp.trace(x, 1, 1, 2)
    assert got.dtype == xp.sum(x).dtype
    assert get(got).astype(wanted.dtype).tolist() == (
        wanted.tolist() if dtype != "bool" else np.trace(a, 1, 1, 2).tolist()
    )
    assert xp.trace(x, dtype="complex64").dtype == np.complex64


def test_a_diagonal_is_written_through(device: xp.Device) -> None:
    a = np.zeros((3, 4), np.float32)
    x = put(a, device)
    xp.diagonal(x, 1)[...] = put(np.asarray([1, 2, 3], np.float32), device)
    a[[0, 1, 2], [1, 2, 3]] = [1, 2, 3]
    assert_same(get(x), a)
    for far in (2**63 - 1, -(2**63)):
        assert xp.diagonal(x, far).shape == (0,)


@pytest.mark.parametrize("name", ["diagonal", "trace"])
def test_what_is_no_matrix_is_refused(name: str) -> None:
    function: Callable[..., Any] = getattr(xp, name)
    with pytest.raises(ValueError, match=f"{name}: axis 1 is given twice; two different"):
        function(xp.ones((2, 3)), 0, 1, -1)
    with pytest.raises(IndexError, match=f"{name}: axis 2"):
        function(xp.ones((2, 3)), 0, 0, 2)
    with pytest.raises(TypeError, match=name):
        function([[1]])
