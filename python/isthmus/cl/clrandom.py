"""Random numbers from counters: Philox4x32-10 and Threefry4x32-20.

A number is a function of a key and a counter. Numbers of one generator do not depend on the device,
and are pending: they fuse with what is calculated from them. They are not pyopencl's, which depend
on the size of work-groups. Philox is that of isthmus.random, within the range of its counters.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import ElementwiseKernel, Queue
from isthmus.cl import _vectors
from isthmus.cl._array_class import Array
from isthmus.cl._ordering import queue_of_arrays
from isthmus.cl._places import end_of
from isthmus.cl._random123_text import random123_text

__all__ = ["PhiloxGenerator", "ThreefryGenerator", "fill_rand", "rand"]

# the counter that is `more` behind another one
_COUNTER = """
static inline %(name)s4x32_ctr_t isthmus_counter_%(name)s(ulong low, ulong high, ulong more) {
  const ulong sum = low + more;
  high += sum < low;
  %(name)s4x32_ctr_t c = {{(uint)sum, (uint)(sum >> 32), (uint)high, (uint)(high >> 32)}};
  return c;
}
"""

_HALF_LIMIT = 1 << 60  # of both halves of a counter in isthmus.random

_PARAMETERS = "uint64 at, uint64 low, uint64 high, uint32 k0, uint32 k1, uint32 k2, uint32 k3"


def _kernels(name: str, key_words: int) -> tuple[ElementwiseKernel, ElementwiseKernel]:
    """Words of 32 and of 64 bits, of counters and keys of 32."""
    before = random123_text(name, (4,), (32,)) + _COUNTER % {"name": name}
    key = ", ".join(f"k{at}" for at in range(key_words))
    draw = (
        f"{name}4x32_key_t k = {{{{{key}}}}}; "
        f"{name}4x32_ctr_t w = {name}4x32(isthmus_counter_{name}(low, high, at / %d), k); "
    )
    short = draw % 4 + "z = w.v[at % 4]"
    long_ = draw % 2 + "z = at % 2 ? upsample(w.v[3], w.v[2]) : upsample(w.v[1], w.v[0])"
    return (
        ElementwiseKernel(_PARAMETERS, "uint32 z", short, f"{name}32", before),
        ElementwiseKernel(_PARAMETERS, "uint64 z", long_, f"{name}64", before),
    )


class _Generator:
    """Base of the generators: a key, and a counter that each call moves on."""

    _kernels: tuple[ElementwiseKernel, ElementwiseKernel]
    key_length: int

    def __init__(
        self,
        context: Any,
        key: Sequence[int] | None = None,
        counter: Sequence[int] | None = None,
        seed: Any = None,
    ) -> None:
        if key is not None and counter is not None and seed is not None:
            raise TypeError("a seed has no use: key and counter are given")
        drawn = random.Random(seed)
        lowest, highest = -(2**31), 2**31 - 1
        self.context = context
        self.key = (
            [drawn.randint(lowest, highest) for _ in range(self.key_length - 1)]
            if key is None
            else list(key)
        )
        self.counter = (  # within _HALF_LIMIT
            [drawn.randint(0, highest >> 4) for _ in range(4)] if counter is None else list(counter)
        )
        if len(self.key) != self.key_length - 1 or len(self.counter) != 4:
            raise ValueError(
                f"{type(self).__name__}: a key of {len(self.key)} and a counter of "
                f"{len(self.counter)} numbers; expected {self.key_length - 1} and 4"
            )

    def _number(self) -> int:
        """The counter as one number."""
        return sum((part & 0xFFFFFFFF) << (32 * at) for at, part in enumerate(self.counter))

    def _move_to(self, number: int) -> None:
        self.counter = [number >> (32 * at) & 0xFFFFFFFF for at in range(4)]

    def _words(self, shape: tuple[int, ...], bits: int) -> _isthmus.Array:
        """Random words, row by row. The queue is the current one; its device gets them."""
        number = self._number()
        key = [0, *(part & 0xFFFFFFFF for part in self.key), 0, 0][:4]
        count = math.prod(shape)
        self._move_to(number + -(-count // (128 // bits)))
        kernel = type(self)._kernels[0 if bits == 32 else 1]
        low, high = number & (1 << 64) - 1, number >> 64 & (1 << 64) - 1
        at = _isthmus.arange(count, dtype="uint64").reshape(shape)  # on the current device
        found: _isthmus.Array = kernel(at, low, high, *key)
        return found

    def _uniform(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _isthmus.Array:
        """Floats from 0 to below 1."""
        bits = 64 if dtype.itemsize == 8 else 32
        precision = {2: 11, 4: 24, 8: 53}[dtype.itemsize]
        words = self._words(shape, bits)
        wide = np.dtype(np.float64 if bits == 64 else np.float32)
        drawn = _isthmus.astype(words >> (bits - precision), wide) * wide.type(2.0**-precision)
        return drawn if wide == dtype else _isthmus.astype(drawn, dtype)

    def _normal(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _isthmus.Array:
        """Normal numbers of mean 0 and deviation 1, of float32 or float64."""
        radius = _isthmus.sqrt(-2 * _isthmus.log(1 - self._uniform(shape, dtype)))
        return radius * _isthmus.cos(self._uniform(shape, dtype) * dtype.type(2 * math.pi))

    def _drawn(
        self, kind: str, shape: tuple[int, ...], dtype: np.dtype[Any], a: Any, b: Any
    ) -> Any:
        if dtype.kind == "f" and kind == "uniform":
            if (a, b) == (0, 1):
                return self._uniform(shape, dtype)
            with np.errstate(over="ignore", invalid="ignore"):
                first, last, span = dtype.type(a), dtype.type(b), dtype.type(b - a)
            if not np.isfinite(span):
                raise OverflowError(f"uniform: from {a} to {b} is not a finite range of {dtype}")
            bound = _isthmus.minimum if span > 0 else _isthmus.maximum
            return bound(self._uniform(shape, dtype) * span + first, np.nextafter(last, first))
        if dtype.kind == "f":
            wide = np.dtype(np.float32) if dtype.itemsize == 2 else dtype
            drawn = self._normal(shape, wide)
            if (a, b) != (0, 1):
                drawn = drawn * wide.type(b) + wide.type(a)
            return drawn if wide == dtype else _isthmus.astype(drawn, dtype)
        if dtype.kind in "iu" and kind == "uniform":
            limits = np.iinfo(dtype)
            if a != int(a) or b != int(b):
                raise ValueError(f"uniform: from {a} to {b} of {dtype}; pass whole numbers")
            a, b = int(a), int(b)
            if a >= b:
                raise ValueError(f"uniform: no {dtype} is from {a} to below {b}")
            if a < limits.min or b > int(limits.max) + 1:
                raise ValueError(f"{dtype} does not have all numbers from {a} to below {b}")
            return self._integers(shape, dtype, a, b - a)
        raise TypeError(f"there are no {kind} numbers of {dtype}")

    def _integers(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], first: int, count: int
    ) -> _isthmus.Array:
        if count <= 1 << 32:
            words = _isthmus.astype(self._words(shape, 32), np.uint64)
            found = (words * np.uint64(count)) >> np.uint64(32)
        else:
            found = self._words(shape, 64)
            if count < 1 << 64:
                found = _isthmus.remainder(found, np.uint64(count))
        return _isthmus.astype(found + np.uint64(first % (1 << 64)), dtype)

    def _fill(self, kind: str, ary: Array, a: Any, b: Any, queue: Any) -> Any:
        place = queue_of_arrays(queue, [ary], "draw")
        x = ary._x
        scalar = _vectors.scalar_of(x.dtype)
        on = Queue(place)
        with on, on.device:
            if scalar is None:
                drawn = self._drawn(kind, x.shape, x.dtype, a, b)
            else:
                lanes = x.itemsize // scalar.itemsize
                drawn = self._drawn(kind, (*x.shape, lanes), scalar, a, b)
                drawn = _vectors.joined(drawn, x.dtype)
            ary._rewrite(drawn)
        return end_of(place)

    def fill_uniform(self, ary: Array, a: Any = 0, b: Any = 1, queue: Any = None) -> Any:
        """Fills with numbers from a to below b: floats, integers, and vectors of them.

        Floats may have b below a: they are from a down to above b.

        Returns: an event. Waits: no.
        Raises: TypeError for other dtypes; ValueError for integers that do not fit; OverflowError
        for a range of floats that is not finite.
        Source: pyopencl 2026.1, fill_uniform.
        """
        return self._fill("uniform", ary, a, b, queue)

    def uniform(self, *args: Any, **kwargs: Any) -> Array:
        """uniform(queue, shape, dtype, a=0, b=1, ...): a new array, as fill_uniform fills it."""
        a, b = kwargs.pop("a", 0), kwargs.pop("b", 1)
        result = Array(*args, **kwargs)
        self.fill_uniform(result, a, b)
        return result

    def fill_normal(self, ary: Array, mu: Any = 0, sigma: Any = 1, queue: Any = None) -> Any:
        """Fills with normally distributed numbers of mean mu and deviation sigma.

        Returns: an event. Waits: no. Raises: TypeError for dtypes other than floats.
        Source: pyopencl 2026.1, fill_normal.
        """
        return self._fill("normal", ary, mu, sigma, queue)

    def normal(self, *args: Any, **kwargs: Any) -> Array:
        """normal(queue, shape, dtype, mu=0, sigma=1, ...): a new array, as fill_normal fills it."""
        mu, sigma = kwargs.pop("mu", 0), kwargs.pop("sigma", 1)
        result = Array(*args, **kwargs)
        self.fill_normal(result, mu, sigma)
        return result


class PhiloxGenerator(_Generator):
    """Philox4x32-10. key is one number, counter four; if not given, they are drawn with the seed.

    Source: pyopencl 2026.1, PhiloxGenerator.
    """

    key_length = 2
    _kernels = _kernels("philox", 2)

    def _by_core(self, count: int, draw: Callable[[Any], _isthmus.Array]) -> Any:
        """What isthmus.random draws with this key and counter; None where it has no such one."""
        low, high = self._number() % (1 << 64), self._number() >> 64
        if max(low + count, high) >= _HALF_LIMIT:
            return None
        core = _isthmus._Generator((self.key[0] & 0xFFFFFFFF) << 32, high, low, 0)
        drawn = draw(core)
        self._move_to(core._state()[2] + (high << 64))
        return drawn

    def _uniform(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _isthmus.Array:
        if dtype.itemsize == 2:
            return super()._uniform(shape, dtype)
        drawn = self._by_core(math.prod(shape), lambda core: core.random(shape, dtype))
        return super()._uniform(shape, dtype) if drawn is None else drawn

    def _normal(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _isthmus.Array:
        drawn = self._by_core(math.prod(shape), lambda core: core.standard_normal(shape, dtype))
        return super()._normal(shape, dtype) if drawn is None else drawn


class ThreefryGenerator(_Generator):
    """Threefry4x32-20. key is three numbers, counter four; as PhiloxGenerator.

    Source: pyopencl 2026.1, ThreefryGenerator.
    """

    key_length = 4
    _kernels = _kernels("threefry", 4)


_generator: PhiloxGenerator | None = None


def _own_generator() -> PhiloxGenerator:
    global _generator
    if _generator is None:
        _generator = PhiloxGenerator(None)
    return _generator


def _warn_of_luxury(luxury: Any) -> None:
    if luxury is not None:
        warnings.warn("luxury has no effect", DeprecationWarning, stacklevel=3)


def fill_rand(result: Array, queue: Any = None, a: Any = 0, b: Any = 1, luxury: Any = None) -> None:
    """Fills with numbers from a to below b. luxury, also as the third argument, has no effect.

    Waits: no. Raises: as fill_uniform. Source: pyopencl 2026.1, fill_rand.
    """
    if a is None:  # fill_rand(result, queue, luxury, a, b), as it was
        a, b = b, 1 if luxury is None else luxury
        luxury = None
    _warn_of_luxury(luxury)
    _own_generator().fill_uniform(result, a, b, queue)


def rand(queue: Any, shape: Any, dtype: Any, luxury: Any = None, a: Any = 0, b: Any = 1) -> Array:
    """An array of numbers from a to below b. luxury has no effect.

    Returns: new memory, pending. Raises: as fill_uniform. Source: pyopencl 2026.1, rand.
    """
    _warn_of_luxury(luxury)
    return _own_generator().uniform(queue, shape, dtype, a=a, b=b)
