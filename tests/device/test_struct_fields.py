"""Fields of structs are views of any layout that can be written to, shared with NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get
from tests.ways import Way

PARTICLE = np.dtype(
    [
        ("x", "f4"),
        ("y", "f4"),
        ("mass", "f8"),
        ("v", "f4", (2,)),
        ("id", "i4"),
        ("flag", "?"),
        ("z", "c8"),
        ("cell", [("i", "i2"), ("j", "i2")]),
    ],
    align=True,
)
SIMPLE = ("x", "y", "mass", "v", "id", "z")


def particles(shape: tuple[int, ...] = (6,)) -> Any:
    a: Any = np.zeros(shape, PARTICLE)
    count = a.size
    a["x"] = np.arange(count).reshape(shape)
    a["y"] = -a["x"]
    a["mass"] = a["x"] / 4
    a["v"] = np.arange(2 * count).reshape(*shape, 2)
    a["id"] = np.arange(count).reshape(shape) * 7
    a["flag"] = a["id"] % 2 == 0
    a["z"] = a["x"] + 1j
    a["cell"]["i"], a["cell"]["j"] = a["id"] + 1, a["id"] + 2
    return a


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "whole": lambda a: a,
    "part": lambda a: a[1:4],
    "backwards": lambda a: a[::-2],
    "one": lambda a: a[2:3],
    "none": lambda a: a[:0],
    "rows": lambda a: a.reshape(2, 3),
    "transposed": lambda a: a.reshape(2, 3).T,
    "element": lambda a: a[2, ...],
    "column": lambda a: a.reshape(2, 3)[:, 1],
}


def take(x: Any, layout: str) -> Any:
    return LAYOUTS[layout](x)


@pytest.mark.no_kernel
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*SIMPLE, "flag", "cell"])
def test_a_field_is_what_numpy_has(way: Way, device: xp.Device, name: str, layout: str) -> None:
    a = particles()
    if name in ("mass",) and not device.info["fp64"]:
        pytest.skip("no doubles")
    p = xp.asarray(a, device=device, copy=True)
    got, wanted = take(p, layout)[name], take(a, layout)[name]
    assert (got.shape, got.dtype, got.device) == (wanted.shape, wanted.dtype, device)
    assert np.array_equal(get(got), wanted)
    if wanted.size:
        assert [s * got.itemsize for s in got.strides] == list(wanted.strides) or 1 in wanted.shape


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", SIMPLE)
def test_writing_to_a_field_changes_the_structs(
    way: Way, device: xp.Device, name: str, layout: str
) -> None:
    if name == "mass" and not device.info["fp64"]:
        pytest.skip("no doubles")
    a = particles()
    p = xp.asarray(a, device=device, copy=True)
    for x in (p, a):
        part = take(x, layout)
        if part.ndim:
            part[name] = part[name][::-1] if isinstance(x, np.ndarray) else part[name][::-1] + 0
        part[name] *= 2
        part[name] += 1
        x[name][:2] = 9
    assert get(p).tobytes() == a.tobytes()


def test_fields_are_shared_with_numpy_both_ways() -> None:
    a = particles()
    p = xp.asarray(a)
    x, v = p["x"], p["v"]
    a["x"] = 5
    assert x.tolist() == [5.0] * 6
    x[1] = 6
    v[:, 1] = 8
    assert a["x"][1] == 6
    assert a["v"][:, 1].tolist() == [8.0] * 6
    back = np.asarray(p["id"])
    assert back.ctypes.data == a["id"].ctypes.data
    assert back.strides == a["id"].strides
    # a strided field of NumPy's comes in as it is
    assert xp.asarray(a["y"]).strides == p["y"].strides
    np.from_dlpack(p["y"])[...] = 3
    assert a["y"].tolist() == [3.0] * 6


def test_fields_of_fields_and_of_arrays_of_them() -> None:
    a = particles()
    p = xp.asarray(a)
    assert p["cell"].dtype == PARTICLE["cell"]
    assert p["cell"]["j"].tolist() == a["cell"]["j"].tolist()
    p["cell"]["j"][1:] = 3
    assert a["cell"]["j"].tolist() == [2, 3, 3, 3, 3, 3]
    dtype = np.dtype([("n", "i4"), ("corner", [("x", "f4"), ("y", "f4")], (2, 2))], align=True)
    b: Any = np.zeros(3, np.dtype([("n", "f8"), ("corner", [("x", "f4"), ("y", "f4")], (2, 2))]))
    b["corner"]["y"] = np.arange(12).reshape(3, 2, 2)
    q = xp.asarray(b)
    assert dtype["corner"].shape == (2, 2)
    assert q["corner"].shape == (3, 2, 2)
    assert q["corner"]["y"].tolist() == b["corner"]["y"].tolist()


def test_several_fields_are_structs_of_those() -> None:
    a = particles()
    p = xp.asarray(a)
    for names in (["x"], ["y", "x"], ["mass", "cell", "v"], ["flag", "id"]):
        part = p[names]
        assert part.dtype == a[names].dtype
        assert np.array_equal(np.asarray(part), a[names])
    p[["x", "y"]]["y"][...] = 4
    assert a["y"].tolist() == [4.0] * 6
    p[["x", "y"]][0] = (1.5, 2.5)
    assert (a["x"][0], a["y"][0]) == (1.5, 2.5)


def test_every_order_of_two_fields() -> None:
    a = particles()
    p = xp.asarray(a)
    for names in itertools.permutations(SIMPLE[:4], 2):
        assert np.array_equal(np.asarray(p[list(names)]), a[list(names)])


def test_fields_of_what_is_read_only_are_read_only() -> None:
    a = particles()
    a.flags.writeable = False
    x = xp.asarray(a)["x"]
    assert x.is_read_only
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        xp.broadcast_to(xp.zeros(1, dtype=PARTICLE), (3,))["x"][0] = 1


PACKED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i1")])


def test_a_field_that_falls_between_elements_is_refused_with_what_would_do() -> None:
    p = xp.zeros(3, dtype=PACKED)
    assert p["a"].shape == (3,)
    text = r"float64 at byte 1 of structs of 10 bytes .* align=True.*x\.to_numpy\(\)\['b'\]"
    with pytest.raises(ValueError, match=text):
        p["b"]
    assert p.to_numpy()["b"].tolist() == [0.0] * 3
    with pytest.raises(ValueError, match="whole elements"):
        p["b"] = 1.0
    aligned = xp.zeros(3, dtype=np.dtype(PACKED.descr, align=True))
    aligned["b"] = 1.5
    assert aligned["b"].tolist() == [1.5] * 3
    inside = np.dtype([("p", [("x", "f4"), ("y", "f4"), ("z", "f4")]), ("w", "f4")])
    q = xp.zeros(3, dtype=inside)
    with pytest.raises(ValueError, match="whole elements"):
        q["p"]


def test_structs_at_odd_addresses_are_refused() -> None:
    raw = np.zeros(33, np.uint8)
    a = np.ndarray((4,), np.dtype([("x", "f4"), ("y", "f4")]), raw, 1)
    p = xp.asarray(a)
    with pytest.raises(ValueError, match="misaligned"):
        p["x"]


def test_what_is_no_field_is_refused() -> None:
    p = xp.zeros(3, dtype=PARTICLE)
    with pytest.raises(ValueError, match=r"no field 'q'; the fields are 'x', 'y', 'mass'"):
        p["q"]
    with pytest.raises(ValueError, match="no field 'q'"):
        p[["x", "q"]]
    with pytest.raises(ValueError, match="'x' is given twice"):
        p[["x", "x"]]
    assert p[[]].shape == (0, *p.shape[1:])  # no indices, as in NumPy
    with pytest.raises(IndexError):
        p["x", 0]
    with pytest.raises(IndexError, match="a str is not an index"):
        xp.ones(3)["x"]
    with pytest.raises(ValueError, match="no field 'q'"):
        p["q"] = 1
    swapped = xp.zeros(3, dtype=np.dtype([("x", ">f4")]))
    with pytest.raises(TypeError, match=r">f4 is not a dtype of Isthmus"):
        swapped["x"]


@pytest.mark.parametrize(
    "dtype",
    [
        [("a", "U3")],
        [("a", "S3")],
        [("a", "M8[s]")],
        [("a", "m8[s]")],
        [("a", "O")],
        [("n", [("b", "U2")])],
        [("x", "f4"), ("name", "S8")],
    ],
)
def test_text_dates_and_objects_are_no_fields(dtype: Any) -> None:
    with pytest.raises(TypeError):
        xp.zeros(3, dtype=dtype)
    with pytest.raises(TypeError):
        xp.empty(3, dtype=dtype)
    with pytest.raises((TypeError, BufferError)):
        xp.asarray(np.zeros(3, dtype))


def test_a_field_is_written_lazily_where_others_wait_for_it() -> None:
    p = xp.asarray(particles(), copy=True)
    y = p["x"] + 1
    before = y.is_pending
    p["x"] = 0
    assert y.tolist() == [1, 2, 3, 4, 5, 6], f"pending before: {before}"
    p["x"] = p["y"] * 2
    p["y"] = p["x"] + p["y"]
    assert p["y"].tolist() == [0, -3, -6, -9, -12, -15]


def test_titles_are_names_too() -> None:
    a: Any = np.zeros(3, np.dtype([(("the mass", "m"), "f4"), ("n", "i4")]))
    a["m"] = 2
    p = xp.asarray(a)
    assert p["the mass"].tolist() == p["m"].tolist() == [2.0] * 3


def test_bfloat16_and_half_fields() -> None:
    a: Any = np.zeros(3, np.dtype([("h", "f2"), ("b", xp.bfloat16)]))
    a["h"], a["b"] = 1.5, 2.5
    p = xp.asarray(a)
    assert (p["h"] + 1).tolist() == [2.5] * 3
    assert p["b"].dtype == xp.bfloat16
    p["b"] *= 2
    assert a["b"].astype("f4").tolist() == [5.0] * 3


def test_structs_of_the_other_byte_order_take_values(way: Way, device: xp.Device) -> None:
    dtype = np.dtype([("count", ">i4"), ("weight", "<f4"), ("at", [("i", ">i2")])])
    p = xp.zeros(4, dtype=dtype, device=device)
    a: Any = np.zeros(4, dtype)
    for x in (p, a):
        x[0] = (258, 1.5, (3,))
        x[1:3] = [(-2, 4, (5,)), (6, 7, (256,))]
    assert p.dtype == dtype
    assert get(p).tobytes() == a.tobytes()
    assert p.tolist() == a.tolist()
    made = xp.asarray(a.tolist(), dtype=dtype, device=device)
    assert made.dtype == dtype
    assert get(made).tobytes() == a.tobytes()
    assert xp.full(2, (1, 2, (3,)), dtype=dtype, device=device).tolist() == [(1, 2.0, (3,))] * 2


def test_structs_with_titles_are_written_one_by_one(way: Way, device: xp.Device) -> None:
    dtype = np.dtype([(("the first", "a"), "i4"), (("the second", "b"), "f4")])
    one: Any = np.array([(3, 0.5)], dtype)[0]
    assert type(one).__name__ == "void"
    x = xp.zeros(3, dtype, device=device)
    x[1] = one
    assert get(x).tolist() == [(0, 0), (3, 0.5), (0, 0)]
    assert get(xp.full(2, one, device=device)).tolist() == [(3, 0.5)] * 2


CELL = [("k", "i1"), ("at", [("i", "i2"), ("j", "f4")])]
# the same fields in the same places, once with C's alignment and once without
ALIGNED = np.dtype(CELL, align=True)
PLACES: Any = ALIGNED.fields
UNALIGNED = np.dtype(
    {
        "names": list(ALIGNED.names or ()),
        "formats": [PLACES[name][0] for name in ALIGNED.names or ()],
        "offsets": [PLACES[name][1] for name in ALIGNED.names or ()],
        "itemsize": ALIGNED.itemsize,
    }
)


def cells(dtype: np.dtype[Any], count: int) -> Any:
    a: Any = np.zeros(count, dtype)
    a["k"], a["at"]["i"], a["at"]["j"] = np.arange(count), 7, np.arange(count) / 8
    return a


@pytest.mark.parametrize(("first", "second"), [(ALIGNED, UNALIGNED), (UNALIGNED, ALIGNED)])
def test_structs_of_equal_dtypes_are_the_same_however_they_are_aligned(
    way: Way, device: xp.Device, first: np.dtype[Any], second: np.dtype[Any]
) -> None:
    assert ALIGNED == UNALIGNED and ALIGNED.isalignedstruct != UNALIGNED.isalignedstruct
    a, b = cells(first, 5), cells(second, 3)
    x, y = (xp.asarray(c, device=device, copy=True) for c in (a, b))
    assert np.array_equal(get(xp.concat([x, y])), np.concatenate([a, b]))
    assert np.array_equal(get(xp.stack([x[:3], y])), np.stack([a[:3], b]))
    assert np.array_equal(get(xp.astype(x, second)), a)
    assert x.astype(second).dtype == second
    assert xp.result_type(x, y) == first and xp.can_cast(first, second)
    same = xp.astype(x, second, copy=False)  # a view where any address will do
    expected = a.copy()
    for to, part in ((x, same), (expected, expected)):
        to[1:] = part[:-1]
    assert np.array_equal(get(x), expected)
    other = np.dtype([("k", "i1"), ("at", [("i", "i2"), ("j", "i4")])], align=True)
    assert not xp.can_cast(first, other)
    with pytest.raises(xp.PromotionError, match="no common dtype"):
        xp.concat([x, xp.zeros(2, dtype=other, device=device)])
    with pytest.raises(TypeError, match="cannot become"):
        x[...] = xp.zeros(5, dtype=other, device=device)
    for key in (slice(1, 4), np.array([4, 0, 2]), np.array([True, False, True, True, False])):
        x, expected = xp.asarray(a, device=device, copy=True), a.copy()
        x[key] = y[::-1]
        expected[key] = b[::-1]
        assert np.array_equal(get(x), expected), key
    x[2] = y[1]
    expected[2] = b[1]
    assert np.array_equal(get(x), expected)


def test_structs_at_odd_addresses_become_aligned_ones() -> None:
    raw = np.zeros(4 * ALIGNED.itemsize + 1, np.uint8)
    odd = raw[1:].view(UNALIGNED)
    odd[...] = cells(ALIGNED, 4)
    x = xp.asarray(odd)
    assert np.array_equal(xp.astype(x, ALIGNED).to_numpy(), cells(ALIGNED, 4))
    y = xp.zeros(4, dtype=ALIGNED)
    y[...] = x
    x[::2] = y[1::2]
    expected = cells(ALIGNED, 4)
    expected[::2] = expected[1::2]
    assert np.array_equal(odd, expected)
    y[np.array([3, 1])] = x[:2]
    assert np.array_equal(y.to_numpy()[[3, 1]], expected[:2])


@pytest.mark.parametrize("size", [1, 3, 8, 12, 16, 24, 32, 40])
@pytest.mark.parametrize("offset", [0, 4, 8])
def test_structs_of_any_size_are_chosen_and_put_at_indices(size: int, offset: int) -> None:
    rng = np.random.default_rng(size + offset)
    memory = rng.integers(0, 256, 500 * size + 8).astype(np.uint8)
    dtype = np.dtype([("bytes", "u1", (size,))])
    of = memory[offset : offset + 500 * size].view(dtype)
    for step in (1, -2):
        indices = rng.permutation(len(of[::step]))[:100]
        x = xp.asarray(of)[::step]
        assert get(x[xp.asarray(indices)]).tobytes() == of[::step][indices].tobytes()
        made, wanted = xp.asarray(of, copy=True)[::step], of.copy()
        made[xp.asarray(indices)] = xp.asarray(of[:100])
        wanted[::step][indices] = of[:100]
        assert get(made).tobytes() == wanted[::step].tobytes()
