"""Copies to the host that nobody wrote: numpy.asarray(x) where the host cannot reach x."""

from __future__ import annotations

import contextlib
import contextvars
import os
import warnings
from collections.abc import Iterator
from typing import Literal

from isthmus import _isthmus
from isthmus._isthmus import ImplicitHostCopyError
from isthmus._warnings import PerformanceWarning

Policy = Literal["allow", "warn", "error"]
POLICIES: tuple[Policy, ...] = ("error", "warn", "allow")


def check(policy: str) -> Policy:
    """Raises: ValueError for what is no policy."""
    for known in POLICIES:
        if policy == known:
            return known
    raise ValueError(f"implicit_copy: {policy!r} is none of {', '.join(POLICIES)}")


def _first() -> Policy:
    text = os.environ.get("ISTHMUS_IMPLICIT_COPY") or "error"
    try:
        return check(text)
    except ValueError:
        words = f"'{text}' is none of {', '.join(POLICIES)}; taken as error"
        _isthmus._warn_of_setting(f"ISTHMUS_IMPLICIT_COPY: {words}")
        return "error"


class _OfProcess:
    policy: Policy = _first()


_here: contextvars.ContextVar[Policy | None] = contextvars.ContextVar("isthmus", default=None)


def policy() -> Policy:
    """What holds here: of the innermost implicit_host_copy(), else of the process."""
    return _here.get() or _OfProcess.policy


def set_policy(wanted: str) -> None:
    """For the whole process. Raises: ValueError for what is no policy."""
    _OfProcess.policy = check(wanted)


@contextlib.contextmanager
def implicit_host_copy(policy: Policy) -> Iterator[None]:
    """Inside, numpy.asarray(x) copies from devices ("allow"), warns too ("warn") or raises.

    For this thread or task alone; ``config.implicit_copy`` (ISTHMUS_IMPLICIT_COPY) is for all, and
    at first "error". Memory that the host reaches is never copied. ``x.to_numpy()`` always may.

    Waits: no. Raises: ValueError for another word.
    """
    token = _here.set(check(policy))
    try:
        yield
    finally:
        _here.reset(token)


def permit(device: str, nbytes: int) -> None:
    """Called before such a copy. Raises: ImplicitHostCopyError unless it is allowed."""
    what = f"__array__: memory of {device} is out of the host's reach"
    if policy() == "error":
        raise ImplicitHostCopyError(
            f"{what}, and is not copied behind your back; x.to_numpy() copies it, and "
            'isthmus.implicit_host_copy("allow") lets NumPy do so'
        )
    if policy() == "warn":
        text = f"{what}: {nbytes} bytes are copied; x.to_numpy() says so"
        warnings.warn(text, PerformanceWarning, stacklevel=2)
