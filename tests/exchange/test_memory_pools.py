"""The pools that memory comes from, as isthmus.memory tells of them."""

from __future__ import annotations

import importlib
from typing import Any

import isthmus

memory: Any = importlib.import_module("isthmus.memory")


def test_no_device_is_the_default_one() -> None:
    with isthmus.Device("cpu"):
        block = memory.MemoryHost(100_000)
        before = memory.pool_statistics(None)
        assert memory.pool_statistics() == memory.pool_statistics("cpu") == before
        del block
        assert memory.pool_statistics()["bytes_idle"] >= before["bytes_idle"] + 100_000
        memory.trim_pool(None, keep=5)
        assert memory.trim_pool() <= 5
        memory.set_pool_cap(None, 1 << 20)
        try:
            assert memory.pool_statistics("cpu")["cap_bytes"] == 1 << 20
        finally:
            memory.set_pool_cap(None, before["cap_bytes"])


def test_idle_blocks_are_no_memories_that_somebody_holds() -> None:
    assert isthmus.counters()["memories"] == 0
    block = memory.MemoryHost(100_000)
    assert isthmus.counters()["memories"] == 1
    del block
    assert memory.pool_statistics("cpu")["bytes_idle"] >= 100_000
    assert isthmus.counters()["memories"] == 0
    memory.trim_pool("cpu")
    assert isthmus.counters()["memories"] == 0
