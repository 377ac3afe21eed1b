"""Attributes that pyopencl.array keeps, where a program sets them."""

from __future__ import annotations

from typing import Any

import numpy as np

from isthmus._attributes import SET_BY, refuse_to_set
from isthmus.cl._block import Block, adopt

_KIND = "an array of isthmus.cl"
_INSTEAD = {
    "shape": SET_BY["shape"],
    "dtype": "x = x.astype(dtype) or x.view(dtype)",
    "strides": "x[a:b:c] or as_strided",
    "ndim": "x = x.reshape(shape)",
    "size": "Array(queue, shape, dtype)",
    "nbytes": "Array(queue, shape, dtype)",
    "offset": "x[n:], or Array(queue, shape, dtype, data=memory, offset=bytes)",
}


def _setter(get: Any, name: str) -> Any:
    def set_it(self: Any, value: Any) -> None:
        found = get(self)
        wanted = value
        if name in ("shape", "strides") and np.iterable(value):
            wanted = tuple(value)
        if not np.all(found == wanted):
            raise AttributeError(
                f"{name} of {_KIND} cannot be set to {value!r}: it is {found!r}; use instead: "
                f"{_INSTEAD[name]}",
                name=name,
                obj=self,
            )

    return set_it


def install(array: type[Any]) -> None:
    """Has properties of the class take the value that they have, which derived classes set, and say
    of others what would do."""
    refuse_to_set(array, _KIND, {"T": SET_BY["T"]})
    for name in _INSTEAD:
        get = getattr(array, name).fget
        setattr(array, name, property(get, _setter(get, name), doc=get.__doc__))


def lie_in(array: Any, given: Any) -> None:
    """Has an array become one in memory of the caller, at the same offset; its views stay where
    they are."""
    if not array.size:
        return
    fresh = array._fresh
    if fresh is None:
        block = array._block
        known = (block.given, *(lent[0] for lent in block.lent.values()))
        if given is not None and any(given is one for one in known):
            block.is_shown = True
            return
    elif given is not None and given is fresh.given:
        return
    place = array._some_queue()
    found = adopt(given, place, array.shape, array.dtype, array.strides, array.offset, False)
    array._warn_of_queue(given)
    array._place(Block(found, given, is_shown=True))
    array._fresh = None
