"""The tour of the examples shares one picture with every library, and fails where one copies."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PEERS = ("skimage", "PIL", "dpctl", "dpnp", "pyopencl", "jax", "numba")
MISSING = [name for name in PEERS if find_spec(name) is None]
HOPS = [
    "NumPy -> Isthmus",
    "Isthmus -> dpnp",
    "Isthmus -> Isthmus",  # from SYCL to OpenCL
    "Isthmus -> PyOpenCL",
    "Isthmus -> JAX",
    "JAX -> Isthmus",
    "Isthmus -> Numba",  # what JAX made
    "Isthmus -> Numba",  # and memory for the result
    "NumPy -> Isthmus",
    "Isthmus -> NumPy",
]
HOP = re.compile(
    r"^   (\w+ -> \w+) by .*: (.*)\n     proof    (.*)\n     memory   held by (\w+), at (\w+)$",
    re.M,
)
# Hands a picture of Isthmus to JAX: as the tour does, or by a copy.
TO_JAX = """\
import dataclasses, pathlib, sys
import jax.numpy as jnp, numpy as np
import isthmus as xp
import tour

here = tour.Tour(pathlib.Path(sys.argv[1]))
jax = here.peer("JAX")
if sys.argv[2] == "copy":
    jax = dataclasses.replace(jax, take=lambda x: jnp.array(np.asarray(x), copy=True))
ours = xp.ones((4, 4, 3), dtype=xp.float32).eval()
here.hand_over(tour.Picture(ours, here.peer("Isthmus"), "Isthmus"), jax)
"""

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


def run(*arguments: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
    settings = {k: v for k, v in os.environ.items() if not k.startswith("ISTHMUS_")}
    path = os.pathsep.join(filter(None, (str(EXAMPLES), settings.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, *arguments],
        env=settings | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
def test_the_picture_goes_from_library_to_library_and_back_without_a_copy(
    tmp_path: pathlib.Path,
) -> None:
    done = run(EXAMPLES / "tour.py", "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped" not in done.stdout, done.stdout
    hops = HOP.findall(done.stdout)
    assert [hop for hop, *_ in hops] == HOPS
    assert {verdict for _, verdict, *_ in hops} == {"zero-copy"}
    for hop, _, proof, holder, _ in hops:
        assert "same address" in proof and "not seen" not in proof, f"{hop}: {proof}"
        assert "seen" in proof or holder == "JAX", f"{hop}: {proof}"
    addresses = [address for *_, address in hops]
    assert len(set(addresses[1:5])) == 1  # from Isthmus by way of OpenCL to JAX
    assert addresses[0] == addresses[-2] == addresses[-1]  # NumPy's, at the end as at the start
    assert {file.name[2:-4] for file in tmp_path.glob("*.png")} == {
        *("photograph", "tone_curve", "unsharp_mask", "warm_tint", "lifted_blacks"),
        *("channel_mixing", "vignette", "back"),
    }


def test_a_hop_that_shares_passes(tmp_path: pathlib.Path) -> None:
    done = run("-c", TO_JAX, tmp_path, "share")
    assert done.returncode == 0, done.stderr
    assert "Isthmus -> JAX by jnp.from_dlpack: zero-copy" in done.stdout


def test_a_hop_that_copies_fails(tmp_path: pathlib.Path) -> None:
    done = run("-c", TO_JAX, tmp_path, "copy")
    assert done.returncode != 0, done.stdout
    assert "Isthmus -> JAX by jnp.from_dlpack: copy, where sharing is promised" in done.stderr
