"""x.view(dtype): the same memory as elements of another dtype, as NumPy shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, dtype_of, get, needs, put
from tests.ways import Way

# Each takes an array of shape (4, 12) and the namespace it is of.
LAYOUTS: dict[str, Callable[[Any, Any], Any]] = {
    "whole": lambda x, n: x,
    "rows": lambda x, n: x[1:3],
    "rows backwards": lambda x, n: x[::-2],
    "columns": lambda x, n: x[:, 4:8],
    "odd columns": lambda x, n: x[:, 1:4],
    "one column": lambda x, n: x[:, 3:4],
    "every other column": lambda x, n: x[:, ::2],
    "columns backwards": lambda x, n: x[:, ::-1],
    "transposed": lambda x, n: x.T,
    "one axis": lambda x, n: x.reshape(48),
    "axes swapped": lambda x, n: x.reshape(2, 2, 12).swapaxes(0, 1),
    "new axes": lambda x, n: x[None, :, None],
    "stretched": lambda x, n: n.broadcast_to(x[:, None], (4, 3, 12)),
    "stretched last": lambda x, n: n.broadcast_to(x[:, :1], (4, 8)),
    "element": lambda x, n: x[1, 2, ...],
    "no rows": lambda x, n: x[:0],
    "no columns": lambda x, n: x[:, :0],
}


def bits(dtype: str, top: int) -> Any:
    """Any bytes below `top` as (4, 12) elements."""
    size = dtype_of(dtype).itemsize
    values = np.random.default_rng(size).integers(0, top, 48 * size, np.uint8)
    return values.view(dtype_of(dtype)).reshape(4, 12)


def is_whole(x: xp.Array, size: int) -> bool:
    """Whether elements of so many bytes would begin at multiples of their size."""
    steps = [s for s, length in zip(x.strides, x.shape, strict=True) if length > 1]
    steps = steps if size == x.itemsize else steps[: len(steps) - (x.shape[-1] > 1)]
    return x.size == 0 or all(step * x.itemsize % size == 0 for step in (x.offset, *steps))


@pytest.mark.parametrize("dtype", DTYPES)
def test_all_layouts_of_a_dtype_are_seen_as_every_other(
    dtype: str, way: Way, device: xp.Device
) -> None:
    needs(device, dtype)
    layouts = ("whole", "columns", "element") if way.is_real else LAYOUTS
    for other in DTYPES:
        base = bits(dtype, 2 if "bool" in (dtype, other) else 256)
        for name in layouts:
            shown, x = LAYOUTS[name](base, np), LAYOUTS[name](put(base, device), xp)
            try:
                wanted = shown.view(dtype_of(other))
            except ValueError:
                with pytest.raises(ValueError, match=r"^view: "):
                    x.view(dtype_of(other))
                continue
            if not is_whole(x, wanted.itemsize):
                with pytest.raises(ValueError, match=r"not a multiple of .*x\.flatten\(\)"):
                    x.view(dtype_of(other))
                x = x.flatten().reshape(x.shape)
            made = x.view(dtype_of(other))
            assert made.dtype == dtype_of(other), (name, other)
            assert made.shape == wanted.shape, (name, other)
            assert made.is_read_only == x.is_read_only, (name, other)
            assert get(made).tobytes() == wanted.tobytes(), (name, other)


def writes(x: Any) -> list[Any]:
    """Writes through views of several dtypes, with what was calculated before each."""
    natural, real, half, byte = (x.view(d) for d in ("uint32", "float32", "uint16", "uint8"))
    long = x.view("int64")
    seen = [x * 2]
    real[1] = 1.5
    seen.append(x + seen[0])
    byte[::4] = 7
    seen.append(natural >> 1)
    x[::-1][2] = -3
    seen.append(long // 3)
    half[1::2] = half[::2]
    natural[...] = x[::-1]  # the same elements, in the other direction
    seen.append(half + byte[::2])
    half[3:11] = natural & 0xFF  # elements of another size
    x[1:] = natural[:-1]
    x *= 2
    natural += byte[:8]
    long[1:] = long[:-1]
    return [*seen, x, natural, half, byte, long]


def test_writes_through_a_view_are_seen_by_all_in_order(device: xp.Device) -> None:
    a = np.arange(8, dtype="int32") * 1000
    x = put(a, device)
    for number, (found, wanted) in enumerate(zip(writes(x), writes(a), strict=True)):
        assert get(found).tobytes() == wanted.tobytes(), number


def test_a_pending_value_is_evaluated_and_shared(device: xp.Device) -> None:
    x = xp.ones(4, dtype="float32", device=device) + 1
    bits_of = x.view("uint32")
    assert not x.is_pending
    bits_of[1:3] = 0x3F800000
    assert get(x).tolist() == [2, 1, 1, 2]
    part = (xp.ones(4, dtype="int32", device=device) + 1)[2:].view("uint32")
    assert get(part).tolist() == [2, 2]


@pytest.mark.lazy
def test_a_view_of_the_same_dtype_evaluates_nothing(device: xp.Device) -> None:
    x = xp.ones(4, dtype="float32", device=device) + 1
    for same in (x.view(), x.view("float32"), x.view(dtype=xp.float32)):
        assert x.is_pending
        assert same is not x
    same[0] = 5
    assert get(x).tolist() == [5, 2, 2, 2]


def test_bytes_are_bools_if_they_are_not_zero(device: xp.Device) -> None:
    x = put(np.asarray([0, 1, 2, 255], np.uint8), device)
    flags = x.view(bool)
    assert get(xp.astype(flags, "int32")).tolist() == [0, 1, 1, 1]
    flags = xp.zeros(4, dtype="bool", device=device) | False
    number = flags.view("uint8")
    number[1:] = put(np.asarray([4, 0, 1], np.uint8), device)
    assert get(xp.astype(flags, "int32") + 1).tolist() == [1, 2, 1, 2]
    assert get(xp.logical_not(flags)).tolist() == [True, False, True, False]


@pytest.mark.no_kernel
def test_structs_are_seen_as_numbers_and_back(device: xp.Device) -> None:
    pair = np.dtype([("a", "i4"), ("b", "f4")])
    a = np.arange(12, dtype=np.int32).reshape(3, 4)
    x = put(a, device)
    pairs = x.view(pair)
    assert pairs.shape == (3, 2)
    assert get(pairs["a"]).tolist() == a[:, ::2].tolist()
    pairs["b"][...] = 1.0
    assert get(x)[:, 1].tolist() == [0x3F800000] * 3
    assert get(pairs.view("int32")).tolist() == get(x).tolist()


def test_memory_of_numpy_is_shared() -> None:
    a = np.zeros(4, "float32")
    x = xp.asarray(a)
    x.view("uint32")[1] = 0x3F800000
    xp.synchronize("cpu")
    assert a.tolist() == [0, 1, 0, 0]
    a.flags.writeable = False
    assert xp.asarray(a).view("uint32").is_read_only
    odd = np.zeros(9, np.uint8)[1:]
    with pytest.raises(ValueError, match=r"^view: .* multiple.*x\.flatten\(\)\.reshape\(shape\)"):
        xp.asarray(odd).view("uint32")


def ours(*shape: int, dtype: Any = "float32") -> Any:
    return xp.zeros(shape, dtype=dtype)


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: ours().view("uint8"),
        ValueError,
        r"one float32 is not one uint8, .* such as x\.ravel\(\)",
    ),
    (
        lambda: ours(3).view("float64"),
        ValueError,
        "length 3 has 12 bytes as float32, .* 8 bytes of",
    ),
    (lambda: ours(4).view([("a", "u1", 3)]), ValueError, "float32 has 4 bytes, .* the 3 bytes of"),
    (lambda: ours(4, 4).T.view("uint8"), ValueError, "last axis has stride 4; .* contiguous: copy"),
    (lambda: ours(5)[1:].view("float64"), ValueError, "first element is at byte 4 .*; copy it row"),
    (lambda: ours(2, 3)[:, :2].view("float64"), ValueError, "stride of axis 0 is 12 in bytes"),
    (lambda: ours(3).view("O"), TypeError, "dtype: object is not supported"),
    (lambda: ours(3).view(np.ndarray), TypeError, r"class of arrays.*use x\.to_numpy\(\)"),
    (lambda: ours(3).view(np.matrix), TypeError, "class of arrays"),
    (lambda: ours(3).view(xp.Array), TypeError, "class of arrays"),
    (lambda: ours(4).view(-1), TypeError, r"for another shape use x\.reshape"),
    (lambda: ours(4).view((2, 2)), TypeError, r"for another shape use x\.reshape"),
    (lambda: ours(0, 2**61).view("uint8"), ValueError, "2305843009213693952 elements of float"),
]


@pytest.mark.parametrize(("call", "error", "text"), REFUSED)
def test_what_is_no_view_says_why(
    call: Callable[[], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text) as caught:
        call()
    assert str(caught.value).startswith(("view: ", "dtype: "))


def test_what_refusals_advise_does() -> None:
    assert get(ours().ravel().view("uint8")).tolist() == [0] * 4
    x = ours(2, 3)[:, :2]
    assert x.flatten().reshape(x.shape).view("float64").shape == (2, 1)
