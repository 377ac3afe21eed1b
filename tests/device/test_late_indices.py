"""Indices that a device has yet to calculate: errors come with the wait for what they choose."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.ways import Way

# Calls with indices that i() makes, and what the error says.
READS: list[tuple[Any, str]] = [
    (
        lambda x, i: x[i(0, 10)],
        "10 is out of bounds for axis 0 of length 10, at (1,) of the indices",
    ),
    (
        lambda x, i: x[i(-11)] * 2,
        "-11 is out of bounds for axis 0 of length 10, at (0,) of the indices",
    ),
    (lambda x, i: xp.take(x, i(2**62, -1)), "4611686018427387904 is out of bounds for axis 0"),
    (lambda x, i: xp.sum(x[i(1, -(2**63))]), "-9223372036854775808 is out of bounds for axis 0"),
    (
        lambda x, i: x.reshape(2, 5)[:, i(4, 5)],
        "5 is out of bounds for axis 1 of length 5, at (1,)",
    ),
    (
        lambda x, i: x.reshape(2, 5)[i(1), i(9)],
        "9 is out of bounds for axis 1 of length 5, at (0,)",
    ),
    (
        lambda x, i: xp.take(x.reshape(2, 5), i(10)),
        "10 is out of bounds for an array of 10 elements, at (0,)",
    ),
    (
        lambda x, i: xp.take_along_axis(x.reshape(2, 5), i(0, 9).reshape(2, 1)),
        "9 is out of bounds for axis 1 of length 5, at (1, 0)",
    ),
    (lambda x, i: xp.searchsorted(x, 3, sorter=i(*range(9), 10)), "sorter: 10 is out of bounds"),
]
WRITES: list[tuple[Any, str]] = [
    (
        lambda x, i: xp.put(x, i(0, 10), 5),
        "put: 10 is out of bounds for axis 0 of length 10, at (1,)",
    ),
    (lambda x, i: x.__setitem__(i(0, -11), 5), "index: -11 is out of bounds for axis 0"),
    (
        lambda x, i: x.__setitem__(i(0, 11), xp.ones(2, device=x.device)),
        "index: 11 is out of bounds",
    ),
    (lambda x, i: xp.put_along_axis(x, i(1, 12), 5, 0), "put_along_axis: 12 is out of bounds"),
    (lambda x, i: xp.add_at(x, i(1, 13), 5), "add_at: 13 is out of bounds"),
]


def pending(device: xp.Device) -> Any:
    """A function that makes indices which are not calculated yet, where operations are lazy."""
    nothing = put(np.zeros((), np.int64), device)
    return lambda *numbers: put(np.asarray(numbers, np.int64), device) + nothing


def base(device: xp.Device) -> Any:
    return put(np.arange(10, dtype=np.float32), device)


def test_writing_elements_anew_ends_their_error(device: xp.Device) -> None:
    writes: list[tuple[Any, list[int]]] = [
        (lambda x: x.fill(3), [3] * 10),
        (lambda x: x.__setitem__(slice(None), xp.ones(10, device=x.device) * 3), [3] * 10),
        (lambda x: x[::-1].__setitem__(slice(None), [3] * 10), [3] * 10),
        (lambda x: x[1:3].fill(7), [0, 7, 7, 3, 4, 5, 6, 7, 8, 9]),
        (lambda x: x.__setitem__(slice(0, 4), 7), [7, 7, 7, 7, 4, 5, 6, 7, 8, 9]),
    ]
    for write, wanted in writes:
        x = base(device)
        is_late = False
        with pytest.raises(IndexError):
            x[1:3] = xp.take(x, pending(device)(0, 10))
            is_late = True  # the host's calls raise, and leave no error behind
            get(x)
        if is_late:
            x[8:] = xp.asarray([8, 9], device=device)
            x[2:5] = xp.asarray([2, 3, 4], device=device)
            with pytest.raises(IndexError):  # of x[1]
                get(x)
        write(x)
        assert get(x).tolist() == wanted
        x[0] = 4
        assert get(x).tolist() == [4, *wanted[1:]]


def test_a_field_that_is_written_ends_no_error_of_another(device: xp.Device) -> None:
    for count in (1, 3):
        pairs = np.zeros(count, [("p", "f4", (4,)), ("q", "f4", (4,))])
        x, y = put(pairs, device), base(device)
        written = False
        with contextlib.suppress(IndexError):  # of the call, where the host does it
            x["q"][0, :2] = xp.take(y, pending(device)(0, 10))
            written = True
            x["p"].fill(0)
        if written:
            with pytest.raises(IndexError):
                get(x["q"])
        else:
            assert not get(x["q"]).any()


@pytest.mark.parametrize(("call", "words"), READS)
def test_what_is_read_has_the_error(way: Way, device: xp.Device, call: Any, words: str) -> None:
    x = base(device)
    xp.sum(x + 1).eval()
    for _ in range(2):  # the kernels are there the second time
        with pytest.raises(IndexError) as error:
            get(call(x, pending(device)))
        assert words in str(error.value)
    assert get(x + 1).tolist() == list(range(1, 11))
    assert get(x[pending(device)(9, 0)]).tolist() == [9, 0]


@pytest.mark.parametrize(("call", "words"), WRITES)
def test_what_is_written_is_left_as_it_was(
    way: Way, device: xp.Device, call: Any, words: str
) -> None:
    x = base(device)
    xp.sum(x + 1).eval()
    with pytest.raises(IndexError) as error:
        call(x, pending(device))
        get(x)
    assert words in str(error.value)
    assert get(x).tolist() == list(range(10))
    x[pending(device)(1, -1)] = 7
    assert get(x).tolist() == [0, 7, 2, 3, 4, 5, 6, 7, 8, 7]


def test_what_is_calculated_from_it_has_the_error_too(way: Way, device: xp.Device) -> None:
    x = base(device)
    xp.sum(x + 1).eval()
    try:
        read = x[pending(device)(1, 12)]
        read.eval()
    except IndexError:
        return  # the host had them at hand
    later = read + 1
    total = xp.sum(later * 2)
    for value in (total, later, read, later, total):
        with pytest.raises(
            IndexError, match=r"index: 12 is out of bounds for .* at \(1,\) of the indices"
        ):
            get(value)
    y = base(device)
    y[:2] = read  # what is wrong is written
    for _ in range(2):
        with pytest.raises(IndexError, match="index: 12 is out of bounds"):
            get(y + 1)
    assert get(x).tolist() == list(range(10))


@pytest.mark.no_kernel
def test_other_dtypes_and_no_indices(device: xp.Device) -> None:
    x, at = base(device), put(np.asarray([np.nan], np.float32), device)
    with pytest.raises(IndexError, match="float"):
        x[at + at]
    with pytest.raises(TypeError, match="float"):
        xp.take(x, at + at)
    assert x[pending(device)()].shape == (0,)
    with pytest.raises(IndexError, match="out of bounds for axis 0 of length 0"):
        get(x[:0][pending(device)(0)])


def test_indices_that_are_overwritten_are_named_as_they_were(way: Way, device: xp.Device) -> None:
    x, at = base(device), pending(device)(0, 10)
    xp.sum(x + 1).eval()
    with pytest.raises(IndexError, match="10 is out of bounds for axis 0 of length 10"):
        read = x[at]
        at[...] = 3
        get(read)


def test_indices_of_nothing_are_compared_at_the_call(device: xp.Device) -> None:
    x = put(np.zeros((5, 1, 0), np.int32), device)
    bad = put(np.array([0, 1]), device) + 0
    for call in (
        lambda: x[:, bad],
        lambda: x.__setitem__((slice(None), bad), 7),
        lambda: xp.add_at(x, (slice(None), bad), 7),
    ):
        with pytest.raises(IndexError, match="1 is out of bounds for axis 1 of length 1"):
            call()
    x[:, bad * 0] = 7
    assert get(x[:, bad * 0]).shape == (5, 2, 0)


SHOWN: list[Any] = [
    np.asarray,
    np.array,
    np.sort,
    xp.Array.to_numpy,
    xp.Array.tobytes,
    xp.Array.tolist,
    memoryview,
    str,
    lambda x: xp.asarray(x, device="cpu").to_numpy(),
    lambda x: np.asarray(xp.asarray(x, device="cpu")),
]


@pytest.mark.parametrize("show", SHOWN)
def test_a_write_that_failed_is_told_by_whatever_shows_the_array(
    way: Way, device: xp.Device, show: Any
) -> None:
    x = base(device)
    if not xp._isthmus._is_host_reachable(x):
        pytest.skip("nothing shows it to others")
    xp.sum(x + 1).eval()
    with pytest.raises(IndexError, match="index: 10 is out of bounds for axis 0"):
        x[pending(device)(1, 10)] = 5
        show(x)
    with contextlib.suppress(IndexError):  # that of a buffer may have been dropped: it comes again
        if show is memoryview:
            get(x)
    assert get(x).tolist() == list(range(10))
    show(x)
