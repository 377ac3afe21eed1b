"""Margins, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    LAYOUTS,
    REALS,
    assert_close,
    assert_same,
    dtype_of,
    get,
    needs,
    put,
    values_of,
)
from tests.device.test_neighbours import base
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())

# what the margins of each mode are made of
COPIES = ["edge", "reflect", "symmetric", "wrap"]
ODD = ["odd reflect", "odd symmetric"]
STATISTICS = ["mean", "median", "maximum", "minimum"]
MODES = ["constant", *COPIES, *ODD, *STATISTICS, "linear_ramp"]
WIDTHS: list[Any] = [0, 1, 3, (1, 2), ((0, 2), (4, 0)), ((1,),), ((25, 1), (2, 33)), {0: 1}]
WIDTHS += [{-1: (0, 2)}, [[1, 0], [0, 1]]]


def padded(n: Any, x: Any, width: Any, mode: str, **named: Any) -> Any:
    """The margins by this namespace; a mode may begin with its reflect_type."""
    kind, _, last = mode.rpartition(" ")
    return n.pad(x, width, last, **named, **({"reflect_type": kind} if kind else {}))


def assert_margins(got: xp.Array, wanted: Any, mode: str, note: object = "") -> None:
    """The same, but for sums of fractions in another order, and ramps in float32 where the device
    has no float64; there the steps of integers may be one apart.
    """
    elements = get(got)
    is_exact = elements.dtype.kind == "b" or mode not in ("mean", "linear_ramp")
    is_exact |= mode == "mean" and elements.dtype.kind in "iu"
    if is_exact or (mode == "linear_ramp" and got.device.info["fp64"]):
        assert_same(elements, wanted, note)
    elif elements.dtype.kind in "iu":
        assert elements.dtype == wanted.dtype and elements.shape == wanted.shape, note
        assert abs(elements.astype(int) - wanted.astype(int)).max(initial=0) <= 1, note
    else:
        assert elements.dtype == wanted.dtype, note
        assert_close(elements, wanted, note)


@pytest.mark.no_kernel  # some margins have no elements
@pytest.mark.sampled("mode", "layout", every=1)  # most have kernels
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("mode", MODES)
def test_margins_are_numpys(way: Way, device: xp.Device, mode: Any, layout: str) -> None:
    shown, x = LAYOUTS[layout](base(), np), LAYOUTS[layout](put(base(), device), xp)
    for width in WIDTHS:
        try:
            wanted = padded(np, shown, width, mode)
        except (ValueError, IndexError) as error:
            with pytest.raises(IndexError if isinstance(error, IndexError) else ValueError):
                padded(xp, x, width, mode)
            continue
        got = padded(xp, x, width, mode)
        assert_margins(got, wanted, mode, (mode, width))
        assert got.device == device and not got.is_read_only


@pytest.mark.parametrize("dtype", DTYPES)
def test_margins_have_the_dtype_of_the_array(way: Way, device: xp.Device, dtype: str) -> None:
    needs(device, dtype)
    a = (np.arange(6) % 2).astype(dtype_of(dtype)).reshape(2, 3)
    x = put(a, device)
    assert_same(get(xp.pad(x, 1)), np.pad(a, 1))
    assert_same(get(xp.pad(x, (1, 0), constant_values=1)), np.pad(a, (1, 0), constant_values=1))
    assert_same(get(xp.pad(x, ((1, 1), (0, 2)), "wrap")), np.pad(a, ((1, 1), (0, 2)), "wrap"))


def test_margins_have_constants_of_their_own(way: Way, device: xp.Device) -> None:
    a = base()
    x = put(a, device)
    constants: tuple[Any, ...] = ((7, 8), (7,), ((7, 8), (9, 10)), ((7,), (8,)), [[7, 8]], 7)
    for constant in (*constants, np.array([[7, 8], [9, 10]])):
        for width in (1, (2, 0), ((1, 2), (0, 3))):
            got = xp.pad(x, width, constant_values=constant)
            assert_same(get(got), np.pad(a, width, constant_values=constant), (constant, width))
    pairs = (put(np.array(3), device), np.int32(4))
    assert_same(get(xp.pad(x, 1, constant_values=pairs)), np.pad(a, 1, constant_values=(3, 4)))


def test_small_axes_are_mirrored_again_and_again(device: xp.Device) -> None:
    for length in (1, 2, 3):
        a = np.arange(length, dtype=np.int64)
        for mode in MODES[1:]:
            for width in ((0, 5), (7, 0), (4, 9)):
                got = padded(xp, put(a, device), width, mode)
                assert_margins(got, padded(np, a, width, mode), mode, (length, mode, width))


def test_a_margin_takes_few_kernels_however_wide_it_is(way: Way, device: xp.Device) -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = put(a, device)
    for mode in MODES[2:]:
        before = xp.statistics()["kernels"]
        got = padded(xp, x, ((2000, 1), (0, 7)), mode)
        # less, if they may fuse; odd mirrors are doubled again and again
        most = 60 if mode in (*ODD, "linear_ramp") else 40
        assert xp.statistics()["kernels"] - before <= most
        assert_margins(got, padded(np, a, ((2000, 1), (0, 7)), mode), mode, mode)
    struct = np.asarray([(1, 2.5), (3, 4.5), (5, 6.5)], [("a", "i4"), ("b", "f8")])
    assert get(xp.pad(put(struct, device), (5, 3), "reflect")).tolist() == (
        np.pad(struct, (5, 3), "reflect").tolist()
    )


def test_a_margin_past_all_memory_is_refused_at_once() -> None:
    x = xp.ones((2, 3))
    for mode in [*MODES, "empty"]:
        with pytest.raises(xp.OutOfMemoryError):
            padded(xp, x, ((2**44, 1), (0, 1)), mode).eval()  # more than there are addresses
        with pytest.raises(ValueError, match=r"pad: shape \(17592186044419, 175.* 2\^63-1"):
            padded(xp, x, ((2**44, 1), (2**44, 1)), mode)


def test_a_margin_of_nothing_is_new_memory(device: xp.Device) -> None:
    x = put(base(), device)
    for mode in [*MODES, "empty"]:
        for some in (x, x[1:1], x[1, 1]):
            before = get(some).copy()
            got = padded(xp, some, 0, mode)
            assert_same(get(got), before, mode)
            got[...] = 7
            assert_same(get(some), before, mode)


def test_margins_that_cannot_be_are_refused() -> None:
    x = xp.ones((2, 3))
    with pytest.raises(ValueError, match="pad: -1 before and -1 after axis 0"):
        xp.pad(x, -1)
    with pytest.raises(ValueError, match="pad: 2 pairs of widths for 1 axis; one for each"):
        xp.pad(x[0], ((1, 1), (1, 1)))
    with pytest.raises(ValueError, match="pad: mode: 'mirror' is none of constant, edge"):
        xp.pad(x, 1, "mirror")
    with pytest.raises(ValueError, match="pad: 3 pairs of widths for 2 axes"):
        xp.pad(x, ((1, 1), (1, 1), (1, 1)))
    with pytest.raises(ValueError, match="pad: pad_width: 3 numbers for one axis"):
        xp.pad(x, (1, 2, 3))
    with pytest.raises(ValueError, match="longer than 2"):
        xp.pad(x, 2**62)
    with pytest.raises(ValueError, match="pad: axis 0 has no elements to copy"):
        xp.pad(x[:0], 1, "edge")
    with pytest.raises(IndexError, match="pad: axis 2"):
        xp.pad(x, {2: 1})
    with pytest.raises(TypeError, match="pad: pad_width: expected an int, pairs of ints or a dict"):
        xp.pad(x, 1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pad: constant_values: an object is neither"):
        xp.pad(x, 1, constant_values=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pad: constant_values: expected a number, a pair"):
        xp.pad(x, 1, constant_values=((1, 2), ("a", 3)))
    with pytest.raises(ValueError, match="pad: constant_values: 3 numbers for one axis"):
        xp.pad(x, 1, constant_values=(1, 2, 3))
    with pytest.raises(ValueError, match="pad: 3 pairs of constants for 2 axes"):
        xp.pad(x, 1, constant_values=((1, 2), (3, 4), (5, 6)))
    with pytest.raises(OverflowError):
        xp.pad(x.astype("int8"), 1, constant_values=300)
    for mode, name in (("constant", "constant_values"), ("linear_ramp", "end_values")):
        with pytest.raises(OverflowError, match="an integer past 64 bits does not fit uint64"):
            padded(xp, x.astype("uint64"), 1, mode, **{name: 2**64})
        assert get(padded(xp, x, 1, mode, **{name: 2**64}))[0, 0] == 2**64


# ---- margins that are calculated


@pytest.mark.sampled("dtype", "mode", others=())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", [*ODD, *STATISTICS, "linear_ramp"])
def test_calculated_margins_have_the_dtype_of_the_array(
    way: Way, device: xp.Device, mode: str, dtype: str
) -> None:
    needs(device, dtype)
    for a in (values_of(dtype, (3, 4)), (np.arange(12) % 5).astype(dtype_of(dtype)).reshape(4, 3)):
        x = put(a, device)
        for width in (2, ((1, 4), (8, 0)), ((0, 0), (5, 7))):
            got = padded(xp, x, width, mode)
            assert got.device == device and not got.is_read_only
            assert_margins(got, padded(np, a, width, mode), mode, width)
        back = padded(xp, x[::-1, ::-2], (3, 1), mode)
        assert_margins(back, padded(np, a[::-1, ::-2], (3, 1), mode), mode, "back")


EDGES: list[Any] = [1, (2, 0), (0, 3), ((5, 2), (1, 6))]
LENGTHS: list[Any] = [None, 1, 2, 100, (1, 3), [[1, 2], [5, 3]], ((2,), (4,)), np.int8(2)]


@pytest.mark.sampled("mode")
@pytest.mark.parametrize("mode", STATISTICS)
def test_statistics_are_of_the_elements_at_the_edges(
    way: Way, device: xp.Device, mode: str
) -> None:
    rng = np.random.default_rng(5)
    for dtype in ("int16", "float32"):
        a = rng.integers(-50, 50, (4, 6)).astype(dtype)
        x = put(a, device)
        for length, width in itertools.product(LENGTHS, EDGES):
            got = xp.pad(x, width, mode, stat_length=length)
            wanted = padded(np, a, width, mode, stat_length=length)
            assert_margins(got, wanted, mode, (length, width))
    pairs = np.asarray([[1, 2], [3, 4]])
    got = xp.pad(x, 1, mode, stat_length=put(pairs, device))
    assert_margins(got, padded(np, a, 1, mode, stat_length=pairs), mode)
    others: list[tuple[Any, Any]] = [(a[:0], ((0, 0), (2, 1))), (a[0, 0], 3), (a[:1, :1], 2)]
    for some, width in others:
        got = xp.pad(put(some, device), width, mode)
        assert_margins(got, padded(np, some, width, mode), mode, width)


@pytest.mark.parametrize("mode", STATISTICS)
@pytest.mark.parametrize("dtype", [*REALS, *COMPLEX])
def test_statistics_of_nan_are_nan(device: xp.Device, mode: str, dtype: str) -> None:
    needs(device, dtype)
    a = np.array([[1, np.nan, 3], [-2, -1, 0]]).astype(dtype_of(dtype))
    got = get(xp.pad(put(a, device), ((0, 0), (1, 1)), mode))
    assert np.isnan(got[0, 0]) and np.isnan(got[0, -1])
    assert_same(got[1:], padded(np, a[1:], ((0, 0), (1, 1)), mode))


def test_statistics_of_integers_round_halves_to_even(device: xp.Device) -> None:
    for a in ([0, 1], [1, 2], [2, 3], [-1, 0], [-1, -2]):
        row = np.array(a, np.int8)
        for mode in ("mean", "median"):
            got = get(xp.pad(put(row, device), 1, mode))
            assert_same(got, padded(np, row, 1, mode), (a, mode))
            assert got[0] % 2 == 0


ENDS: list[Any] = [0, 3, -2.5, (1, 7), [[1, 2], [3, 4]], ((5,), (6,)), True, np.float32(2)]


def test_ramps_end_in_numbers(way: Way, device: xp.Device) -> None:
    rng = np.random.default_rng(6)
    for dtype in ("int16", "float32"):
        a = rng.integers(-50, 50, (3, 4)).astype(dtype)
        x = put(a, device)
        for end, width in itertools.product(ENDS, [*EDGES, 4]):
            got = xp.pad(x, width, "linear_ramp", end_values=end)
            wanted = padded(np, a, width, "linear_ramp", end_values=end)
            if type(end) not in (int, float) and dtype == "float32":
                assert_close(get(got), wanted, (end, width))  # NumPy's may be in float32
            else:
                assert_margins(got, wanted, "linear_ramp", (end, width))
    ends: Any = (put(np.array(3), device), np.int32(-4))
    got = xp.pad(x, 2, "linear_ramp", end_values=ends)
    assert_same(get(got), padded(np, a, 2, "linear_ramp", end_values=(3, -4)))
    others: list[tuple[Any, Any]] = [(a[:0], ((0, 0), (2, 1))), (a[0, 0], 3), (a[:1, :1], 2)]
    for some, width in others:
        got = xp.pad(put(some, device), width, "linear_ramp")
        assert_margins(got, padded(np, some, width, "linear_ramp"), "linear_ramp", width)


def test_ramps_of_complex_numbers(device: xp.Device) -> None:
    a = np.array([1 + 2j, -3 + 5j, 4], np.complex64)
    ends: list[Any] = [3j, (1 - 1j, 2)]
    for end in ends:
        got = xp.pad(put(a, device), (4, 3), "linear_ramp", end_values=end)
        wanted = padded(np, a, (4, 3), "linear_ramp", end_values=end)
        assert_margins(got, wanted, "linear_ramp", end)


def test_ramps_of_the_smallest_numbers_are_numpys() -> None:
    a = np.array([5e-324, 3.0, 1e-323])
    for width in (3, (7, 2)):
        got = xp.pad(xp.asarray(a), width, "linear_ramp")
        assert_same(get(got), padded(np, a, width, "linear_ramp"), width)


def test_odd_mirrors_wrap_around_as_integers_do(device: xp.Device) -> None:
    for dtype in ("int8", "uint8", "uint64", "bool"):
        a = np.array([0, 100, 1, 120, 7]).astype(dtype)
        for mode in ODD:
            for width in ((1, 4), (30, 3), (0, 77)):
                got = padded(xp, put(a, device), width, mode)
                assert_same(get(got), padded(np, a, width, mode), (dtype, mode, width))


def test_empty_margins_are_around_the_array(way: Way, device: xp.Device) -> None:
    for dtype in ("bool", "int16", "float32", "complex64"):
        a = values_of(dtype, (3, 4))
        got = xp.pad(put(a, device)[::-1], ((1, 2), (3, 0)), "empty")
        assert got.shape == (6, 7) and got.device == device and not got.is_read_only
        assert_same(get(got[1:4, 3:]), a[::-1])
    assert xp.pad(put(a[:0], device), 2, "empty").shape == (4, 8)
    struct = np.asarray([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
    inside = xp.pad(put(struct, device), (2, 1), "empty")[2:4]
    assert get(inside).tolist() == struct.tolist()


@pytest.mark.parametrize(
    ("mode", "named", "error", "text"),
    [
        (
            "edge",
            {"end_values": 1},
            ValueError,
            "mode 'edge' does not accept end_values; use 'linear_ramp'",
        ),
        (
            "wrap",
            {"constant_values": 0},
            ValueError,
            "does not accept constant_values; use 'constant'",
        ),
        (
            "reflect",
            {"stat_length": 1},
            ValueError,
            "does not accept stat_length; use 'mean', 'median', 'ma",
        ),
        (
            "mean",
            {"reflect_type": "odd"},
            ValueError,
            "does not accept reflect_type; use 'reflect' or 'symm",
        ),
        ("reflect", {"reflect_type": "funny"}, ValueError, "'funny' is neither even nor odd"),
        ("reflect", {"reflect_type": ""}, ValueError, "'' is neither even nor odd"),
        ("mean", {"stat_length": 0}, ValueError, "stat_length is 0; it must be 1 or more"),
        ("maximum", {"stat_length": (1, -2)}, ValueError, "stat_length is -2; it must be 1"),
        ("mean", {"stat_length": True}, TypeError, "stat_length: expected ints, not a bool"),
        ("mean", {"stat_length": (1, True)}, TypeError, "stat_length: expected ints, not a bool"),
        ("mean", {"stat_length": 2.5}, TypeError, "stat_length: expected an int or pairs of ints"),
        ("mean", {"stat_length": "a"}, TypeError, "stat_length: expected an int or .*not a str"),
        ("mean", {"stat_length": {0: 1}}, TypeError, "expected an int or .*not a dict"),
        ("mean", {"stat_length": []}, ValueError, "stat_length: no numbers; expected one, a pair"),
        ("mean", {"stat_length": (1, 2, 3)}, ValueError, "stat_length: 3 numbers for one axis"),
        ("mean", {"stat_length": [[1, 2]] * 3}, ValueError, "3 pairs of stat_length for 2 axes"),
        ("linear_ramp", {"end_values": [[1, 2]] * 3}, ValueError, "3 pairs of end_values for 2"),
        ("linear_ramp", {"end_values": (1, 2, 3)}, ValueError, "end_values: 3 numbers for one"),
        ("linear_ramp", {"end_values": 1j}, TypeError, "end_values: complex128 cannot become"),
        ("linear_ramp", {"end_values": "a"}, TypeError, "end_values: expected a number, a pair"),
        ("linear_ramp", {"end_values": 128}, OverflowError, "end_values: 128 does not fit int8"),
        ("linear_ramp", {"end_values": -128.5}, OverflowError, "-129 does not fit int8"),
        ("linear_ramp", {"end_values": np.nan}, ValueError, "nan cannot become int8"),
    ],
)
def test_arguments_that_a_mode_does_not_take_are_refused(
    mode: str, named: dict[str, Any], error: type[Exception], text: str
) -> None:
    x = xp.ones((2, 3), dtype=xp.int8)
    with pytest.raises(error, match=f"^pad: .*{text}"):
        xp.pad(x, 1, mode, **named)


def test_widths_are_no_bools_and_structs_are_not_calculated() -> None:
    x = xp.ones((2, 3))
    widths: list[Any] = [True, (1, False), ((1, 2), (True, 3)), {0: True}]
    for width in widths:
        with pytest.raises(TypeError, match="pad: pad_width: expected ints, not a bool"):
            xp.pad(x, width)
    struct = xp.asarray(np.zeros(3, [("a", "i4"), ("b", "f8")]))
    for mode in [*STATISTICS, "linear_ramp"]:
        with pytest.raises(TypeError, match=f"pad: mode '{mode}': does not accept struct"):
            xp.pad(struct, 1, mode)
    with pytest.raises(TypeError, match="pad: mode 'reflect', reflect_type 'odd': does not acc"):
        xp.pad(struct, 1, "reflect", reflect_type="odd")
    for mode in [*STATISTICS, *ODD, "linear_ramp"]:
        with pytest.raises(ValueError, match="pad: axis 0 has no elements"):
            padded(xp, x[:0], 1, mode)
