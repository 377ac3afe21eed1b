"""What type-checks is what runs: a user's program under mypy --strict, with the package alone."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import textwrap
import venv

import numpy as np
import pytest

import isthmus as xp

RUNS = """
    import numpy as np
    import isthmus as xp

    a = xp.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    b = xp.zeros([2, 3])
    b[0] = [1.0, 2.0, 3.0]
    b[0] = np.ones(3)
    b[0] = np.float32(3)
    b[0] = xp.ones(3)
    c: xp.Array = b[np.int64(0)]
    c = a + np.float32(2)
    c = np.float32(2) * a
    c = xp.reshape(a, [3, 2])
    c = xp.permute_dims(a, [1, 0])
    c = xp.full((2,), np.float32(2))
    c = xp.arange(np.int64(3))
    c = xp.sum(a, axis=[0])
    c = xp.eye(np.int64(3))
    view: memoryview = memoryview(a)
    host: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = a.to_numpy()
    memory: xp.memory.Memory = a.memory
    view = memoryview(memory)
    size: int = memory.nbytes

    @xp.fuse
    def twice(x: xp.Array, times: int = 2) -> xp.Array:
        return x * times

    @xp.fuse()
    def thrice(x: xp.Array) -> xp.Array:
        return x * 3

    c = twice(a, times=3) + thrice(a)
    with xp.fusing(), xp.implicit_host_copy("warn"):
        name: str = xp.config.device
    xp.config.cache = "ro"
    xp.config.cache = "1"
    size = xp.cache.info().nbytes
    text: str = xp.show(c)
    square, flag = xp.eye(2), bool(size)
    c = xp.linalg.svd(square, True, False)
    c = xp.linalg.svd(square, compute_uv=False)
    c = xp.linalg.svd(square, False, True).Vh
    c = xp.linalg.qr(square, "r")
    c = xp.linalg.qr(square).Q
    some = xp.linalg.svd(square, compute_uv=flag), xp.linalg.qr(square, mode="r" + text[:0])
    for one in some:
        c = one if isinstance(one, xp.Array) else one[0]
    try:
        c = a + xp.ones((7,))
    except xp.CompileError as error:
        print(error.source, error.log, error.device, error.key)
    except ValueError:
        pass
"""
REFUSED = (
    "xp.zeros('3')",
    "xp.zeros(2.5)",
    "a + 'x'",
    "a + None",
    "a[0.5]",
    "xp.full((2,), 'x')",
    "xp.sin([1.0])",
    "xp.reshape(a, 'ab')",
    "a.__setitem__(0, None)",
    "xp.fuse(3)",
)


def environment(folder: pathlib.Path) -> pathlib.Path:
    """The Python of an environment that has the package by a .pth file, as a checkout has."""
    venv.create(folder, symlinks=True, with_pip=False)
    assert xp.__file__ is not None
    places = pathlib.Path(xp.__file__).parents[1], pathlib.Path(np.__file__).parents[1]
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "isthmus-build.pth").write_text("".join(f"{place}\n" for place in places))
    return folder / "bin/python"


def check(folder: pathlib.Path, text: str) -> subprocess.CompletedProcess[str]:
    """mypy --strict of a program that lies elsewhere, with nothing said of where the package is."""
    (folder / "program.py").write_text(textwrap.dedent(text))
    python = environment(folder / "venv")
    command = [sys.executable, "-m", "mypy", "--strict", f"--python-executable={python}"]
    return subprocess.run(
        [*command, f"--cache-dir={folder}/cache", "program.py"],
        cwd=folder,
        env={k: v for k, v in os.environ.items() if k != "MYPYPATH"},
        capture_output=True,
        text=True,
    )


def test_the_package_says_that_it_is_typed() -> None:
    assert xp.__file__ is not None
    assert (pathlib.Path(xp.__file__).parent / "py.typed").is_file()


def test_what_runs_type_checks_without_being_told_where_the_package_is(
    tmp_path: pathlib.Path,
) -> None:
    exec(textwrap.dedent(RUNS), {})
    done = check(tmp_path, RUNS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_an_error_when_it_runs_is_refused_before(tmp_path: pathlib.Path) -> None:
    names = {"xp": xp, "a": xp.ones((3,))}
    for line in REFUSED:
        with pytest.raises((TypeError, IndexError)):
            eval(line, names)
    head = "import isthmus as xp\na = xp.ones((3,))\n"
    done = check(tmp_path, head + "\n".join(REFUSED) + "\n")
    refused = {line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line}
    assert refused == {str(number) for number in range(3, 3 + len(REFUSED))}, done.stdout
