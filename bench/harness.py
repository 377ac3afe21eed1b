"""Side by side timing, the machine it ran on, tables, and results as JSON.

Every case of a group runs in each round, one after the other, so that all of them meet the same
noise; the starting place moves from round to round. A turn is a pause (threads that spin for more
work go to sleep), a warm call, then timed calls. Turns are short and many, so that some of them
escape what else the machine does. Times are in seconds a call.
"""

from __future__ import annotations

import ctypes
import datetime
import gc
import importlib
import importlib.util
import json
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
TURN_SECONDS = 0.004
# Before each turn, since threads of the one before go on spinning: libgomp's for 10 ms (g++ 12.2).
PAUSE_SECONDS = 0.015
COMPILE = ["g++", "-shared", "-fPIC", "-O3", "-march=native", "-ffp-contract=off"]
COMPILE += ["-fno-math-errno", "-fopenmp"]


@dataclass
class Time:
    """Seconds a call, over all rounds."""

    best: float
    median: float


@dataclass
class Bar:
    """A promise: `ours` takes at most `limit` times as long as `reference`."""

    what: str
    ratio: float
    limit: float

    @property
    def is_met(self) -> bool:
        return self.ratio <= self.limit


@dataclass
class Group:
    """Cases of one name, in the order in which tables show them."""

    name: str
    times: dict[str, Time]
    notes: dict[str, Any] = field(default_factory=dict)

    def ratio(self, case: str, reference: str, by: str = "best") -> float:
        """How many times as long a case takes, by the best of each, which bars are judged by: the
        medians say as much of what else the machine does.
        """
        ratio: float = getattr(self.times[case], by) / getattr(self.times[reference], by)
        return ratio


def _pause() -> None:
    """Keeps this thread busy. If it slept, virtual machines would wake it and the threads that it
    wakes on the same processor, for up to 5 ms (bench/wake.cpp): longer than a turn.
    """
    end = time.perf_counter() + PAUSE_SECONDS
    while time.perf_counter() < end:
        pass


def _turn(call: Callable[[], object], count: int) -> float:
    _pause()
    call()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def _count_for(call: Callable[[], object], turn_seconds: float) -> int:
    """How many calls fill a turn."""
    call()
    count = 1
    while (seconds := _turn(call, count) * count) < turn_seconds / 4:
        count *= 4
    return max(1, round(count * turn_seconds / seconds))


def interleave(
    name: str,
    cases: dict[str, Callable[[], object]],
    rounds: int = 30,
    turn_seconds: float = TURN_SECONDS,
) -> Group:
    """The times of calls that block until their result is complete."""
    names = list(cases)
    counts = {case: _count_for(cases[case], turn_seconds) for case in names}
    seconds: dict[str, list[float]] = {case: [] for case in names}
    gc.collect()
    gc.disable()
    try:
        for shift in range(rounds):
            for i in range(len(names)):
                case = names[(i + shift) % len(names)]
                seconds[case].append(_turn(cases[case], counts[case]))
    finally:
        gc.enable()
    return Group(name, {c: Time(min(s), statistics.median(s)) for c, s in seconds.items()})


def kernels_of(call: Callable[[], object]) -> int:
    """Kernels that Isthmus ran in one call."""
    import isthmus

    before: int = isthmus.statistics()["kernels"]
    call()
    after: int = isthmus.statistics()["kernels"]
    return after - before


def build_loops(source: Path, *flags: str) -> ctypes.CDLL:
    """Compiles C++ loops for this machine. The folder is gone when this returns."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "loops.so"
        subprocess.run([*COMPILE, *flags, str(source), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def optional(name: str) -> Any:
    """A module that takes part where it is installed; else None."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def shown(seconds: float) -> str:
    """A time with three digits and its unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def print_group(group: Group, reference: str) -> None:
    """One line a case: best, median, and the ratios of both to the reference's."""
    notes = ", ".join(f"{key} {value}" for key, value in group.notes.items())
    print(f"{group.name}{' (' + notes + ')' if notes else ''}")
    for case, t in group.times.items():
        ratio = group.ratio(case, reference)
        line = f"  {case:<26} {shown(t.best):>9}  median {shown(t.median):>9}"
        medians = group.ratio(case, reference, "median")
        print(f"{line}  {ratio:6.2f} ({medians:.2f}) x {reference}")


def print_bars(bars: list[Bar]) -> None:
    print("Bars")
    for bar in bars:
        word = "met   " if bar.is_met else "MISSED"
        print(f"  {word} {bar.ratio:6.2f} of at most {bar.limit:<5g} {bar.what}")


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    info = Path("/proc/cpuinfo").read_text()
    found = re.search(r"^model name\s*:\s*(.*)$", info, re.M)
    return {
        "processor": found.group(1) if found else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load": round(os.getloadavg()[0], 2),
        "system": platform.platform(),
    }


def versions(*distributions: str) -> dict[str, str]:
    """Of Python, the compiler, Isthmus and what else took part."""
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout
    import isthmus

    found = {
        "python": platform.python_version(),
        "g++": compiler.splitlines()[0].split()[-1],
        "isthmus": isthmus.__version__,
        "instruction_set": isthmus._isthmus._instruction_set(),
        "threads": str(isthmus.config.num_threads),
    }
    return found | {name: metadata.version(name) for name in distributions}


def save(groups: list[Group], bars: list[Bar], **more: Any) -> Path:
    """Writes bench/results/<script>-<date>.json."""
    script = Path(sys.argv[0])
    today = datetime.date.today().isoformat()
    file = FOLDER / "results" / f"{script.stem}-{today}.json"
    file.parent.mkdir(exist_ok=True)
    command = ["python", f"bench/{script.name}", *sys.argv[1:]]
    record = {
        "command": shlex.join(command),
        "date": today,
        "machine": machine(),
        **more,
        "bars": [asdict(bar) | {"is_met": bar.is_met} for bar in bars],
        "groups": [asdict(group) for group in groups],
    }
    file.write_text(json.dumps(record, indent=1) + "\n")
    return file


def finish(groups: list[Group], bars: list[Bar], *distributions: str) -> int:
    """Prints the bars and saves everything. Returns: 1 with --check if a bar was missed."""
    print_bars(bars)
    file = save(groups, bars, versions=versions(*distributions))
    print(f"Written to {file.relative_to(FOLDER.parent)}")
    return int("--check" in sys.argv and not all(bar.is_met for bar in bars))
