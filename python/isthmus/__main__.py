"""``python -m isthmus``: what this machine has, what is missing and why, and where things lie."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import sysconfig
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import isthmus
from isthmus import _config, _demo, _doctor, _isthmus

PACKAGE = Path(_isthmus.__file__).resolve().parent  # its own files may be links, in a build tree
NEEDED = ("numpy", "ml_dtypes")
# Distributions by the name they are imported under.
PEERS = {
    "jax": ("jax",),
    "numba": ("numba",),
    "dpctl": ("dpctl",),
    "dpnp": ("dpnp",),
    "pyopencl": ("pyopencl",),
    "torch": ("torch",),
    "cupy": ("cupy-cuda13x", "cupy-cuda12x", "cupy"),
}
FOLDERS = {
    "cmake_dir": ("lib/cmake/Isthmus", "for CMAKE_PREFIX_PATH or Isthmus_DIR"),
    "include_dir": ("include", "for -I"),
    "lib_dir": (".", "that holds libisthmus.so"),
    "pkgconfig_dir": ("lib/pkgconfig", "for PKG_CONFIG_PATH"),
}
LINES = {
    "cflags": "what a compiler needs to know, besides -std=c++20",
    "libs": "what a linker needs to know",
    "runtime_dir": "the folder of libraries from wheels, for ISTHMUS_RUNTIME_DIR of a C++ program",
}


def version_of(distributions: tuple[str, ...]) -> str | None:
    """The version of the first distribution that is installed. Imports nothing."""
    for name in distributions:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


def collect() -> dict[str, Any]:
    """All that this command knows, as JSON could hold it."""
    found = isthmus.devices(verbose=True)
    return {
        "isthmus": isthmus.__version__,
        "array_api": isthmus.__array_api_version__,
        "package": str(PACKAGE),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": _doctor.processor(),
        "instruction_set": _isthmus._instruction_set(),
        "threads": isthmus.config.num_threads,
        "blas": found["blas"],
        "default_device": str(isthmus.default_device()),
        "devices": {
            name: info | ({"blas": own} if (own := _isthmus._blas_library_of(name)) else {})
            for name, info in found["devices"].items()
        },
        "missing": found["missing"],
        "libraries": {name: version_of((name,)) for name in NEEDED}
        | {name: version_of(names) for name, names in PEERS.items()},
        "protocols": [str(name) for name in isthmus.protocols()],
        "cache_folder": _isthmus._cache_folder(),
        "environment": _config.variables(),
    }


def _megabytes(count: int) -> str:
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.1f} MiB"


def _table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  " + "  ".join(cells).rstrip())


def print_devices(known: dict[str, Any], is_verbose: bool) -> None:
    print("Devices")
    for name, info in known["devices"].items():
        default = ", the default" if name.split(":")[0] == known["default_device"] else ""
        print(f"  {name}{default}: {info['name']}, {_megabytes(info['memory_bytes'])}")
        if is_verbose:
            _table([(f"  {key}", _shown(value)) for key, value in info.items()])
    print("Backends that are not available")
    for name, reason in known["missing"].items():
        print(f"  {name}: {reason}")
    if not known["missing"]:
        print("  none; a backend that is not listed above was not built into this package")


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def print_table(known: dict[str, Any], is_verbose: bool) -> None:
    print(f"Isthmus {known['isthmus']}, Array API {known['array_api']}, in {known['package']}")
    print_devices(known, is_verbose)
    print("Libraries")
    versions = {"Python": known["python"], **known["libraries"]}
    _table([(name, version or "not installed") for name, version in versions.items()])
    if not is_verbose:
        return
    print("Process")
    keys = (
        "platform",
        "processor",
        "instruction_set",
        "threads",
        "blas",
        "cache_folder",
        "protocols",
    )
    _table([(key.replace("_", " "), _shown(known[key]) or "none") for key in keys])
    _table([("driver file", file) for file in _doctor.driver_files()] or [("driver files", "none")])
    print("Settings")
    _table([(name, value) for name, value in known["environment"].items()] or [("none set", "")])


def show(options: argparse.Namespace) -> int:
    known = collect()
    if options.json:
        print(json.dumps(known, indent=2))
    else:
        print_table(known, options.verbose)
    return 0


def doctor(_: argparse.Namespace) -> int:
    """Each check as PASS, WARN or FAIL with what repairs it. Returns: 1 if one failed."""
    findings = list(_doctor.examine(PACKAGE))
    for finding in findings:
        print(f"{finding.verdict}  {finding.check}: {finding.found}")
        if finding.repair:
            print(f"      {finding.repair}")
    return int(any(finding.verdict == "FAIL" for finding in findings))


def report(options: argparse.Namespace) -> int:
    """What a bug report should hold."""
    print("```")
    print_table(collect(), True)
    print("Checks")
    doctor(options)
    print("Counters")
    _table([(name, str(value)) for name, value in isthmus.counters().items()])
    print("```")
    return 0


def demo(_: argparse.Namespace) -> int:
    """The devices, and one expression on each."""
    print_devices(collect(), False)
    _demo.demo()
    return 0


def bench(_: argparse.Namespace) -> int:
    """The same expression by size."""
    _demo.bench()
    return 0


def cache(options: argparse.Namespace) -> int:
    known = isthmus.cache.info()
    if not known.folder:
        print("The kernel cache is off: ISTHMUS_CACHE=0, or other users can access its folder.")
        return 0
    held = f"{known.files} files, {_megabytes(known.nbytes)}"
    if options.action == "clear":
        isthmus.cache.clear()
        left = isthmus.cache.info().files
        print(f"Cleared {known.folder}: {held}" + (f"; {left} are left" if left else ""))
    else:
        print(f"{known.folder}: {held} of at most {_megabytes(known.limit_nbytes)}")
    return 0


def line_of(key: str) -> str:
    """What is printed for a key of LINES."""
    if key == "cflags":
        return f"-I{PACKAGE / 'include'}"
    if key == "libs":
        return f"-L{PACKAGE} -Wl,-rpath,{PACKAGE} -listhmus"
    return f"{sysconfig.get_path('data')}/lib"


def print_folder(key: str) -> int:
    """One path on standard output and nothing else, for build scripts."""
    place, purpose = FOLDERS[key]
    folder = (PACKAGE / place).resolve()
    if not folder.is_dir():
        name = key.replace("_", "-")
        print(
            f"isthmus --{name}: there is no {folder}; this package is a build tree, without the "
            f"folder {purpose}: install a wheel, or cmake --install <build> --prefix <folder>",
            file=sys.stderr,
        )
        return 1
    print(folder)
    return 0


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("isthmus", description=__doc__)
    parser.set_defaults(run=show)
    version = f"isthmus {isthmus.__version__}"
    parser.add_argument("--version", action="version", version=version, help="print the version")
    parser.add_argument("-v", "--verbose", action="store_true", help="print all that is known")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    for key, (_, purpose) in FOLDERS.items():
        flag = "--" + key.replace("_", "-")
        text = f"print the folder {purpose}"
        parser.add_argument(flag, action="store_const", const=key, dest="folder", help=text)
    for key, purpose in LINES.items():
        flag = "--" + key.replace("_", "-")
        text = f"print {purpose}"
        parser.add_argument(flag, action="store_const", const=key, dest="line", help=text)
    commands = parser.add_subparsers(title="commands", metavar="command")
    simple: tuple[tuple[str, Callable[[argparse.Namespace], int], str], ...] = (
        ("doctor", doctor, "check the installation; print each finding with its repair"),
        ("report", report, "print all of it, to paste into a bug report"),
        ("demo", demo, "one expression on every device, beside NumPy"),
        ("bench", bench, "the same by size, as a table"),
    )
    for name, run, text in simple:
        commands.add_parser(name, help=text).set_defaults(run=run)
    of_cache = commands.add_parser("cache", help="the kernel cache on disk")
    of_cache.add_argument("action", choices=("info", "clear"))
    of_cache.set_defaults(run=cache)
    return parser


def _main(arguments: list[str] | None) -> int:
    options = make_parser().parse_args(arguments)
    if options.folder:
        return print_folder(options.folder)
    if options.line:
        print(line_of(options.line))
        return 0
    try:
        status: int = options.run(options)
    except isthmus.Error as error:  # a setting, most likely: doctor says which
        print(f"isthmus: {error}; python -m isthmus doctor shows more", file=sys.stderr)
        return 1
    return status


def main(arguments: list[str] | None = None) -> int:
    """The console script. Returns: the exit status."""
    try:
        try:
            return _main(arguments)
        finally:  # --help and --version end by SystemExit
            print(end="", flush=True)
    except BrokenPipeError:  # `report | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
