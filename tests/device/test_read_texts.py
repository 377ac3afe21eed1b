"""Users' texts that are plain arithmetic: the library reads them, so that they run on the host
without a compiler, with the bits that a compiler gives them. What is not surely understood is left
to compilers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.random_texts import TextMaker
from tests.ways import DEVICES, REAL

ON_HOST = [name for name in REAL if xp.Device(name).info["unified_memory"]]
INTERPRETER = "null:1"  # runs what was read, and nothing else
has_interpreter = pytest.mark.skipif(INTERPRETER not in DEVICES, reason="build the null backend")
A = np.linspace(-2, 3, 12, dtype="f4")


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda policy: monkeypatch.setattr(xp.config, "inline", policy)


def results(maker: TextMaker, arrays: list[Any], device: str) -> list[Any]:
    made = xp.ElementwiseKernel(*maker.parameters, maker.operation)(
        *(put(array, device) for array in arrays)
    )
    return [get(one) for one in (made if isinstance(made, tuple) else (made,))]


def check_same(got: list[Any], wanted: list[Any], what: str) -> None:
    for one, other in zip(got, wanted, strict=True):
        assert one.dtype == other.dtype
        same = (one == other) & (np.signbit(one) == np.signbit(other)) if one.dtype.kind == "f" else one == other
        if one.dtype.kind == "f":
            same |= np.isnan(one) & np.isnan(other)
        assert same.all(), f"{what}: {one[~same][:3]} is not {other[~same][:3]}"


@has_interpreter
@pytest.mark.parametrize("seed", range(24))
def test_random_texts_have_the_bits_of_a_compiler(seed: int, inline: Any) -> None:
    maker = TextMaker(seed)
    arrays = maker.elements(50)
    read = results(maker, arrays, INTERPRETER)
    check_same(results(maker, arrays, "cpu"), read, maker.operation)
    for device in ON_HOST:
        inline("0")
        launched = results(maker, arrays, device)
        inline("1")
        what = f"{device}: {maker.parameters}, {maker.operation}"
        check_same(launched, read, what)
        check_same(results(maker, arrays, device), launched, what)
