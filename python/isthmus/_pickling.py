"""Compiled functions in pickles and deep copies: by their names, as Python's own."""

from __future__ import annotations

import copyreg
import functools
import importlib
import pickle
from typing import Any

from isthmus import _isthmus

# Where users find what lies in a compiled module; other names are private.
_PUBLIC = {
    "isthmus._isthmus": "isthmus",
    "isthmus._isthmus._linalg": "isthmus.linalg",
    "isthmus._isthmus._special": "isthmus.special",
}


def _find(module: str, name: str) -> Any:
    """What "Array.sum" of a module names. Raises: AttributeError, ImportError."""
    return functools.reduce(getattr, name.split("."), importlib.import_module(module))


def _reduce(function: Any) -> tuple[Any, ...]:
    """Also of other packages, whose functions by nanobind may be of the same class.

    Raises: PicklingError.
    """
    module, name = function.__module__, function.__qualname__
    for where in (_PUBLIC.get(module, module), module):
        try:
            if _find(where, name) is function:
                return _find, (where, name)
        except (AttributeError, ImportError):
            continue
    raise pickle.PicklingError(f"{module}.{name} cannot be found by its name")


def install() -> None:
    """Has pickle and copy know functions and methods of classes."""
    for one in (_isthmus.sin, _isthmus.Array.sum):
        copyreg.pickle(type(one), _reduce)
