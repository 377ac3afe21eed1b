"""What isthmus.random must draw, calculated by NumPy from the text of the paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.device.arrays import Values


def philox4x32(counters: Values, keys: Values) -> Values:
    """Blocks of four words, in uint64, of words in uint64."""
    c = [np.asarray(counters[..., i], "u8") for i in range(4)]
    k = [np.asarray(keys[..., i], "u8") for i in range(2)]
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & low, a >> 32 ^ c[3] ^ k[1], a & low]
        k = [(k[0] + 0x9E3779B9) & low, (k[1] + 0xBB67AE85) & low]
    return np.stack(c, axis=-1)


def words(state: dict[str, Any], count: int, bits: int) -> Values:
    """The next words of 32 or 64 bits that a generator of this state draws."""
    low = np.uint64(0xFFFFFFFF)
    blocks = -(-count * bits // 128)
    counter = np.arange(blocks, dtype="u8") + np.uint64(state["counter"])
    stream, key = (np.uint64(state[name]) for name in ("stream", "key"))
    high = np.full(blocks, stream)
    counters = np.stack([counter & low, counter >> 32, high & low, high >> 32], axis=-1)
    found = philox4x32(counters, np.stack([key & low, key >> np.uint64(32)]))
    if bits == 64:
        found = found[:, ::2] | found[:, 1::2] << 32
    return found.ravel()[:count]


def uniform(state: dict[str, Any], shape: tuple[int, ...], dtype: str) -> Values:
    """The numbers that random() draws."""
    count = int(np.prod(shape))
    bits, rest = (32, 8) if dtype == "float32" else (64, 11)
    whole = (words(state, count, bits) >> rest).astype(dtype)
    made: Values = np.ldexp(whole, rest - bits).reshape(shape)
    return made


def below(state: dict[str, Any], high: int, shape: tuple[int, ...]) -> Values:
    """The integers that integers(high) draws."""
    made = [int(word) * high >> 64 for word in words(state, int(np.prod(shape)), 64)]
    return np.array(made, dtype="i8").reshape(shape)
