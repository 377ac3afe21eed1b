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
}
MISSING_TESTS = {
    "test_data_type_functions.py::test_can_cast": "it compares None, for dtypes without promotion, "
    "with numpy.dtype('float64'), which NumPy calls equal; tests/device/test_promotion.py has it",
}
# Parts of test ids that pytest itself leaves out.
UNSELECTED = "not (test_has_names and (linalg or fft))"


def skips() -> str:
    """The suite's skips file: an id, or a test's name without its parameters, a line."""
    return "".join(f"array_api_tests/{name}\n" for name in (*MISSING_FILES, *MISSING_TESTS))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--max-examples", type=int, default=100)
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, after --")
    arguments = parser.parse_args()
    for name, reason in {**MISSING_FILES, **MISSING_TESTS}.items():
        print(f"left out: {name}: {reason}")
    print("left out: signatures and names of the extensions linalg and fft: not built")
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
