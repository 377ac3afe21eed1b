"""What CMake refuses, with what would do."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("variable", ["LDFLAGS", "CXXFLAGS"])
def test_a_static_cpp_runtime_is_refused(tmp_path: pathlib.Path, variable: str) -> None:
    """A package that is built so dies of a segmentation fault at the first use of a driver."""
    options = ("-DISTHMUS_PYTHON=OFF", "-DISTHMUS_TESTS=OFF", "-G", "Ninja")
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path, *options],
        capture_output=True,
        text=True,
        env={**os.environ, variable: "-static-libstdc++"},
    )
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "links the C++ runtime library statically" in said, said
    assert "Remove -static-libstdc++" in said
