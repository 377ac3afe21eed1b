"""The programs of examples/cl with pyopencl's arrays and with ours: equal results."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys
import types
import warnings
from typing import Any

import numpy as np
import pytest

import isthmus as xp

FOLDER = pathlib.Path(__file__).parents[2] / "examples/cl"
NAMES = sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "picture")
NEEDS_MAKO = {"conjugate_gradients", "histogram", "k_means", "struct_reduction"}
DRAWN = {"monte_carlo"}  # the same distribution, other numbers


def load(name: str, arrays: str, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The program with the imports that the variable chooses."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setenv("ARRAYS", arrays)
    spec = importlib.util.spec_from_file_location(f"{name}_{arrays}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_ten_programs() -> None:
    listed = (FOLDER.parent / "README.md").read_text()
    assert len(NAMES) == 10
    for name in NAMES:
        assert f"python examples/cl/{name}.py" in listed
        assert f"python examples/cl/{name}.py" in (FOLDER / f"{name}.py").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_both_imports_give_equal_results(
    name: str, cl_queue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS_MAKO:
        pytest.importorskip("mako", reason="pyopencl's reductions and scans need Mako")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        theirs = load(name, "pyopencl", monkeypatch).compute(cl_queue)
        module = load(name, "isthmus", monkeypatch)
        ours = module.compute(cl_queue)
    assert module.cl_array.__name__ == "isthmus.cl.array"
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    if ours.dtype.fields is not None:
        assert ours.tolist() == theirs.tolist()
    elif name in DRAWN:
        error = theirs.std() / theirs.size**0.5
        assert abs(ours.mean() - theirs.mean()) < 6 * error
        assert abs(ours.std() / theirs.std() - 1) < 0.02
    else:
        np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=1e-5)


def test_a_program_alone_writes_its_picture(cl_queue: Any, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "plate.pgm"
    platform = cl_queue.device.platform.name.split("(")[0].split()[0].lower()
    command = [sys.executable, str(FOLDER / "jacobi.py"), str(file)]
    loaders = {key: value for key, value in os.environ.items() if key != "ARRAYS"}
    xp.devices()  # tells the loader where Intel's runtime is, for the other process as well
    done = subprocess.run(
        command,
        env=loaders | {"PYOPENCL_CTX": platform},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "mean temperature" in done.stdout
    assert file.read_bytes().startswith(b"P5 512 512 255\n")
