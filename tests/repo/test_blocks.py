"""`with` blocks: what one sets ends with it, whatever ends it, and stays in its task and thread."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.programs import run
from tests.ways import DEVICES

DEVICE = "null:1" if "null:1" in DEVICES else next((d for d in DEVICES if d != "cpu"), "cpu")
memory = np.ones(8)  # reachable by others: reading it is put off inside fusing() alone


@pytest.fixture(autouse=True)
def _lazy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a promise holds shows in what is pending; nothing is when eager."""
    monkeypatch.setattr(xp.config, "eager", False)


def is_fusing() -> bool:
    return (xp.from_dlpack(memory) * 2).is_pending


def default() -> str:
    return str(xp.zeros(1).device)


def queue_of_its_own() -> Any:
    """A queue that is not the device's own; None where there is no driver for one."""
    cl = pytest.importorskip("pyopencl")
    found = [d for d in xp.devices() if d.backend == "opencl"]
    if not found:
        pytest.skip("no OpenCL")
    context = xp.Context(found[0]).to_pyopencl()
    return xp.Queue(cl.CommandQueue(context))


# ---- ten thousand interrupts

INTERRUPTED = """
import random
import signal

import numpy as np
import isthmus as xp

memory = np.ones(8)
shared = xp.from_dlpack(memory)


class Interrupted(Exception):
    pass


def interrupt(*_):
    raise Interrupted


signal.signal(signal.SIGALRM, interrupt)
device = xp.Device({device!r})
queue = xp.Queue(device)


def fusing():
    with xp.fusing():
        with xp.fusing():
            (shared * 2) + 1


@xp.fuse
def fused():
    return shared * 2


def on_device():
    with device:
        with xp.Device("cpu"):
            xp.zeros(2)


def copies():
    with xp.implicit_host_copy("allow"):
        xp.zeros(2)


def on_queue():
    with queue:
        xp.zeros(2, device=device) + 1


def profiled():
    with xp.profile() as p:
        (xp.ones(3) + 1).eval()


def check():
    assert not (shared * 2).is_pending, "fusing() is still on"
    assert str(xp.zeros(1).device) == "cpu", "the default device has changed"
    assert xp._isthmus._host_copy_policy() is None
    assert not xp._isthmus._is_profiled()


rng = random.Random(1)
count = 0
while count < {count}:
    block = rng.choice((fusing, fused, on_device, copies, on_queue, profiled))
    try:
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, 6e-5))
        while True:
            block()
    except Interrupted:
        count += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    check()
print(count)
"""


def test_interrupts_at_any_moment_leave_no_block_open() -> None:
    out, _ = run(INTERRUPTED.format(device=DEVICE, count=10_000))
    assert out.split() == ["10000"]


# ---- tasks and threads

BLOCKS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "fusing": (xp.fusing, is_fusing),
    "device": (lambda: xp.Device(DEVICE), default),
    "implicit_host_copy": (
        lambda: xp.implicit_host_copy("allow"),
        xp._isthmus._host_copy_policy,
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_task_that_began_inside_sees_the_end(name: str) -> None:
    make, ask = BLOCKS[name]
    outside = ask()
    seen: list[Any] = []

    async def child(ended: asyncio.Event) -> None:
        seen.append(ask())
        await ended.wait()
        seen.append(ask())

    async def main() -> None:
        ended = asyncio.Event()
        with make():
            inside = ask()
            task = asyncio.create_task(child(ended))
            await asyncio.sleep(0)
        ended.set()
        await task
        assert seen == [inside, outside]
        assert inside != outside or DEVICE == "cpu"

    asyncio.run(main())
    assert ask() == outside


@pytest.mark.parametrize("name", BLOCKS)
def test_another_task_and_another_thread_do_not_see_it(name: str) -> None:
    make, ask = BLOCKS[name]
    outside = ask()

    async def asks(inside: asyncio.Event, asked: asyncio.Event) -> None:
        await inside.wait()
        assert ask() == outside
        asked.set()

    async def main() -> None:
        inside, asked = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(asks(inside, asked))
        with make():
            inside.set()
            await asked.wait()
        await task

    asyncio.run(main())
    seen: list[Any] = []
    with make():
        thread = threading.Thread(target=lambda: seen.append(ask()))
        thread.start()
        thread.join()
    assert seen == [outside]


@pytest.mark.parametrize("name", BLOCKS)
def test_generators_may_leave_in_another_order(name: str) -> None:
    make, ask = BLOCKS[name]
    outside = ask()

    def inside() -> Iterator[Any]:
        with make():
            yield ask()

    first, second = inside(), inside()
    value = next(first)
    assert next(second) == value
    assert list(first) == []
    assert ask() == value, "the second is still open"
    assert list(second) == []
    assert ask() == outside


def test_generators_with_two_devices_leave_the_right_default() -> None:
    def inside(device: str) -> Iterator[str]:
        with xp.Device(device):
            yield default()

    first, second = inside(DEVICE), inside("cpu")
    assert next(first) == DEVICE
    assert next(second) == "cpu"
    assert list(first) == []
    assert list(second) == []
    assert default() == "cpu"
    first, second = inside("cpu"), inside(DEVICE)
    next(first), next(second)
    list(second)
    list(first)
    assert default() == "cpu"


@pytest.mark.parametrize("name", BLOCKS)
def test_a_generator_that_ends_in_another_context_ends_its_block(name: str) -> None:
    make, ask = BLOCKS[name]
    outside = ask()

    def inside() -> Generator[None]:
        with make():
            yield

    generator = inside()
    next(generator)
    contextvars.Context().run(generator.close)
    assert ask() == outside


@pytest.mark.parametrize("name", BLOCKS)
def test_it_may_be_entered_again_and_by_threads_at_once(name: str) -> None:
    make, ask = BLOCKS[name]
    outside = ask()
    block = make()
    barrier = threading.Barrier(4)
    wrong: list[Any] = []

    def work() -> None:
        for _ in range(50):
            barrier.wait()
            with block:
                inside = ask()
                with block:
                    pass
                if ask() != inside:
                    wrong.append("inside")
            if ask() != outside:
                wrong.append("outside")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert ask() == outside


@pytest.mark.parametrize("name", BLOCKS)
def test_an_exit_without_an_enter_is_an_error(name: str) -> None:
    block = BLOCKS[name][0]()
    with pytest.raises(ValueError, match="not entered, or has ended"):
        block.__exit__(None, None, None)
    with block:
        pass
    with pytest.raises(ValueError, match="not entered, or has ended"):
        block.__exit__(None, None, None)


def test_many_blocks_that_end_out_of_order_leave_nothing() -> None:
    def inside() -> Iterator[None]:
        with xp.fusing(), xp.Device("cpu"):
            yield

    open_ones = []
    for _ in range(2000):
        open_ones.append(inside())
        next(open_ones[-1])
        if len(open_ones) > 3:
            list(open_ones.pop(0))
    for one in open_ones:
        list(one)
    assert not is_fusing()


# ---- queues


def test_a_queue_is_that_of_its_task() -> None:
    queue = queue_of_its_own()
    device = queue.device
    usual = xp.current_queue(device)
    assert usual != queue

    async def asks(inside: asyncio.Event, asked: asyncio.Event) -> None:
        await inside.wait()
        assert xp.current_queue(device) == usual
        assert float(xp.sum(xp.ones(10, device=device))) == 10
        asked.set()

    async def main() -> None:
        inside, asked = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(asks(inside, asked))
        with queue as entered:
            assert entered is queue
            assert xp.current_queue(device) == queue
            assert float(xp.sum(xp.ones(10, device=device))) == 10
            inside.set()
            await asked.wait()
            assert xp.current_queue(device) == queue
        assert xp.current_queue(device) == usual
        await task

    asyncio.run(main())


def test_queues_may_be_left_in_another_order() -> None:
    first, second = queue_of_its_own(), queue_of_its_own()
    device = first.device
    usual = xp.current_queue(device)

    def inside(queue: Any) -> Iterator[None]:
        with queue:
            yield

    one, two = inside(first), inside(second)
    next(one)
    next(two)
    assert xp.current_queue(device) == second
    list(one)
    assert xp.current_queue(device) == second
    list(two)
    assert xp.current_queue(device) == usual


def test_work_inside_with_queue_goes_there() -> None:
    queue = queue_of_its_own()
    with queue:
        x = xp.ones(1000, device=queue.device) * 2
        assert float(xp.sum(x)) == 2000
        assert x.memory._queue == queue or x.memory._context == queue.context


# ---- fuse


def test_fuse_holds_in_a_coroutine_to_its_end() -> None:
    @xp.fuse
    async def work() -> bool:
        await asyncio.sleep(0)
        return is_fusing()

    assert asyncio.run(work())
    assert not is_fusing()


def test_fuse_refuses_generators() -> None:
    def values() -> Iterator[int]:
        yield 1

    async def later() -> Any:
        yield 1

    for function in (values, later):
        with pytest.raises(TypeError, match="is a generator"):
            xp.fuse(function)
