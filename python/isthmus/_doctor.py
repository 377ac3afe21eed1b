"""Checks of an installation: what was found, and the line that repairs it."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

import isthmus
from isthmus import _isthmus

# What the library reads; anything else that begins so is a slip of the pen.
VARIABLES = (
    *("ISTHMUS_BACKENDS", "ISTHMUS_BLAS"),
    *("ISTHMUS_CACHE", "ISTHMUS_CACHE_DIR", "ISTHMUS_CACHE_SIZE"),
    *("ISTHMUS_DEVICE", "ISTHMUS_EAGER", "ISTHMUS_INLINE", "ISTHMUS_ISA", "ISTHMUS_NUM_THREADS"),
    *("ISTHMUS_LOG", "ISTHMUS_LOG_FILE", "ISTHMUS_NULL_SEED", "ISTHMUS_PROFILE", "ISTHMUS_TRACE"),
    *("ISTHMUS_DUMP", "ISTHMUS_IMPLICIT_COPY", "ISTHMUS_NO_RUNTIME_SETUP", "ISTHMUS_PROGRESS"),
    *("ISTHMUS_RUNTIME_DIR", "ISTHMUS_SYCL_KERNELS", "ISTHMUS_TEST_BACKENDS"),
)


class Finding(NamedTuple):
    """One check. `repair` is a line that a user can act on, or empty."""

    verdict: Literal["PASS", "WARN", "FAIL"]
    check: str
    found: str
    repair: str = ""


def processor() -> str:
    """The processor's name, as Linux has it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.M)
    return found.group(1) if found else platform.machine()


def examine(package: Path) -> Iterator[Finding]:
    """Every check, in order. Opens drivers and runs a small kernel on each device."""
    yield from _examine_installation(package)
    yield from _examine_settings()
    yield from _examine_process()
    yield from _examine_backends()
    for device in isthmus.devices():
        yield _examine_device(device)
        yield from _examine_memory(device)


def _examine_installation(package: Path) -> Iterator[Finding]:
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    yield Finding("PASS", "versions", f"{versions}, Isthmus {isthmus.__version__}")
    library = package / "libisthmus.so"
    yield (
        Finding("PASS", "library", str(library))
        if library.exists()
        else Finding("FAIL", "library", f"there is no {library}", "Install the wheel again.")
    )
    yield from _examine_intel_wheels()


def _has(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _examine_intel_wheels() -> Iterator[Finding]:
    if not _has("intel-opencl-rt"):
        return
    if not _has("intel-cmplr-lib-rt"):
        yield Finding(
            "FAIL",
            "intel-opencl-rt",
            "it does not load without intel-cmplr-lib-rt",
            "pip install intel-cmplr-lib-rt",
        )
    files = metadata.files("intel-opencl-rt") or []
    if files and not any(Path(str(file.locate())).exists() for file in files):
        yield Finding(
            "FAIL",
            "intel-opencl-rt",
            "its files are not where its record says; pip --target misplaces them",
            "Install into a virtual environment instead of with --target.",
        )


def _examine_settings() -> Iterator[Finding]:
    unknown = sorted(k for k in os.environ if k.startswith("ISTHMUS_") and k not in VARIABLES)
    yield (
        Finding(
            "WARN", "settings", f"not read: {', '.join(unknown)}", f"Known: {', '.join(VARIABLES)}"
        )
        if unknown
        else Finding("PASS", "settings", "no unknown ISTHMUS_ variable")
    )
    try:
        yield Finding("PASS", "default device", str(isthmus.default_device()))
    except isthmus.Error as error:
        repair = "Unset ISTHMUS_DEVICE, or name a device that python -m isthmus lists."
        yield Finding("FAIL", "default device", str(error), repair)
    folder = _isthmus._cache_folder()
    if not folder:
        repair = "Unset ISTHMUS_CACHE, or name a folder of your own in ISTHMUS_CACHE_DIR."
        yield Finding("WARN", "kernel cache", "off", repair)
        return
    nearest = next(p for p in (Path(folder), *Path(folder).parents) if p.exists())
    yield (
        Finding("PASS", "kernel cache", folder)
        if os.access(nearest, os.W_OK)
        else Finding("WARN", "kernel cache", f"{nearest} is not writable", "Set ISTHMUS_CACHE_DIR.")
    )


def _examine_process() -> Iterator[Finding]:
    """A second loader of OpenCL, or a second major version of SYCL, hides devices."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return
    for name in ("libOpenCL", "libsycl"):
        mapped = sorted(set(re.findall(rf"/\S*{name}\.so\S*", maps)))
        if len(mapped) > 1:
            repair = "First import the library that brings the right one."
            yield Finding("WARN", name, f"mapped {len(mapped)} times: {', '.join(mapped)}", repair)
    is_tbb = "libtbb.so" in maps
    threads = f"{isthmus.config.num_threads}, {'oneTBB' if is_tbb else 'std::jthread'}"
    yield Finding("PASS", "threads", threads)
    blas = _isthmus._blas_library()
    yield (
        Finding(
            "WARN",
            "BLAS",
            "none: matrices are multiplied by slow kernels",
            "pip install scipy-openblas64, or name a library in ISTHMUS_BLAS.",
        )
        if blas == "builtin"
        else Finding("PASS", "BLAS", blas)
    )
    for node in (*Path("/dev/dri").glob("renderD*"), *Path("/dev").glob("nvidia[0-9]*")):
        if not os.access(node, os.R_OK | os.W_OK):
            group = "render" if node.parent.name == "dri" else "video"
            repair = f"sudo usermod --append --groups {group} $USER"
            yield Finding("WARN", "permissions", f"you have no permission to open {node}", repair)


def driver_files() -> list[str]:
    """The libraries of drivers and runtimes in this process, once devices were asked for."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return []
    names = "libintelocl|libpocl|libnvidia-opencl|libsycl|libcuda|libOpenCL"
    return sorted(set(re.findall(rf"/\S*/(?:{names})\.so\S*", maps)))


def _examine_backends() -> Iterator[Finding]:
    found = isthmus.devices(verbose=True)
    yield Finding("PASS", "driver files", ", ".join(driver_files()) or "none")
    for name, reason in found["missing"].items():
        yield Finding("WARN", f"backend {name}", reason, _repair_of_backend(name, reason))


def _repair_of_backend(name: str, reason: str) -> str:
    if "ISTHMUS_BACKENDS" in reason:
        return f"Name {name} in ISTHMUS_BACKENDS too, or unset that."
    if "OCL_ICD_FILENAMES" in reason:  # the runtime is here; the reason says what keeps it out
        return ""
    return f'pip install "isthmus[{name}]"' if name in ("opencl", "sycl", "cuda") else ""


def _examine_device(device: isthmus.Device) -> Finding:
    """A kernel of three operations on 1000 elements, against NumPy."""
    check = f"device {device}"
    numbers = np.linspace(-1, 1, 1000, dtype=np.float32)
    try:
        ours = isthmus.asarray(numbers, device=device, copy=True)
        result = np.asarray((isthmus.sin(ours) * 2 + ours).to_device("cpu"))
    except isthmus.Error as error:
        return Finding("FAIL", check, str(error), "Please report this: python -m isthmus report")
    worst = float(np.max(np.abs(result - (np.sin(numbers) * 2 + numbers))))
    if worst > 1e-6:
        return Finding("FAIL", check, f"a kernel is off by {worst:.2g}", "python -m isthmus report")
    return Finding("PASS", check, f"a kernel of 1000 elements agrees with NumPy to {worst:.1g}")


def _examine_memory(device: isthmus.Device) -> Iterator[Finding]:
    if device.info["memory_kinds"][0] == "buffer":
        found = "no USM: its memory is cl_mem, which SYCL cannot share"
        yield Finding("WARN", f"device {device}", found, "Use it with pyopencl, or another device.")
