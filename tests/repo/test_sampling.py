"""Which cases of the device tests run: those that share kernels are the same (tests/ways.py)."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

from tests.ways import DEVICES, WAYS, Way, driver_of

ROOT = pathlib.Path(__file__).parents[2]
FILE = "tests/device/test_scan.py"  # sampled by dtype, by layout and by both


@pytest.fixture(scope="module")
def chosen() -> dict[str, set[str]]:
    """The cases that run in each way, without its name."""
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", FILE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, set[str]] = {}
    for name, way, rest in re.findall(
        rf"^{FILE}::(\w+)\[(\S+?-(?:lazy|eager))(.*)\]$", listed, re.M
    ):
        found.setdefault(way, set()).add(name + rest)
    return found


def mains() -> list[Way]:
    return [way for way in WAYS if way.is_main and not way.reason]


def test_devices_of_one_driver_run_the_same_cases(chosen: dict[str, set[str]]) -> None:
    assert {way.device for way in mains()} == set(DEVICES) - {"null:1"}
    for way in mains():
        for other in mains():
            same = driver_of(way.device) == driver_of(other.device)
            # of a slow driver there may be none
            cases, others = (chosen.get(str(one), set()) for one in (way, other))
            assert (cases == others) == same, (way, other)


def test_all_ways_of_a_null_device_run_the_same_cases(chosen: dict[str, set[str]]) -> None:
    for device in ("null:1", "null:2"):
        cases = [chosen[str(way)] for way in WAYS if way.device == device and not way.reason]
        assert all(case == cases[0] for case in cases), device
