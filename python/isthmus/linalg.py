"""Linear algebra: ``linalg.solve(a, b)``, ``linalg.svd(x)`` and others of the Array API.

Matrices are in the last two axes; the axes in front of them make a stack. LAPACK factors and
solves on the host, in the library that multiplies matrices (``config.blas``), where the host can
access the memory; a stack of small matrices on several threads. Norms, traces and products are
operations like any other, on every device.
"""

from isthmus import _isthmus

__all__ = [name for name in dir(_isthmus._linalg) if not name.startswith("_")]
globals().update({name: getattr(_isthmus._linalg, name) for name in __all__})


def __getattr__(name: str) -> object:
    """Raises: AttributeError, with NumPy's function, which accepts arrays of the host."""
    import sys

    from isthmus._names import advice_on_linalg  # which needs this module

    text = f"module {__name__!r} has no attribute {name!r}{advice_on_linalg(name)}"
    raise AttributeError(text, name=name, obj=sys.modules[__name__])
