"""Fixtures for the peers that work on the memory of SYCL and of OpenCL."""

from __future__ import annotations

import pytest

import isthmus


def _first(backend: str) -> isthmus.Device:
    absent = isthmus.devices(verbose=True)["missing"].get(backend)
    if absent is not None:
        pytest.skip(f"{backend}: {absent}")
    return isthmus.Device(f"{backend}:0")


@pytest.fixture
def sycl() -> isthmus.Device:
    """SYCL's first device."""
    return _first("sycl")


@pytest.fixture
def opencl() -> isthmus.Device:
    """OpenCL's first device."""
    return _first("opencl")
