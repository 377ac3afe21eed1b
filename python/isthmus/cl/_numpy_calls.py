"""What NumPy asks of arrays that were given to one of its functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from isthmus._names import SPELLINGS
from isthmus._numpy_calls import is_calculation
from isthmus.cl._transfers import Transfers

# Our name of an operator: what is called if its first operand does not know the second one.
REFLECTED = {
    **{"add": "__radd__", "subtract": "__rsub__", "multiply": "__rmul__"},
    **{"divide": "__rtruediv__", "floor_divide": "__rfloordiv__", "remainder": "__rmod__"},
    "pow": "__rpow__",
    **{"bitwise_left_shift": "__rlshift__", "bitwise_right_shift": "__rrshift__"},
    **{"bitwise_and": "__rand__", "bitwise_or": "__ror__", "bitwise_xor": "__rxor__"},
    **{"equal": "__eq__", "not_equal": "__ne__", "less": "__gt__", "greater": "__lt__"},
    **{"less_equal": "__ge__", "greater_equal": "__le__"},
}
# Functions that call a method of that name, else reduce() of a ufunc: NumPy 2.4 keeps operands that
# refuse that for ever.
_REDUCTIONS = ("amax", "amin", "max", "min", "prod", "ptp", "sum")


def _refusal(name: str) -> TypeError:
    """Says what would do in the place of a function of NumPy."""
    instead = "its operator does, and " if SPELLINGS.get(name, name) in REFLECTED else ""
    for module in ("isthmus.cl.array", "isthmus.cl.clmath"):
        for spelt in (name, SPELLINGS.get(name, name)):
            found = getattr(importlib.import_module(module), spelt, None)
            if not instead and (getattr(found, "__module__", None) or "").startswith("isthmus.cl"):
                instead = f"{module}.{spelt} does, and "
    return TypeError(
        f"numpy.{name} does not take an isthmus.cl.array.Array; {instead}x.get() is the array as "
        "NumPy's"
    )


def answers_ufuncs(kind: type) -> bool:
    """Whether a class has an __array_ufunc__ that is neither NumPy's nor ours."""
    found = getattr(kind, "__array_ufunc__", None)
    return found not in (None, np.ndarray.__array_ufunc__, NumpyCalls.__array_ufunc__)


def _are_readable(operands: Iterable[Any]) -> bool:
    """Whether NumPy reads all arrays of ours among them, by an __array__ of a derived class."""
    ours: list[Any] = [x for x in operands if isinstance(x, NumpyCalls)]
    return bool(ours) and all(type(x).__array__ is not Transfers.__array__ for x in ours)


def _own_function(name: str) -> Any:
    """That of isthmus.cl.array which does what NumPy's does, or None."""
    return getattr(importlib.import_module("isthmus.cl.array"), name, None)


class NumpyCalls:
    """Has NumPy's functions that calculate say what would do."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Operators between NumPy's scalars and arrays. Of derived classes that have an __array__
        of their own, NumPy gets what it returns; another operand with __array_ufunc__ is asked.

        Raises: TypeError for all other uses of NumPy ufuncs, naming the Isthmus function.
        Source: NumPy, NEP 13.
        """
        if any(answers_ufuncs(type(x)) and not isinstance(x, NumpyCalls) for x in inputs):
            return NotImplemented
        name = REFLECTED.get(SPELLINGS.get(ufunc.__name__, ufunc.__name__))
        are_readable = _are_readable([*inputs, *kwargs.get("out", ()), kwargs.get("where")])
        if method == "__call__" and len(inputs) == 2 and name is not None and not kwargs:
            first, second = inputs
            if isinstance(first, np.ndarray) and first.ndim == 0:
                first = first[()]  # NumPy's comparisons make an array of a scalar
            is_left = isinstance(first, NumpyCalls)
            if not is_left and not (are_readable and isinstance(first, np.ndarray)):
                return getattr(second, name)(first)
        if are_readable:
            read = [np.asarray(x) if isinstance(x, NumpyCalls) else x for x in inputs]
            return getattr(ufunc, method)(*read, **kwargs)
        raise _refusal(ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}")

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """NumPy's functions read the array by __array__, or call its method of that name; max, min
        and sum of an array alone are those of isthmus.cl.array.

        Raises: TypeError for functions that cannot, naming the Isthmus function.
        Source: NumPy, NEP 18.
        """
        plain: Any = getattr(function, "_implementation", None)
        name = getattr(function, "__name__", repr(function))
        if plain is None:
            raise TypeError(f"__array_function__: {name} is not a NumPy function")
        if name in _REDUCTIONS:
            spelt = SPELLINGS.get(name, name)
            if not (args and isinstance(args[0], NumpyCalls)):
                raise _refusal(name)
            if hasattr(args[0], spelt) or _are_readable(args[:1]):
                return plain(*args, **kwargs)
            own = _own_function(spelt)
            if own is None or len(args) > 1 or kwargs:
                raise _refusal(name)
            return own(args[0])
        try:
            return plain(*args, **kwargs)
        except TypeError:
            if not is_calculation(name):
                raise
            raise _refusal(name) from None
