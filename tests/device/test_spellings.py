"""NumPy's names, and its places of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp


@pytest.mark.parametrize("name", ["histogram2d", "unwrap", "polyfit"])
def test_a_function_of_numpy_that_is_not_here_is_answered_with_numpys(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"x\.to_numpy\(\) is an array that numpy\.{name}"):
        getattr(xp, name)


SPELT: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "concatenate": (lambda n: n.concatenate([n.ones(2), n.zeros(1)]), lambda n: [1, 1, 0]),
    "cumsum": (lambda n: n.cumsum(n.ones((2, 2))), lambda n: [1, 2, 3, 4]),
    "cumprod": (lambda n: n.cumprod(n.full((2, 1), 2), 0), lambda n: [[2], [4]]),
    "power": (lambda n: n.power(n.full(2, 3.0), 2), lambda n: [9, 9]),
    "arctan2": (lambda n: n.arctan2(n.ones(2), 1), lambda n: [np.pi / 4] * 2),
    "array": (lambda n: n.array([1, 2], "f4"), lambda n: [1, 2]),
    "array of axes": (lambda n: n.array([1, 2], ndmin=3).shape, lambda n: (1, 1, 2)),
    "array with axes": (lambda n: n.array([[1, 2]], ndmin=1).shape, lambda n: (1, 2)),
    "absolute": (lambda n: n.absolute(n.full(2, -3)), lambda n: [3, 3]),
    "amax": (lambda n: n.amax(n.arange(3)), lambda n: 2),
    "true_divide": (lambda n: n.true_divide(n.ones(2), 4), lambda n: [0.25] * 2),
    "mod": (lambda n: n.mod(n.arange(4), 3), lambda n: [0, 1, 2, 0]),
    "invert": (lambda n: n.invert(n.arange(2)), lambda n: [-1, -2]),
    "left_shift": (lambda n: n.left_shift(n.ones(2, "i4"), 3), lambda n: [8, 8]),
    "transpose": (lambda n: n.transpose(n.ones((2, 3))).shape, lambda n: (3, 2)),
    "swapaxes": (lambda n: n.swapaxes(n.ones((2, 3)), 0, 1).shape, lambda n: (3, 2)),
    "ravel": (lambda n: n.ravel(n.ones((2, 3))).shape, lambda n: (6,)),
    "zeros of a dtype": (lambda n: str(n.zeros(2, "f4").dtype), lambda n: "float32"),
    "ones of a dtype": (lambda n: str(n.ones(2, "i2").dtype), lambda n: "int16"),
    "full of a dtype": (lambda n: str(n.full(2, 1, "i2").dtype), lambda n: "int16"),
    "eye": (lambda n: n.eye(2, 3, 1), lambda n: [[0, 1, 0], [0, 0, 1]]),
    "arange of a dtype": (lambda n: str(n.arange(0, 3, 1, "f4").dtype), lambda n: "float32"),
    "round": (lambda n: n.round(n.full(2, 1.26), 1), lambda n: [1.3, 1.3]),
    "squeeze": (lambda n: n.squeeze(n.ones((1, 2, 1))).shape, lambda n: (2,)),
    "sum over an axis": (lambda n: n.sum(n.ones((2, 3)), 1), lambda n: [3, 3]),
    "concatenate along": (lambda n: n.concatenate([n.ones((1, 2))] * 2, 1), lambda n: [[1] * 4]),
    "concat flattened": (lambda n: n.concat([n.ones((1, 2))] * 2, None), lambda n: [1] * 4),
    "stack": (lambda n: n.stack([n.arange(2)] * 2, 1), lambda n: [[0, 0], [1, 1]]),
    "unstack": (lambda n: n.unstack(n.eye(2), axis=1)[1], lambda n: [0, 1]),
    "flip": (lambda n: n.flip(n.eye(2, 3), 0), lambda n: [[0, 1, 0], [1, 0, 0]]),
    "sort": (lambda n: n.sort(n.eye(2), 0), lambda n: [[0, 0], [1, 1]]),
    "argsort": (lambda n: n.argsort(n.asarray([[2], [1]]), 0), lambda n: [[1], [0]]),
    "diff": (lambda n: n.diff(n.square(n.arange(4)), 2), lambda n: [2, 2]),
    "diff along": (lambda n: n.diff(n.eye(2), 1, 0), lambda n: [[-1, 1]]),
    "tril": (lambda n: n.tril(n.ones((2, 2)), -1), lambda n: [[0, 0], [1, 0]]),
    "triu": (lambda n: n.triu(n.ones((2, 2)), 1), lambda n: [[0, 1], [0, 0]]),
    "tensordot": (lambda n: n.tensordot(n.ones((1, 2)), n.eye(2), 1), lambda n: [[1, 1]]),
    "searchsorted": (lambda n: n.searchsorted(n.arange(3), [1], "right"), lambda n: [2]),
    "linspace": (lambda n: n.linspace(0, 1, 2, False), lambda n: [0, 0.5]),
    "linspace of one": (lambda n: n.linspace(0, 1).shape, lambda n: (50,)),
    "cumulative_sum": (lambda n: n.cumulative_sum(n.eye(2), axis=0), lambda n: [[1, 0], [1, 1]]),
    "where": (lambda n: n.where(n.eye(2) > 0)[1], lambda n: [0, 1]),
    "clip": (lambda n: n.clip(n.arange(3), 1, 1, None), lambda n: [1, 1, 1]),
    "take": (lambda n: n.take(n.arange(3), [4], None, None, "clip"), lambda n: [2]),
    "nancumsum": (lambda n: n.nancumsum(n.eye(2) * n.asarray([1, n.nan])), lambda n: [1] * 4),
}


@pytest.mark.parametrize("name", SPELT)
def test_numpys_spellings_work(name: str) -> None:
    module: Any = xp
    call, wanted = SPELT[name]
    got = call(module)
    theirs = call(np)
    if isinstance(got, xp.Array):
        assert np.allclose(got.to_numpy(), wanted(module))
        assert np.allclose(theirs, wanted(module))
    else:
        assert got == wanted(module) == theirs


def test_spellings_are_not_listed() -> None:
    from isthmus import _names

    for name, ours in _names.SPELLINGS.items():
        assert name not in dir(xp)
        assert getattr(xp, name) is getattr(xp, ours)
        assert hasattr(np, name) or name in ("alltrue", "sometrue", "product")
    for name in _names.FUNCTIONS:
        assert name not in dir(xp)
        assert getattr(xp, name).__doc__


def test_what_there_is_not_names_what_is_near() -> None:
    module: Any = xp
    with pytest.raises(
        AttributeError, match=r"no attribute 'aray'; similar names are: array, asarray"
    ):
        _ = module.aray
    with pytest.raises(AttributeError, match=r"'linspac'.*linspace"):
        _ = module.linspac
    with pytest.raises(AttributeError, match=r"x\.to_numpy\(\) is an array that numpy\.fft2"):
        _ = module.fft2 if hasattr(np, "fft2") else _raise_like("fft2")
    with pytest.raises(AttributeError, match=r"'unique'; use instead: unique_values, "):
        _ = module.unique
    with pytest.raises(AttributeError, match=r"no attribute 'in1d'; use instead: isin$"):
        _ = module.in1d
    assert not hasattr(xp, "__wrapped__")


def _raise_like(name: str) -> Any:
    raise AttributeError(f"x.to_numpy() is an array that numpy.{name} takes")
