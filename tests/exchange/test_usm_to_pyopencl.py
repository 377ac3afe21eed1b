"""USM of SYCL, of each kind and in every layout, as SVM of pyopencl."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
clpeers = importlib.import_module("opencl_peers")
peers = importlib.import_module("sycl_peers")
isthmus, dpt, layouts = peers.isthmus, peers.dpt, peers.layouts

pytestmark = [
    pytest.mark.usefixtures("sycl", "opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
WRITABLE = [name for name in layouts.NAMES if name != "zero_stride"]


def test_read_only_layouts_do_not_go_out() -> None:
    with pytest.raises(isthmus.ExchangeError, match="read-only"):
        peers.our_layouts()["zero_stride"].to_pyopencl()


@pytest.mark.parametrize("owner", ["ours", "dpnps"])
@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("name", WRITABLE)
def test_usm_shares_address_writes_and_lifetime(name: str, kind: str, owner: str) -> None:
    made = peers.our_layouts(kind) if owner == "ours" else peers.their_layouts(kind)
    x = isthmus.asarray(made.pop(name))
    del made
    values = peers.values_of(x).copy()
    a = x.to_pyopencl()
    assert a.shape == x.shape and a.dtype == x.dtype
    assert a.strides == tuple(4 * stride for stride in x.strides) or 0 in x.shape or 1 in x.shape
    if not x.size:
        return
    assert a.base_data.svm_ptr + a.offset == peers.pointer_of(x)
    spanned = a.base_data.size // 4  # from the first byte to the last, so with what is between
    back = isthmus.from_pyopencl(a)
    assert np.array_equal(peers.values_of(back), values)
    clpeers.add(a.queue, a.base_data, spanned, 100)
    assert np.array_equal(peers.values_of(x), values + 100)
    x[...] = 7
    seen = np.ndarray(a.shape, "f4", a.base_data.mem, a.offset, a.strides)
    isthmus.synchronize("sycl:0")
    assert np.all(seen == 7)
    del x, back
    peers.write_to_free_blocks(kind)
    assert np.all(seen == 7)
    del seen, a
