"""Fixtures: every device that is built, in every way of running on it; and nothing may leak."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Generator, Iterator
from typing import Any

import pytest

import isthmus
from tests.garbage import keep_what_is_there
from tests.ways import WAYS, Way, apart, sample


def _param(way: Way) -> Any:
    marks = (pytest.mark.skip(reason=f"{way.device}: {way.reason}"),) if way.reason else ()
    return pytest.param(way, id=str(way), marks=marks)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="run all cases on devices that compile, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    sampled = "sampled(*names, others=(), every=1): thinned; see tests/ways.py"
    config.addinivalue_line("markers", sampled)
    config.addinivalue_line("markers", "no_kernel: makes views and errors only; runs no kernel")
    config.addinivalue_line("markers", "lazy: looks at what is pending; nothing is when eager")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--thorough"):
        kept = sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]
    # first, so that several processes end at about the same time
    slow = [item for item in items if item.get_closest_marker("slow")]
    rest = [item for item in items if not item.get_closest_marker("slow")]
    items[:] = slow + apart(rest, len(items) // 2 - len(slow))


def pytest_collection_finish() -> None:
    # for an array of a module's own, garbage would be collected before each test
    assert isthmus.counters()["memories"] == 0, "a test module makes an array when it is imported"
    keep_what_is_there()


@pytest.fixture(scope="module", autouse=True)
def _processes_stay_quick() -> Iterator[None]:
    keep_what_is_there()  # what tests before have imported, too
    yield
    # Intel's driver reads all mappings of the process for each kernel
    isthmus.cache.clear(disk=False)


PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


def alive() -> tuple[int, int]:
    """Memories that arrays hold, and pending nodes."""
    until = time.monotonic() + 5
    while isthmus.counters()["reaper_backlog"] and time.monotonic() < until:
        time.sleep(0.0005)
    counters = isthmus.counters()
    return counters["memories"], counters["nodes"]


@pytest.fixture(autouse=True)
def _nothing_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    before = alive()
    if before != (0, 0):
        gc.collect()
        before = alive()
    yield
    if not request.node.stash.get(PASSED, False):
        return  # the traceback holds arrays
    after = alive()
    if after != before:
        gc.collect()
        after = alive()
    until = time.monotonic() + 5
    while after != before and time.monotonic() < until:  # work of other threads is ending
        time.sleep(0.001)
        after = alive()
    assert after == before, f"(memories, nodes) were {before} and are {after}"


@pytest.fixture(autouse=True)
def _settings_stay() -> Iterator[None]:
    config = isthmus.config
    before = config.eager, config.inline, config.num_threads, isthmus.default_device()
    yield
    config.eager, config.inline, config.num_threads = before[:3]
    isthmus.set_default_device(before[3])


def _counter_of(way: Way) -> str:
    if way.device == "cpu":
        return "kernels"
    return "launched" if way.inline == "0" else "inlined"


@pytest.fixture(params=[_param(way) for way in WAYS])
def way(request: pytest.FixtureRequest, _settings_stay: None) -> Iterator[Way]:
    """Sets how things run; fails a test that ran elsewhere than it was asked to."""
    way: Way = request.param
    if way.eager and request.node.get_closest_marker("lazy"):
        pytest.skip("nothing is pending when operations are eager")
    isthmus.config.inline = way.inline
    isthmus.config.eager = way.eager
    before = isthmus.statistics()[_counter_of(way)]
    with way.queue() or contextlib.nullcontext():
        yield way
    may_rest = request.node.get_closest_marker("no_kernel") is not None
    if request.node.stash.get(PASSED, False) and not may_rest:
        rose = isthmus.statistics()[_counter_of(way)] > before
        assert rose, f"no kernel was {_counter_of(way)} on {way.device}"


@pytest.fixture
def device(way: Way) -> isthmus.Device:
    return isthmus.Device(way.device)
