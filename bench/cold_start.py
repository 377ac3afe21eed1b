"""How much longer does a new expression take in a new process, when its kernel is on the disk?

    python bench/cold_start.py [--check]

For each device a folder for kernels is filled by one process that evaluates two expressions. Then
new processes evaluate both: the first pays for the start of everything, the second for itself only.
Both are launched, never calculated inline. Beside the second call of the second expression stand
the best of many more, in the same process.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from harness import Bar, Group, Time, finish, print_group

PROCESSES = 15
ALLOWED_SECONDS = 5e-3
CHILD = """
import json, sys, time
begin = time.perf_counter()
import isthmus as xp
device = xp.Device(sys.argv[1])
a = xp.arange(100_000, dtype="float32", device=device)
b = xp.full(100_000, 2, dtype="float32", device=device)
a.eval(), b.eval()
xp.synchronize(device)

def first():
    (a * b + xp.sin(a)).eval()
    xp.synchronize(device)

def second():
    xp.sqrt(a - b / 3 + 7).eval()
    xp.synchronize(device)

def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin

times = {"the start": time.perf_counter() - begin, "first, new": seconds(first)}
times["second, new"] = seconds(second)
times["second, again"] = seconds(second)
times["second, warm"] = min(seconds(second) for _ in range(50))
print(json.dumps({"times": times, "cache": xp.statistics()["cache"]}))
"""


def run(device: str, folder: str) -> dict[str, Any]:
    environment = os.environ | {"ISTHMUS_CACHE_DIR": folder, "ISTHMUS_INLINE": "0"}
    command = [sys.executable, "-c", CHILD, device]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(child.stdout)
    return answer


def measure(device: str) -> Group:
    """Over processes, each with the same files."""
    with tempfile.TemporaryDirectory() as folder:
        filled = run(device, folder)["cache"]
        answers = [run(device, folder) for _ in range(PROCESSES)]
    for answer in answers:
        assert answer["cache"]["compiled"] == 0, "a kernel that was not on the disk"
        assert answer["cache"]["disk_hits"] == filled["compiled"]
    times = {}
    for name in answers[0]["times"]:
        seconds = [answer["times"][name] for answer in answers]
        times[name] = Time(min(seconds), statistics.median(seconds))
    group = Group(f"two expressions on {device}", times, {"processes": PROCESSES})
    print_group(group, "second, warm")
    return group


def main() -> int:
    groups, bars = [], []
    for device in ("opencl:0", "sycl:0"):
        group = measure(device)
        more = group.times["second, new"].best - group.times["second, warm"].best
        what = f"second new expression on {device} more than warm, to 5 ms"
        bars.append(Bar(what, more / ALLOWED_SECONDS, 1.0))
        groups.append(group)
    return finish(groups, bars, "intel-opencl-rt", "intel-sycl-rt")


if __name__ == "__main__":
    sys.exit(main())
