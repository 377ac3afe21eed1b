"""The operators of arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection
from numbers import Number
from typing import Any, Self

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl import _vectors
from isthmus.cl._memory import InMemory
from isthmus.cl._numpy_calls import REFLECTED, NumpyCalls, answers_ufuncs
from isthmus.cl._ordering import has_elements, not_an_array, queue_of
from isthmus.cl._places import need_queue
from isthmus.cl._turns import in_turn

Function = Callable[..., _isthmus.Array]

INT8 = np.dtype(np.int8)


def is_scalar(value: object) -> bool:
    """Whether it is one number."""
    return isinstance(value, (Number, np.number, np.bool_))


def _dtype_of(x: Operators) -> np.dtype[Any]:
    dtype: np.dtype[Any] = x._x.dtype if x._lanes is None else x._vector
    return dtype


def _reflected(kind: type, function: Function) -> Any:
    """What a class says itself of the operator with an array as the first operand, else None.

    Classes of Python, arrays of NumPy and those of pyopencl.array say nothing of our arrays, or
    make an array of objects of one.
    """
    name = REFLECTED[function.__name__]
    asked = (name, "__eq__") if name == "__ne__" else (name,)  # object.__ne__ asks __eq__
    owner = next((x for x in kind.__mro__ if any(one in vars(x) for one in asked)), object)
    package = owner.__module__.partition(".")[0]
    if package in ("builtins", "isthmus", "pyopencl"):
        return None
    if package == "numpy" and issubclass(owner, np.ndarray) and not answers_ufuncs(kind):
        return None
    return getattr(kind, name)


def _cast(value: Any, dtype: np.dtype[Any]) -> Any:
    """An integer or an array of them as C casts it: what is added to an unsigned count may be the
    int8 of a comparison."""
    if isinstance(value, _isthmus.Array):
        return _isthmus.astype(value, dtype)
    return value.astype(dtype)


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


def _require_fit(result: _isthmus.Array, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """Of what is written in place of elements of this dtype. Raises: TypeError, ValueError."""
    if not np.can_cast(result.dtype, dtype, "same_kind"):
        raise TypeError(f"the result is {result.dtype} and does not fit the array's dtype {dtype}")
    if result.shape != shape:
        raise ValueError(f"a result of shape {result.shape} does not fit {shape}")


class Operators(InMemory):
    """Arithmetic, comparisons and in-place operations of arrays and numbers.

    The operators themselves are compiled. They call what is here for all but arrays of numbers with
    a queue, and Python's numbers.

    Each operation is NumPy's, for arrays of any layout and of shapes that broadcast. Results are
    pending until their values are needed. Raises: ValueError for an array without a queue, and for
    shapes that do not broadcast; TypeError for dtypes without the operation. In-place operations of
    several threads on one array, or on views of it, come one after the other.
    """

    # what Array has
    _made: Callable[..., Self]
    _made_of_lanes: Callable[..., Self]
    _rewrite: Callable[..., None]
    _new_like_me: Callable[..., Any]
    __array_ufunc__: Callable[..., Any]

    def _operand(self, other: object) -> Any:
        """What Isthmus takes for the other operand; NotImplemented for anything else."""
        if isinstance(other, Operators):
            return other._x
        if is_scalar(other) or _vectors.is_element(other):
            return other
        return NotImplemented

    def _refuse(self, other: object) -> None:
        """Raises: TypeError for arrays of other libraries, lists, sets and others with numbers,
        which Python would find unequal."""
        has_numbers = isinstance(other, Collection) or hasattr(type(other), "__float__")
        is_text = isinstance(other, (str, bytes))
        if has_elements(other) or (has_numbers and not is_text):
            raise not_an_array(other, "an isthmus.cl.array.Array or a number")

    def _is_foreign(self, other: object) -> bool:
        """Whether it is neither an array of this class nor a number."""
        return not isinstance(other, Operators) and self._operand(other) is NotImplemented

    def _answer(self, other: object, function: Function, is_reflected: bool = False) -> Any:
        """The operator with a foreign operand: what the operand's class says of it; NotImplemented
        where Python asks that class.

        Raises: as _refuse, if it says nothing.
        """
        has_own_ufuncs = type(self).__array_ufunc__ is not NumpyCalls.__array_ufunc__
        if has_own_ufuncs and isinstance(other, np.ndarray):
            return NotImplemented  # NumPy's operator calls it
        reflected = None if is_reflected else _reflected(type(other), function)
        answer = NotImplemented if reflected is None else reflected(other, self)
        if answer is NotImplemented:
            self._refuse(other)
        return answer

    def _binary(self, other: object, function: Function, is_reflected: bool = False) -> Any:
        if self._is_foreign(other):
            return self._answer(other, function, is_reflected)
        queue = need_queue(self.queue)
        both = (other, self) if is_reflected else (self, other)
        if has_vectors(*both):
            return self._by_lanes(queue, function, *both)
        operands = [x._x if isinstance(x, Operators) else x for x in both]
        return self._made(_isthmus._on_queue(queue, function, *operands), queue)

    def _by_lanes(self, queue: Any, function: Function, *operands: Any) -> Self:
        """The function on each lane of vectors, pending as lanes."""
        return self._made_of_lanes(*_isthmus._on_queue(queue, of_lanes, function, operands), queue)

    def _compared(self, other: object, function: Function) -> Any:
        if self._is_foreign(other):
            return self._answer(other, function)
        queue = need_queue(self.queue)
        if has_vectors(self, other):
            found = _isthmus._on_queue(queue, _compared_lanes, function, (self, other))
        else:
            found = _isthmus._on_queue(queue, function, self._x, self._operand(other))
        return self._made(_isthmus.astype(found, INT8), queue)

    def _in_place(self, other: object, function: Function) -> Any:
        if self._is_foreign(other):
            return self._answer(other, function)
        queue = need_queue(self.queue)
        in_turn(self, self._in_turn_of_views, queue, other, function)
        return self

    def _in_turn_of_views(self, *args: Any) -> None:
        """Others that look at the same memory are written to as it is."""
        block = self._held
        if block is None or self._is_replaceable():
            self._in_place_alone(*args)
        else:
            in_turn(block, self._in_place_alone, *args)

    def _in_place_alone(self, queue: Any, other: Any, function: Function) -> None:
        """Reads and writes: no other thread does so with the same array at the same time."""
        if has_vectors(self):
            _isthmus._on_queue(queue, self._rewrite_lanes, function, other)
        else:
            x = self._x
            theirs = self._operand(other)
            if {x.dtype.kind, getattr(theirs, "dtype", x.dtype).kind} == {"i", "u"}:
                theirs = _isthmus._on_queue(queue, _cast, theirs, x.dtype)
            result = _isthmus._on_queue(queue, function, x, theirs)
            _require_fit(result, x.dtype, x.shape)
            _isthmus._on_queue(queue, self._rewrite, result)

    def _rewrite_lanes(self, function: Function, other: Any) -> None:
        """Vectors get lanes that are calculated from their own. The queue is the current one."""
        (mine, theirs), dtype = _lanes_of_all((self, other))
        scalar = _vectors.scalar_of(dtype)
        assert scalar is not None
        lanes = function(mine, theirs)
        _require_fit(lanes, scalar, mine.shape)
        lanes = _isthmus.astype(lanes, scalar)
        if not (self._is_replaceable() and lanes.strides == mine.strides):
            self._rewrite(_vectors.joined(lanes, dtype))
            return
        if self._lanes is None:
            del self._x
        self._held = None
        self._lanes, self._vector = lanes, dtype
        self._wrote()

    def _unary(self, function: Function) -> Self:
        queue = need_queue(self.queue)
        if has_vectors(self):
            return self._by_lanes(queue, function, self)
        return self._made(_isthmus._on_queue(queue, function, self._x), queue)

    def mul_add(self, selffac: Any, other: Any, otherfac: Any, queue: Any = None) -> Self:
        """selffac * self + otherfac * other, in one kernel.

        Returns: new memory, pending. Waits: no.
        """
        if self._is_foreign(other):
            self._refuse(other)
            raise NotImplementedError(f"mul_add of a {type(other).__name__}")
        queue = queue_of(queue, [self])

        def combined(x: Any, x_factor: Any, y: Any, y_factor: Any) -> _isthmus.Array:
            scaled = y_factor * y if is_scalar(y) else _isthmus.multiply(y, y_factor)
            return _isthmus.add(_isthmus.multiply(x, x_factor), scaled)

        if has_vectors(self, other):
            return self._by_lanes(queue, combined, self, selffac, other, otherfac)
        with Queue(queue):
            return self._made(combined(self._x, selffac, self._operand(other), otherfac), queue)

    def __div__(self, other: Any) -> Self:
        """self / other, under the name that it has in Python 2."""
        return self._binary(other, _isthmus.divide)  # type: ignore[no-any-return]

    def __rdiv__(self, other: Any) -> Self:
        """other / self, under the name that it has in Python 2."""
        return self._binary(other, _isthmus.divide, True)  # type: ignore[no-any-return]

    def __pos__(self) -> Self:
        return self

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
