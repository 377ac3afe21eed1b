"""Arrays of other libraries beside ours: operands are refused, indices are read."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp


def of_jax() -> Any:
    return pytest.importorskip("jax.numpy").arange(3)


def need(backend: str) -> None:
    if not any(d.backend == backend for d in xp.devices()):
        pytest.skip(f"there is no device of {backend}")


def of_dpnp() -> Any:
    dpnp = pytest.importorskip("dpnp")
    need("sycl")
    return dpnp.arange(3, sycl_queue=pytest.importorskip("dpctl").SyclQueue())


def of_dpctl() -> Any:
    return of_dpnp().get_array()


def of_pyopencl() -> Any:
    pytest.importorskip("pyopencl")
    need("opencl")
    array: Any = importlib.import_module("pyopencl.array")
    return array.to_device(xp.Queue("opencl").to_pyopencl(), np.arange(3))


NEIGHBOURS = [of_jax, of_dpnp, of_dpctl, of_pyopencl]
OPERATORS = [operator.add, operator.pow, operator.matmul, operator.eq, operator.lt, divmod]
IN_PLACE = [operator.iadd, operator.imul, operator.imatmul]


@pytest.mark.parametrize("made", NEIGHBOURS)
@pytest.mark.parametrize("apply", [*OPERATORS, *IN_PLACE])
def test_an_operand_of_another_library_is_refused(
    made: Callable[[], Any], apply: Callable[[Any, Any], Any]
) -> None:
    other = made()
    x = xp.arange(3)
    with pytest.raises(
        TypeError, match=r"^\w+: an? .* is neither an array nor a number; convert it with isthmus"
    ):
        apply(x, other)
    assert x.tolist() == [0, 1, 2]
    assert (xp.asarray(other).to_device("cpu") + x).tolist() == [0, 2, 4]  # what it names


def test_a_class_of_the_user_is_still_asked() -> None:
    class Mine:
        __array_ufunc__ = None

        def __radd__(self, other: Any) -> str:
            return "mine"

        def __dlpack__(self, **_: Any) -> Any:
            raise AssertionError("nobody shall ask")

    assert xp.arange(3) + Mine() == "mine"


def test_lists_with_operators_and_operands_with_ufuncs_are_asked() -> None:
    class Listed(list[int]):
        def __radd__(self, other: Any) -> str:
            return "mine"

    class Mixed(np.lib.mixins.NDArrayOperatorsMixin):
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
            return ufunc.__name__

    x: Any = xp.arange(3)
    mixed: Any = Mixed()
    assert x + Listed([1]) == "mine"
    assert x + mixed == "add" == np.add(x, mixed)
    x += mixed
    assert x == "add"
    with pytest.raises(TypeError, match="neither an array nor a number"):
        xp.arange(3) + type("Plain", (list,), {})([1])


@pytest.mark.parametrize("made", NEIGHBOURS)
def test_an_array_of_another_library_is_an_index(made: Callable[[], Any]) -> None:
    places = made()
    x = xp.asarray(np.arange(10, 40, 10), device=xp.asarray(places).device, copy=True)
    queue = getattr(places, "sycl_queue", None)
    with xp.Queue(queue) if queue else xp.Device(x.device):
        assert x[places].tolist() == [10, 20, 30]
        if made is not of_pyopencl:  # whose comparisons are int8
            assert x[places > 0].tolist() == [20, 30]
        assert x[(places, Ellipsis)].tolist() == [10, 20, 30]
        assert xp.take(x, places).tolist() == [10, 20, 30]
        x[places] = 7
        assert x.tolist() == [7, 7, 7]


@pytest.mark.parametrize("made", NEIGHBOURS)
def test_a_list_of_arrays_is_stacked_where_they_lie(made: Callable[[], Any]) -> None:
    one = made()
    x = xp.asarray([[one, one], [one, xp.asarray(one)]])
    assert x.device == xp.asarray(one).device
    assert x.tolist() == [[[0, 1, 2], [0, 1, 2]], [[0, 1, 2], [0, 1, 2]]]
    assert xp.asarray([one], dtype=xp.float32).tolist() == [[0, 1, 2]]
    assert xp.asarray([]).shape == (0,)


def test_one_integer_of_another_library_is_a_number() -> None:
    one = of_jax()[1]
    x = xp.arange(3)
    view = x[one]
    view[...] = 9
    assert x.tolist() == [0, 9, 2]  # a view, as x[1] is
    with pytest.raises(IndexError, match="an array of float32 is not an index"):
        x[one * 1.5]


def test_a_queue_in_the_place_of_a_device_is_told_what_would_do() -> None:
    dpctl = pytest.importorskip("dpctl")
    queues: list[Any] = [dpctl.SyclQueue(), dpctl.SyclDevice(), xp.Queue("cpu")]
    for given in queues:
        with pytest.raises(TypeError, match=r'such as "cpu"; .* `with isthmus\.Queue\(q\):`'):
            xp.zeros(3, device=given)
    with pytest.raises(TypeError, match=r'a list is neither a Device nor a name such as "cpu"$'):
        xp.zeros(3, device=[])  # type: ignore[arg-type]
