"""Each object that Python has no memory for, in every exchange: MemoryError, no crash, no leak."""

from __future__ import annotations

import importlib.util

import pytest

from tests.programs import run
from tests.ways import DEVICES, REAL

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("_testcapi") is None, reason="CPython without its _testcapi"
)
OPENCL = [name for name in REAL if name.startswith("opencl")]
SYCL = [name for name in REAL if name.startswith("sycl")]


@pytest.mark.parametrize(
    "call",
    [
        "of_numpys()",
        *(f"of_ours({name!r})" for name in DEVICES if name != "null:2"),  # it shares nothing
        *(f"of_what_is_told({name!r})" for name in DEVICES),
        *(f"of_usm({name!r})" for name in SYCL),
        *(f"of_pyopencl({name!r})" for name in OPENCL),
    ],
)
@pytest.mark.parametrize("eager", ["0", "1"], ids=["lazy", "eager"])
def test_memory_errors_are_pythons(call: str, eager: str) -> None:
    run(f"from tests.exchange import out_of_memory; out_of_memory.{call}", ISTHMUS_EAGER=eager)
