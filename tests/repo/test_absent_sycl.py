"""Why there is no sycl, where the machine has Intel's runtime but SYCL does not know of it."""

from __future__ import annotations

import importlib.util
import re

import pytest

from tests.programs import run
from tests.ways import DEVICES

sycl = pytest.mark.skipif("sycl:0" not in DEVICES, reason="there is no SYCL device to be hidden")
dpctl = pytest.mark.skipif(importlib.util.find_spec("dpctl") is None, reason="there is no dpctl")

# What another SYCL program does first, and what isthmus then says of sycl.
ASK = """
import os
for name in ("OCL_ICD_FILENAMES", "OCL_ICD_VENDORS"):  # of the process that runs the tests
    os.environ.pop(name, None)
{first}
import isthmus as xp
from isthmus import _doctor
known = xp.devices(verbose=True)
try:
    x = xp.ones(3, device=xp.Device("sycl"), dtype="float32")
    print("found", (x + 1).tolist())
except xp.BackendUnavailableError as error:
    print("absent", error)
    assert known["missing"]["sycl"] == str(error), "the two lists give two reasons"
    assert isinstance(error, ImportError)
    for finding in _doctor._examine_backends():
        if finding.check == "backend sycl":
            print("doctor", finding.verdict, finding.found, finding.repair)
"""
USE_DPCTL = """
import dpctl
try:
    dpctl.SyclQueue()
except dpctl.SyclQueueCreationError:
    pass  # there is no device that it finds by itself
"""
FOUND = "found [2.0, 2.0, 2.0]\n"


@sycl
@dpctl
@pytest.mark.parametrize("first", [USE_DPCTL, "import dpctl; dpctl.get_devices()"])
def test_a_list_that_was_made_before_us_is_named_as_the_reason(first: str) -> None:
    out, err = run(ASK.format(first=first))
    assert err == ""
    if out == FOUND:
        pytest.skip("SYCL finds Intel's device by itself here")
    said, examined = out.splitlines()
    for line in (said, examined):
        assert "its list was created before isthmus was imported, and is created only once" in line
        assert "import isthmus before dpctl or dpnp are used" in line
        assert "pip install" not in line
    file = re.search(r"OCL_ICD_FILENAMES=(\S+)", said)
    assert file
    setting = f"os.environ['OCL_ICD_FILENAMES'] = {file[1]!r}"
    out, _ = run(ASK.format(first=f"{setting}\n{first}"))
    assert out == FOUND, "the variable that the reason names is a way out"


@sycl
@dpctl
def test_what_the_reason_advises_is_of_use() -> None:
    out, err = run(ASK.format(first=f"import isthmus\n{USE_DPCTL}"))
    assert (out, err) == (FOUND, "")
    out, err = run(ASK.format(first="import dpctl"))
    assert (out, err) == (FOUND, ""), "to import dpctl makes no list"


@sycl
def test_a_setup_that_was_switched_off_is_named_as_the_reason() -> None:
    out, err = run(ASK.format(first=""), ISTHMUS_NO_RUNTIME_SETUP="1")
    assert err == ""
    if out == FOUND:
        pytest.skip("SYCL finds Intel's device by itself here")
    said, examined = out.splitlines()
    for line in (said, examined):
        assert "ISTHMUS_NO_RUNTIME_SETUP=1 hides Intel's runtime from it" in line
        assert "pip install" not in line
