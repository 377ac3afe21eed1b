"""Wrong input: each a clear error of the documented class, and the queue is usable after it."""

from __future__ import annotations

import contextlib
import gc
import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import clmath, clrandom, tools
from isthmus.cl.algorithm import ListOfListsBuilder, RadixSort, copy_if, unique
from isthmus.cl.elementwise import ElementwiseKernel, ElementwiseTemplate
from isthmus.cl.reduction import ReductionKernel
from isthmus.cl.scan import GenericScanKernel, InclusiveScanKernel

import isthmus as xp


@contextlib.contextmanager
def unchanged(queue: Any) -> Iterator[Any]:
    """An array that must be as it was, and can be worked on, after the error."""
    made = cl_array.arange(queue, 6, dtype=np.float32)
    yield made
    assert made.get().tolist() == list(range(6))
    assert (made + 1).get().tolist() == list(range(1, 7))


@pytest.fixture
def strange(cl_queue: Any) -> Iterator[Any]:
    """A queue of another context of the same device."""
    import pyopencl as cl

    context = cl.Context([cl_queue.device])
    queue = cl.CommandQueue(context)
    yield queue
    del queue, context


ON_A_QUEUE: dict[str, Callable[[Any, Any], Any]] = {
    "get": lambda x, q: x.get(queue=q),
    "get_async": lambda x, q: x.get_async(queue=q),
    "set": lambda x, q: x.set(np.zeros(6, np.float32), queue=q),
    "fill": lambda x, q: x.fill(1, queue=q),
    "copy": lambda x, q: x.copy(queue=q),
    "with_queue": lambda x, q: x.with_queue(q),
    "astype": lambda x, q: x.astype(np.int32, queue=q),
    "setitem": lambda x, q: x.setitem(slice(2), 3, queue=q),
    "map_to_host": lambda x, q: x.map_to_host(queue=q),
    "any": lambda x, q: x.any(queue=q),
    "mul_add": lambda x, q: x.mul_add(1, x, 2, queue=q),
    "sin": lambda x, q: clmath.sin(x, queue=q),
    "atan2": lambda x, q: clmath.atan2(x, x, queue=q),
    "frexp": lambda x, q: clmath.frexp(x, queue=q),
    "sum": lambda x, q: cl_array.sum(x, queue=q),
    "dot": lambda x, q: cl_array.dot(x, x, queue=q),
    "max": lambda x, q: cl_array.max(x, queue=q),
    "maximum": lambda x, q: cl_array.maximum(x, x, queue=q),
    "if_positive": lambda x, q: cl_array.if_positive(x, x, x, queue=q),
    "take": lambda x, q: cl_array.take(x, x.astype(np.int32), queue=q),
    "concatenate": lambda x, q: cl_array.concatenate([x, x], queue=q),
    "diff": lambda x, q: cl_array.diff(x, queue=q),
    "cumsum": lambda x, q: cl_array.cumsum(x, queue=q),
    "fill_rand": lambda x, q: clrandom.fill_rand(x, q),
    "copy_if": lambda x, q: copy_if(x, "ary[i] > 2", queue=q),
    "elementwise": lambda x, q: ElementwiseKernel(x.context, "float *x", "x[i] = 0")(x, queue=q),
    "reduction": lambda x, q: ReductionKernel(
        x.context, np.float32, "0", "a + b", "x[i]", "float *x"
    )(x, queue=q),
    "scan": lambda x, q: InclusiveScanKernel(x.context, np.float32, "a + b", "0")(x, queue=q),
    "sort": lambda x, q: RadixSort(x.context, "float *x", "(uint)x[i]", ["x"])(x, queue=q),
}


@pytest.mark.parametrize("name", ON_A_QUEUE)
def test_a_queue_of_another_context(cl_queue: Any, strange: Any, name: str) -> None:
    with unchanged(cl_queue) as x, pytest.raises(ValueError, match="another context"):
        ON_A_QUEUE[name](x, strange)


OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "less": lambda x, y: x < y,
    "in place": lambda x, y: x.__iadd__(y),
    "mul_add": lambda x, y: x.mul_add(1, y, 2),
    "dot": lambda x, y: cl_array.dot(x, y),
    "maximum": lambda x, y: cl_array.maximum(x, y),
    "if_positive": lambda x, y: cl_array.if_positive(x, x, y),
    "concatenate": lambda x, y: cl_array.concatenate([x, y]),
    "index": lambda x, y: x[y.astype(np.int32)],
    "atan2": lambda x, y: clmath.atan2(x, y),
    "elementwise": lambda x, y: ElementwiseKernel(x.context, "float *x, float *y", "x[i] = y[i]")(
        x, y
    ),
    "scan": lambda x, y: InclusiveScanKernel(x.context, np.float32, "a + b", "0")(x, y),
}


@pytest.mark.parametrize("name", OF_TWO)
def test_an_array_of_another_context(cl_queue: Any, strange: Any, name: str) -> None:
    y = cl_array.arange(strange, 6, dtype=np.float32)
    with unchanged(cl_queue) as x, pytest.raises(xp.DeviceMismatchError, match="context"):
        OF_TWO[name](x, y)
    assert (y + 1).get()[0] == 1


@pytest.mark.parametrize("key", [slice(None), ..., (), slice(0, 6), slice(None, None, 2), [0, 1]])
def test_an_assignment_copies_from_another_context(cl_queue: Any, strange: Any, key: Any) -> None:
    """And the array stays in its own."""
    x = cl_array.arange(cl_queue, 6, dtype=np.float32)
    expected = np.arange(6, dtype=np.float32)
    y = cl_array.arange(strange, len(expected[key].reshape(-1)), dtype=np.float32) * 3
    for _ in range(2):
        x[key] = y
        expected[key] = y.get().reshape(expected[key].shape)
        assert (x + cl_array.zeros_like(x)).get().tolist() == expected.tolist()
        ElementwiseKernel(x.context, "float *x", "x[i] += 1")(x)
        expected += 1
        assert x.get().tolist() == expected.tolist()
    with pytest.raises(xp.DeviceMismatchError, match=r"y\[\.\.\.\] = x"):
        x + cl_array.zeros(strange, 6, np.float32)


def test_indices_of_another_context_are_refused_by_name(cl_queue: Any, strange: Any) -> None:
    x, at = cl_array.arange(cl_queue, 6, dtype=np.float32), cl_array.zeros(strange, 2, np.int32)
    with pytest.raises(xp.DeviceMismatchError, match=r"^take: operands are of"):
        cl_array.take(x, at)
    with pytest.raises(xp.DeviceMismatchError, match=r"^index: operands are of"):
        x[at]


def test_names_that_texts_have_of_their_own(cl_queue: Any) -> None:
    context = cl_queue.context
    for name in ("i", "n"):
        with pytest.raises(ValueError, match=f"{name!r} is the .*another name"):
            ElementwiseKernel(context, f"float *x, int {name}", "x[0] = 1")
    with pytest.raises(ValueError, match="'i' is the index"):
        ReductionKernel(context, np.float32, "0", "a + b", "x[0]", "float *x, float *i")
    for name in ("i", "N", "item", "prev_item", "last_item"):
        with pytest.raises(ValueError, match=f"{name!r} is .*another name"):
            GenericScanKernel(
                context, np.float32, f"float *{name}", "1", "a + b", "0", "(void)item"
            )
    # these are not
    x = cl_array.arange(cl_queue, 6, dtype=np.float32)
    total = ReductionKernel(
        context, np.float32, "0", "a + b", "part[i] * sum", "float *part, float sum"
    )(x, np.float32(2))
    assert total.get() == 30


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x + 1,
        lambda x: x == 1,
        lambda x: abs(x),
        lambda x: x.get(),
        lambda x: x.fill(0),
        lambda x: x.set(np.zeros(6, np.float32)),
        lambda x: x.__setitem__(0, 1),
        lambda x: x[[0, 1]],
        lambda x: clmath.sin(x),
        lambda x: cl_array.sum(x),
        lambda x: ElementwiseKernel(x.context, "float *x", "x[i] = 0")(x),
    ],
)
def test_an_array_without_a_queue(cl_queue: Any, use: Callable[[Any], Any]) -> None:
    with unchanged(cl_queue) as x, pytest.raises(ValueError, match=r"with_queue"):
        use(x.with_queue(None))


STRUCT = np.dtype([("a", np.int8), ("isthmus_unknown", np.float32)])


def test_the_other_byte_order_says_what_would_do() -> None:
    values = np.arange(3, dtype=">f4")
    with pytest.raises(TypeError, match=r">f4 is not supported; .*newbyteorder\('='\)\)"):
        cl_array.to_device(xp.Queue("cpu"), values)
    native = values.astype(values.dtype.newbyteorder("="))
    assert cl_array.to_device(xp.Queue("cpu"), native).get().tolist() == [0, 1, 2]


def test_dtypes_without_a_c_name(cl_queue: Any) -> None:
    with unchanged(cl_queue) as x:
        context = x.context
        with pytest.raises(ValueError, match="no C type is registered"):
            tools.dtype_to_ctype(STRUCT)
        with pytest.raises(ValueError, match="no C type is registered"):
            ElementwiseKernel(context, [tools.VectorArg(STRUCT, "y")], "y[i].a = 0")
        with pytest.raises(ValueError, match="no C type is registered"):
            ReductionKernel(context, STRUCT, "0", "a", "x[i]", "float *x")
        with pytest.raises(ValueError, match="no C type is registered"):
            InclusiveScanKernel(context, STRUCT, "a", "0")
        with pytest.raises(ValueError, match="'isthmus_what'"):
            ElementwiseKernel(context, "isthmus_what *x", "")
        for dtype in (object, "U3", "M8[s]", ">f4"):
            with pytest.raises(TypeError):
                cl_array.Array(x.queue, 3, dtype)
        with pytest.raises(TypeError):
            cl_array.zeros(x.queue, 3, STRUCT) + 1
        with pytest.raises(RuntimeError, match="unknown template processor 'jinja'"):
            ElementwiseTemplate("T *x", "x[i] = 1", template_processor="jinja").build(
                context, (("T", np.float32),)
            )


TEXTS: dict[str, Callable[[Any], Any]] = {
    "elementwise": lambda x: ElementwiseKernel(x.context, "float *x", "x[i] = isthmus_what")(x),
    "reduction": lambda x: ReductionKernel(
        x.context, np.float32, "0", "a + isthmus_what", "x[i]", "float *x"
    )(x),
    "scan": lambda x: InclusiveScanKernel(x.context, np.float32, "a + isthmus_what", "0")(x),
    "copy_if": lambda x: copy_if(x, "isthmus_what"),
    "sort": lambda x: RadixSort(x.context, "float *x", "isthmus_what", ["x"])(x),
    "lists": lambda x: ListOfListsBuilder(
        x.context,
        [("a", np.int32)],
        "void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) { isthmus_what; }",
        "float *x",
    )(x.queue, 3, x),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_does_not_compile(cl_queue: Any, name: str) -> None:
    with unchanged(cl_queue) as x, pytest.raises(xp.CompileError, match="isthmus_what"):
        TEXTS[name](x)


def test_ranges_that_the_dtype_has_not(cl_queue: Any) -> None:
    for args, dtype in (
        *(((-1, 4), "u1"), ((250, 260), "u1"), ((0, -9, -4), "u4")),
        ((2**31 - 2, 2**31 + 1), "i4"),
    ):
        with pytest.raises(OverflowError):
            cl_array.arange(cl_queue, *args, dtype=np.dtype(dtype))
    assert cl_array.arange(cl_queue, 250, 256, dtype=np.uint8).get().tolist() == [*range(250, 256)]
    assert cl_array.arange(cl_queue, 3, dtype=None).dtype == np.int64  # NumPy's of the numbers
    assert cl_array.arange(cl_queue, 2, -1, -1, dtype=np.uint8).get().tolist() == [2, 1, 0]


def looked_at(x: Any) -> None:
    """Lists of indices are checked by a kernel where the host does not reach the memory: an error
    comes to who waits. Elsewhere the call raises it."""
    if not xp.Queue(x.queue).device.info["unified_memory"]:
        x.get()


def test_indices_outside(cl_queue: Any) -> None:
    with unchanged(cl_queue) as x:
        indices = cl_array.to_device(x.queue, np.array([0, 9]))
        for index in (6, -7, [0, 9], np.array([-8]), (1, 1), 1.5, (None, 7), "a", indices):
            with pytest.raises(IndexError):
                looked_at(x[index])
            with pytest.raises(IndexError):
                x[index] = 1
                looked_at(x)
        out = cl_array.zeros(x.queue, 6, np.float32)
        with pytest.raises(IndexError):
            looked_at(cl_array.take(x, indices))
        with pytest.raises(IndexError):
            looked_at(cl_array.multi_take([x], indices)[0])
        with pytest.raises(IndexError):
            looked_at(cl_array.multi_put([x[:2]], indices, out=[out])[0])
        with pytest.raises(IndexError):
            looked_at(cl_array.multi_take_put([x], indices, indices, dest_shape=(5,))[0])
        with pytest.raises(IndexError):
            looked_at(cl_array.subset_dot(indices, x, x))
        with pytest.raises(TypeError):
            cl_array.take(x, x)
        with pytest.raises(BufferError, match="of 6"):
            cl_array.as_strided(x, (7,), (4,))
        with pytest.raises(BufferError):
            cl_array.as_strided(x[1:], (2,), (-8,))
        assert cl_array.as_strided(x[5:], (6,), (-4,)).get().tolist() == [5, 4, 3, 2, 1, 0]


def test_shapes_that_do_not_fit(cl_queue: Any) -> None:
    with unchanged(cl_queue) as x:
        z = cl_array.arange(x.queue, 5, dtype=np.float32)
        for use in (
            lambda: x + z,
            lambda: z.__iadd__(x),
            lambda: x.__setitem__(slice(3), z),
            lambda: x.reshape(4),
            lambda: x.transpose((0, 1)),
            lambda: z.view(np.float64),
            lambda: cl_array.dot(x, z),
            lambda: cl_array.vdot(x, z),
            lambda: cl_array.if_positive(x, z, z),
            lambda: cl_array.concatenate([x.reshape(2, 3), z]),
            lambda: cl_array.stack([x, z]),
            lambda: cl_array.maximum(x, x, out=z),
            lambda: cl_array.zeros(x.queue, -1, np.float32),
            lambda: x.set(np.zeros(5, np.float32)),
            lambda: x.mul_add(1, z, 1),
            lambda: InclusiveScanKernel(x.context, np.float32, "a + b", "0")(x, z),
        ):
            with pytest.raises(ValueError):
                use()
        with pytest.raises(TypeError):
            x.get(ary=np.zeros(5, np.float32))
        with pytest.raises(TypeError):
            x.set(np.zeros(6))
        kernel = ElementwiseKernel(x.context, "float *x, float *y", "x[i] = y[i]")
        with pytest.raises(TypeError, match="takes 2 arguments"):
            kernel(x)
        with pytest.raises(TypeError, match=r"expected an isthmus\.cl\.array\.Array, not"):
            kernel(x, 3)
        total = ReductionKernel(x.context, np.float32, "0", "a + b", "x[i]", "float *x")
        with pytest.raises(ValueError, match="out is"):
            total(x, out=z)


def test_nothing_is_left_behind(cl_queue: Any, strange: Any) -> None:
    import pyopencl as cl

    given: list[int] = []

    def failing(nbytes: int) -> Any:
        if len(given) == 2:
            raise MemoryError("no more")
        given.append(nbytes)
        return cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, nbytes)

    device = xp.Queue(cl_queue).device

    def in_use() -> int:
        gc.collect()
        cl_queue.finish()
        return xp.memory.pool_statistics(device)["bytes_in_use"]

    x = cl_array.arange(cl_queue, 1000, dtype=np.float32)
    y = cl_array.arange(strange, 1000, dtype=np.float32)
    keeps = cl_array.zeros(cl_queue, 3, np.float32) + 1
    for one in (x, y, keeps):
        one.finish()
    before = in_use()
    for name in TEXTS:
        with pytest.raises(xp.CompileError):
            TEXTS[name](x)
    for name in OF_TWO:
        with pytest.raises(xp.DeviceMismatchError):
            OF_TWO[name](x, y)
    with pytest.raises(IndexError):
        x[cl_array.arange(cl_queue, 2000, dtype=np.int32)].get()
    z = cl_array.to_device(cl_queue, np.zeros(1000, np.float32), allocator=failing)
    assert (z + 1).data.size == 4000
    with pytest.raises(MemoryError):
        (z + 2).data  # noqa: B018
    assert (z + 3).get()[0] == 3
    del z
    assert in_use() == before and (x + keeps[0]).get()[5] == 6


def test_what_is_no_array_or_event(cl_queue: Any) -> None:
    import pyopencl as cl

    one: Any = 3
    some: Any = [0, 1]
    with unchanged(cl_queue) as x:
        for use in (
            lambda: cl_array.dot(x, one),
            lambda: cl_array.take(x, some),
            lambda: cl_array.sum(one),
            lambda: cl_array.concatenate([x, some]),
            lambda: cl_array.maximum([1], [2]),
            lambda: clmath.sin(3),
            lambda: clmath.atan2(3, 4),
            lambda: clmath.sin(x.astype(bool)),
            lambda: cl_array.Array(5, 3, np.float32),
            lambda: cl_array.Array(x.queue, 3, np.float32, data=np.zeros(3)),
            lambda: x + "a",
            lambda: x.fill(2, wait_for=[3]),
            lambda: x.add_event(None),
        ):
            with pytest.raises(TypeError):
                use()
        with pytest.raises(ValueError, match="no array is named q"):
            RadixSort(x.context, "int *k", "k[i]", ["q"])
        with pytest.raises(ValueError, match="no array is named"):
            RadixSort(x.context, "int k", "k", [])
        event = cl.UserEvent(x.context)
        event.set_status(cl.command_execution_status.COMPLETE)
        assert (x.copy().fill(2, wait_for=[event]) == 2).all()


def test_a_kernel_says_what_it_cannot_take(cl_queue: Any) -> None:
    with unchanged(cl_queue) as x:
        with pytest.raises(TypeError, match="unexpected keyword"):
            ElementwiseKernel(x.context, "float *x", "x[i] = 0")(x, size=3)
        with pytest.raises(TypeError, match="is not signed"):
            GenericScanKernel(
                x.context, np.int32, "int *x", "x[i]", "a", "0", "", index_dtype=np.uint32
            )
        with pytest.raises(ValueError, match="no neutral element"):
            GenericScanKernel(x.context, np.int32, "int *x", "x[i]", "a", None, "")
        with pytest.raises(RuntimeError, match="expected an Array or a number"):
            copy_if(x, "1", extra_args=[("v", 3)])


def test_arrays_of_other_libraries_are_told_apart(cl_queue: Any) -> None:
    theirs: Any = importlib.import_module("pyopencl.array").to_device(
        cl_queue, np.arange(6, dtype=np.float32)
    )
    shares = r"not pyopencl\.array\.Array; isthmus\.cl\.array\.Array\(a\.queue, "
    copies = r"not (numpy\.ndarray|isthmus\.Array); to_device\(queue, a\) copies it"
    with unchanged(cl_queue) as x:
        calls: list[Callable[[Any], object]] = [
            lambda other: x + other,
            lambda other: x == other,
            lambda other: cl_array.concatenate([x, other]),
            lambda other: cl_array.dot(x, other),
            lambda other: clmath.atan2(other, 1),
            lambda other: x.__iadd__(other),
        ]
        for other, text in [(theirs, shares), (np.zeros(6), copies), (xp.zeros(6), copies)]:
            for call in calls:
                with pytest.raises(TypeError, match=text):
                    call(other)
        with pytest.raises(TypeError, match=shares):
            x[theirs]
        with pytest.raises(TypeError, match=r"not list; to_device\(queue, numpy\.asarray\(a\)\)"):
            x == [1, 2]  # noqa: B015
        assert (x == None) is False  # noqa: E711
        mine = cl_array.Array(
            *(theirs.queue, theirs.shape, theirs.dtype),
            **{"data": theirs.base_data, "offset": theirs.offset, "strides": theirs.strides},
        )
        mine += 1  # what the sentence names: the same memory
        assert theirs.get().tolist() == [1, 2, 3, 4, 5, 6]


WITH_NUMPY: dict[str, Any] = {
    "copy_if": lambda x, a, q: copy_if(a, "ary[i] > 2"),
    "copy_if on a queue": lambda x, a, q: copy_if(a, "ary[i] > 2", queue=q),
    "unique": lambda x, a, q: unique(a),
    "maximum": lambda x, a, q: cl_array.maximum(x, a),
    "if_positive": lambda x, a, q: cl_array.if_positive(x, a, x),
    "sum": lambda x, a, q: cl_array.sum(a),
    "add": lambda x, a, q: x + a,
}


@pytest.mark.parametrize("name", WITH_NUMPY)
def test_arrays_of_numpy_name_to_device(queue: Any, name: str) -> None:
    x = cl_array.arange(queue, 5, dtype=np.float32)
    with pytest.raises(TypeError, match=r"not numpy.ndarray; to_device\(queue, a\) copies it"):
        WITH_NUMPY[name](x, x.get(), queue)
    assert (x + 1).get()[4] == 5


def test_what_is_no_queue_and_no_array(cl_queue: Any) -> None:
    import pyopencl.array

    x = cl_array.arange(cl_queue, 5, dtype=np.float32)
    with pytest.raises(TypeError, match="with_queue: expected a queue or None, not 'int'"):
        x.with_queue(5)
    theirs = pyopencl.array.to_device(cl_queue, x.get())
    with pytest.raises(TypeError, match=r"not pyopencl.array.Array; .* shares its memory"):
        cl_array.to_device(cl_queue, theirs)
    with pytest.raises(TypeError, match="'CommandQueue' is an array of Python objects"):
        cl_array.to_device(x.get(), cl_queue)


def test_programs_catch_errors_as_those_of_pyopencl(cl_queue: Any, strange: Any) -> None:
    import pyopencl as cl

    context = cl_queue.context
    with unchanged(cl_queue) as x:
        with pytest.raises(cl.RuntimeError, match="no_such_function") as caught:
            ElementwiseKernel(context, "float *x", "x[i] = no_such_function(x[i])")(x)
        assert isinstance(caught.value, xp.CompileError)
        assert "no_such_function" in str(caught.value)
        assert caught.value.routine == "clBuildProgram"
        assert caught.value.code == cl.status_code.BUILD_PROGRAM_FAILURE
        with pytest.raises(cl.MemoryError) as full:
            cl_array.zeros(cl_queue, 1 << 50, np.float32).get()
        assert full.value.code == cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE
        with pytest.raises(cl.LogicError) as elsewhere:
            x + cl_array.arange(strange, 6, dtype=np.float32)
        assert elsewhere.value.code == cl.status_code.INVALID_CONTEXT
    assert not issubclass(xp.LaunchError, cl.MemoryError)
    assert issubclass(xp.LaunchError, RuntimeError)
