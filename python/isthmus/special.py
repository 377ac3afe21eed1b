"""Elementwise mathematical functions that are not in the Array API: ``special.erf(x)``.

They are operations like any other: they broadcast, stay pending, fuse, and run on every device.
``isthmus.op_table`` has their rows, with the accuracy of each.
"""

from isthmus import _isthmus
from isthmus._isthmus import op_table

__all__ = [row["name"] for row in op_table if row["space"] == "special"]
globals().update({name: getattr(_isthmus._special, name) for name in __all__})


def __getattr__(name: str) -> object:
    """Raises: AttributeError, with what would do in the place of a function of SciPy or OpenCL."""
    import isthmus
    from isthmus._special_names import advice_on_special  # which needs this module

    text = f"module {__name__!r} has no attribute {name!r}{advice_on_special(name)}"
    raise AttributeError(text, name=name, obj=isthmus.special)
