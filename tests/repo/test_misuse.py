"""What programs for other libraries do by mistake: an error in words, and nothing lost by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.programs import run

any_xp: Any = xp


def ones() -> Any:
    return xp.ones(2, dtype="float32")


def structs(fields: list[tuple[str, str]]) -> Any:
    return xp.asarray(np.zeros(2, fields))


def write(target: Any, value: Any) -> None:
    target[...] = value


AB, BA = [("a", "f4"), ("b", "i4")], [("b", "i4"), ("a", "f4")]
CALLS: tuple[tuple[Callable[[], Any], type[Exception], str], ...] = (
    (lambda: b"1" + ones(), TypeError, "^add: a bytes is neither"),
    (lambda: "a" + ones(), TypeError, "^add: a str is neither"),
    (lambda: any_xp.asarray(3) * "ab", TypeError, "^multiply: a str is neither"),
    (lambda: xp.asarray([1, 2]) ** -1, ValueError, "^pow: integers to the power of -1"),
    (lambda: xp.pow(xp.asarray([True]), -2), ValueError, "^pow: integers to the power of -2"),
    (lambda: any_xp.eye(1, ones()), TypeError, "^index: "),
    (
        lambda: xp.asarray([2**64]),
        TypeError,
        "^asarray: a list has an element that is not a number",
    ),
    (
        lambda: xp.asarray([1, None]),
        TypeError,
        "^asarray: a list has an element that is not a number",
    ),
    (lambda: any_xp.ndarray, AttributeError, "isthmus.Array is the class of arrays"),
    (lambda: any_xp.uint, AttributeError, "use instead: isthmus.uint64"),
    (
        lambda: np.ones(2) @ ones(),
        TypeError,
        r"^matmul: one operand is a numpy.ndarray.*asarray\(a\)",
    ),
    (lambda: xp.stack([ones(), xp.ones(3, dtype="float32")]), ValueError, "^stack: shapes"),
    (lambda: xp.matrix_transpose(ones()), ValueError, "^matrix_transpose: an array of 1 axis"),
    (lambda: xp.broadcast_arrays(ones(), xp.ones(3)), ValueError, "^broadcast_arrays: shapes"),
    (lambda: xp.broadcast_shapes((-1,), (1,)), ValueError, "^broadcast_shapes: shape"),
    (lambda: any_xp.broadcast_shapes((object(),)), TypeError, "expected ints, not an"),
    (lambda: bool(structs(AB)[0]), TypeError, r"^bool: a struct \(a: <f4, b: <i4\) is neither"),
    (lambda: float(structs(AB)[0]), TypeError, "^float: a struct .* x.item"),
    (lambda: write(structs(AB), structs(BA)), TypeError, r"\(b: <i4, a: <f4\) cannot become"),
    (lambda: any_xp.array([1], ndmin=2.5), TypeError, "^array: ndmin: expected an int, not float"),
    (
        lambda: any_xp.array([1], ndmin=-1),
        ValueError,
        "^array: ndmin is -1; it must be from 0 to 64",
    ),
    (lambda: any_xp.zeros(3, 4), TypeError, r"^dtype: an int is not a dtype; pass several axes"),
    (lambda: any_xp.memory.MemoryHost(8)[0], TypeError, r"only m\[start:stop\] is memory"),
    (lambda: xp.profile("/nowhere/at/all"), FileNotFoundError, "/nowhere/at/all"),
)


@pytest.mark.parametrize(("call", "kind", "text"), CALLS, ids=[text for _, _, text in CALLS])
def test_mistakes_are_answered_in_words(call: Callable[[], Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        call()


def test_bytes_that_grow_do_not_take_the_memory_of_an_array() -> None:
    grown = bytearray(b"1")
    with pytest.raises(TypeError, match=r"^add: a bytearray"):
        grown += any_xp.ones(1)
    assert grown == b"1"


def test_integers_to_negative_integers_of_an_array_are_defined() -> None:
    assert (xp.asarray([1, 2]) ** xp.asarray([-1, -1])).tolist() == [1, 0]
    assert (xp.asarray([1.0, 2.0]) ** -1).tolist() == [1.0, 0.5]


def test_an_array_of_extents_is_a_shape() -> None:
    assert xp.zeros(np.array([3, 4])).shape == (3, 4)
    assert xp.zeros(np.array(3)).shape == (3,)
    with pytest.raises(TypeError):
        xp.zeros(np.array([1.5]))


@pytest.mark.parametrize("shape", [(0, 2**62), (2**62, 0), (0, 3), (3, 0)])
def test_arrays_without_elements_are_shown(shape: tuple[int, ...]) -> None:
    x = xp.zeros(shape)
    assert repr(x) == f"isthmus.array([], shape={shape}, device='cpu')"
    assert str(x) == "[]"


def test_a_dtype_with_titles_comes_in() -> None:
    class Titled:
        def __init__(self) -> None:
            self.__array_interface__ = {
                "version": 3,
                "shape": (1,),
                "typestr": "|V8",
                "data": np.float64(2.5).tobytes(),
                "descr": [(("a title", "a"), "<f8")],
            }

    assert xp.asarray(Titled())["a"].tolist() == [2.5]


class CircularMethod:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return xp.asarray(self)


class CircularField:
    @property
    def __array_interface__(self) -> Any:
        return xp.asarray(self)


@pytest.mark.parametrize("circular", [CircularMethod, CircularField])
def test_an_object_that_asks_for_itself_is_a_recursion_error(circular: Callable[[], Any]) -> None:
    with pytest.raises(RecursionError):
        xp.asarray(circular())


def test_a_base_of_another_kind_is_named() -> None:
    cl = pytest.importorskip("pyopencl")
    cla = pytest.importorskip("pyopencl.array")
    devices = [d for d in xp.devices() if d.backend == "opencl"]
    if not devices:
        pytest.skip("no OpenCL device")
    queue = xp.Queue(devices[0]).to_pyopencl()
    x = cla.zeros(cl.CommandQueue(queue.context), 3, np.float32)
    x.base_data = 3
    with pytest.raises(xp.ExchangeError, match="base_data: expected a buffer or SVM of pyopencl"):
        xp.asarray(x)


def test_what_there_was_no_memory_for_is_tried_again() -> None:
    text = """
        import resource
        import isthmus as xp

        def limit(more):
            used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + more if more else -1, -1))

        xp.ones(3).eval()
        x = xp.ones(3)
        y = xp.zeros(1_000_000_000, dtype="uint8") + 1
        z = y[:3] + x
        limit(300_000_000)
        for _ in range(2):
            try:
                y.eval()
            except xp.OutOfMemoryError as error:
                assert "add of shape (1000000000,)" in str(error), error
            else:
                raise AssertionError("it fits")
            assert y.is_pending
        limit(0)
        assert z.tolist() == [2.0, 2.0, 2.0]
        assert y[-1].item() == 1
    """
    assert run(text) == ("", "")
