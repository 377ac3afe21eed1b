"""Runs the Array API's conformance suite, for the parts that exist here, against isthmus.

    python tools/run_conformance.py /path/to/array-api-tests [-- pytest arguments]

The suite (github:data-apis/array-api-tests, with its submodule array-api) lies beside the
repository and is never part of it; it needs pytest-json-report and ndindex.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

# Whole files that are about functions which do not exist yet.
MISSING_FILES = {
    "test_fft.py": "the extension fft is not built",
    "test_linalg.py": "matmul, vecdot and the extension linalg are not built",
}
MISSING_TESTS = {
    "test_data_type_functions.py::test_can_cast": "it compares None, for dtypes without promotion, "
    "with numpy.dtype('float64'), which NumPy calls equal; tests/device/test_promotion.py has it",
}
# Functions that do not exist yet, by the suite's categories.
MISSING_FUNCTIONS = {
    "linear_algebra": ("matmul", "tensordot", "vecdot"),
    "array_method": ("__matmul__",),
}
# Parts of test ids that pytest itself leaves out.
UNSELECTED = "not (test_has_names and (linalg or fft))"


def skips() -> str:
    """The suite's skips file: an id, or a test's name without its parameters, a line."""
    ids = [*MISSING_FILES, *MISSING_TESTS]
    for category, names in MISSING_FUNCTIONS.items():
        kind = "array_method" if category == "array_method" else "func"
        for name in names:
            ids.append(f"test_has_names.py::test_has_names[{category}-{name}]")
            ids.append(f"test_signatures.py::test_{kind}_signature[{name}]")
            ids.append(f"test_special_cases.py::test_empty_arrays[{name}]")
            ids.append(f"test_special_cases.py::test_nan_propagation[{name}]")
    return "".join(f"array_api_tests/{name}\n" for name in ids)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--max-examples", type=int, default=100)
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, after --")
    arguments = parser.parse_args()
    for name, reason in {**MISSING_FILES, **MISSING_TESTS}.items():
        print(f"left out: {name}: {reason}")
    functions = [name for names in MISSING_FUNCTIONS.values() for name in names]
    print(f"left out: signatures and names of {', '.join(functions)}, linalg and fft: not built")
    environment = os.environ | {"ARRAY_API_TESTS_MODULE": "isthmus"}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(skips())
        file.flush()
        options = ["--skips-file", file.name, "--max-examples", str(arguments.max_examples)]
        command = [sys.executable, "-m", "pytest", *options, "--disable-extension", "fft"]
        command += ["--disable-deadline"]
        command += ["--disable-extension", "linalg", "-q", "-p", "no:cacheprovider"]
        command += ["-k", UNSELECTED]
        command += arguments.pytest or ["array_api_tests"]
        return subprocess.run(command, cwd=arguments.checkout, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
