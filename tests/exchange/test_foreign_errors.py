"""What foreign code raises while it is asked: an Exception may be its answer; what ends a program,
such as KeyboardInterrupt, always reaches it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp

ENDINGS = [KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError]


def producer(error: type[BaseException], *names: str) -> Any:
    """An object whose attributes of these names raise."""

    def get(self: Any) -> Any:
        raise error

    return type("Producer", (), {name: property(get) for name in names})()


def called(error: type[BaseException], *names: str, **others: Any) -> Any:
    """The same, where calling them does."""

    def call(self: Any, *args: Any, **keywords: Any) -> Any:
        raise error

    return type("Producer", (), dict.fromkeys(names, call) | others)()


def shown(**fields: Any) -> Any:
    """An object with an __array_interface__ of these fields, too."""
    a = np.ones(4, np.float32)
    d = {**a.__array_interface__, "owner": a, **fields}
    return type("Producer", (), {"__array_interface__": d})()


class Raises:
    """Whatever is asked of it."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def _raise(self, *args: Any) -> Any:
        raise self.error

    __index__ = __int__ = __str__ = __repr__ = __eq__ = __len__ = __getitem__ = _raise
    __hash__ = None  # type: ignore[assignment]


def in_dictionary(error: type[BaseException]) -> Any:
    class Fields(dict):  # type: ignore[type-arg]
        pass

    class Key(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            raise error

        def __hash__(self) -> int:
            return hash("typestr")

    a = np.ones(4, np.float32)
    d = Fields({Key("typestr"): "<f4"})
    d.update({k: v for k, v in a.__array_interface__.items() if k != "typestr"})
    return type("Producer", (), {"__array_interface__": d, "a": a})()


def tensor(error: type[BaseException], device: Any) -> Any:
    a = np.ones(4, np.float32)
    return type(
        "Producer",
        (),
        {
            "__dlpack__": lambda self, **k: a.__dlpack__(),
            "__dlpack_device__": lambda self: device,
        },
    )()


Make = Callable[[type[BaseException]], Any]
PLACES: dict[str, Make] = {
    **{
        f"attribute {name}": functools.partial(lambda name, error: producer(error, name), name)
        for name in (
            *("__dlpack__", "__array_interface__", "__array__", "__sycl_usm_array_interface__"),
        )
    },
    "__dlpack__": lambda error: called(error, "__dlpack__", __dlpack_device__=lambda self: (1, 0)),
    "__dlpack_device__": lambda error: called(
        error, "__dlpack_device__", __dlpack__=lambda self: None
    ),
    "number of __dlpack_device__": lambda error: tensor(error, (Raises(error), 0)),
    "__array__": lambda error: called(error, "__array__"),
    "version": lambda error: shown(version=Raises(error)),
    "extent": lambda error: shown(shape=(Raises(error),)),
    "stride": lambda error: shown(strides=(Raises(error),)),
    "address": lambda error: shown(data=(Raises(error), False)),
    "flag": lambda error: shown(data=(64, Raises(error))),
    "key": in_dictionary,
    "items of a list": lambda error: [called(error, "__array__")],
}


@pytest.mark.parametrize("error", ENDINGS)
@pytest.mark.parametrize("place", PLACES)
def test_what_ends_a_program_is_not_swallowed(place: str, error: type[BaseException]) -> None:
    made = PLACES[place](error)
    if place == "flag":
        made.__array_interface__["data"] = (
            np.ones(4, np.float32).ctypes.data,
            made.__array_interface__["data"][1],
        )
    with pytest.raises(error):
        xp.asarray(made)
    assert (xp.ones(2) + 1).tolist() == [2, 2]


@pytest.mark.parametrize("error", ENDINGS)
@pytest.mark.parametrize("place", PLACES)
def test_nor_by_explain(place: str, error: type[BaseException]) -> None:
    with pytest.raises(error):
        xp.explain(PLACES[place](error))


@pytest.mark.parametrize("error", ENDINGS)
def test_nor_where_an_operand_is_looked_at(error: type[BaseException]) -> None:
    x = xp.ones(2)
    with pytest.raises(error):
        _ = x == producer(error, "__dlpack__")
    for name in ("__dlpack__", "__sycl_usm_array_interface__", "__array__"):
        with pytest.raises(error):
            x[...] = producer(error, name)


@pytest.mark.parametrize("error", ENDINGS)
def test_nor_of_flags(error: type[BaseException]) -> None:
    for call in (
        lambda flag: xp.asarray(np.ones(2), copy=flag),
        lambda flag: xp.ones(2).__dlpack__(copy=flag),
        lambda flag: xp.ones(2).__dlpack__(max_version=(flag, 0)),
        lambda flag: xp.Queue(flag),
        lambda flag: xp.Context(flag),
        lambda flag: xp.ones(flag),
    ):
        with pytest.raises(error):
            call(_Index(error))


class _Index:
    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def __index__(self) -> int:
        raise self.error

    def __bool__(self) -> bool:
        raise self.error

    @property
    def int_ptr(self) -> int:
        raise self.error

    @property
    def _get_capsule(self) -> Any:
        raise self.error


def test_an_exception_is_an_answer() -> None:
    for error in (AttributeError, RuntimeError, ValueError, TypeError):
        x = producer(error, "__dlpack__", "__array_interface__")
        type(x).__array__ = lambda self, dtype=None, copy=None: np.ones(3)
        assert xp.asarray(x).tolist() == [1, 1, 1]


# ---- scalars that are not what they say


class Short(np.float64):
    """Says float64, and gives fewer bytes."""

    def tobytes(self, order: Any = None) -> bytes:
        return b"\x01"


class Wide(np.float32):
    """Says more than it has."""

    @property
    def dtype(self) -> Any:
        return np.dtype("complex128")


class Text(np.float64):
    def tobytes(self, order: Any = None) -> Any:
        return "12345678"


@pytest.mark.parametrize("scalar", [Short(1), Wide(1), Text(1)])
def test_scalars_that_lie_are_refused(scalar: Any) -> None:
    x = xp.ones(3)
    for use in (
        lambda: x + scalar,
        lambda: scalar * x,
        lambda: xp.maximum(x, scalar),
        lambda: xp.full(3, scalar),
        lambda: x.__setitem__(0, scalar),
        lambda: xp.asarray(scalar),
        lambda: xp.arange(scalar),
    ):
        with pytest.raises(TypeError):
            use()
    assert (x + 1).tolist() == [2, 2, 2]


def test_scalars_of_derived_classes_that_do_not_lie_count() -> None:
    class Length(np.float32):
        pass

    x = xp.ones(3, dtype="float32") * Length(2.5)
    assert x.tolist() == [2.5] * 3
    assert x.dtype == np.float32


def test_an_object_that_asks_for_itself_is_asked_once_for_each_depth() -> None:
    asked = 0

    class Asking:
        def __getattr__(self, name: str) -> Any:
            nonlocal asked
            asked += 1
            assert asked < 10_000
            return xp.asarray(self)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        with pytest.raises(RecursionError):
            xp.asarray(Asking())
    finally:
        sys.setrecursionlimit(limit)
    assert asked < 300


@pytest.mark.parametrize(
    "changed",
    [
        {"shape": lambda one: (one,)},
        {"strides": lambda one: (one,)},
        {"offset": lambda one: one, "data": lambda one: bytearray(80)},
    ],
    ids=["shape", "strides", "offset"],
)
def test_what_an_integer_raises_is_not_lost(changed: dict[str, Callable[[Any], Any]]) -> None:
    class Failing:
        def __index__(self) -> int:
            raise ZeroDivisionError("mine")

    class Interface:
        __array_interface__ = dict(np.arange(10.0).__array_interface__) | {
            name: make(Failing()) for name, make in changed.items()
        }

    with pytest.raises(ZeroDivisionError, match="mine"):
        xp.asarray(Interface())
    with pytest.raises(ZeroDivisionError, match="mine"):
        xp.zeros((Failing(),))
