"""Garbage cycles over every producer, with views, results and exports, taken apart in any order.

The collector clears objects of a cycle in the order in which it finds them, so that what an array
shows may be cleared before the array is. What goes wrong there ends the process.
"""

from __future__ import annotations

import gc

import numpy as np
import pytest

import isthmus as xp
from tests.programs import run
from tests.ways import DEVICES

PRODUCERS = """
import array
import ctypes
import gc
import io
import mmap
import random
import sys

import numpy as np
import isthmus as xp


class Owner:
    def __init__(self):
        self.data = np.ones(16, np.float32)

    @property
    def __array_interface__(self):
        return self.data.__array_interface__


class Method(Owner):
    __array_interface__ = None

    def __array__(self, dtype=None, copy=None):
        return self.data


class Dlpack(Owner):
    def __dlpack__(self, **keywords):
        return self.data.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return 1, 0


class Bytes(bytearray):
    pass


class Floats(array.array):
    pass


class Ints(ctypes.c_int32 * 16):
    pass


PRODUCERS = {
    "memoryview": lambda: memoryview(bytearray(64)),
    "part of a memoryview": lambda: memoryview(bytearray(64))[8:40],
    "cast memoryview": lambda: memoryview(bytearray(64)).cast("f"),
    "getbuffer": lambda: io.BytesIO(bytes(64)).getbuffer(),
    "memoryview of numpy": lambda: memoryview(np.ones(16, np.float32)),
    "memoryview of ours": lambda: memoryview(xp.ones(16)),
    "memoryview of an owner": lambda: memoryview(Bytes(64)),
    "bytearray": lambda: bytearray(64),
    "subclass of bytearray": lambda: Bytes(64),
    "array.array": lambda: Floats("f", [1.0] * 16),
    "ctypes": Ints,
    "mmap": lambda: mmap.mmap(-1, 64),
    "numpy": lambda: np.ones(16, np.float32),
    "view of numpy": lambda: np.ones(16, np.float32)[2:8],
    "subclass of numpy": lambda: np.ones(16, np.float32).view(np.recarray),
    "interface": Owner,
    "method": Method,
    "dlpack": Dlpack,
    "memory": lambda: xp.memory.MemoryHost(64),
    "ours": lambda: xp.ones(16).eval(),
}
MADE = {
    "asarray": xp.asarray,
    "view": lambda p: xp.asarray(p)[1:],
    "views": lambda p: (x := xp.asarray(p), x[1:], x[2:3]),
    "twice": lambda p: (xp.asarray(p), xp.asarray(p)),
    "result": lambda p: xp.asarray(p) * 2,
    "pending": lambda p: xp.ones(16) + 1,
    "memoryview": lambda p: memoryview(xp.asarray(p)),
    "numpy": lambda p: np.asarray(xp.asarray(p)),
    "memory": lambda p: xp.asarray(p).memory,
    "interface": lambda p: (x := xp.asarray(p), x.__array_interface__),
    "from_dlpack of numpy": lambda p: np.from_dlpack(xp.asarray(p)),
}
"""

# Containers in which a cycle may lie, by what they hold; each gives what keeps it alive.
CYCLES = """
class Plain:
    pass


class Slots:
    __slots__ = ("held", "other", "itself", "__weakref__")


def in_list(*held):
    c = [*held]
    c.append(c)
    return c


def in_dict(*held):
    c = dict(enumerate(held))
    c["itself"] = c
    return c


def in_object(*held):
    c = random.choice((Plain, Slots))()
    c.held, c.other = held[0], held[1:]
    c.itself = c
    return c


def in_function(*held):
    def f():
        return held, f

    return f


def in_generator(*held):
    def g():
        me = generator
        yield held
        return me

    generator = g()
    next(generator)
    return generator


def on_the_producer(producer, made):
    try:
        producer.made = made
    except (AttributeError, TypeError):
        return in_list(producer, made)
    return producer


CONTAINERS = (in_list, in_dict, in_object, in_function, in_generator)
"""

ENTRY = """
for make in (
    lambda: memoryview(bytearray(64)),
    lambda: io.BytesIO(bytes(64)).getbuffer(),
    lambda: memoryview(np.ones(8)),
):
    y = xp.asarray(make())
    c = [y]
    c.append(c)
    del y, c
    gc.collect()
print("alive")
"""


def test_a_cycle_with_an_array_over_a_memoryview_is_collected() -> None:
    out, _ = run(PRODUCERS + ENTRY)
    assert out.split() == ["alive"]


EACH = """
gc.disable()
gc.collect()
gc.freeze()  # collections look at what comes, and leave numpy alone
for name, make in PRODUCERS.items():
    for kind, use in MADE.items():
        for container in (*CONTAINERS, on_the_producer):
            # NumPy's arrays tell the collector nothing: a cycle through one stays
            if "numpy" in kind and container is on_the_producer:
                continue
            for swapped in (False, True):
                producer = make()
                try:
                    made = use(producer)
                except (TypeError, ValueError):  # memoryviews that nothing may look at
                    continue
                c = container(made, producer) if swapped else container(producer, made)
                del producer, made, c
                gc.collect()
xp.synchronize()
gc.collect()
left = xp.counters()
assert left["nodes"] == 0 and left["memories"] == 0, left
print("done")
"""


def test_every_producer_in_every_kind_of_cycle_is_collected() -> None:
    out, _ = run(PRODUCERS + CYCLES + EACH)
    assert out.split() == ["done"]


RANDOM = """
rng = random.Random({seed})
random.seed({seed})
device = {device!r}
gc.disable()
gc.collect()
gc.freeze()  # collections look at what comes, and leave numpy alone
names = [n for n in PRODUCERS if n != "memoryview of an owner"]
for round in range({count}):
    pool = []
    for _ in range(rng.randint(2, 7)):
        producer = PRODUCERS[rng.choice(names)]()
        pool.append(producer)
        for _ in range(rng.randint(1, 3)):
            try:
                made = MADE[rng.choice(list(MADE))](producer)
                if device != "cpu" and rng.random() < 0.5:
                    pool.append(xp.asarray(producer, device=device))
                    pool.append(pool[-1] * 2)
            except (TypeError, ValueError, xp.ExchangeError):
                continue
            pool.append(made)
        if rng.random() < 0.5:
            pool.append(rng.choice(CONTAINERS)(*rng.sample(pool, min(3, len(pool)))))
    rng.shuffle(pool)
    heads = [rng.choice(CONTAINERS)(*rng.sample(pool, min(4, len(pool)))) for _ in range(3)]
    ring = [heads]
    ring.append(ring)
    heads.append(ring)
    del pool, heads, ring, producer
    made = None
    for generation in rng.choice(((0, 2), (2,), (1, 0, 2), (0, 1, 2))):
        gc.collect(generation)
gc.collect()
xp.synchronize(device)
gc.collect()
left = xp.counters()
assert left["nodes"] == 0, left
print("done")
"""


@pytest.mark.parametrize("device", DEVICES)
def test_random_garbage_is_collected_in_any_order(device: str) -> None:
    count = 600 if device == "cpu" else 60
    out, _ = run(PRODUCERS + CYCLES + RANDOM.format(seed=5, count=count, device=device))
    assert out.split() == ["done"]


def test_only_arrays_that_may_be_of_a_cycle_are_looked_at() -> None:
    ours = xp.ones(3).eval()
    shared = xp.asarray(np.ones(3), copy=False)
    assert not any(map(gc.is_tracked, [*ours, ours[1:], ours.copy().eval()[0]]))
    assert all(map(gc.is_tracked, [*shared, shared[1:], shared]))
    assert gc.is_tracked(ours + 1)  # pending: it holds what others made
