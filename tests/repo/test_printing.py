"""Arrays print as NumPy's do, and only what is shown leaves the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _printing
from tests.ways import DEVICES

SHAPES: tuple[tuple[int, ...], ...] = (
    (),
    (0,),
    (3,),
    (2000,),
    (7, 200),
    (200, 7),
    (200, 6),
    (40, 50),
    (3, 0),
    (2, 2000),
    (7, 8, 90),
    (1001, 1),
)


def of_numpy(text: str) -> str:
    """What NumPy's repr says of the elements and, where it does, of the shape."""
    body = text.removeprefix("array(").removesuffix(")")
    return " ".join(body.split())


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["int64", "float64", "bool"])
@pytest.mark.parametrize("device", [name for name in ("cpu", "null:1") if name in DEVICES])
def test_repr_and_str_are_numpys(shape: tuple[int, ...], dtype: str, device: str) -> None:
    count = int(np.prod(shape))
    numbers: Any = (np.arange(count) * 1.5).reshape(shape).astype(dtype)
    x = xp.asarray(numbers, device=device, copy=True)
    assert str(x) == str(numbers)
    ours = " ".join(repr(x).removeprefix("isthmus.array(").split(", device=")[0].split())
    if count:  # NumPy has no shape= for (0,)
        expected = of_numpy(repr(numbers)).removesuffix(f", dtype={dtype}")
        assert ours == expected


def test_print_options_of_numpy_hold() -> None:
    numbers = np.arange(50)
    with np.printoptions(threshold=10, edgeitems=2):
        assert repr(xp.asarray(numbers)).startswith(
            "isthmus.array([ 0,  1, ..., 48, 49], shape=(50,)"
        )
        assert str(xp.asarray(numbers)) == str(numbers)


@pytest.mark.skipif("null:2" not in DEVICES, reason="there is no null backend; build it")
def test_only_what_is_shown_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    copied = []
    host = _printing._host

    def counted(array: Any) -> Any:
        copied.append(array.size)
        return host(array)

    monkeypatch.setattr(_printing, "_host", counted)
    x = xp.zeros((300, 5000), dtype="float32", device="null:2")
    assert "shape=(300, 5000), dtype=float32, device='null:2'" in repr(x)
    assert copied == [49]
