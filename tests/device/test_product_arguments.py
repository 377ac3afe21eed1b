"""Arguments of products in the forms that NumPy takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_products import any_np, any_xp, ones, values_of


def test_arguments_are_taken_as_numpy_takes_them(device: xp.Device) -> None:
    a, b = (values_of("float32", (3, 3)) for _ in range(2))
    x, y = put(a, device), put(b, device)
    for name in ("matmul", "dot", "outer"):
        shape = (9, 9) if name == "outer" else (3, 3)
        out = xp.zeros(shape, dtype="float32", device=device)
        assert getattr(xp, name)(x, y, out) is out, name
        np.testing.assert_allclose(get(out), getattr(np, name)(a, b), 1e-3, 1e-3)
    for number in (2, 2.5, np.float32(3), True):
        for ours, theirs in (
            (xp.dot(x, number), np.dot(a, number)),
            (xp.dot(number, x), np.dot(number, a)),
            (x.dot(number), a.dot(number)),
            (xp.outer(x, number), np.outer(a, number)),
            (xp.outer(number, x), np.outer(number, a)),
        ):
            assert ours.dtype == np.dtype("float32") and ours.shape == theirs.shape
            np.testing.assert_allclose(get(ours), theirs, 1e-6)
    mask = put(np.array([True, False]), device)
    assert get(xp.dot(mask, True)).tolist() == [True, False]
    for axes in (np.array([1, 0]), np.array([[1], [0]]), np.array([[1, 0], [0, 1]]), np.array(1)):
        wanted = any_np.tensordot(a, b, axes=axes)
        for given in (axes, xp.asarray(axes), xp.asarray(axes, device=device)):
            np.testing.assert_allclose(get(xp.tensordot(x, y, given)), wanted, 1e-3, 1e-3)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: any_xp.einsum("i,i", ones(2), ones(2), optimize=[1, 2]),
            TypeError,
            r"einsum: optimize: expected steps such as \(0, 1\), .* not an int",
        ),
        (
            lambda: any_xp.einsum("i,i", ones(2), ones(2), optimize=("best", 9)),
            ValueError,
            "einsum: optimize: 'best' is none of .* opt_einsum",
        ),
        *(
            (
                lambda path=path: any_xp.einsum("i,i", ones(2), ones(2), optimize=path),
                TypeError,
                r"einsum: optimize: expected steps such as \(0, 1\), .* not a str",
            )
            for path in (["dp"], ("greedy", "x"), [(0, 1), "einsum_path"])
        ),
        (lambda: xp.einsum("i,j,k->l", *[ones(2)] * 3, optimize="optimal"), ValueError, "einsum: "),
        (lambda: xp.tensordot(ones(2), ones(2), np.ones(2)), TypeError, "tensordot: axes: "),
        (lambda: any_xp.dot(ones(2), [1, 2]), TypeError, "dot: a list is not an isthmus.Array"),
    ],
)
def test_wrong_arguments_are_named(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()
