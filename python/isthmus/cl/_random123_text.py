"""Random numbers in kernels: the names of pyopencl-random123/philox.cl and threefry.cl, as text of
our own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from isthmus.cl._user_lines import in_place_of

INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"]pyopencl-random123/(philox|threefry)\.cl[>\"][ \t]*$", re.M
)

# Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011). Words of 32 and
# 64 bits.
_WORDS = {32: "uint", 64: "ulong"}
_MULTIPLIERS = {
    (2, 32): ["0xD256D193"],
    (4, 32): ["0xD2511F53", "0xCD9E8D57"],
    (2, 64): ["0xD2B74407B1CE6E93"],
    (4, 64): ["0xD2E7470EE14C6C93", "0xCA5A826395121157"],
}
_WEYL = {
    32: ["0x9E3779B9", "0xBB67AE85"],
    64: ["0x9E3779B97F4A7C15", "0xBB67AE8584CAA73B"],
}
_PARITY = {32: "0x1BD11BDA", 64: "0x1BD11BDAA9FC1A22"}
# How far words turn in round r: row r % 8; of four words the first and the third.
_TURNS = {
    (2, 32): [[13], [15], [26], [6], [17], [29], [16], [24]],
    (4, 32): [[10, 26], [11, 21], [13, 27], [23, 5], [6, 20], [17, 11], [25, 10], [18, 20]],
    (2, 64): [[16], [42], [12], [31], [16], [32], [24], [21]],
    (4, 64): [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]],
}

_TYPES = """\
#ifndef ISTHMUS_random123
#define ISTHMUS_random123
typedef uchar uint8_t;
typedef uint uint32_t;
typedef ulong uint64_t;
{structs}#endif
"""


def _types() -> str:
    structs = "".join(
        f"struct r123array{count}x{bits} {{ {word} v[{count}]; }};\n"
        for bits, word in _WORDS.items()
        for count in (1, 2, 4)
    )
    return _TYPES.format(structs=structs)


def _names(generator: str, count: int, key: int, bits: int, rounds: int) -> str:
    """Types and constants that the names of a generator begin with its own."""
    name = f"{generator}{count}x{bits}"
    return (
        f"typedef struct r123array{count}x{bits} {name}_ctr_t;\n"
        f"typedef struct r123array{key}x{bits} {name}_key_t;\n"
        f"typedef struct r123array{key}x{bits} {name}_ukey_t;\n"
        f"enum {{ {name}_rounds = {rounds} }};\n"
        f"#define {name}(c, k) {name}_R({name}_rounds, c, k)\n"
        f"static inline {name}_key_t {name}keyinit({name}_ukey_t k) {{ return k; }}\n"
    )


def _philox(count: int, bits: int) -> str:
    name = f"philox{count}x{bits}"
    word, end = _WORDS[bits], "u" if bits == 32 else "ul"
    products = [
        f"    const {word} low{at} = {factor}{end} * c.v[{2 * at}];\n"
        f"    const {word} high{at} = mul_hi(({word}){factor}{end}, c.v[{2 * at}]);\n"
        for at, factor in enumerate(_MULTIPLIERS[count, bits])
    ]
    half = count // 2
    mixed = [
        f"    c.v[{2 * at}] = high{half - 1 - at} ^ c.v[{2 * at + 1}] ^ k.v[{at}];\n"
        for at in range(half)
    ]
    lows = [f"    c.v[{2 * at + 1}] = low{half - 1 - at};\n" for at in range(half)]
    bumped = [f"    k.v[{at}] += {_WEYL[bits][at]}{end};\n" for at in range(half)]
    return (
        f"{_names('philox', count, half, bits, 10)}"
        f"static inline {name}_ctr_t {name}_R(uint rounds, {name}_ctr_t c, {name}_key_t k) {{\n"
        "  for (uint r = 0; r < rounds; ++r) {\n"
        f"{''.join(products + mixed + lows + bumped)}  }}\n  return c;\n}}\n"
    )


def _threefry(count: int, bits: int) -> str:
    name = f"threefry{count}x{bits}"
    word, end = _WORDS[bits], "u" if bits == 32 else "ul"
    half = count // 2
    turns = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in _TURNS[count, bits])
    keys = ", ".join(f"k.v[{at}]" for at in range(count))
    parity = " ^ ".join([f"{_PARITY[bits]}{end}", *(f"k.v[{at}]" for at in range(count))])
    mixed = "".join(
        f"    c.v[{2 * at}] += c.v[{2 * at + 1}];\n"
        f"    c.v[{2 * at + 1}] = rotate(c.v[{2 * at + 1}], ({word})"
        f"{name}_turns[r % 8][{at}]) ^ c.v[{2 * at}];\n"
        for at in range(half)
    )
    # of four words the second and the fourth change places in every other round
    swap = f"{{ const {word} one = c.v[1]; c.v[1] = c.v[3]; c.v[3] = one; }}"
    after_each, after_odd = (
        (f"    {swap}\n", f"  if (rounds % 2) {swap}\n") if count == 4 else ("", "")
    )
    # The keys move, so that all indices are constants: Intel's compiler (2026.2), for AVX2, reads
    # keys[(n + at) % 3] at wrong addresses, which ended the process.
    next_key = " ".join(
        ["const {0} first = keys[0];", *(f"keys[{at}] = keys[{at + 1}];" for at in range(count))]
    ).format(word)
    return (
        f"{_names('threefry', count, count, bits, 20)}"
        f"__constant uchar {name}_turns[8][{half}] = {{{turns}}};\n"
        f"static inline {name}_ctr_t {name}_R(uint rounds, {name}_ctr_t c, {name}_key_t k) {{\n"
        f"  {word} keys[{count + 1}] = {{{keys}, {parity}}};\n"
        f"  for (int at = 0; at < {count}; ++at) c.v[at] += keys[at];\n"
        "  for (uint r = 0; r < rounds; ++r) {\n"
        f"{mixed}{after_each}"
        "    if (r % 4 == 3) {\n"
        "      const uint n = r / 4 + 1;\n"
        f"      {next_key} keys[{count}] = first;\n"
        f"      for (int at = 0; at < {count}; ++at) c.v[at] += keys[at];\n"
        f"      c.v[{count - 1}] += n;\n"
        f"    }}\n  }}\n{after_odd}  return c;\n}}\n"
    )


def random123_text(
    generator: str, counts: Sequence[int] = (2, 4), bits: Sequence[int] = (32, 64)
) -> str:
    """The types and functions of "philox" or "threefry", of so many words of so many bits."""
    make = {"philox": _philox, "threefry": _threefry}[generator]
    body = "".join(
        f"#ifndef ISTHMUS_{generator}{count}x{size}\n#define ISTHMUS_{generator}{count}x{size}\n"
        f"{make(count, size)}#endif\n"
        for size in bits
        for count in counts
    )
    return _types() + body


def with_random123(text: str) -> str:
    """The text with our functions where it includes the headers of pyopencl-random123."""
    return INCLUDE.sub(lambda found: in_place_of(found, random123_text(found.group(1))), text)
