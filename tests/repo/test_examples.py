"""The programs of examples/ run on every kind of device, and what they calculate is right."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

import isthmus as xp

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
# The first device of each kind, by which they are named where they are missing.
DEVICES = ("cpu", "opencl:0", "sycl:0")
FOUND = {str(device): device.info for device in xp.devices()}
WITH_HOST_MEMORY = {"running_statistics.py", "particles.py"}  # these work on memory of NumPy's
# Of each program: the libraries that it needs, where it runs, and the words of its check.
PROGRAMS = {
    "image_slices.py": (("PIL", "skimage"), DEVICES, "agrees with NumPy's, and Pillow shares"),
    "heat_equation.py": ((), DEVICES, "agrees with NumPy's"),
    "n_body.py": ((), DEVICES, "agree with NumPy's"),
    "running_statistics.py": ((), DEVICES, "agrees with NumPy on the whole"),
    "monte_carlo.py": ((), DEVICES, "agrees with the formula"),
    "k_means.py": ((), DEVICES, "agrees with NumPy's"),
    "particles.py": ((), DEVICES, "agree with NumPy's, in NumPy's own memory"),
    "pyopencl_kernel.py": (("pyopencl",), ("opencl:0",), "Both directions agree with NumPy"),
    "dpnp_round_trip.py": (("dpnp",), ("sycl:0",), "agrees with dpnp's"),
}
# On the host's arrays these run on an OpenCL device that reaches the host's memory.
WITH_KERNELS = {
    "mandelbrot.py": ((), DEVICES, "agrees with NumPy's"),
    "game_of_life.py": ((), DEVICES, "agrees with NumPy's"),
}
PROGRAMS |= WITH_KERNELS
CASES = [(program, device) for program, (_, where, _) in PROGRAMS.items() for device in where]


def run(folder: pathlib.Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = {k: v for k, v in os.environ.items() if not k.startswith("ISTHMUS_")}
    return subprocess.run(
        [sys.executable, EXAMPLES / program, *arguments],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize(("program", "device"), CASES)
def test_a_program_agrees_with_its_neighbour(
    program: str, device: str, tmp_path: pathlib.Path
) -> None:
    libraries, _, words = PROGRAMS[program]
    if missing := [name for name in libraries if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if device not in FOUND:
        pytest.skip(f"no {device} here")
    if program in WITH_HOST_MEMORY and not FOUND[device]["system_memory"]:
        pytest.skip(f"{device} does not reach NumPy's memory")
    if program in WITH_KERNELS and device == "cpu" and "opencl:0" not in FOUND:
        pytest.skip("no OpenCL device to run users' kernels on")
    arguments = [] if program == "dpnp_round_trip.py" else ["--device", device]
    done = run(tmp_path, program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert words in done.stdout, done.stdout
    assert device in done.stdout, done.stdout


WITH_PICTURE = {
    **dict.fromkeys(WITH_KERNELS, ("--size", "64", "--device", "opencl:0")),
    "monte_carlo.py": ("--paths", "10000"),
    "k_means.py": ("--points", "10000"),
}


@pytest.mark.parametrize("program", WITH_PICTURE)
def test_a_program_writes_its_picture(program: str, tmp_path: pathlib.Path) -> None:
    if program in WITH_KERNELS and "opencl:0" not in FOUND:
        pytest.skip("no opencl:0 here")
    path = tmp_path / "picture.pgm"
    done = run(tmp_path, program, *WITH_PICTURE[program], "--out", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    head, pixels = path.read_bytes().split(b"\n", 1)
    _, width, height, _ = head.split()
    assert len(pixels) == int(width) * int(height)
    assert program not in WITH_KERNELS or int(width) == 64
    assert len(set(pixels)) > 1  # something is to be seen


def test_a_device_that_is_not_here_is_named(tmp_path: pathlib.Path) -> None:
    done = run(tmp_path, "heat_equation.py", "--device", "opencl:99")
    assert done.returncode != 0
    assert "opencl:99" in done.stderr, done.stderr


# Leaves NumPy's plate cold.
WRONG = """\
import sys
import heat_equation, isthmus

right = heat_equation.step
heat_equation.step = lambda u: right(u) if isinstance(u, isthmus.Array) else None
sys.exit(heat_equation.main())
"""


def test_a_program_that_does_not_agree_fails_with_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRONG],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a temperature is off by" in done.stderr, done.stderr
    assert "agrees" not in done.stdout


def test_the_heat_equation_tells_its_kernels(tmp_path: pathlib.Path) -> None:
    done = run(tmp_path, "heat_equation.py", "--size", "64", "--steps", "20")
    kernels = re.search(r"^cpu: ([\d.]+) kernels and", done.stdout, re.M)
    assert kernels is not None, done.stdout + done.stderr
    assert float(kernels[1]) < 3  # six operations a step, and two assignments at the beginning


def test_every_program_is_in_the_list_with_its_command() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    for program in PROGRAMS:
        assert f"[{program}]({program})" in listed
        text = (EXAMPLES / program).read_text()
        assert f"python examples/{program}" in listed and f"python examples/{program}" in text
    programs = {
        p.name for p in EXAMPLES.glob("*.py") if 'if __name__ == "__main__"' in p.read_text()
    }
    assert programs - {"tour.py"} == set(PROGRAMS)
