"""What NumPy asks of arrays that were given to one of its functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from isthmus._names import SPELLINGS
from isthmus._numpy_calls import is_calculation

# What NumPy makes of an operator whose first operand is one of its scalars: the array's own method.
_REFLECTED = {
    **{"add": "__radd__", "subtract": "__rsub__", "multiply": "__rmul__"},
    **{"divide": "__rtruediv__", "floor_divide": "__rfloordiv__", "remainder": "__rmod__"},
    **{"power": "__rpow__", "left_shift": "__rlshift__", "right_shift": "__rrshift__"},
    **{"bitwise_and": "__rand__", "bitwise_or": "__ror__", "bitwise_xor": "__rxor__"},
    **{"equal": "__eq__", "not_equal": "__ne__", "less": "__gt__", "greater": "__lt__"},
    **{"less_equal": "__ge__", "greater_equal": "__le__"},
}
# Functions that call reduce() of a ufunc: NumPy 2.4 keeps operands that refuse it for ever.
_REDUCTIONS = ("amax", "amin", "max", "min", "prod", "ptp", "sum")


def _refusal(name: str) -> TypeError:
    """Says what would do in the place of a function of NumPy."""
    instead = "its operator does, and " if name in _REFLECTED else ""
    for module in ("isthmus.cl.array", "isthmus.cl.clmath"):
        for spelt in (name, SPELLINGS.get(name, name)):
            found = getattr(importlib.import_module(module), spelt, None)
            if not instead and (getattr(found, "__module__", None) or "").startswith("isthmus.cl"):
                instead = f"{module}.{spelt} does, and "
    return TypeError(
        f"numpy.{name} does not take an isthmus.cl.array.Array; {instead}x.get() is the array as "
        "NumPy's"
    )


class NumpyCalls:
    """Has NumPy's functions that calculate say what would do."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Operators between NumPy's scalars and arrays.

        Raises: TypeError for all other uses of NumPy ufuncs, naming the Isthmus function.
        Source: NumPy, NEP 13.
        """
        name = _REFLECTED.get(ufunc.__name__)
        if method == "__call__" and len(inputs) == 2 and name is not None and not kwargs:
            first, second = inputs
            if isinstance(first, np.ndarray) and first.ndim == 0:
                first = first[()]  # NumPy's comparisons make an array of a scalar
            if not isinstance(first, NumpyCalls):
                return getattr(second, name)(first)
        raise _refusal(ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}")

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """NumPy's functions read the array by __array__, or call its method of that name.

        Raises: TypeError for functions that cannot, naming the Isthmus function.
        Source: NumPy, NEP 18.
        """
        plain: Any = getattr(function, "_implementation", None)
        name = getattr(function, "__name__", repr(function))
        if plain is None:
            raise TypeError(f"__array_function__: {name} is not a NumPy function")
        if name in _REDUCTIONS:
            raise _refusal(name)
        try:
            return plain(*args, **kwargs)
        except TypeError:
            if not is_calculation(name):
                raise
            raise _refusal(name) from None
