"""Headers of pyopencl in kernels of users: ours beside pyopencl's own, bit by bit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import tools
from isthmus.cl.elementwise import ElementwiseKernel

import isthmus as xp

GENERATORS = [  # of OpenCL's compilers, pyopencl's header has no philox of 64 bits
    *(("philox", count, 32) for count in (2, 4)),
    *(("threefry", count, bits) for count in (2, 4) for bits in (32, 64)),
]
WORDS: dict[int, tuple[str, Any]] = {32: ("uint", np.uint32), 64: ("ulong", np.uint64)}


def text_of(name: str, count: int, bits: int, rounds: int) -> tuple[str, str, int]:
    """(preamble, what draws from counter i into out, words of a key)."""
    keys = count if name == "threefry" else count // 2
    full = f"{name}{count}x{bits}"
    drawn = f"{full}(c, k)" if not rounds else f"{full}_R({rounds}, c, k)"
    body = (
        f"{full}_ctr_t c; {full}_key_t k;"
        f" for (int j = 0; j < {count}; ++j) c.v[j] = counters[{count} * i + j];"
        f" for (int j = 0; j < {keys}; ++j) k.v[j] = keys[{keys} * i + j];"
        f" c = {drawn}; for (int j = 0; j < {count}; ++j) out[{count} * i + j] = c.v[j];"
    )
    return f"#include <pyopencl-random123/{name}.cl>", body, keys


@pytest.mark.parametrize("rounds", [0, 7])
@pytest.mark.parametrize(("name", "count", "bits"), GENERATORS)
def test_random123(cl_queue: Any, name: str, count: int, bits: int, rounds: int) -> None:
    import pyopencl as cl

    before, body, key_words = text_of(name, count, bits, rounds)
    word, dtype = WORDS[bits]
    drawn = np.random.default_rng(7)
    highest = int(np.iinfo(dtype).max)
    counters = drawn.integers(0, highest, (50, count), dtype, endpoint=True)
    keys = drawn.integers(0, highest, (50, key_words), dtype, endpoint=True)
    counters[0], keys[0] = 0, 0
    counters[1], keys[1] = highest, highest
    arguments = [cl_array.to_device(cl_queue, x) for x in (counters, keys, np.zeros_like(counters))]
    declared = f"{word} *counters, {word} *keys, {word} *out"
    kernel = ElementwiseKernel(cl_queue.context, declared, body, preamble=before)
    kernel(*arguments, range=slice(50))
    theirs = cl_array.zeros_like(arguments[2])
    text = f"{before}\n__kernel void draw({declared.replace(word, f'__global {word}')}) {{"
    text += f" const int i = get_global_id(0); {body} }}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        program = cl.Program(cl_queue.context, text).build()
    program.draw(cl_queue, (50,), None, arguments[0].data, arguments[1].data, theirs.data)
    assert (arguments[2].get() == theirs.get()).all() and arguments[2].get().any()


def drawn_by(queue: Any, name: str, dtype: Any, counter: list[int], key: list[int]) -> list[int]:
    words = [cl_array.to_device(queue, np.array(x, dtype)) for x in (counter, key)]
    kernel = ElementwiseKernel(
        queue.context,
        [tools.VectorArg(dtype, each) for each in ("out", "counter", "key")],
        f"{name}_key_t k; for (int j = 0; j < {len(key)}; ++j) k.v[j] = key[j];"
        f"{name}_ctr_t c; for (int j = 0; j < {len(counter)}; ++j) c.v[j] = counter[j];"
        f"out[i] = {name}(c, k).v[i]",
        preamble=f"#include <pyopencl-random123/{name[:-4]}.cl>\n",
    )
    out = cl_array.zeros_like(words[0])
    kernel(out, *words)
    found: list[int] = out.get().tolist()
    return found


def test_known_answers_of_random123(queue: Any) -> None:
    """Of counters and keys of zeros, as its file of known answers has them."""
    if isinstance(queue, xp.Queue) and queue.device.backend != "opencl":
        pytest.skip("kernels of texts: on OpenCL")
    philox = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert drawn_by(queue, "philox4x32", np.uint32, [0] * 4, [0] * 2) == philox
    threefry = [0x9C6CA96A, 0xE17EAE66, 0xFC10ECD4, 0x5256A7D8]
    assert drawn_by(queue, "threefry4x32", np.uint32, [0] * 4, [0] * 4) == threefry
    philox = [0xCA00A0459843D731, 0x66C24222C9A845B5]
    assert drawn_by(queue, "philox2x64", np.uint64, [0] * 2, [0]) == philox


def test_philox_of_64_bits_is_that_of_numpy(cl_queue: Any) -> None:
    key, counter = [2**64 - 5, 17], [3, 2**63, 0, 9]
    words = [np.array(x, np.uint64) for x in (key, counter)]
    theirs = np.random.Philox(key=words[0], counter=words[1])  # which counts before it draws
    counter[0] += 1
    found = drawn_by(cl_queue, "philox4x64", np.uint64, counter, key)
    assert found == theirs.random_raw(4).tolist()


def test_casts_of_complex_numbers_take_either_type(cl_queue: Any) -> None:
    x = cl_array.to_device(cl_queue, np.array([1 + 2j, 3j], np.complex64))
    same = ElementwiseKernel(cl_queue.context, "cfloat_t *x", "x[i] = cfloat_cast(x[i])")
    same(x)
    assert x.get().tolist() == [1 + 2j, 3j]
    if "cl_khr_fp64" not in cl_queue.device.extensions:
        return
    y = cl_array.to_device(cl_queue, np.array([5, 7j], np.complex128))
    text = "y[i] = cdouble_add(cdouble_cast(x[i]), cdouble_cast(y[i])); x[i] = cfloat_cast(y[i])"
    ElementwiseKernel(cl_queue.context, "cfloat_t *x, cdouble_t *y", text)(x, y)
    assert y.get().tolist() == x.get().tolist() == [6 + 2j, 10j]
