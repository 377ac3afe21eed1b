"""A few operations on few elements, which are calculated without a plan."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import assert_same, get


def both(values: Any) -> tuple[Any, Any]:
    """The same elements for NumPy and for us."""
    here = np.asarray(values)
    return here, xp.asarray(here, copy=True)


VIEWS: dict[str, Any] = {
    "whole": lambda x: x,
    "every second": lambda x: x[::2],
    "backwards": lambda x: x[::-1],
    "middle": lambda x: x[1:-1],
    "a column": lambda x: x.reshape((3, 4))[:, 1],
    "turned": lambda x: x.reshape((3, 4)).T,
    "stretched": lambda x: x.reshape((3, 4))[:, :1] + 0 * x.reshape((3, 4)),
    "one": lambda x: x[3],
    "none": lambda x: x[:0],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64", "complex64"],
)
def test_layouts_and_dtypes_one_after_another(view: str, dtype: str) -> None:
    show = VIEWS[view]
    a, ours_a = both(np.arange(12).astype(dtype))
    b, ours_b = both((np.arange(12) % 5 + 1).astype(dtype))
    for order in range(3):  # the same program over other layouts in between
        x, y = show(a), b[: a[:0].size] if view == "none" else show(b)
        ours_x, ours_y = show(ours_a), ours_b[:0] if view == "none" else show(ours_b)
        assert_same(get(ours_x * ours_y + ours_x), x * y + x, f"{view} {dtype} {order}")
        assert_same(get(ours_b * ours_a + ours_b), b * a + b, f"whole {dtype} {order}")


def test_numbers_are_those_of_each_evaluation() -> None:
    a, ours = both(np.arange(10.0))
    for number in (1, 2.5, -3, 1e300, True):
        assert_same(get(ours * number + number), a * number + number, str(number))


def test_writes_between_evaluations_are_seen() -> None:
    a, ours = both(np.arange(10.0))
    view, ours_view = a[2:8], ours[2:8]
    for k in range(20):
        wanted = view * 2 + a[4:]
        pending = ours_view * 2 + ours[4:]
        a[k % 10] = k
        ours[k % 10] = k  # the pending value is of the time before
        assert_same(get(pending), wanted, f"round {k}")
        a[1:] = a[:-1] + a[1:]
        ours[1:] = ours[:-1] + ours[1:]
        assert_same(get(ours), a, f"after {k}")


def test_a_value_inside_that_is_held_is_calculated_with_the_others() -> None:
    a, ours = both(np.arange(10.0))
    held = ours * 3
    assert_same(get(held + 1), a * 3 + 1, "above")
    assert_same(get(held), a * 3, "held")
    twice = ours - 1
    assert_same(get(twice * twice + twice), (a - 1) * (a - 1) + (a - 1), "read thrice")


def test_parts_of_a_concat_share_what_they_are_made_of() -> None:
    a, ours = both(np.arange(6.0))

    def joined(module: Any, x: Any) -> Any:
        shared = x + 1
        return module.concat([shared * 2, shared - 2])

    assert_same(get(joined(xp, ours)), joined(np, a), "shared")
    for axis in (0, 1):
        x, y = a.reshape((2, 3)), (a * 2).reshape((2, 3)).astype("f4")
        ours_x, ours_y = ours.reshape((2, 3)), (ours * 2).reshape((2, 3)).astype("float32")
        assert_same(
            get(xp.concat([ours_x.T, ours_y.T + 1], axis=axis)),
            np.concatenate([x.T, y.T + 1], axis=axis),
            f"axis {axis}",
        )
        assert_same(
            get(xp.stack([ours_x, ours_y], axis=axis)), np.stack([x, y], axis=axis), "stack"
        )


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"])
def test_few_indices(dtype: str) -> None:
    a, ours = both(np.arange(20.0).reshape((4, 5)))
    chosen, ours_chosen = both(np.array([[0, 3], [1, 2]], dtype))
    assert_same(get(ours[ours_chosen.T]), a[chosen.T], "turned")
    assert_same(get(ours.T[ours_chosen]), a.T[chosen], "of a turned one")
    assert_same(get((ours + 1)[ours_chosen] * 2), (a + 1)[chosen] * 2, "of a pending one")
    if not dtype.startswith("u"):
        assert_same(get(ours[-ours_chosen - 1]), a[-chosen - 1], "from the end")
        with pytest.raises(IndexError, match="-5 is out of bounds for axis 0 of length 4"):
            ours[xp.asarray(np.array([0, -5], dtype))]
    with pytest.raises(IndexError, match="4 is out of bounds for axis 0 of length 4"):
        ours[xp.asarray(np.array([0, 4], dtype))]
    assert get(ours[ours_chosen[:0]]).shape == (0, 2, 5)


LISTS: list[Any] = [
    [1.5],
    (1, 2),
    [True, False],
    [True, 2],
    [True, 2.5],
    [1, 2.5, -0.0, float("nan"), float("inf")],
    [[1, 2, 3], [4, 5, 6]],
    [(1, 2.0), [True, 4]],
    [[[1]], [[2]]],
    [2**63 - 1, -(2**63)],
    [2**53 + 1, 1.0],
    [2**63, 1],
    [],
    [[], []],
    [1j, 2],
    [np.float32(1), 2],
    [np.int8(1), 2.5],
]


@pytest.mark.parametrize("numbers", LISTS, ids=str)
def test_lists_are_what_numpy_makes_of_them(numbers: Any) -> None:
    assert_same(get(xp.asarray(numbers)), np.asarray(numbers), str(numbers))


@pytest.mark.parametrize("wrong", [[1, [2]], [[1], 2], [[1, 2], [3]], [1, "2"], [2**70], [1, None]])
def test_lists_that_are_no_array_are_refused(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        xp.asarray(wrong)


def test_threads_evaluate_programs_on_common_operands() -> None:
    a, ours = both(np.arange(10.0))
    wrong: list[str] = []

    def work(number: int) -> None:
        for k in range(300):
            common = ours * number
            got = get(xp.concat([common + k, ours])[xp.asarray([1, 12])])
            if not np.array_equal(got, [number + k, 2.0]):
                wrong.append(f"{number}, {k}: {got}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert_same(get(ours), a, "operand")
