"""NumPy's functions and arrays beside ours: one sentence that says what would do, or the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import has

x: Any = None
numpys: Any = np


@pytest.fixture(autouse=True)
def _array() -> Any:
    global x
    x = xp.asarray([1.0, 2.0, 3.0])
    yield
    x = None


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "np.sum": (lambda: np.sum(x), r"numpy\.sum does not take .*isthmus\.sum does"),
    "np.mean": (lambda: np.mean(x), r"isthmus\.mean does"),
    "np.std": (lambda: np.std(x), r"numpy\.std does not take .*isthmus\.std does"),
    "np.argmax": (lambda: np.argmax(x), r"isthmus\.argmax does"),
    "np.divmod": (lambda: np.divmod(x, x), r"isthmus\.divmod does"),
    "np.sin": (lambda: np.sin(x), r"numpy\.sin does not take .*isthmus\.sin does"),
    "np.power": (lambda: np.power(x, x), r"isthmus\.pow does"),
    "np.add": (lambda: np.add(x, x), r"isthmus\.add does"),
    "np.deg2rad": (lambda: np.deg2rad(x), r"numpy\.deg2rad does not take .*to_numpy"),
    "ndarray + x": (lambda: np.ones(3) + x, r"one operand is a numpy\.ndarray.*isthmus\.asarray"),
    "x + ndarray": (lambda: x + np.ones(3), r"one operand is a numpy\.ndarray.*to_numpy"),
    "ndarray == x": (lambda: np.ones(3) == x, "numpy.ndarray"),
    "x == ndarray": (lambda: x == np.ones(3), "numpy.ndarray"),
    "ndarray < x": (lambda: np.ones(3) < x, "numpy.ndarray"),
    "np.add.outer": (lambda: np.add.outer(x, x), r"isthmus\.add\(expand_dims\(x, -1\), y\)"),
    "np.multiply.outer": (lambda: np.multiply.outer(x, x), r"isthmus\.outer\(x, y\) does"),
    "np.add.at": (lambda: np.add.at(x, 0, 1), r"isthmus\.add_at\(x, indices, values\) does"),
    "out": (lambda: np.add(x, 1, out=np.zeros(3)), r"isthmus\.add does"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_numpy_would_calculate_is_refused_with_what_would_do(name: str) -> None:
    call, text = REFUSED[name]
    with pytest.raises(TypeError, match=text) as caught:
        call()
    assert str(caught.value).count("\n") == 0


def test_scipys_functions_name_ours() -> None:
    scipy = pytest.importorskip("scipy.special")
    for name in ("erf", "erfc", "gamma", "gammaln", "cbrt", "exp2", "exp10"):
        with pytest.raises(TypeError, match=rf"{name} does not .*; isthmus\.special\.{name} does"):
            getattr(scipy, name)(x)
    with pytest.raises(
        TypeError, match=r"^expit .*; use instead: 1 / \(1 \+ isthmus\.exp\(-x\)\); x"
    ):
        scipy.expit(x)
    with pytest.raises(TypeError, match=r"^j0 does not take an isthmus\.Array; x\.to_numpy\(\) is"):
        scipy.j0(x)
    with pytest.raises(TypeError, match=r"numpy\.fmax .*; isthmus\.special\.fmax does"):
        np.fmax(x, x)


@pytest.mark.parametrize(
    ("ufunc", "method", "text"),
    [
        (np.add, "reduce", r"^numpy\.add\.reduce does not .*; isthmus\.sum\(x\) does, and x\.to_"),
        (np.logical_or, "reduce", r"isthmus\.any\(x\) does"),
        (np.maximum, "reduce", r"isthmus\.max\(x\) does"),
        (np.add, "accumulate", r"isthmus\.cumulative_sum\(x\) does"),
        (np.subtract, "reduce", r"^numpy\.subtract\.reduce does not .*Array; x\.to_numpy"),
        (np.add, "reduceat", r"^numpy\.add\.reduceat does not .*Array; x\.to_numpy"),
    ],
)
def test_what_methods_of_ufuncs_would_calculate(ufunc: Any, method: str, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        x.__array_ufunc__(ufunc, method, x)  # NumPy 2.4 keeps operands that refuse its reduce()


def test_an_array_of_numpy_is_not_changed_by_ours() -> None:
    a = np.ones(3)
    with pytest.raises(TypeError, match=r"numpy\.ndarray"):
        a += x
    assert a.tolist() == [1, 1, 1]
    a[:] = x  # an assignment is a copy
    assert a.tolist() == [1, 2, 3]


OPERATED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "float32 * x": (lambda x: np.float32(2) * x, "float64"),
    "x * float32": (lambda x: x * np.float32(2), "float64"),
    "float64 - x": (lambda x: np.float64(2) - x, "float64"),
    "int8 ** x": (lambda x: np.int8(2) ** x, "float64"),
    "float64 / x": (lambda x: np.float64(1) / x, "float64"),
    "float64 < x": (lambda x: np.float64(2) < x, "bool"),
    "float64 == x": (lambda x: np.float64(2) == x, "bool"),
    "complex128 + x": (lambda x: np.complex128(1j) + x, "complex128"),
    "0-d array * x": (lambda x: np.array(2.0) * x, "float64"),
    "x * 0-d array": (lambda x: x * np.array(2.0), "float64"),
    "sqrt * x": (lambda x: np.sqrt(2.0) * x, "float64"),
    "np.add of a number": (lambda x: np.add(1, x), "float64"),
}


@pytest.mark.parametrize("name", OPERATED)
def test_numpys_scalars_are_operands(name: str) -> None:
    call, dtype = OPERATED[name]
    got, wanted = call(x), call(np.asarray([1.0, 2.0, 3.0]))
    assert isinstance(got, xp.Array)
    assert str(got.dtype) == dtype == str(wanted.dtype)
    assert np.allclose(got.to_numpy(), wanted)


def test_float32_arrays_stay_so_beside_scalars_of_their_kind() -> None:
    y = xp.ones(3, dtype="float32")
    assert (np.float32(2) * y).dtype == np.float32
    assert (np.float64(2) * y).dtype == np.float64  # a scalar of NumPy's is strong


def test_numpys_functions_that_calculate_nothing_of_ours_read_the_array() -> None:
    assert np.concatenate([x, x]).tolist() == [1, 2, 3, 1, 2, 3]
    assert np.array_equal(x, [1, 2, 3])
    assert np.allclose(x, [1, 2, 3])
    assert np.median(x) == 2
    assert np.shape(x) == (3,)
    np.testing.assert_array_equal(np.asarray(x), [1, 2, 3])


MADE: dict[str, Callable[..., Any]] = {
    "asarray": lambda like: numpys.asarray([1.0, 2.0], **like),
    "asarray of ours": lambda like: numpys.asarray(xp.ones(2, dtype="float32"), **like),
    "asanyarray": lambda like: numpys.asanyarray([[1, 2]], np.int16, **like),
    "array": lambda like: numpys.array([1, 2], np.float32, ndmin=2, subok=True, **like),
    "zeros": lambda like: numpys.zeros((2, 3), np.float32, "C", **like),
    "ones": lambda like: numpys.ones(shape=2, dtype=np.int8, **like),
    "empty": lambda like: numpys.empty((0, 2), np.float32, **like),
    "full": lambda like: numpys.full(2, 7, dtype=np.float32, **like),
    "arange": lambda like: numpys.arange(3, **like),
    "arange from": lambda like: numpys.arange(1, 7, 2, np.float32, **like),
    "arange to": lambda like: numpys.arange(stop=3, **like),
    "eye": lambda like: numpys.eye(2, 3, 1, np.float32, **like),
}


@pytest.mark.no_kernel
@pytest.mark.parametrize("name", MADE)
def test_like_makes_an_array_of_ours_where_it_lies(name: str, device: xp.Device) -> None:
    y = xp.zeros(1, dtype="float32", device=device)
    got, wanted = MADE[name]({"like": y}), MADE[name]({})
    assert isinstance(got, xp.Array)
    assert got.device == device
    assert got.dtype == wanted.dtype or not has(device, "float64")
    assert got.shape == wanted.shape
    assert np.array_equal(got.to_device("cpu").to_numpy(), wanted)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: np.identity(3, like=x),
            r"^numpy\.identity: like: .* no isthmus\.identity; isthmus\.asarray\(numpy\.identity",
        ),
        (
            lambda: np.fromiter([1], int, like=x),
            r"isthmus\.asarray\(numpy\.fromiter\(\.\.\.\), dev",
        ),
        (lambda: np.full(3, 1, order="F", like=x), r"isthmus\.full has no order='F'; leave it out"),
        (lambda: np.zeros(3, "U1", like=x), "dtype: <U1 is not supported"),
        (lambda: x.__array_function__(len, (), (), {}), "len is not a NumPy function"),
    ],
)
def test_like_says_what_there_is_not(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(TypeError, match=text):
        call()


def test_pillow_takes_images(tmp_path: Any) -> None:
    image = pytest.importorskip("PIL.Image")
    picture = xp.asarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3))
    shown = image.fromarray(picture)
    assert shown.size == (4, 4)
    assert np.array_equal(np.asarray(shown), picture.to_numpy())
    assert image.fromarray(picture + 1).getpixel((0, 0)) == (1, 2, 3)


def test_dense_rows_are_shown_without_strides() -> None:
    y = xp.zeros((2, 3))
    assert y.__array_interface__["strides"] is None
    assert y.T.__array_interface__["strides"] == (8, 24)
    assert np.asarray(type("P", (), {"__array_interface__": y.T.__array_interface__})()).T.shape
