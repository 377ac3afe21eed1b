"""One small launch that is waited for, never inline: raw OpenCL, raw SYCL, and through Isthmus.

C++ is bench/launch.cpp, called through ctypes, whose cost a call of nothing shows; the bars are
without it. The last two lines are the same expression from Python. All of them launch on an
in-order queue of their own, and wait for that launch alone.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

from harness import FOLDER, Bar, finish, interleave, print_group

import isthmus as xp


def build() -> ctypes.CDLL:
    package = Path(xp.__file__).parent
    prefix = Path(sysconfig.get_path("data"))
    command = ["g++", "-shared", "-fPIC", "-O2", "-std=c++20", str(FOLDER / "launch.cpp")]
    command += ["-I", str(FOLDER.parent), "-isystem", str(prefix / "include")]
    command += [str(package / "libisthmus.so"), f"-Wl,-rpath,{package}"]
    command += [f"-L{prefix}/lib", "-l:libsycl.so.9", "-l:libOpenCL.so.1", "-Wl,--no-as-needed"]
    command += ["-Wl,--disable-new-dtags", f"-Wl,-rpath,{prefix}/lib"]
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/launch.so"
        subprocess.run([*command, "-o", library], check=True)
        loaded = ctypes.CDLL(library)  # stays mapped without its file
    if loaded.prepare(f"{prefix}/lib".encode()) != 0:
        raise RuntimeError("the raw kernel was not built")
    return loaded


def main() -> int:
    c = build()
    xp.config.inline = "0"
    arrays = {}
    for device in ("opencl:0", "sycl:0"):
        ones = xp.ones(1024, dtype="float32", device=device).eval()
        arrays[device] = (ones, (ones + ones).eval())

    def from_python(name: str) -> Callable[[], None]:
        device, synchronize = xp.Device(name), xp.synchronize
        a, b = arrays[name]

        def call() -> None:
            y = (2 * a + b - 1).eval()
            synchronize(device)
            del y  # not before it is there: then a thread of ours would wait for it

        return call

    group = interleave(
        "2*a + b - 1 of 1024 float32, launched and waited for",
        {
            "nothing": c.nothing_call,
            "raw OpenCL": c.opencl_call,
            "raw SYCL": c.sycl_call,
            "Isthmus opencl, C++": c.isthmus_opencl_call,
            "Isthmus sycl, C++": c.isthmus_sycl_call,
            "Isthmus opencl, Python": from_python("opencl:0"),
            "Isthmus sycl, Python": from_python("sycl:0"),
        },
        60,
    )
    print_group(group, "raw OpenCL")
    best = {name: time.best for name, time in group.times.items()}
    own = {name: seconds - best["nothing"] for name, seconds in best.items()}
    bars = []
    for world in ("opencl", "sycl"):
        ours = f"Isthmus {world}, C++"
        bars.append(Bar(f"{ours}, to raw OpenCL", own[ours] / own["raw OpenCL"], 1.2))
        bars.append(Bar(f"{ours}, to raw SYCL", own[ours] / own["raw SYCL"], 1.0))
        more = best[f"Isthmus {world}, Python"] - own[ours]
        bars.append(Bar(f"Isthmus {world}, microseconds more from Python", more * 1e6, 0.6))
    return finish([group], bars, "intel-opencl-rt", "intel-sycl-rt")


if __name__ == "__main__":
    sys.exit(main())
