"""``array.vec``, where vector types were before ``cltypes``."""

from __future__ import annotations

import warnings
from typing import Any


class VecLookupWarner:
    """The names of cltypes, each with a DeprecationWarning."""

    def __getattr__(self, name: str) -> Any:
        from isthmus.cl import cltypes

        if name.startswith("__"):
            raise AttributeError(name)
        warnings.warn(
            "array.vec is deprecated, use isthmus.cl.cltypes", DeprecationWarning, stacklevel=2
        )
        older = {
            "types": "vec_types",
            "type_to_scalar_and_count": "vec_type_to_scalar_and_count",
        }
        return getattr(cltypes, older.get(name, name))


vec = VecLookupWarner()
