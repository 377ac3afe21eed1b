"""Copies to the host that nobody wrote: numpy.asarray(x) where the host cannot reach x."""

from __future__ import annotations

import os
import warnings
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


def policy() -> Policy:
    """What holds here: of the innermost implicit_host_copy(), else of the process."""
    here = _isthmus._host_copy_policy()
    return check(here) if here else _OfProcess.policy


def set_policy(wanted: str) -> None:
    """For the whole process. Raises: ValueError for what is no policy."""
    _OfProcess.policy = check(wanted)


def permit(device: str, nbytes: int) -> None:
    """Called before such a copy. Raises: ImplicitHostCopyError unless it is allowed."""
    what = f"__array__: the host cannot access memory of {device}"
    if policy() == "error":
        raise ImplicitHostCopyError(
            f"{what}, and there are no implicit copies; x.to_numpy() copies it, and inside "
            '`with isthmus.implicit_host_copy("allow"):` NumPy may'
        )
    if policy() == "warn":
        text = f"{what}: {nbytes} bytes are copied; x.to_numpy() copies explicitly"
        warnings.warn(text, PerformanceWarning, stacklevel=2)
