"""Random programs over arrays of isthmus.cl, which must agree with NumPy.

A program draws pairs of an array of NumPy and one of ours that hold the same, and does the same to
both: views, operators, reductions, writes, functions, kernels of pyopencl on the memory, on queues
that are in order and out of it. Arrays lie in memory of the pool, of allocators, and of the caller.

    python tests/cl/random_programs.py --count 10000 --seed 1 --runtime intel
"""

from __future__ import annotations

import argparse
import operator
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import isthmus.cl.array as cl_array
import isthmus.cl.clmath as clmath
import numpy as np
from isthmus.cl.elementwise import ElementwiseKernel

import isthmus as xp

Host = np.ndarray[Any, Any]

TEXT = "__kernel void add(__global int* x, long at) { x[at + get_global_id(0)] += 1; }"
SHAPES = ((6,), (4, 5), (5, 4), (3, 4), (2, 3, 4), (4, 4), (), (0, 3), (700,))
DTYPES = ("i1", "u1", "i2", "i4", "u4", "i8", "f4", "f8", "c8", "c16")
ARITHMETIC = (operator.add, operator.sub, operator.mul)
OF_INTEGERS = (operator.and_, operator.or_, operator.xor, operator.floordiv, operator.mod)
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
IN_PLACE = (operator.iadd, operator.isub, operator.imul)
KERNELS = {
    np.dtype(dtype): ElementwiseKernel(None, f"{name} *x, {name} a", "x[i] = 2 * x[i] + a")
    for dtype, name in (("i4", "int"), ("f4", "float"), ("u1", "uchar"), ("i8", "long"))
}
LIMIT = 10  # arrays at a time
LINES = 25


def adding_kernel(context: Any) -> Any:
    """A kernel that adds 1 to the integers of a buffer, from one on."""
    import pyopencl as cl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        return cl.Program(context, TEXT).build().add


class Program:
    """One program. Its lines are remembered, for the report of a mismatch."""

    def __init__(self, seed: int, queues: list[Any], add: Any, allocators: list[Any]) -> None:
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.queues, self.add, self.allocators = queues, add, allocators
        self.lines: list[str] = []
        self.held: list[Any] = []  # memory objects that the caller keeps
        self.mapped: tuple[Host, Any] | None = None  # an array, and another view of its memory
        self.pairs = [self.new() for _ in range(3)]

    def pick(self, choices: Any) -> Any:
        return choices[self.rng.integers(len(choices))]

    def new(self) -> tuple[Host, cl_array.Array]:
        import pyopencl as cl

        dtype = np.dtype(self.pick(DTYPES))
        host = np.asarray(self.rng.integers(0, 9, self.pick(SHAPES))).astype(dtype)
        if dtype.kind == "c":
            host = host + dtype.type(1j) * host[..., ::-1] if host.ndim else host
        host = np.array(host, order=self.pick("CF"))
        queue, how = self.pick(self.queues), self.rng.integers(5)
        allocator = self.pick(self.allocators)
        if how > 2 or not host.size:
            return host, cl_array.to_device(queue, host, allocator=allocator)
        if how > 0:
            make = cl_array.zeros if how == 1 else cl_array.empty
            order = "C" if host.flags.c_contiguous else "F"
            new = make(queue, host.shape, dtype, order=order, allocator=allocator)
            if how == 1:
                return np.zeros_like(host), new
            cl.enqueue_copy(queue, new.base_data, np.ravel(host, order="K"))
            return host, new
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        data = cl.Buffer(queue.context, flags, hostbuf=np.ravel(host, order="K"))
        return host, cl_array.Array(queue, host.shape, dtype, data=data, strides=host.strides)

    def bound(self, length: int) -> Any:
        return None if self.rng.integers(2) else int(self.rng.integers(-length - 1, length + 2))

    def index(self, shape: tuple[int, ...]) -> Any:
        """A basic index that gives an array."""
        found: list[Any] = []
        for length in shape[: self.rng.integers(0, len(shape) + 1)]:
            if length and not self.rng.integers(4):
                found.append(int(self.rng.integers(-length, length)))
            else:
                step = self.pick((None, 1, 2, -1, -2, 3))
                found.append(slice(self.bound(length), self.bound(length), step))
        return (*found, Ellipsis)

    def number(self, dtype: np.dtype[Any]) -> Any:
        return int(self.rng.integers(1, 6)) if dtype.kind in "iu" else float(self.pick((0.5, 2, 3)))

    def run(self) -> None:
        """Raises: AssertionError, with the lines of the program, for a mismatch."""
        steps = [getattr(self, name) for name in dir(Program) if name.startswith("do_")]
        with np.errstate(all="ignore"):
            for _ in range(LINES):
                step = self.pick(steps)
                host, ours = self.pick(self.pairs)
                self.lines.append(f"{step.__name__[3:]} of {host.dtype} {host.shape}")
                step(host, ours)
                self.pairs = self.pairs[-LIMIT:]
        for number, (host, ours) in enumerate(self.pairs):
            self.same(ours, host, f"array {number} at the end")

    def same(self, ours: cl_array.Array, host: Any, what: str) -> None:
        found = ours.get()
        report = f"{what} of program {self.seed}: " + "; ".join(self.lines)
        assert found.dtype == host.dtype, f"{found.dtype}, not {host.dtype}: {report}"
        assert found.shape == host.shape, f"{found.shape}, not {host.shape}: {report}"
        tolerance = 1e-4  # of single precision, perhaps cast since; integers are exact
        np.testing.assert_allclose(found, host, rtol=tolerance, atol=tolerance, err_msg=report)

    def keep(self, host: Any, ours: cl_array.Array) -> None:
        """Takes part from now on, unless numbers grow out of what both calculate alike."""
        host = np.asarray(host)
        if host.size and host.dtype.kind in "fc" and not (np.abs(host) < 1e6).all():
            return
        self.pairs.append((host, ours))

    def other(self, host: Host) -> tuple[Any, Any]:
        """An array whose shape broadcasts with this one, or a number."""
        fitting = []
        for found in self.pairs:
            try:
                np.broadcast_shapes(host.shape, found[0].shape)
            except ValueError:
                continue
            fitting.append(found)
        if self.rng.integers(3) and fitting:
            return self.pick(fitting)  # type: ignore[no-any-return]
        number = self.number(host.dtype)
        return number, number

    def do_view(self, host: Host, ours: cl_array.Array) -> None:
        key = self.index(host.shape)
        self.pairs.append((host[key], ours[key]))

    def do_reshape(self, host: Host, ours: cl_array.Array) -> None:
        if ours.flags.c_contiguous and host.flags.c_contiguous:
            shape = self.pick(((host.size,), (1, *host.shape), host.shape[::-1]))
            self.pairs.append((host.reshape(shape), ours.reshape(shape)))

    def do_bytes(self, host: Host, ours: cl_array.Array) -> None:
        is_dense = ours.flags.c_contiguous and host.flags.c_contiguous
        # of columns of one element it is another axis that grows, as in pyopencl
        if is_dense and host.dtype.kind in "iu" and host.ndim and min(host.shape) > 1:
            self.pairs.append((host.view(np.uint8), ours.view(np.uint8)))

    def do_squeeze(self, host: Host, ours: cl_array.Array) -> None:
        shape = (1, *host.shape[:1], 1, *host.shape[1:]) if host.ndim else (1, 1)
        keys = (None, slice(None), None) if host.ndim else (None, None)
        wide = host[keys], ours[keys]
        assert wide[1].shape == shape
        self.pairs.append((wide[0].squeeze(), wide[1].squeeze()))

    def do_copy(self, host: Host, ours: cl_array.Array) -> None:
        self.keep(host.copy(), ours.copy())

    def do_reverse(self, host: Host, ours: cl_array.Array) -> None:
        if host.ndim == 1:
            self.keep(host[::-1].copy(), ours.reverse())

    def do_add_scaled(self, host: Host, ours: cl_array.Array) -> None:
        number = self.number(host.dtype)
        self.keep(host * number + host * 2, ours.mul_add(number, ours, 2))

    def do_choose(self, host: Host, ours: cl_array.Array) -> None:
        """By an array of indices, to read and to write."""
        if not host.ndim or not host.shape[0]:
            return
        index = self.rng.permutation(host.shape[0])[:3].astype(np.int32)
        at = cl_array.to_device(ours.queue, index)
        if self.rng.integers(2):
            self.keep(host[index], ours[at])
        else:
            number = self.number(host.dtype)
            host[index] = number
            ours[at] = number

    def do_users_kernel(self, host: Host, ours: cl_array.Array) -> None:
        if host.dtype in KERNELS and host.size and (np.abs(host.astype(float)) < 1e6).all():
            KERNELS[host.dtype](ours, 3)
            host *= 2
            host += 3

    def do_map(self, host: Host, ours: cl_array.Array) -> None:
        """Of several maps that overlap only one is written to."""
        self.unmap()
        self.mapped = host, ours.map_to_host()

    def do_share(self, host: Host, ours: cl_array.Array) -> None:
        self.unmap()
        self.mapped = host, xp.from_dlpack(ours)

    def do_write_mapped(self, *_: Any) -> None:
        if self.mapped is not None:
            key, number = self.index(self.mapped[0].shape), self.number(self.mapped[0].dtype)
            for array in self.mapped:
                array[key] = number

    def do_look_mapped(self, *_: Any) -> None:
        if self.mapped is not None:
            host, seen = self.mapped
            found = seen if isinstance(seen, np.ndarray) else seen.to_device("cpu").to_numpy()
            report = f"map of program {self.seed}: " + "; ".join(self.lines)
            np.testing.assert_allclose(found, host, rtol=1e-4, atol=1e-4, err_msg=report)

    def unmap(self) -> None:
        seen: Any = None if self.mapped is None else self.mapped[1]
        if hasattr(seen, "base"):
            seen.base.release()
        self.mapped = None

    def do_transpose(self, host: Host, ours: cl_array.Array) -> None:
        axes = [int(axis) for axis in self.rng.permutation(host.ndim)]
        self.pairs.append((host.transpose(axes), ours.transpose(axes)))

    def do_signs(self, host: Host, ours: cl_array.Array) -> None:
        """The same memory as integers with or without signs."""
        if host.dtype.kind in "iu":
            dtype = host.dtype.str.translate(str.maketrans("iu", "ui"))
            self.pairs.append((host.view(dtype), ours.view(dtype)))

    def do_queue(self, host: Host, ours: cl_array.Array) -> None:
        self.pairs.append((host, ours.with_queue(self.pick(self.queues))))

    def do_operator(self, host: Host, ours: cl_array.Array) -> None:
        other, theirs = self.other(host)
        whole = np.result_type(host, other).kind in "iu"
        function = self.pick(ARITHMETIC + OF_INTEGERS if whole else ARITHMETIC)
        if function in (operator.floordiv, operator.mod):
            other, theirs = 3, 3  # what 0 gives, OpenCL leaves open
        self.keep(function(host, other), function(ours, theirs))

    def do_compare(self, host: Host, ours: cl_array.Array) -> None:
        other, theirs = self.other(host)
        is_complex = "c" in (host.dtype.kind, np.asarray(other).dtype.kind)
        function = self.pick(COMPARISONS[:2] if is_complex else COMPARISONS)
        self.keep(function(host, other).astype(np.int8), function(ours, theirs))

    def do_in_place(self, host: Host, ours: cl_array.Array) -> None:
        other, theirs = self.other(host)
        if np.broadcast_shapes(host.shape, np.shape(other)) != host.shape:
            return
        kept = host.copy()
        function = self.pick(IN_PLACE)
        has_dtype = isinstance(other, (np.ndarray, np.generic))
        if has_dtype and {host.dtype.kind, other.dtype.kind} == {"i", "u"}:
            other = other.astype(host.dtype)  # as C has it, where NumPy refuses
        try:
            function(host, other)
        except TypeError:
            try:
                function(ours, theirs)
            except TypeError:
                return
            raise AssertionError(f"no TypeError: {self.lines}") from None
        if host.dtype.kind in "fc" and host.size and not (np.abs(host) < 1e6).all():
            host[...] = kept
            return
        function(ours, theirs)

    def do_write(self, host: Host, ours: cl_array.Array) -> None:
        key = self.index(host.shape)
        number = self.number(host.dtype)
        host[key] = number
        ours[key] = number

    def do_copy_into(self, host: Host, ours: cl_array.Array) -> None:
        other, theirs = self.pick(self.pairs)
        if other.dtype.kind == "c" and host.dtype.kind != "c":
            return
        key = self.index(host.shape)
        values = other.copy()
        try:
            host[key] = values
        except ValueError:
            return
        ours[key] = theirs if self.rng.integers(4) else values

    def do_fill(self, host: Host, ours: cl_array.Array) -> None:
        host[...] = 3
        ours.fill(3)

    def do_set(self, host: Host, ours: cl_array.Array) -> None:
        values = self.rng.integers(0, 9, host.shape).astype(host.dtype)
        host[...] = values
        ours.set(values)

    def do_sum(self, host: Host, ours: cl_array.Array) -> None:
        if host.size:
            self.keep(host.sum(), cl_array.sum(ours))

    def do_extreme(self, host: Host, ours: cl_array.Array) -> None:
        if host.size and host.dtype.kind != "c":
            name = self.pick(("max", "min"))
            self.keep(getattr(np, name)(host), getattr(cl_array, name)(ours))

    def do_dot(self, host: Host, ours: cl_array.Array) -> None:
        other, theirs = self.pick(self.pairs)
        if host.shape == other.shape:
            kind = np.result_type(host, other)
            self.keep(
                (host.astype(kind) * other.astype(kind)).sum(dtype=kind), cl_array.dot(ours, theirs)
            )

    def do_cumsum(self, host: Host, ours: cl_array.Array) -> None:
        if ours.flags.c_contiguous:
            self.keep(
                host.cumsum(dtype=host.dtype).reshape(host.shape),
                cl_array.cumsum(ours),
            )

    def do_cast(self, host: Host, ours: cl_array.Array) -> None:
        dtype = self.pick(("i4", "i8", "f4", "f8"))
        if host.dtype.kind != "c":
            self.keep(host.astype(dtype), ours.astype(dtype))

    def do_where(self, host: Host, ours: cl_array.Array) -> None:
        if host.dtype.kind != "c":
            copies = host.copy(), ours.copy()
            self.keep(
                np.where(host > 2, host, copies[0] * host.dtype.type(1)),
                cl_array.if_positive(ours > 2, ours, copies[1]),
            )

    def do_join(self, host: Host, ours: cl_array.Array) -> None:
        if host.ndim and host.size < 1000:
            axis = int(self.rng.integers(host.ndim))
            self.keep(
                np.concatenate([host, host], axis), cl_array.concatenate([ours, ours], axis=axis)
            )

    def do_take(self, host: Host, ours: cl_array.Array) -> None:
        if host.size:
            index = self.rng.integers(0, host.size, 5).astype(np.int32)
            flat = np.ascontiguousarray(host).reshape(-1)
            at = cl_array.to_device(ours.queue, index)
            self.keep(flat[index], cl_array.take(ours, at))

    def do_function(self, host: Host, ours: cl_array.Array) -> None:
        """Exact ones: a rounded result may compare otherwise, or become another integer."""
        if host.dtype.kind == "f":
            self.keep(np.floor(host), clmath.floor(ours))
        elif host.dtype.kind == "c":
            self.keep(host.imag + 1, ours.imag + 1)
        else:
            self.keep(abs(host), abs(ours))

    def do_kernel(self, host: Host, ours: cl_array.Array) -> None:
        """A kernel of pyopencl's on the memory itself."""
        if host.dtype != np.int32 or not host.size or not ours.flags.forc:
            return
        self.unmap()
        at = np.int64(ours.offset // 4)
        ours.add_event(self.add(ours.queue, (host.size,), None, ours.base_data, at))
        host += 1

    def do_hold(self, host: Host, ours: cl_array.Array) -> None:
        self.held = [*self.held[-2:], ours.base_data]

    def do_look(self, host: Host, ours: cl_array.Array) -> None:
        self.same(ours, host, "array")


def places_of(context: Any) -> tuple[list[Any], list[Callable[[int], Any] | None]]:
    """Queues in order and out of it, and allocators: none, pyopencl's pool, SVM where there is."""
    import pyopencl as cl
    import pyopencl.tools

    mode = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    queues = [cl.CommandQueue(context), cl.CommandQueue(context, properties=mode)]
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queues[0]))
    return queues, [None, None, pool]


def main() -> int:
    import pyopencl as cl

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--runtime", default="intel", help="a part of the platform's name")
    arguments = parser.parse_args()
    xp.devices()  # finds the runtimes
    platforms = [p for p in cl.get_platforms() if arguments.runtime in p.name.lower()]
    context = cl.Context(platforms[0].get_devices()[:1])
    queues, allocators = places_of(context)
    add = adding_kernel(context)
    mismatches, begin = 0, time.perf_counter()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        program = Program(seed, queues, add, allocators)
        try:
            program.run()
        except Exception as problem:
            mismatches += 1
            print(f"program {seed}: {type(problem).__name__}: {problem}\n", flush=True)
    seconds = time.perf_counter() - begin
    rate = arguments.count / seconds
    print(f"{arguments.count} programs, {rate:.0f} a second, {mismatches} mismatches")
    return int(mismatches > 0)


if __name__ == "__main__":
    sys.exit(main())
