"""Fixtures for the peers that work on SYCL's memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import isthmus
from isthmus import _isthmus


@pytest.fixture
def sycl() -> Iterator[isthmus.Device]:
    """SYCL's first device; its pool is empty afterwards, so that what leaks is seen."""
    absent = isthmus.devices(verbose=True)["missing"].get("sycl")
    if absent is not None:
        pytest.skip(f"sycl: {absent}")
    device = isthmus.Device("sycl:0")
    yield device
    isthmus.synchronize(device)
    _isthmus._pool_trim(device, 0)
