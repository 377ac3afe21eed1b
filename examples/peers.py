"""The libraries that exchange memory in the tour, and how sharing is proved between two of them.

A `Peer` is one library on one device. `peers()` lists those that are installed here and gives the
reason for each one that is missing. To add one, append a function to `MAKERS`.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import isthmus as xp

WORLDS = ("cpu", "opencl", "sycl", "cuda")
COUNT = 1024
FIRST = (0,)


@dataclass(frozen=True)
class Peer:
    """One library on one device. `take` shares another's array if that can be done."""

    library: str
    device: str
    make: Callable[[], Any]
    take: Callable[[Any], Any]
    address: Callable[[Any], int]
    read: Callable[[Any, tuple[int, ...]], float]
    write: Callable[[Any, tuple[int, ...], float], None] | None
    take_name: str
    is_giver_only: bool = False
    handle: Callable[[Any], int] | None = None  # of memory that has one, as a cl_mem is
    has_dtype: bool = True
    take_bytes: Callable[[Any], Any] | None = None  # what has no dtype, as float32
    # the calls that `summary` shows: `a` is the library's, `x` an array of Isthmus
    into_call: str = "xp.asarray(a)"
    out_call: str = ""

    @property
    def name(self) -> str:
        return f"{self.library} {self.device}"


@dataclass(frozen=True)
class Proof:
    """What was seen: equal addresses, and writes of one side that the other side read."""

    is_same_address: bool
    is_giver_heard: bool | None  # None: it may not write
    is_taker_heard: bool | None

    @property
    def is_shared(self) -> bool:
        return self.is_same_address and False not in (self.is_giver_heard, self.is_taker_heard)

    @property
    def is_copy(self) -> bool:
        return not (self.is_same_address or self.is_giver_heard or self.is_taker_heard)

    @property
    def verdict(self) -> str:
        return "zero-copy" if self.is_shared else "copy" if self.is_copy else "INCONSISTENT"

    def __str__(self) -> str:
        writes = {True: "seen", False: "not seen", None: "not allowed"}
        return (
            f"{'same address' if self.is_same_address else 'other address'}; "
            f"a write by the giver {writes[self.is_giver_heard]}, "
            f"by the taker {writes[self.is_taker_heard]}"
        )


def is_heard(
    writer: Peer, written: Any, reader: Peer, seen: Any, at: tuple[int, ...]
) -> bool | None:
    """Whether a write on one side is read on the other. The old value is put back."""
    if writer.write is None:
        return None
    before = reader.read(seen, at)
    other = 1.0 if before != 1 else 0.0
    try:
        writer.write(written, at, other)
    except (ValueError, TypeError, BufferError):
        return None  # read-only memory
    heard = reader.read(seen, at) == other
    writer.write(written, at, before)
    return heard


def prove(giver: Peer, given: Any, taker: Peer, taken: Any, at: tuple[int, ...] = FIRST) -> Proof:
    """Looks at both sides of a hand-over."""
    is_same = giver.address(given) == taker.address(taken)
    if giver.handle and taker.handle:
        is_same = is_same or giver.handle(given) == taker.handle(taken)
    return Proof(
        is_same,
        is_heard(giver, given, taker, taken, at),
        is_heard(taker, taken, giver, given, at),
    )


def numpy_memory(offset: int) -> np.ndarray[Any, Any]:
    """NumPy memory that starts so many bytes after a multiple of 64."""
    bytes_needed = COUNT * 4
    block = np.zeros(bytes_needed + 128, np.uint8)
    begin = -block.ctypes.data % 64 + offset
    return block[begin : begin + bytes_needed].view(np.float32)


def _numpy_address(x: Any) -> int:
    return int(x.__array_interface__["data"][0])


def _set(x: Any, at: tuple[int, ...], value: float) -> None:
    x[at] = value


def _take_numpy(x: Any) -> np.ndarray[Any, Any]:
    if isinstance(x, xp.Array):  # np.from_dlpack(x) refuses devices, this takes the host's view
        return np.asarray(x)
    taken = np.from_dlpack(x) if hasattr(x, "__dlpack__") else np.asarray(x)
    if taken.dtype == object:
        raise TypeError(f"NumPy sees an object in a {type(x).__name__}, and no memory")
    return taken


def _floats(x: Any) -> np.ndarray[Any, Any]:
    return np.asarray(x).view(np.float32)


def numpy_peers() -> Iterator[Peer | str]:
    aligned = Peer(
        "NumPy",
        "cpu",
        make=lambda: numpy_memory(0),
        take=_take_numpy,
        address=_numpy_address,
        read=lambda x, at: float(x[at]),
        write=_set,
        take_name="np.asarray",
        take_bytes=_floats,
        out_call="np.asarray(x)",
    )
    yield aligned
    # NumPy aligns to 16 bytes; who wants 64 must copy three arrays of four
    yield replace(
        aligned,
        library="NumPy (16-byte aligned)",
        make=lambda: numpy_memory(16),
        is_giver_only=True,
    )


def isthmus_peers() -> Iterator[Peer | str]:
    for world in WORLDS:
        devices = [device for device in xp.devices() if device.backend == world]
        for device in devices:
            yield isthmus_peer(device)
        if not devices:
            yield f"Isthmus {world}: {reason_against(world)}"


def _isthmus_address(x: Any) -> int:
    """As the host sees it; of a buffer that it does not see, its handle."""
    try:
        return _numpy_address(x)
    except AttributeError:
        return int(x.memory._pointer)


def isthmus_peer(device: xp.Device) -> Peer:
    def take_bytes(x: Any) -> xp.Array:
        return xp.asarray(xp.from_memory(x, COUNT, xp.float32), device=device)

    return Peer(
        "Isthmus",
        str(device),
        make=lambda: xp.zeros(COUNT, dtype=xp.float32, device=device).eval(),
        take=lambda x: xp.asarray(x, device=device),
        address=_isthmus_address,
        read=lambda x, at: float(x[at]),
        write=_set,
        take_name="isthmus.asarray",
        handle=lambda x: int(x.memory._pointer),
        take_bytes=take_bytes,
    )


def reason_against(world: str) -> str:
    """Why a backend gives no device."""
    missing: dict[str, str] = xp.devices(verbose=True)["missing"]
    return missing.get(world, "this package was built without it")


def _on_host(x: Any) -> Any:
    """JAX knows no SYCL and no OpenCL, but the host's view of such memory.

    NumPy's view, since that of Isthmus' cpu is a copy where a driver maps buffers for the host.
    """
    is_elsewhere = isinstance(x, xp.Array) and x.device.backend != "cpu"
    return _take_numpy(x) if is_elsewhere else x


def jax_peers() -> Iterator[Peer | str]:
    if importlib.util.find_spec("jax") is None:
        yield "JAX: not installed"
        return
    import jax
    import jax.numpy as jnp

    yield Peer(
        "JAX",
        jax.devices("cpu")[0].platform,
        make=lambda: jnp.zeros(COUNT, jnp.float32).block_until_ready(),
        take=lambda x: jnp.from_dlpack(_on_host(x)).block_until_ready(),
        address=lambda x: int(x.unsafe_buffer_pointer()),
        read=lambda x, at: float(np.from_dlpack(x)[at]),
        write=None,  # its arrays are immutable
        take_name="jnp.from_dlpack",
        take_bytes=lambda x: jnp.from_dlpack(_floats(x)).block_until_ready(),
        out_call="jnp.from_dlpack(x)",
    )
    if not any(device.platform == "gpu" for device in jax.devices()):
        yield "JAX cuda: it finds no GPU here"


def numba_peers() -> Iterator[Peer | str]:
    if importlib.util.find_spec("numba") is None:
        yield "Numba: not installed"
        return
    import numba

    @numba.njit
    def address(x: Any) -> Any:
        return x.ctypes.data

    @numba.njit
    def same(x: Any) -> Any:
        return x

    @numba.njit
    def read(x: Any, at: Any) -> Any:
        return x[at]

    @numba.njit
    def write(x: Any, at: Any, value: Any) -> Any:
        x[at] = value

    def checked_write(x: Any, at: tuple[int, ...], value: float) -> None:
        if not x.flags.writeable:
            raise ValueError("the memory is read-only")
        write(x, at, value)

    yield Peer(
        "Numba",
        "cpu",
        make=lambda: same(numpy_memory(0)),
        take=lambda x: same(_take_numpy(x)),
        address=lambda x: int(address(x)),
        read=lambda x, at: float(read(x, at)),
        write=checked_write,
        take_name="np.asarray, then compiled code",
        take_bytes=lambda x: same(_floats(x)),
        out_call="np.asarray(x)",
    )
    if importlib.util.find_spec("numba_cuda") is None and importlib.util.find_spec("cupy") is None:
        yield "Numba cuda: no numba-cuda here"


def _absent_on_sycl(package: str) -> str:
    """Why a package that works on SYCL has no row; nothing if it has one."""
    if importlib.util.find_spec(package) is None:
        return "not installed"
    has_device = any(device.backend == "sycl" for device in xp.devices())
    return "" if has_device else "no SYCL device here"


def dpnp_peers() -> Iterator[Peer | str]:
    if absent := _absent_on_sycl("dpnp"):
        yield f"dpnp: {absent}"
        return
    import dpnp
    import dpnp.tensor

    interface = "__sycl_usm_array_interface__"

    def address(x: Any) -> int:
        seen = getattr(x, interface)
        return int(seen["data"][0] + seen.get("offset", 0) * x.itemsize)

    def take(x: Any) -> Any:
        # its own asarray copies all that is not its own; that of its inner array shares USM
        if hasattr(x, interface):
            return dpnp.asarray(dpnp.tensor.asarray(x))
        return dpnp.asarray(_take_numpy(x))

    yield Peer(
        "dpnp",
        "sycl",
        make=lambda: dpnp.zeros(COUNT, dtype=dpnp.float32),
        take=take,
        address=address,
        read=lambda x, at: float(x[at]),
        write=_set,
        take_name="dpnp.asarray",
        take_bytes=lambda x: dpnp.asarray(dpnp.tensor.usm_ndarray(COUNT, dtype="f4", buffer=x)),
        out_call="dpnp.asarray(dpnp.tensor.asarray(x))",
    )


def dpctl_peers() -> Iterator[Peer | str]:
    if absent := _absent_on_sycl("dpctl"):
        yield f"dpctl.memory: {absent}"
        return
    import dpctl.memory

    def make() -> Any:
        block = dpctl.memory.MemoryUSMShared(4 * COUNT)
        block.memset()
        return block

    def floats(x: Any) -> np.ndarray[Any, Any]:
        return np.frombuffer(x.copy_to_host(), np.float32)

    def write(x: Any, at: tuple[int, ...], value: float) -> None:
        changed = floats(x).copy()
        changed[at] = value
        x.copy_from_host(changed.view(np.uint8))

    yield Peer(
        "dpctl.memory",
        "sycl",
        make=make,
        take=dpctl.memory.as_usm_memory,
        address=lambda x: int(x._pointer),
        read=lambda x, at: float(floats(x)[at]),
        write=write,
        take_name="dpctl.memory.as_usm_memory",
        has_dtype=False,
        into_call="xp.from_memory(m, shape, dtype)",
        out_call="dpctl.memory.as_usm_memory(x)",
    )


def pyopencl_peers() -> Iterator[Peer | str]:
    if importlib.util.find_spec("pyopencl") is None:
        yield "PyOpenCL: not installed"
        return
    devices = [device for device in xp.devices() if device.backend == "opencl"]
    if not devices:
        yield "PyOpenCL: no OpenCL device here"
    for device in devices:
        yield pyopencl_peer(device)


def pyopencl_peer(device: xp.Device) -> Peer:
    import pyopencl.array as cla

    # a queue of PyOpenCL's in the context of Isthmus, which SYCL may share
    queue = xp.zeros(1, dtype=xp.float32, device=device).to_pyopencl().queue

    def take(x: Any) -> Any:
        if isinstance(x, xp.Array):
            return xp.asarray(x, device=device).to_pyopencl()
        return cla.to_device(queue, np.ascontiguousarray(_take_numpy(x)))

    def address(x: Any) -> int:
        base = x.base_data
        start = base.svm_ptr if hasattr(base, "svm_ptr") else base.int_ptr
        return int(start) + int(x.offset)

    return Peer(
        "PyOpenCL",
        str(device),
        make=lambda: cla.zeros(queue, COUNT, np.float32),
        take=take,
        address=address,
        read=lambda x, at: float(x.get()[at]),
        write=_set,
        take_name="to_pyopencl",
        handle=lambda x: int(x.base_data.int_ptr) if hasattr(x.base_data, "int_ptr") else 0,
        take_bytes=lambda x: cla.to_device(queue, _floats(x)),
        out_call="x.to_pyopencl()",
    )


def absent_peers() -> Iterator[Peer | str]:
    """Libraries whose rows come with the backends that reach them."""
    for name in ("torch", "cupy"):
        is_here = importlib.util.find_spec(name) is not None
        yield f"{name}: {'installed, but it has no row here yet' if is_here else 'not installed'}"


MAKERS: tuple[Callable[[], Iterator[Peer | str]], ...] = (
    numpy_peers,
    isthmus_peers,
    jax_peers,
    numba_peers,
    dpnp_peers,
    dpctl_peers,
    pyopencl_peers,
    absent_peers,
)


def peers() -> tuple[list[Peer], list[str]]:
    """Those that are here, and a line for each that is not."""
    found = [peer for make in MAKERS for peer in make()]
    return (
        [peer for peer in found if isinstance(peer, Peer)],
        [reason for reason in found if isinstance(reason, str)],
    )


def best_time(call: Callable[[], object], rounds: int = 5, calls: int = 200) -> float:
    """Seconds a call, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - begin) / calls)
    return best
