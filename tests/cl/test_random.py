"""isthmus.cl.clrandom: known answers, ranges, and programs of random operations beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import cltypes
from isthmus.cl.clrandom import PhiloxGenerator, ThreefryGenerator, fill_rand, rand

import isthmus as xp
from tests.cl import random_programs

KNOWN = {  # of Random123, for a counter and a key of zeros
    PhiloxGenerator: [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8],
    ThreefryGenerator: [0x9C6CA96A, 0xE17EAE66, 0xFC10ECD4, 0x5256A7D8],
}


@pytest.mark.parametrize("generator", KNOWN)
def test_generators(cl_queue: Any, generator: type[Any]) -> None:
    context = cl_queue.context
    zero = generator(context, key=[0] * (generator.key_length - 1), counter=[0] * 4)
    on = xp.Queue(cl_queue)
    with on, on.device:
        words = zero._words((4,), 32)
        assert words.tolist() == KNOWN[generator] and words.device == on.device
    assert zero.counter == [1, 0, 0, 0]
    zero.counter = [0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0]
    zero.uniform(cl_queue, 5, np.float32)
    assert zero.counter == [1, 0, 0, 1]
    key = [7] * (generator.key_length - 1)
    for real in (np.float32, np.float64):  # floats are the highest bits of the same words
        two = [generator(context, key=key, counter=[5, 0, 2, 0]) for _ in range(2)]
        drawn = two[0].uniform(cl_queue, 9, real).get()
        size = np.dtype(real).itemsize
        with on, on.device:
            words = two[1]._words((9,), 8 * size).to_numpy()
        assert two[0].counter == two[1].counter
        kept = 53 if size == 8 else 24
        assert ((words >> (8 * size - kept)) * 2.0**-kept == drawn).all()
    far = generator(context, key=key, counter=[0, 1 << 30, 0, 1 << 31])  # past isthmus.random's
    assert abs(far.normal(cl_queue, 50_000, np.float32).get().std() - 1) < 0.02
    first, second = (generator(context, seed=5) for _ in range(2))
    a = first.uniform(cl_queue, (100, 300), np.float32, a=4, b=7)
    b = cl_array.zeros(cl_queue, (100, 300), np.float32)
    second.fill_uniform(b, 4, 7)
    assert (a * a).data.size >= a.nbytes  # of the context of the queue
    found = a.get()
    assert (found == b.get()).all() and (found >= 4).all() and (found < 7).all()
    assert abs(found.mean() - 5.5) < 0.05 and abs(found.std() - 3 / 12**0.5) < 0.05
    assert (first.uniform(cl_queue, (100, 300), np.float32).get() != found).any()
    normal = first.normal(cl_queue, 100_000, np.float64, mu=3, sigma=2).get()
    assert abs(normal.mean() - 3) < 0.05 and abs(normal.std() - 2) < 0.05
    assert abs(((normal - 3) ** 3).mean()) < 0.3
    for dtype in (np.int8, np.uint32, np.int64):
        small = first.uniform(cl_queue, 10_000, dtype, a=3, b=9).get()
        assert np.bincount(small.astype(int)).tolist()[:3] == [0, 0, 0]
        assert np.bincount(small.astype(int))[3:].min() > 1400 and small.max() == 8
    wide = first.uniform(cl_queue, 1000, np.int64, a=-(2**63), b=2**63).get()
    assert wide.min() < -(2**62) and wide.max() > 2**62
    vectors: Any = cltypes
    assert first.normal(cl_queue, 10, vectors.float3).get()["z"].std() > 0.1
    assert (first.uniform(cl_queue, 100, np.float16).get() < 1).all()
    with pytest.raises(TypeError):
        first.normal(cl_queue, 3, np.int32)
    with pytest.raises(ValueError):
        first.uniform(cl_queue, 3, np.int8, a=0, b=129)
    with pytest.raises(TypeError):
        generator(context, key=[0], counter=[0] * 4, seed=3)


@pytest.mark.parametrize("generator", [PhiloxGenerator, ThreefryGenerator])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_ranges(cl_queue: Any, generator: type[Any], dtype: str) -> None:
    if dtype == "f8" and not xp.Queue(cl_queue).device.info["fp64"]:
        pytest.skip("no doubles")
    draw = generator(cl_queue.context, seed=3)
    down = draw.uniform(cl_queue, 2000, np.dtype(dtype), a=3, b=1).get()
    assert 1 < down.min() < 1.1 and 2.9 < down.max() <= 3
    assert (draw.uniform(cl_queue, 9, np.dtype(dtype), a=2, b=2).get() == 2).all()
    counter = list(draw.counter)
    largest = float(np.finfo(dtype).max)
    for a, b in ((-largest, largest), (0, np.inf), (np.nan, 1)):
        with pytest.raises(OverflowError, match="is not a finite range of float"):
            draw.uniform(cl_queue, 4, np.dtype(dtype), a=a, b=b)
    for a, b, text in (
        (3, 1, "no int32 is"),
        (0.5, 9.5, "whole"),
        (0, 2**32, "not have all numbers"),
    ):
        with pytest.raises(ValueError, match=text):
            draw.uniform(cl_queue, 4, np.int32, a=a, b=b)
    assert draw.counter == counter, "what is refused draws nothing"


def test_rand(kernel_queue: Any) -> None:
    queue = kernel_queue
    x = rand(queue, (20, 50), np.float64)
    assert x.shape == (20, 50) and 0 <= x.get().min() < 0.1 < 0.9 < x.get().max() < 1
    fill_rand(x, queue, 2, 3)
    assert (x.get() >= 2).all()
    with pytest.warns(DeprecationWarning):
        fill_rand(x, luxury=4)
    fill_rand(x, None, None, 5, 6)  # as it was: luxury third
    assert (x.get() >= 5).all() and (x.get() < 6).all()
    with pytest.warns(DeprecationWarning):
        assert rand(queue, 3, np.int32, luxury=1, a=7, b=8).get().tolist() == [7, 7, 7]
    xp.config.eager = False
    assert (rand(queue, 3, np.float32) * 2 + 1)._x.is_pending


def test_random_programs(cl_queue: Any) -> None:
    queues, allocators = random_programs.places_of(cl_queue.context)
    add = random_programs.adding_kernel(cl_queue.context)
    for seed in range(20):
        random_programs.Program(seed, queues, add, allocators).run()
