"""Structs as values of users' kernels: mapped to, combined, scanned, read and written."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_raw_kernel import device as device

EXTREMES = np.dtype([("low", "f4"), ("high", "f4"), ("low_at", "i4"), ("high_at", "i4")])
FUNCTIONS = """
extremes of(float value, int at) {
  extremes made = {value, value, at, at};
  return made;
}
extremes both(extremes a, extremes b) {
  if (b.low < a.low || (b.low == a.low && b.low_at < a.low_at)) a.low = b.low, a.low_at = b.low_at;
  if (b.high > a.high || (b.high == a.high && b.high_at < a.high_at))
    a.high = b.high, a.high_at = b.high_at;
  return a;
}
"""
NONE = "{INFINITY, -INFINITY, INT_MAX, INT_MAX}"
FIND = xp.ReductionKernel(
    *("float32 x, int32 at", "extremes y", "of(x, at)", "both(a, b)", "y = a", NONE, "find"),
    preamble=FUNCTIONS,
    structs={"extremes": EXTREMES},
)
WIDTH = xp.ReductionKernel(
    *("T x", "T y", "of(x, 0)", "both(a, b)", "y = a.high - a.low", NONE, "width"),
    reduce_type=EXTREMES,
    preamble=FUNCTIONS,
    structs={"extremes": EXTREMES},
)
A = np.random.default_rng(11).integers(-999, 999, (5, 2600)).astype("f4")
POINT = np.dtype([("at", [("x", "f8"), ("y", "f8")]), ("count", "u1"), ("weights", "f4", (2, 3))])


def there(values: Any, device: str) -> xp.Array:
    return xp.asarray(np.asarray(values), device=device, copy=True)


def extremes_of(values: np.ndarray, axis: int | None) -> np.ndarray:
    """What FIND gives, whose positions are those along the axis."""
    made = np.empty(values.min(axis).shape, EXTREMES)
    made["low"], made["high"] = values.min(axis), values.max(axis)
    made["low_at"], made["high_at"] = values.argmin(axis), values.argmax(axis)
    return made


def test_extremes_along_any_axes_and_of_any_layout(device: str) -> None:
    x = there(A, device)
    along = there(np.arange(2600, dtype="i4"), device)
    down = there(np.arange(5, dtype="i4")[:, None], device)
    every = there(np.arange(A.size, dtype="i4").reshape(A.shape), device)
    for at, axis in ((along, 1), (down, 0), (every, None), (every, (0, 1))):
        got = get(FIND(x, at, axis=axis))
        assert got.dtype == EXTREMES
        np.testing.assert_array_equal(got, extremes_of(A, axis if isinstance(axis, int) else None))
    kept = get(FIND(x.T[::-1], down.T, axis=1, keepdims=True))
    np.testing.assert_array_equal(kept, extremes_of(A.T[::-1], 1)[:, None])
    each = get(FIND(x[:, ::500], 7, axis=()))
    np.testing.assert_array_equal(each["low"], A[:, ::500])
    np.testing.assert_array_equal(each["high_at"], np.full((5, 6), 7))
    np.testing.assert_array_equal(get(FIND(x, along, axis=1)["high"]), A.max(1))


def test_no_elements_are_the_identity(device: str) -> None:
    x = there(A, device)
    got = get(FIND(x[:, :0], 0, axis=1))
    assert got.shape == (5,)
    assert got[0].tolist() == (np.inf, -np.inf, 2**31 - 1, 2**31 - 1)
    assert get(FIND(x[:0], 0, axis=1)).shape == (0,)
    assert WIDTH(x[:0]).item() == -np.inf
    text = ("float32 x", "extremes y", "of(x, 0)", "both(a, b)", "y = a")
    without = xp.ReductionKernel(*text, preamble=FUNCTIONS, structs={"extremes": EXTREMES})
    with pytest.raises(ValueError, match="no identity"):
        without(x[:0])
    assert get(without(x))["low"] == A.min()


def test_one_kernel_with_what_is_around_it(device: str) -> None:
    if device == "cpu":
        pytest.skip("a kernel of its own there")
    x = there(A, device)
    for axis in (0, 1):
        before = xp.statistics()["kernels"]
        got = (WIDTH(2 * x, axis=axis) + 1).eval()
        assert xp.statistics()["kernels"] == before + 1
        np.testing.assert_array_equal(get(got), 2 * (A.max(axis) - A.min(axis)) + 1)
    # results of several kernels of users that know the same struct
    low = xp.ElementwiseKernel(
        "extremes e", "float32 y", "y = e.low", structs={"extremes": EXTREMES}
    )
    widest = xp.ReductionKernel(
        *("extremes e", "extremes y", "e", "both(a, b)", "y = a", NONE, "widest"),
        preamble=FUNCTIONS,
        structs={"extremes": EXTREMES},
    )
    rows = FIND(x, 1, axis=1)
    assert get(widest(rows))["high"] == A.max()
    np.testing.assert_array_equal(get(low(rows)), A.min(1))


def scanned(values: np.ndarray, starts: np.ndarray, first: Any) -> np.ndarray:
    """Extremes up to each element of a row, or before it, by plain loops."""
    made = np.empty(values.shape, EXTREMES)
    for row, out, begins in zip(values, made, starts, strict=True):
        begin = 0
        for k in range(len(row)):
            begin = k if begins[k] else begin
            end = k if first is not None else k + 1
            some = row[begin:end]
            out[k] = first if not len(some) else extremes_of(some, None)[()]
            if len(some):
                out[k]["low_at"] += begin
                out[k]["high_at"] += begin
    return made


def test_scans_with_segments_and_without_the_element(device: str) -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(-99, 99, (2, 1500)).astype("f4")
    starts = rng.random(values.shape) < 0.01
    never = np.zeros_like(starts)
    at = there(np.arange(1500, dtype="i4"), device)
    first = (np.float32(np.inf), np.float32(-np.inf), 2**31 - 1, 2**31 - 1)
    for segment in (None, "start"):
        for exclusive in (False, True):
            scan = xp.ScanKernel(
                *("float32 x, int32 at, bool start", "extremes y", "of(x, at)", "both(a, b)"),
                "y = a",
                preamble=FUNCTIONS,
                is_segment_start_expr=segment,
                exclusive=exclusive,
                identity=NONE if exclusive else None,
                structs={"extremes": EXTREMES},
            )
            x, s = there(values, device), there(starts, device)
            wanted = scanned(values, starts if segment else never, first if exclusive else None)
            np.testing.assert_array_equal(get(scan(x, at, s, axis=1)), wanted)
            got = get(scan(x.T, at[:, None], s.T, axis=0))
            np.testing.assert_array_equal(got.T, wanted)
            assert get(scan(x[:, :0], at[:0], s[:, :0], axis=1)).shape == (2, 0)


def test_segments_of_complex128(device: str) -> None:
    rng = np.random.default_rng(4)
    values = (rng.integers(-9, 9, 3000) + 1j * rng.integers(-9, 9, 3000)).astype("c16")
    starts = rng.random(3000) < 0.01
    for exclusive in (False, True):
        scan = xp.ScanKernel(
            *("T x, bool start", "T y", "x", "complex_add(a, b)", "y = a"),
            is_segment_start_expr="start",
            exclusive=exclusive,
            identity="complex_new(7, 1)" if exclusive else None,
        )
        wanted, total = [], 7 + 1j
        for value, begins in zip(values.tolist(), starts.tolist(), strict=True):
            total = 7 + 1j if begins else total
            if exclusive:
                wanted.append(total)
            total = value if begins or total == 7 + 1j else total + value
            if not exclusive:
                wanted.append(total)
        np.testing.assert_array_equal(get(scan(put(values, device), put(starts, device))), wanted)


def test_structs_of_structs_and_packed_ones(device: str) -> None:
    for dtype in (POINT, np.dtype(POINT.descr, align=True)):
        values = np.zeros((3, 40), dtype)
        rng = np.random.default_rng(9)
        values["at"]["x"] = rng.integers(0, 9, values.shape)
        values["count"] = rng.integers(0, 9, values.shape)
        values["weights"] = rng.integers(0, 9, (*values.shape, 2, 3))
        structs = {"place": dtype["at"], "point": dtype}
        add = "a.at.x += b.at.x; a.count += b.count; a.weights[1][2] += b.weights[1][2]; return a;"
        total = xp.ReductionKernel(
            *("point p", "point y", "p", "added(a, b)", "y = a"),
            preamble=f"point added(point a, point b) {{ {add} }}",
            structs=structs,
        )
        x = put(values, device)
        for view, array in ((x, values), (x[::-1, ::2], values[::-1, ::2]), (x.T, values.T)):
            got = get(total(view, axis=1))
            np.testing.assert_array_equal(got["at"]["x"], array["at"]["x"].sum(1))
            np.testing.assert_array_equal(got["count"], array["count"].sum(1, dtype="u1"))
            wanted = array["weights"][..., 1, 2].sum(1)
            np.testing.assert_array_equal(got["weights"][..., 1, 2], wanted)
        move = xp.ElementwiseKernel(
            *("point p, raw point all, T by", "point q, place where"),
            "q = p; q.at.y += by; q.count = all[n - 1 - i].count; where = q.at",
            structs=structs,
        )
        before = xp.statistics()["kernels"]
        moved, where = move(x[0], x[1], 2.5)
        moved.eval()
        assert device == "cpu" or xp.statistics()["kernels"] == before + 1
        values[0]["at"]["y"] += 2.5
        values[0]["count"] = values[1, ::-1]["count"]
        np.testing.assert_array_equal(get(moved), values[0])
        np.testing.assert_array_equal(get(where), values[0]["at"])
        assert move(x[0, :0], x[1], 2.5)[0].shape == (0,)


def test_structs_that_are_pending_or_copied(device: str) -> None:
    pair = np.dtype([("a", "i4"), ("b", "i4")])
    structs = {"pair": pair}
    make = xp.ElementwiseKernel("int32 x", "pair y", "y.a = x; y.b = -x", structs=structs)
    swap = xp.ElementwiseKernel("T x", "T y", "y.a = x.b; y.b = x.a", structs=structs)
    x = put(np.arange(12, dtype="i4").reshape(3, 4), device)
    made = make(x + 1)
    turned: xp.Array = swap(made.T)
    for got in (
        swap(made),
        swap(xp.asarray(made, copy=True)),
        xp.asarray(turned, copy=True).T,
        swap(make(x + 1)),
    ):
        np.testing.assert_array_equal(get(got)["a"], -get(x) - 1)
        np.testing.assert_array_equal(get(got)["b"], get(x) + 1)
    out = put(np.zeros((3, 8), pair), device)
    swap(made, out[:, ::2])
    np.testing.assert_array_equal(get(out)[:, ::2]["b"], get(x) + 1)
    assert not get(out)[:, 1::2]["b"].any()
    for again in (pickle.loads(pickle.dumps(swap)), copy.copy(swap)):
        np.testing.assert_array_equal(get(again(made)), get(swap(made)))
    # one name for two structs, which one kernel cannot know
    other = np.dtype([("a", "i4"), ("c", "i4")])
    sums = xp.ElementwiseKernel(
        "int32 x, pair y", "int32 z", "z = x + y.a", structs={"pair": other}
    )
    z = sums(
        xp.ElementwiseKernel("pair y", "int32 z", "z = y.b", structs=structs)(made),
        made_of(other, x),
    )
    np.testing.assert_array_equal(get(z), -1 - get(x))


def made_of(dtype: np.dtype, x: xp.Array) -> xp.Array:
    return put(np.zeros(x.shape, dtype), str(x.device))


def test_what_is_wrong_is_said(device: str) -> None:
    x = put(A, device)
    structs: dict[str, Any] = {"extremes": EXTREMES}
    text = ("float32 x", "extremes y", "of(x, 0)", "both(a, b)", "y = a")

    def reduction(*changed: str, **named: Any) -> Any:
        return xp.ReductionKernel(*changed, **{"preamble": FUNCTIONS, "structs": structs} | named)

    def named(name: str, dtype: Any, **others: Any) -> Callable[[], Any]:
        return lambda: xp.ElementwiseKernel("T x", "T y", "y = x", structs={name: dtype, **others})

    half, swapped = np.dtype([("h", "f2")]), np.dtype([("s", ">f4")])
    large = np.dtype([("many", "f8", 17)])
    over = np.dtype({"names": ["a", "b"], "formats": ["f4", "f4"], "offsets": [0, 2]})
    cases: list[tuple[type[BaseException], str, Callable[[], Any]]] = [
        (
            xp.CompileError,
            r"oops\(a, b\)",
            lambda: reduction(*text[:3], "oops(a, b)", "y = a")(x).eval(),
        ),
        (
            xp.CompileError,
            "in line 1 of reduce_expr: a.low",
            lambda: reduction(*text[:3], "a.low", "y = a")(x).eval(),
        ),
        (
            xp.CompileError,
            "in line 1 of map_expr: x",
            lambda: reduction(*text[:2], "x", *text[3:])(x).eval(),
        ),
        (ValueError, "'extremes' is not a dtype or a name", lambda: reduction(*text, structs=None)),
        (
            TypeError,
            "no name in C",
            lambda: reduction("T x", "T y", *text[2:], structs={}, reduce_type=EXTREMES),
        ),
        (
            ValueError,
            "needs an identity",
            lambda: xp.ScanKernel(*text, exclusive=True, structs=structs),
        ),
        (TypeError, "no name in C; name it", lambda: named("e", EXTREMES)()(made_of(half, x))),
        (TypeError, "is a struct; an array", lambda: reduction("extremes x", *text[1:])(1.5)),
        (TypeError, "the array is float32", lambda: reduction("extremes x", *text[1:])(x)),
        (ValueError, "'2x' is not a name in C", named("2x", EXTREMES)),
        (ValueError, "'float32' means something else", named("float32", EXTREMES)),
        (ValueError, "'T' means something else", named("T", EXTREMES)),
        (ValueError, "one name is enough", named("e", EXTREMES, f=EXTREMES)),
        (TypeError, "not a struct", named("e", "f4")),
        (TypeError, "field 'h' is float16", named("e", half)),
        (TypeError, "field 's' is >f4", named("e", swapped)),
        (TypeError, "field 'at' is struct .*name it in structs, too", named("p", POINT)),
        (TypeError, "overlap", named("o", over)),
        (TypeError, "expected a dict", lambda: xp.ElementwiseKernel("", "T y", "", structs=3)),  # type: ignore[arg-type]
        (
            TypeError,
            "combined values have 136 bytes; at most 128",
            lambda: xp.ReductionKernel("m x", "m y", "x", "a", "y = a", structs={"m": large})(
                made_of(large, x)
            ),
        ),
    ]
    for error, message, call in cases:
        with pytest.raises(error, match=message):
            call()
