"""DLPack with JAX, whose capsules are of the old form and whose arrays never change."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts

# What JAX takes without a copy, and how the rest is refused, by itself or by us.
TAKEN = ("row_major", "size_zero", "new_axis", "column_major")
REFUSED: dict[str, tuple[type[Exception], str]] = {
    "zero_dimensional": (ValueError, "not aligned to 64 bytes"),  # the element before has 23
    "offset": (RuntimeError, "compact"),
    "negative": (RuntimeError, "compact"),
    "not_collapsible": (RuntimeError, "compact"),
    "one_long": (RuntimeError, "compact"),
    "zero_stride": (BufferError, "read-only"),
}


def ours(name: str) -> isthmus.Array:
    if name == "zero_dimensional_alone":
        return isthmus.asarray(1.5, dtype="float32").eval()
    return layouts.our_layouts()[name]


def soon(happens: Callable[[], bool]) -> bool:
    """Whether it does once threads of JAX have let go."""
    until = time.monotonic() + 5
    while not happens() and time.monotonic() < until:
        gc.collect()
        time.sleep(0.001)
    return happens()


@pytest.mark.parametrize("name", (*TAKEN, "zero_dimensional_alone"))
def test_L14_us_to_jax_shares_address_and_our_writes(name: str) -> None:
    x = ours(name)
    a = jax.dlpack.from_dlpack(x, copy=False)
    assert a.shape == x.shape
    assert np.array_equal(np.asarray(a), np.asarray(x))
    if x.size:
        assert a.unsafe_buffer_pointer() == layouts.address(np.asarray(x))
        x[...] = 78
        assert bool(jnp.all(a == 78))


@pytest.mark.parametrize("name", REFUSED)
def test_L14_us_to_jax_of_other_layouts_is_refused_and_takes_nothing(name: str) -> None:
    x = ours(name)
    kind, reason = REFUSED[name]
    with pytest.raises(kind, match=reason):
        jax.dlpack.from_dlpack(x, copy=False)
    assert soon(lambda: not layouts.is_shared(x))
    assert bool(isthmus.all(x == x))


def test_L14_every_layout_is_taken_by_jax_or_refused() -> None:
    assert {*TAKEN, *REFUSED} == set(layouts.NAMES)


@pytest.mark.parametrize("shape", [(), (6,), (0,), (2, 3, 4), (2, 0, 3)])
def test_L13_jax_arrays_come_read_only_though_their_capsule_cannot_say_so(
    shape: tuple[int, ...],
) -> None:
    a = jnp.arange(np.prod(shape, dtype=int), dtype="float32").reshape(shape)
    for x in (isthmus.from_dlpack(a), isthmus.asarray(a), isthmus.from_dlpack(a, copy=False)):
        assert x.shape == shape
        assert x.is_read_only
        assert np.array_equal(np.asarray(x), np.asarray(a))
        if x.size:
            assert layouts.address(np.asarray(x)) == a.unsafe_buffer_pointer()
        with pytest.raises(ValueError, match="read-only"):
            x[...] = 1
    assert isthmus.explain(a).protocol == "dlpack"


@pytest.mark.parametrize("shape", [(), (6,), (2, 3, 4)])
def test_L12_copies_of_jax_arrays_are_ours_to_write(shape: tuple[int, ...]) -> None:
    a = jnp.ones(shape)
    x = isthmus.from_dlpack(a, copy=True)
    x[...] = 5
    assert not layouts.is_shared(x)
    assert bool(jnp.all(a == 1))


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes_us_to_jax(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float32").eval()
    a = jax.dlpack.from_dlpack(x, copy=False)
    if dies_first == "producer":
        del x
        gc.collect()
        other = isthmus.full((6,), 9.0, dtype="float32").eval()  # not into the same place
        assert float(jnp.sum(a)) == 15
        assert float(isthmus.sum(other)) == 54
    else:
        assert layouts.is_shared(x)
        del a
        assert soon(lambda: not layouts.is_shared(x))
        assert float(isthmus.sum(x)) == 15


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes_jax_to_us(dies_first: str) -> None:
    a = jnp.arange(6, dtype="float32")
    x = isthmus.from_dlpack(a)
    if dies_first == "producer":
        a.delete()  # of JAX's own hold on it
        del a
        gc.collect()
        other = jnp.full(6, 9.0)  # which JAX could have put into the same place
        assert float(isthmus.sum(x)) == 15
        assert float(jnp.sum(other)) == 54
    else:
        held = isthmus.counters()["memories"]
        del x
        assert isthmus.counters()["memories"] == held - 1
        assert float(jnp.sum(a)) == 15


def test_L16_bfloat16_comes_from_jax_and_numpy_refuses_it() -> None:
    a = jnp.arange(4, dtype=jnp.bfloat16)
    x = isthmus.from_dlpack(a)
    assert x.dtype == a.dtype
    assert jnp.array_equal(jax.dlpack.from_dlpack(x.copy().eval()), a)
    with pytest.raises((RuntimeError, BufferError), match="dtype"):  # the latter from NumPy 2.5 on
        np.from_dlpack(x)
