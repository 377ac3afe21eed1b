"""One small launch that is waited for, never inline: raw OpenCL, raw SYCL, and through Isthmus.

C++ is bench/launch.cpp, called through ctypes, whose cost a call of nothing shows and which is
taken off; the last two lines are the same expression from Python.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from harness import FOLDER, Bar, finish, interleave, print_group

import isthmus as xp


def build() -> ctypes.CDLL:
    package = Path(xp.__file__).parent
    prefix = Path(sysconfig.get_path("data"))
    folder = tempfile.mkdtemp()
    library = f"{folder}/launch.so"
    command = ["g++", "-shared", "-fPIC", "-O2", "-std=c++20", str(FOLDER / "launch.cpp")]
    command += ["-I", str(FOLDER.parent), "-isystem", str(prefix / "include"), "-o", library]
    command += [str(package / "libisthmus.so"), f"-Wl,-rpath,{package}"]
    command += [f"-L{prefix}/lib", "-l:libsycl.so.9", "-l:libOpenCL.so.1", "-Wl,--no-as-needed"]
    command += ["-Wl,--disable-new-dtags", f"-Wl,-rpath,{prefix}/lib"]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(library)
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

    def from_python(device: str) -> None:
        a, b = arrays[device]
        (2 * a + b - 1).eval()
        xp.synchronize(device)

    group = interleave(
        "2*a + b - 1 of 1024 float32, launched and waited for",
        {
            "nothing": c.nothing_call,
            "raw OpenCL": c.opencl_call,
            "raw SYCL": c.sycl_call,
            "Isthmus opencl, C++": c.isthmus_opencl_call,
            "Isthmus sycl, C++": c.isthmus_sycl_call,
            "Isthmus opencl, Python": lambda: from_python("opencl:0"),
            "Isthmus sycl, Python": lambda: from_python("sycl:0"),
        },
        60,
    )
    print_group(group, "raw OpenCL")
    bars = []
    for world in ("opencl", "sycl"):
        ours = f"Isthmus {world}, C++"
        bars.append(Bar(f"{ours}, to raw OpenCL", group.ratio(ours, "raw OpenCL"), 1.2))
        bars.append(Bar(f"{ours}, to raw SYCL", group.ratio(ours, "raw SYCL"), 1.0))
        more = group.times[f"Isthmus {world}, Python"].best - group.times[ours].best
        bars.append(Bar(f"Isthmus {world}, microseconds more from Python", more * 1e6, 0.6))
    return finish([group], bars, "intel-opencl-rt", "intel-sycl-rt")


if __name__ == "__main__":
    sys.exit(main())
