"""NumPy's functions that make arrays, called with like=x: they make one of Isthmus (NEP 35)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isthmus import _isthmus

# Their parameters by place, under NumPy's names.
_SHAPED = ("shape", "dtype", "order")
_CONVERTED = ("a", "dtype", "order")
PLACES = {
    "arange": ("start", "stop", "step", "dtype"),
    "array": ("object", "dtype"),
    "asanyarray": _CONVERTED,
    "asarray": _CONVERTED,
    "empty": _SHAPED,
    "eye": ("N", "M", "k", "dtype", "order"),
    "full": ("shape", "fill_value", "dtype", "order"),
    "ones": _SHAPED,
    "zeros": _SHAPED,
}
# Those that ours have by place alone.
_FIRST = ("start", "object", "a", "N", "M", "shape", "fill_value")
# What changes nothing here.
_WITHOUT_EFFECT: dict[str, tuple[Any, ...]] = {
    "ndmax": (0,),
    "order": (None, "A", "C", "K"),
    "subok": (False, True),
}


def made_like(
    x: _isthmus.Array, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> _isthmus.Array:
    """What a function of NumPy makes, as an array of Isthmus on the device of x.

    Raises: TypeError for other functions, and for arguments that ours has not.
    """
    import isthmus

    name = function.__name__
    if getattr(np, name, None) is not function:
        raise TypeError(f"__array_function__: {name} is not a NumPy function")
    if name not in PLACES:
        raise TypeError(
            f"numpy.{name}: like: an isthmus.Array, but there is no isthmus.{name}; "
            f"isthmus.asarray(numpy.{name}(...), device=x.device) converts NumPy's result"
        )
    given = dict(zip(PLACES[name], args, strict=False)) | kwargs
    for word, values in _WITHOUT_EFFECT.items():
        if word in given and given[word] not in values:
            raise TypeError(
                f"numpy.{name}: like: isthmus.{name} has no {word}={given[word]!r}; leave it out"
            )
        given.pop(word, None)
    first = [given.pop(word) for word in _FIRST if word in given]
    if given.get("device") is None:
        given["device"] = x.device
    made: _isthmus.Array = getattr(isthmus, name)(*first, **given)
    return made
