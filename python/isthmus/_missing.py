"""Attributes that NumPy's classes have and ours have not: what would do in their place.

Each is an entry of the class, which says so when it is looked up. A __getattr__ would be called for
missing names alone, too, but where a class has one, every lookup takes longer, that of a method
four times as long.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any


class Missing:
    """Raises AttributeError, so that the attribute is not there for hasattr() and getattr()."""

    __slots__ = ("advice", "name", "of")

    def __init__(self, of: str, name: str, advice: Callable[[str], str]) -> None:
        self.of, self.name, self.advice = of, name, advice

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        raise AttributeError(f"{self!r}{self.advice(self.name)}", name=self.name, obj=instance)

    def __repr__(self) -> str:
        return f"{self.of!r} object has no attribute {self.name!r}"


def install(ours: Any, theirs: type[Any], advice: Callable[[str], str]) -> None:
    """An entry for each public name that dir() has of their class, but not of ours.

    advice: what the error says behind the name.
    """

    def present(self: Any) -> list[str]:
        """The names of the attributes that are there."""
        found = object.__dir__(self)
        return [n for n in found if not isinstance(inspect.getattr_static(self, n), Missing)]

    add(ours, (name for name in dir(theirs) if not name.startswith("_")), advice)
    present.__name__, present.__qualname__ = "__dir__", f"{ours.__name__}.__dir__"
    ours.__dir__ = present


def add(ours: Any, names: Iterable[str], advice: Callable[[str], str]) -> None:
    """An entry for each of the names that dir() has not of our class."""
    for name in {*names} - {*dir(ours)}:
        setattr(ours, name, Missing(ours.__name__, name, advice))
