"""A bool of others is any byte: what is not 0 is true, as NumPy has it, whoever looks and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.ways import Way

BYTES = [0, 1, 2, 255, 128, 0, 3, 1]


def foreign() -> Any:
    return np.array(BYTES, np.uint8).view(np.bool_)


class Shown:
    def __init__(self, a: Any) -> None:
        self.a, self.__array_interface__ = a, a.__array_interface__


class Tensor:
    def __init__(self, a: Any) -> None:
        self.a = a

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.a.__dlpack__(**keywords)

    def __dlpack_device__(self) -> Any:
        return self.a.__dlpack_device__()


def of_a_struct() -> Any:
    a = np.zeros(8, np.dtype([("flag", "?"), ("x", "u1")]))
    a.view(np.uint8)[::2] = BYTES
    return xp.asarray(a)["flag"]


def of_ours_that_others_wrote() -> Any:
    x = xp.zeros(8, dtype="bool")
    np.asarray(x).view(np.uint8)[...] = BYTES
    return x


def from_memory() -> Any:
    m = xp.memory.MemoryHost(8)
    m.copy_from_host(bytes(BYTES))
    return xp.from_memory(m, (8,), "bool")


SOURCES: dict[str, Callable[[], Any]] = {
    "ndarray": lambda: xp.asarray(foreign()),
    "dlpack": lambda: xp.from_dlpack(Tensor(foreign())),
    "array_interface": lambda: xp.asarray(Shown(foreign())),
    "buffer": lambda: xp.asarray(memoryview(foreign())),
    "struct": of_a_struct,
    "ours": of_ours_that_others_wrote,
    "memory": from_memory,
}

USES: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda n, x: n.sum(x),
    "prod": lambda n, x: n.prod(x),
    "max": lambda n, x: n.max(x),
    "min": lambda n, x: n.min(x[1:4]),
    "any": lambda n, x: n.any(x),
    "all": lambda n, x: n.all(x[1:4]),
    "and True": lambda n, x: x & True,
    "and itself": lambda n, x: x & x[::-1],
    "or": lambda n, x: x | False,
    "xor": lambda n, x: x ^ True,
    "not": lambda n, x: ~x,
    "logical_not": lambda n, x: n.logical_not(x),
    "equal True": lambda n, x: x == True,  # noqa: E712
    "equal": lambda n, x: x == x[::-1],
    "less": lambda n, x: x < x[::-1],
    "add": lambda n, x: x + 1,
    "bools added": lambda n, x: x + x[::-1],
    "multiply": lambda n, x: x * 3.0,
    "where": lambda n, x: n.where(x, 5, 7),
    "astype int": lambda n, x: n.astype(x, "int32"),
    "astype float": lambda n, x: n.astype(x, "float32"),
    "copy": lambda n, x: n.astype(x, "bool").copy().view("u1") if n is np else x.copy(),
    "concat": lambda n, x: n.concat([x, x]) + 0,
    "sum of views": lambda n, x: n.sum(n.reshape(x, (2, 4)), axis=0),
    "maximum": lambda n, x: n.maximum(x, x[::-1]),
}


@pytest.mark.sampled("use")
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_not_zero_is_true(way: Way, device: xp.Device, source: str, use: str) -> None:
    wanted = USES[use](np, np.array(BYTES).astype(bool))
    x = xp.asarray(SOURCES[source](), device=device)
    assert x.to_numpy().tolist() == [bool(b) for b in BYTES]
    got = USES[use](xp, x)
    assert xp.astype(got, "float32").to_numpy().tolist() == np.asarray(wanted, "f4").tolist()
    if way.device == "cpu" and got.dtype == xp.bool:
        assert set(np.atleast_1d(got.to_numpy()).view(np.uint8).tolist()) <= {0, 1}


def test_elements_read_one_by_one_are_bools() -> None:
    for source in SOURCES.values():
        x = source()
        assert [x[i].item() for i in range(8)] == [bool(b) for b in BYTES]
        assert [bool(x[i]) for i in range(8)] == [bool(b) for b in BYTES]
        assert x.tolist() == [bool(b) for b in BYTES]


def test_in_place_and_assignment_write_zeros_and_ones() -> None:
    a = foreign()
    x = xp.asarray(a)
    x &= True
    assert a.view(np.uint8).tolist() == [int(b != 0) for b in BYTES]
    y = xp.zeros(8, dtype="bool")
    y[...] = xp.asarray(foreign())
    assert np.asarray(y).view(np.uint8).tolist() == [int(b != 0) for b in BYTES]


def test_bools_of_our_own_need_no_second_look() -> None:
    """The kernel of a comparison's result has no step more than it needs."""
    x = (xp.arange(8) > 3).eval()
    assert xp.source(xp.logical_not(x)).count("(uchar)") <= 1
    assert "!= 0" not in xp.source(xp.logical_not(x))


def test_one_element_is_written_as_zero_or_one() -> None:
    found = xp.asarray(foreign())
    x = xp.zeros(len(BYTES), dtype=xp.bool).eval()
    for i in range(len(BYTES)):
        x[i] = found[i]
    assert np.asarray(x).view(np.uint8).tolist() == [int(byte != 0) for byte in BYTES]
