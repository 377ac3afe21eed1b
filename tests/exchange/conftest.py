"""Fixtures for the peers that work on the memory of SYCL and of OpenCL."""

from __future__ import annotations

import pytest

import isthmus


def _first(backend: str) -> isthmus.Device:
    found = isthmus.devices(verbose=True)
    if f"{backend}:0" not in found["devices"]:
        pytest.skip(f"{backend}: {found['missing'].get(backend, 'not built into this package')}")
    return isthmus.Device(f"{backend}:0")


@pytest.fixture
def sycl() -> isthmus.Device:
    """SYCL's first device."""
    return _first("sycl")


@pytest.fixture
def opencl() -> isthmus.Device:
    """OpenCL's first device."""
    return _first("opencl")
