"""Fixtures for the peers that work on SYCL's memory."""

from __future__ import annotations

import pytest

import isthmus


@pytest.fixture
def sycl() -> isthmus.Device:
    """SYCL's first device."""
    absent = isthmus.devices(verbose=True)["missing"].get("sycl")
    if absent is not None:
        pytest.skip(f"sycl: {absent}")
    return isthmus.Device("sycl:0")
