"""isthmus.lib.stride_tricks, NumPy's place of sliding_window_view."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._attributes import SET_BY

INSTEAD = {
    "as_strided": SET_BY["strides"],
    "broadcast_arrays": "isthmus.broadcast_arrays",
    "broadcast_shapes": "isthmus.broadcast_shapes",
    "broadcast_to": "isthmus.broadcast_to",
}


class _Space(ModuleType):
    """A module of NumPy's, with those of its names that there are."""

    def __init__(self, name: str, theirs: ModuleType, **known: Any) -> None:
        super().__init__(f"isthmus.{name}", f"Of numpy.{name}: {', '.join(known)}.")
        self.__dict__.update(known, _theirs=theirs)

    def __getattr__(self, name: str) -> Any:
        """Raises: AttributeError, with what would do."""
        advice = ""
        if name in INSTEAD:
            advice = f"; use instead: {INSTEAD[name]}"
        elif hasattr(self.__dict__["_theirs"], name):
            advice = f"; {self.__dict__['_theirs'].__name__}.{name} is NumPy's own"
        raise AttributeError(
            f"module {self.__name__!r} has no attribute {name!r}{advice}", name=name, obj=self
        )


lib = _Space(
    "lib",
    np.lib,
    stride_tricks=_Space(
        "lib.stride_tricks",
        np.lib.stride_tricks,
        sliding_window_view=_isthmus.sliding_window_view,
    ),
)
