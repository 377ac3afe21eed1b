"""The pools that memory comes from, as isthmus.memory tells of them."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import isthmus
from tests import programs

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


OF_HOST = [str(d) for d in isthmus.devices() if d.info["unified_memory"] and d.backend != "cpu"]


@pytest.mark.parametrize("device", OF_HOST)
def test_what_lies_idle_on_one_device_goes_to_another_of_the_same_memory(device: str) -> None:
    text = f"""
        import resource
        import isthmus as xp
        for name in ({device!r}, "cpu"):
            (xp.ones(10, device=name) + 1).eval()
        xp.synchronize({device!r})
        pages = int(open("/proc/self/statm").read().split()[0])
        most = pages * resource.getpagesize() + (1 << 30)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        blocks = [xp.full(100 << 20, 1, dtype="uint8", device={device!r}).eval() for _ in range(8)]
        try:
            xp.full(400 << 20, 1, dtype="uint8").eval()
        except MemoryError as error:
            print(f"on {device} {{8 * (100 << 20)}} bytes" in str(error) or error)
        xp.synchronize({device!r})
        del blocks
        print(xp.full(400 << 20, 1, dtype="uint8").eval()[-1].item())
    """
    assert programs.run(text)[0] == "True\n1\n"
