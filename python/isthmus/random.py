"""Random numbers whose bits are the same on every device.

They come from Philox4x32-10, a function of a counter and a key: no element depends on another
element, on the device or on threads. ``default_rng(seed)`` creates a Generator; its methods have
the names and the argument order of NumPy's. The numbers are not NumPy's.
"""

from __future__ import annotations

import difflib
import operator
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import numpy as np

from isthmus import _isthmus, _missing
from isthmus._isthmus import Array

__all__ = ["Generator", "default_rng", "philox4x32"]

Seed = SupportsIndex | Sequence[SupportsIndex] | np.random.SeedSequence | None

_NAME = "Philox4x32-10"
_PARTS = ("key", "stream", "counter", "children")


def _digits(seed: int) -> list[int]:
    """Of 64 bits, the lowest first. Raises: ValueError."""
    if seed < 0:
        raise ValueError(f"default_rng: the seed {seed} is below 0")
    found = [seed & (1 << 64) - 1]
    while seed := seed >> 64:
        found.append(seed & (1 << 64) - 1)
    return found


def _integers(seed: Any) -> list[int]:
    """Raises: TypeError."""
    if isinstance(seed, np.random.SeedSequence):
        return [int(word) for word in seed.generate_state(4, np.uint64)]
    try:
        return [operator.index(seed)]
    except TypeError:
        return [operator.index(one) for one in seed]


def _state_of(seed: Seed) -> tuple[int, int, int, int]:
    if seed is None:
        return _isthmus._seeded_by_entropy()
    try:
        numbers = _integers(seed)
    except TypeError:
        message = f"default_rng: the seed {seed!r} is neither an int nor a sequence of ints"
        raise TypeError(message) from None
    return _isthmus._seeded([_digits(number) for number in numbers])


def _index(who: str, number: Any) -> int:
    """Raises: TypeError."""
    try:
        return operator.index(number)
    except TypeError:
        found = _isthmus._found_as(number)
        raise TypeError(f"{who}: expected an int, not {found}") from None


def _of_64_bits(who: str, number: SupportsIndex, what: str) -> int:
    """Raises: ValueError, TypeError."""
    count = _index(who, number)
    if not -(1 << 63) <= count < 1 << 63:
        raise ValueError(f"{who}: {count} {what}")
    return count


class Generator(_isthmus._Generator):
    """Draws random numbers with Philox4x32-10, a function of a counter and a key.

    A call uses one counter for each element, and each element is a function of its own counter. So
    numbers do not depend on the device, on threads, or on fusion: their bits are the same
    everywhere.

    ``Generator(seed)`` is ``default_rng(seed)``. ``size`` is the shape of a result; without it,
    parameters broadcast to the shape. The dtype is float32 or float64, by default that of the
    parameters, or the device's default dtype. The device is by default that of the parameters, or
    the default device. Results are pending, and fuse with the operations around them. The values of
    parameters that are arrays are not checked, except by integers(), choice() and binomial().

    Any thread may call it; two threads never draw the same numbers. Copies and pickles continue
    with the same numbers as the original.
    """

    def __init__(self, seed: Seed = None) -> None:
        super().__init__(*_state_of(seed))

    @property
    def state(self) -> dict[str, Any]:
        """The state that determines the next numbers. It can be saved and set again.

        Raises: TypeError and ValueError if it is set to an invalid state.
        """
        return {"bit_generator": _NAME, **dict(zip(_PARTS, self._state(), strict=True))}

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict):
            raise TypeError(f"Generator: state: expected a dict, not {type(state).__name__}")
        if state.keys() != {"bit_generator", *_PARTS} or state["bit_generator"] != _NAME:
            raise ValueError(f"Generator: state: expected the state of a {_NAME}, not {state}")
        numbers = [_index(f"Generator: state: {part}", state[part]) for part in _PARTS]
        for part, number in zip(_PARTS, numbers, strict=True):
            if not 0 <= number < 1 << 64:
                raise ValueError(f"Generator: state: {part} is {number}; it has 64 bits")
        self._set_state(*numbers)

    @classmethod
    def _of(cls, state: tuple[int, int, int, int]) -> Self:
        made = cls.__new__(cls)
        _isthmus._Generator.__init__(made, *state)
        return made

    def spawn(self, n_children: SupportsIndex) -> list[Self]:
        """New generators with their own keys, for other threads, processes or purposes.

        The keys depend on this key and on how many were spawned before.

        Raises: ValueError for a negative number, and for more than 2^20.
        Source: numpy.random.Generator.spawn.
        """
        expected = "generators; a call creates 0 to 1048576"
        count = _of_64_bits("spawn: n_children", n_children, expected)
        return [self._of(state) for state in self._spawn(count)]

    def jumped(self, jumps: SupportsIndex = 1) -> Self:
        """A generator with the numbers of this one after `jumps` times 2^64 blocks of 128 bits.

        Raises: ValueError for a negative number, and beyond the last of 2^60 streams.
        Source: numpy.random.Philox.jumped.
        """
        count = _of_64_bits("jumped: jumps", jumps, "jumps; a generator has 2^60 streams")
        return self._of(self._jumped(count)[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._state())

    def __copy__(self) -> Self:
        return self._of(self._state())

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._of(self._state())

    def __repr__(self) -> str:
        key, stream, counter, children = self._state()
        spawned = f", children={children}" if children else ""
        return f"Generator({_NAME}, key={key:#x}, stream={stream}, counter={counter}{spawned})"


def _advice(name: str) -> str:
    """What would do in the place of a method of NumPy's generators."""
    if name == "bit_generator":
        return "; use instead: rng.state for its state, rng.jumped() for its jumped()"
    return f"; isthmus.asarray(numpy.random.default_rng().{name}(...)) converts NumPy's result"


_missing.install(Generator, np.random.Generator, _advice)


def _restored(cls: type[Generator], state: tuple[int, int, int, int]) -> Generator:
    return cls._of(state)


def default_rng(seed: Seed | Generator = None) -> Generator:
    """A Generator seeded by a seed, or without one by the system's entropy.

    The seed is a non-negative int of any size, a sequence of them, or a SeedSequence of NumPy. A
    Generator is returned unchanged.

    Raises: ValueError for a negative seed, TypeError for an invalid seed.
    Source: numpy.random.default_rng.
    """
    return seed if isinstance(seed, Generator) else Generator(seed)


def philox4x32(counter: Array, key: Array) -> Array:
    """Philox4x32-10 itself: the four uint32 of each block of random bits.

    Shapes: counters (..., 4) and keys (..., 2), whose other axes broadcast; result (..., 4).
    Returns: new memory, pending.
    Waits: no.
    Raises: TypeError for dtypes other than uint32, ValueError for other shapes.
    Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
    """
    return _isthmus._philox4x32(counter, key)


if not TYPE_CHECKING:  # type checkers know the names that there are
    # NumPy's old functions, which share one generator: what does the same here.
    _OF_NUMPY = {
        "rand": "random((n, m))",
        "randint": "integers(low, high, size)",
        "randn": "standard_normal((n, m))",
        "random_integers": "integers(low, high, size, endpoint=True)",
        "random_sample": "random(size)",
        "ranf": "random(size)",
        "sample": "random(size)",
    }

    def __getattr__(name: str) -> Any:
        """Raises: AttributeError, with the methods that draw what NumPy's function draws."""
        advice = ""
        methods = [method for method in dir(Generator(0)) if not method.startswith("_")]
        if name in _OF_NUMPY:
            advice = f"; use instead: isthmus.random.default_rng(seed).{_OF_NUMPY[name]}"
        elif not name.startswith("_") and (hasattr(np.random, name) or name in methods):
            near = difflib.get_close_matches(name, methods, 3, 0.7)
            advice = (
                f"; a Generator draws: isthmus.random.default_rng(seed).{near[0]}"
                if near
                else ("; isthmus.random.default_rng(seed) makes a Generator, whose methods draw")
            )
        module = sys.modules[__name__]
        raise AttributeError(
            f"module 'isthmus.random' has no attribute {name!r}{advice}", name=name, obj=module
        )
