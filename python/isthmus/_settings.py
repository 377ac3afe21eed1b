"""Devices, and the promise that lets shared memory fuse."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar, overload

from isthmus import _isthmus
from isthmus._isthmus import Device

_P = ParamSpec("_P")
_R = TypeVar("_R")


@overload
def devices(*, verbose: Literal[False] = False) -> tuple[Device, ...]: ...
@overload
def devices(*, verbose: Literal[True]) -> dict[str, Any]: ...
def devices(*, verbose: bool = False) -> tuple[Device, ...] | dict[str, Any]:
    """The devices of this machine; opens drivers when it is first called.

    Returns: devices; with `verbose` also what each says of itself, and why backends gave none.
    """
    found, absences = _isthmus._find_devices()
    if not verbose:
        return found
    return {
        "devices": {str(device): device.info for device in found},
        "missing": dict(absences),
    }


def default_device() -> Device:
    """The device of new arrays: ISTHMUS_DEVICE, or the CPU, until set_default_device."""
    return _isthmus._default_device()


def set_default_device(device: Device | str) -> None:
    """Makes this the device of new arrays. Raises: LookupError if there is none such."""
    _isthmus._set_default_device(device)


class Fusing:
    """See fusing. May be entered again, and by several threads."""

    __slots__ = ()

    def __enter__(self) -> None:
        _isthmus._enter_fusing()

    def __exit__(self, *error: object) -> None:
        _isthmus._exit_fusing()


def fusing() -> Fusing:
    """A promise that nobody changes shared memory meanwhile, so that reading it may be put off.

    ``with isthmus.fusing():``. Inside, operations on memory that others can reach stay pending and
    fuse like any other.

    Returns: a context, which may be used more than once. Waits: no.
    """
    return Fusing()


@overload
def fuse(function: Callable[_P, _R], /) -> Callable[_P, _R]: ...
@overload
def fuse() -> Callable[[Callable[_P, _R]], Callable[_P, _R]]: ...
def fuse(function: Callable[_P, _R] | None = None, /) -> Any:
    """Decorator, ``@isthmus.fuse`` or ``@isthmus.fuse()``: calls the function inside fusing().

    Raises: TypeError for what cannot be called.
    """
    if function is None:
        return fuse
    if not callable(function):
        raise TypeError(
            f"fuse: {function!r} cannot be called; write @isthmus.fuse above a function"
        )

    @functools.wraps(function)
    def fused(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with fusing():
            return function(*args, **kwargs)

    return fused
