"""The operators of arrays."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any, Self

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl import _vectors
from isthmus.cl._ordering import queue_of
from isthmus.cl._places import need_queue

Function = Callable[..., _isthmus.Array]

INT8 = np.dtype(np.int8)


def is_scalar(value: object) -> bool:
    """Whether it is one number."""
    return isinstance(value, (Number, np.number, np.bool_))


def _dtype_of(x: Operators) -> np.dtype[Any]:
    dtype: np.dtype[Any] = x._x.dtype if x._lanes is None else x._vector
    return dtype


def has_vectors(*operands: Any) -> bool:
    """Whether one is an array of vectors. Calculates nothing."""
    return any(
        isinstance(x, Operators) and _vectors.scalar_of(_dtype_of(x)) is not None for x in operands
    )


def _lanes_of_all(operands: tuple[Any, ...]) -> tuple[list[Any], np.dtype[Any]]:
    """The lanes of each operand, and the dtype of the first array of vectors."""
    first = next(x for x in operands if has_vectors(x))
    _vectors.require_one_count(
        _dtype_of(x) if isinstance(x, Operators) else x.dtype
        for x in operands
        if isinstance(x, Operators) or _vectors.is_element(x)
    )
    like = first._x if first._lanes is None else first._lanes

    def lanes_of(x: Any) -> Any:
        if not isinstance(x, Operators):
            return _vectors.lanes_of(x, like)
        return _vectors.lanes_of(x._x, like) if x._lanes is None else x._lanes

    return [lanes_of(x) for x in operands], _dtype_of(first)


def of_lanes(function: Function, operands: tuple[Any, ...]) -> tuple[_isthmus.Array, np.dtype[Any]]:
    """The lanes of the result, and what vectors they are: lanes are promoted as arrays are."""
    lanes, dtype = _lanes_of_all(operands)
    found = function(*lanes)
    dtype = _vectors.with_lanes(dtype, found.dtype)
    return _isthmus.astype(found, _vectors.scalar_of(dtype)), dtype


def _compared_lanes(function: Function, operands: tuple[Any, ...]) -> _isthmus.Array:
    """Whether vectors are equal."""
    lanes, dtype = _lanes_of_all(operands)
    return _vectors.compared(function, dtype, *lanes)


def _applied(queue: Any, function: Function, *operands: Any) -> Any:
    """The function on the queue; on each lane of vectors, which it refuses."""
    try:
        return _isthmus._on_queue(queue, function, *operands)
    except TypeError:
        if not any(_vectors.is_vector(x) for x in operands):
            raise
    return _isthmus._on_queue(queue, _vectors.by_lanes(function), *operands)


class Operators:
    """Arithmetic, comparisons and what is written in place, of arrays and numbers.

    Each operation is NumPy's, for arrays of any layout and of shapes that broadcast. Results are
    pending until their values are needed. Raises: ValueError for an array without a queue, and for
    shapes that do not broadcast; TypeError for dtypes without the operation.
    """

    # what Array has
    _x: _isthmus.Array
    _lanes: _isthmus.Array | None
    _vector: np.dtype[Any]
    queue: Any
    dtype: np.dtype[Any]
    _made: Callable[..., Self]
    _made_of_lanes: Callable[..., Self]
    _rewrite: Callable[..., None]
    _new_like_me: Callable[..., Any]

    def _operand(self, other: object) -> Any:
        """What Isthmus takes for the other operand; NotImplemented for anything else."""
        if isinstance(other, Operators):
            return other._x
        if is_scalar(other) or _vectors.is_element(other):
            return other
        return NotImplemented

    def _binary(self, other: object, function: Function, is_reflected: bool = False) -> Self:
        has_lanes = self._lanes is not None or (
            isinstance(other, Operators) and other._lanes is not None
        )
        if not has_lanes:
            y = other._x if isinstance(other, Operators) else self._operand(other)
            if y is NotImplemented:
                return y  # type: ignore[no-any-return]
            queue = need_queue(self.queue)
            operands = (y, self._x) if is_reflected else (self._x, y)
            try:
                return self._made(_isthmus._on_queue(queue, function, *operands), queue)
            except TypeError:
                if not any(_vectors.is_vector(x) for x in operands):
                    raise
        elif not isinstance(other, Operators) and self._operand(other) is NotImplemented:
            return NotImplemented  # type: ignore[no-any-return]
        queue = need_queue(self.queue)
        both = (other, self) if is_reflected else (self, other)
        return self._by_lanes(queue, function, *both)

    def _by_lanes(self, queue: Any, function: Function, *operands: Any) -> Self:
        """The function on each lane of vectors, pending as lanes."""
        return self._made_of_lanes(*_isthmus._on_queue(queue, of_lanes, function, operands), queue)

    def _compared(self, other: object, function: Function) -> Self:
        if not isinstance(other, Operators) and self._operand(other) is NotImplemented:
            return NotImplemented  # type: ignore[no-any-return]
        queue = need_queue(self.queue)
        if has_vectors(self, other):
            found = _isthmus._on_queue(queue, _compared_lanes, function, (self, other))
        else:
            found = _isthmus._on_queue(queue, function, self._x, self._operand(other))
        return self._made(_isthmus.astype(found, INT8), queue)

    def _in_place(self, other: object, function: Function) -> Self:
        y = self._operand(other)
        if y is NotImplemented:
            return y  # type: ignore[no-any-return]
        queue = need_queue(self.queue)
        x = self._x
        result = _applied(queue, function, x, y)
        if result.dtype != x.dtype and not np.can_cast(result.dtype, x.dtype, "same_kind"):
            raise TypeError(f"the result is {result.dtype} and does not fit the array's {x.dtype}")
        if result.shape != x.shape:
            raise ValueError(f"a result of shape {result.shape} does not fit {x.shape}")
        _isthmus._on_queue(queue, self._rewrite, result)
        return self

    def _unary(self, function: Function) -> Self:
        queue = need_queue(self.queue)
        if self._lanes is None:
            try:
                return self._made(_isthmus._on_queue(queue, function, self._x), queue)
            except TypeError:
                if not _vectors.is_vector(self._x):
                    raise
        return self._by_lanes(queue, function, self)

    def mul_add(self, selffac: Any, other: Any, otherfac: Any, queue: Any = None) -> Self:
        """selffac * self + otherfac * other, in one kernel.

        Returns: new memory, pending. Waits: no.
        """
        if not isinstance(other, Operators) and self._operand(other) is NotImplemented:
            raise NotImplementedError(f"mul_add of a {type(other).__name__}")
        queue = queue_of(queue, [self])

        def combined(x: Any, x_factor: Any, y: Any, y_factor: Any) -> _isthmus.Array:
            scaled = y_factor * y if is_scalar(y) else _isthmus.multiply(y, y_factor)
            return _isthmus.add(_isthmus.multiply(x, x_factor), scaled)

        if has_vectors(self, other):
            return self._by_lanes(queue, combined, self, selffac, other, otherfac)
        with Queue(queue):
            return self._made(combined(self._x, selffac, self._operand(other), otherfac), queue)

    def __add__(self, other: Any) -> Self:
        """Sum."""
        return self._binary(other, _isthmus.add)

    def __radd__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.add, True)

    def __sub__(self, other: Any) -> Self:
        """Difference."""
        return self._binary(other, _isthmus.subtract)

    def __rsub__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.subtract, True)

    def __mul__(self, other: Any) -> Self:
        """Product."""
        return self._binary(other, _isthmus.multiply)

    def __rmul__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.multiply, True)

    def __truediv__(self, other: Any) -> Self:
        """Quotient; of integers as floats."""
        return self._binary(other, _isthmus.divide)

    def __rtruediv__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.divide, True)

    def __div__(self, other: Any) -> Self:
        """self / other, under the name that it has in Python 2."""
        return self._binary(other, _isthmus.divide)

    def __rdiv__(self, other: Any) -> Self:
        """other / self, under the name that it has in Python 2."""
        return self._binary(other, _isthmus.divide, True)

    def __floordiv__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.floor_divide)

    def __rfloordiv__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.floor_divide, True)

    def __mod__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.remainder)

    def __rmod__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.remainder, True)

    def __pow__(self, other: Any) -> Self:
        """Power."""
        return self._binary(other, _isthmus.pow)

    def __rpow__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.pow, True)

    def __and__(self, other: Any) -> Self:
        """Bits that both have. Raises: TypeError but for integers and bools."""
        return self._binary(other, _isthmus.bitwise_and)

    __rand__ = __and__

    def __or__(self, other: Any) -> Self:
        """Bits that either has. Raises: as &."""
        return self._binary(other, _isthmus.bitwise_or)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Self:
        """Bits that only one has. Raises: as &."""
        return self._binary(other, _isthmus.bitwise_xor)

    __rxor__ = __xor__

    def __lshift__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.bitwise_left_shift)

    def __rlshift__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.bitwise_left_shift, True)

    def __rshift__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.bitwise_right_shift)

    def __rrshift__(self, other: Any) -> Self:
        return self._binary(other, _isthmus.bitwise_right_shift, True)

    def __iadd__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.add)

    def __isub__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.subtract)

    def __imul__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.multiply)

    def __itruediv__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.divide)

    def __iand__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.bitwise_and)

    def __ior__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.bitwise_or)

    def __ixor__(self, other: Any) -> Self:
        return self._in_place(other, _isthmus.bitwise_xor)

    def __eq__(self, other: object) -> Self:  # type: ignore[override]
        """1 where equal, else 0: int8, as all comparisons."""
        return self._compared(other, _isthmus.equal)

    def __ne__(self, other: object) -> Self:  # type: ignore[override]
        return self._compared(other, _isthmus.not_equal)

    def __lt__(self, other: Any) -> Self:
        return self._compared(other, _isthmus.less)

    def __le__(self, other: Any) -> Self:
        return self._compared(other, _isthmus.less_equal)

    def __gt__(self, other: Any) -> Self:
        return self._compared(other, _isthmus.greater)

    def __ge__(self, other: Any) -> Self:
        return self._compared(other, _isthmus.greater_equal)

    __hash__: None = None  # type: ignore[assignment]

    def __pos__(self) -> Self:
        return self

    def __neg__(self) -> Self:
        return self._unary(_isthmus.negative)

    def __abs__(self) -> Self:
        """Absolute values; of complex numbers real ones."""
        return self._unary(_isthmus.abs)

    def __invert__(self) -> Self:
        """All bits changed. Raises: TypeError but for integers and bools."""
        return self._unary(_isthmus.bitwise_invert)

    @property
    def real(self) -> Self:
        """Real parts; the array itself if it is not complex."""
        return self._unary(_isthmus.real) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> Self:
        """Imaginary parts; zeros if it is not complex."""
        if self.dtype.kind == "c":
            return self._unary(_isthmus.imag)
        zeros: Self = self._new_like_me().fill(0)
        return zeros

    def conj(self) -> Self:
        """Complex conjugates; the array itself if it is not complex."""
        return self._unary(_isthmus.conj) if self.dtype.kind == "c" else self

    conjugate = conj
