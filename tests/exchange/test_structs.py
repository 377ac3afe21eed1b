"""Structs, packed and aligned, and their fields, by each protocol of the host."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts, showing

SHARED = [name for name, (_, refused) in layouts.PACKED.items() if not refused]
REFUSED = [name for name, (_, refused) in layouts.PACKED.items() if refused]
STRUCTS = [name for name in layouts.PACKED if name.startswith("records")]
OURS: dict[str, Callable[[Any], Any]] = {
    "array_method": lambda x: x.__array__(copy=False),
    "buffer_protocol": lambda x: np.asarray(memoryview(x)),
    # whose descr has the padding, which NumPy reads as fields
    "array_interface": lambda x: np.asarray(showing.Interface(x)).view(x.dtype),
}


def has(value: int, a: Any) -> bool:
    """Whether all numbers of all elements are this."""
    fields = a.dtype.names
    return bool(np.all(a == value)) if fields is None else all(has(value, a[f]) for f in fields)


@pytest.mark.parametrize("protocol", showing.ONLY)
@pytest.mark.parametrize("name", SHARED)
def test_packed_records_and_whole_fields_are_shared(name: str, protocol: str) -> None:
    a = layouts.PACKED[name][0]()
    if protocol == "dlpack" and name in STRUCTS:
        with pytest.raises(BufferError, match="dtypes"):  # NumPy, of its own
            isthmus.from_dlpack(showing.Capsule(a))
        return
    x = isthmus.asarray(showing.ONLY[protocol](a), copy=False)
    assert x.dtype == a.dtype
    assert layouts.address(np.asarray(x)) == layouts.address(a)
    a[...] = 7
    assert has(7, np.asarray(x))
    x[...] = np.full((), 8, dtype=a.dtype)
    assert has(8, a)


@pytest.mark.parametrize("protocol", showing.ONLY)
@pytest.mark.parametrize("name", REFUSED)
def test_fields_that_lie_between_elements_are_refused_by_name(name: str, protocol: str) -> None:
    make, refused = layouts.PACKED[name]
    a = make()
    if protocol == "dlpack" and name == "fraction_field":
        refused = "strides"  # NumPy, of its own
    with pytest.raises(isthmus.CopyRefusedError, match=f"{protocol}: .*{refused}"):
        isthmus.asarray(showing.ONLY[protocol](a), copy=False)
    if protocol != "ndarray":  # a copy is NumPy's to make, of what is NumPy's
        with pytest.raises(isthmus.ExchangeError, match=f"{protocol}: .*{refused}"):
            isthmus.asarray(showing.ONLY[protocol](a))
    else:
        before = isthmus.statistics()["copies"]
        x = isthmus.asarray(a)
        assert isthmus.statistics()["copies"] == before + 1
        a[...] = 7
        assert has(0, np.asarray(x))


@pytest.mark.parametrize("name", REFUSED)
def test_L12_from_dlpack_copies_such_fields_only_when_asked_to(name: str) -> None:
    make, refused = layouts.PACKED[name]
    a = make()
    with pytest.raises(isthmus.ExchangeError, match=f"ndarray: {refused}"):
        isthmus.from_dlpack(a)
    with pytest.raises(BufferError, match=r"strides|misaligned"):
        isthmus.from_dlpack(a, copy=False)
    x = isthmus.from_dlpack(a, copy=True)
    a[...] = 7
    assert has(0, np.asarray(x))


@pytest.mark.parametrize("protocol", OURS)
@pytest.mark.parametrize("align", [False, True], ids=["packed", "aligned"])
@pytest.mark.parametrize("step", [1, -2])
def test_our_structs_are_shown_in_place(protocol: str, align: bool, step: int) -> None:
    dtype = np.dtype([("a", "i1"), ("b", "f8"), ("c", "f4", (2,))], align=align)
    x = isthmus.zeros(6, dtype=dtype)[::step]
    a = OURS[protocol](x)
    assert a.dtype == dtype
    assert a.strides == (step * dtype.itemsize,)
    assert layouts.address(a) == layouts.address(np.asarray(x))
    a[...] = 7
    assert has(7, np.asarray(x.copy()))
    x[...] = np.full((), 8, dtype=dtype)
    assert has(8, a)


@pytest.mark.parametrize("protocol", OURS)
@pytest.mark.parametrize("dies_first", ["ours", "numpy"])
def test_lifetimes_of_our_structs(protocol: str, dies_first: str) -> None:
    x = isthmus.asarray(np.full((3,), 5, dtype="i1, f8")).copy().eval()
    assert not layouts.is_shared(x)
    a = OURS[protocol](x)
    assert layouts.is_shared(x)
    if dies_first == "ours":
        del x
        gc.collect()
        assert has(5, a)
    else:
        del a
        gc.collect()
        assert has(5, np.asarray(x))
        # who asked for the address holds the array itself until that dies
        assert layouts.is_shared(x) == (protocol == "array_interface")


STRANGE: dict[str, Any] = {
    "whole_but_for_the_end": np.dtype("f8, i1"),
    "halves_after_whole": np.dtype("f4, i2"),
    "aligned": np.dtype("i1, f8, (2,)f4", align=True),
    "nested": np.dtype([("a", "f4"), ("b", [("x", "i2"), ("y", "i1")])]),
    "out_of_order": np.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [4, 0]}),
    "overlapping": np.dtype({"names": ["a", "b"], "formats": ["f8", "i4"], "offsets": [0, 4]}),
    "gap_at_the_end": np.dtype({"names": ["a"], "formats": ["f4"], "itemsize": 16}),
    "bfloat16": np.dtype([("a", ml_dtypes.bfloat16), ("b", "i2")]),
}
NO_FORMAT = ("out_of_order", "overlapping", "gap_at_the_end", "bfloat16")  # that NumPy writes


@pytest.mark.parametrize("name", STRANGE)
def test_structs_that_come_in_are_shown_with_their_own_dtype(name: str) -> None:
    a = np.zeros(3, dtype=STRANGE[name])
    x = isthmus.asarray(a, copy=False)
    b = x.__array__()
    assert x.dtype == b.dtype == np.asarray(x).dtype == a.dtype
    assert layouts.address(b) == layouts.address(a)
    a[...] = np.ones((), dtype=a.dtype)
    assert str(x.tolist()) == str(b.tolist()) == str(a.tolist())
    assert repr(x.copy()) == repr(x)


@pytest.mark.parametrize("name", STRANGE)
def test_structs_that_come_in_have_a_buffer_or_are_refused_one(name: str) -> None:
    x = isthmus.asarray(np.zeros(3, dtype=STRANGE[name]), copy=False)
    hasattr(x, "__array_interface__")  # asks without an error
    try:
        view = memoryview(x)
    except BufferError:
        assert name in NO_FORMAT
    else:
        assert np.asarray(view).dtype == x.dtype


@pytest.mark.parametrize("name", STRANGE)
def test_structs_of_objects_that_have_the_method_keep_their_dtype(name: str) -> None:
    a = np.zeros(3, dtype=STRANGE[name])
    assert isthmus.asarray(showing.Method(a), copy=False).dtype == a.dtype


def test_structs_that_differ_in_titles_only_keep_their_own() -> None:
    titled, plain = np.dtype([(("title", "of_one"), "f8")]), np.dtype([("of_one", "f8")])
    for dtype in (titled, plain):
        assert isthmus.asarray(np.zeros(3, dtype=dtype)).dtype == dtype


def test_full_takes_structs_as_setitem_does() -> None:
    dtype = np.dtype("i1, f8")
    wanted = np.array([(1, 2.5)] * 3, dtype=dtype)
    for x in (
        isthmus.full(3, (1, 2.5), dtype=dtype),
        isthmus.full((3,), wanted[0]),
        isthmus.full_like(isthmus.zeros(3, dtype=dtype), (1, 2.5)),
    ):
        assert x.dtype == dtype
        assert np.array_equal(np.asarray(x), wanted)
    with pytest.raises(ValueError, match="length 3"):
        isthmus.full(3, (1, 2, 3), dtype=dtype)
    with pytest.raises(TypeError, match="tuple"):
        isthmus.full(3, (1, 2))


def test_padding_of_structs_at_odd_addresses_is_padding() -> None:
    inner = np.dtype([("q", "i2"), ("r", "u1")], align=True)
    dtypes: tuple[np.dtype[Any], ...] = (
        np.dtype([("s", inner, (2,)), ("v", "f4")], align=True),
        np.dtype([("s", inner), ("v", "f4")], align=True),
        np.dtype([("v", "f8"), ("s", inner)], align=True),  # padding at the end
    )
    for dtype in dtypes:
        a = np.zeros(3, dtype)
        a["s"]["q"] = np.arange(a["s"]["q"].size).reshape(a["s"]["q"].shape)
        a["v"] = 7
        odd: Any = np.frombuffer(bytearray(b"\0" * 3 + a.tobytes()), np.uint8)[3:].view(dtype)
        assert not odd.flags.aligned
        back, views = odd[::-1], memoryview(odd)
        for given, wanted in ((odd, odd), (back, back), (views, odd), (views[1:], odd[1:])):
            x = isthmus.asarray(given)
            assert x.dtype.names == dtype.names and x.dtype.itemsize == dtype.itemsize
            assert x.to_numpy()["s"]["q"].tolist() == wanted["s"]["q"].tolist()
            assert x.to_numpy()["v"].tolist() == [7] * len(wanted)
        x = isthmus.asarray(a)
        x[...] = isthmus.asarray(odd[::-1])
        assert a["s"]["q"].tolist() == odd[::-1]["s"]["q"].tolist()
