"""ElementwiseKernel, ReductionKernel, scans and algorithms, on texts of users."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import cltypes, tools
from isthmus.cl.algorithm import (
    KeyValueSorter,
    ListOfListsBuilder,
    RadixSort,
    copy_if,
    partition,
    remove_if,
    unique,
)
from isthmus.cl.elementwise import ElementwiseKernel, ElementwiseTemplate
from isthmus.cl.reduction import ReductionKernel, ReductionTemplate
from isthmus.cl.scan import (
    ExclusiveScanKernel,
    GenericScanKernel,
    InclusiveScanKernel,
    ScanTemplate,
)

import isthmus as xp
from isthmus import CompileError


def test_elementwise(cl_queue: Any) -> None:
    context = cl_queue.context
    scale = ElementwiseKernel(context, "const float *x, float *y, float a", "y[i] = a * x[i] + n")
    x = cl_array.arange(cl_queue, 200, dtype=np.float32)
    y = cl_array.zeros_like(x)
    scale(x + 1, y, 2)
    assert (y.get() == 2 * np.arange(1, 201) + 200).all()
    y.fill(0)
    scale(x, y, 1, slice=slice(10, None, 50))
    assert np.flatnonzero(y.get()).tolist() == [10, 60, 110, 160]
    scale(x, y, 0, range=slice(3)).wait()
    assert np.flatnonzero(y.get()).tolist() == [0, 1, 2, 10, 60, 110, 160]
    # arrays of other layouts: by the numbers of their elements, in row-major order
    a, b = x[:6].reshape(2, 3), cl_array.zeros(cl_queue, (2, 3), np.float32, order="F")
    scale(a, b, 1)
    assert (b.get() == a.get() + 6).all()
    scale(x[::-2], y[:100], 1)
    assert y.get()[:3].tolist() == [299, 297, 295]
    z = cl_array.to_device(cl_queue, np.array([1 + 2j, 3j], np.complex64))
    power = ElementwiseKernel(
        context, "cfloat_t *z, cfloat_t w", "z[i] = cfloat_mul(w, cfloat_exp(z[i]))"
    )
    expected = 2j * np.exp(z.get())
    power(z, 2j)
    np.testing.assert_allclose(z.get(), expected, rtol=1e-5)
    skip = ElementwiseKernel(
        context,
        [tools.VectorArg(np.int32, "k", with_offset=True), tools.ScalarArg(np.int32, "m")],
        "if (i % 2) PYOPENCL_ELWISE_CONTINUE; k[i] = twice(m)",
        preamble="int twice(int m) { return 2 * m; }",
    )
    k = cl_array.zeros(cl_queue, 5, np.int32)
    skip(k, 4)
    assert k.get().tolist() == [8, 0, 8, 0, 8]
    template = ElementwiseTemplate("T *x, int a", "x[i] += a", name="plus")
    template.build(context, type_aliases=(("T", np.int32),))(k, 1)
    assert k.get().tolist() == [9, 1, 9, 1, 9]
    with pytest.raises(TypeError):
        scale(x, 3, 1)
    with pytest.raises(ValueError, match="no dtype"):
        ElementwiseKernel(context, "what *x", "x[i] = 0")
    with pytest.raises(CompileError):
        ElementwiseKernel(context, "int *x", "x[i] = what")(k)


def test_a_call_gives_the_kernels_own_event(cl_queue: Any) -> None:
    import pyopencl as cl

    timed = cl.CommandQueue(
        cl_queue.context, properties=cl.command_queue_properties.PROFILING_ENABLE
    )
    x = cl_array.zeros(timed, 100_000, np.float32)
    add = ElementwiseKernel(timed.context, "float *x, float a", "x[i] += sin(a)")
    first, second = add(x, 1), add(x, 2)
    assert isinstance(first, cl.Event) and first.command_queue == timed
    cl.wait_for_events([first, second])
    assert first.profile.start <= first.profile.end <= second.profile.end
    np.testing.assert_allclose(x.get(), np.sin(1.0) + np.sin(2.0), rtol=1e-6)
    assert add(x[:0], 1).wait() is None  # nothing ran


@pytest.mark.parametrize("is_in_order", [True, False])
def test_events_of_timed_queues_are_those_of_kernels(cl_queue: Any, is_in_order: bool) -> None:
    import pyopencl as cl

    has = cl.command_queue_properties
    properties: Any = has.PROFILING_ENABLE
    if not is_in_order:
        properties |= has.OUT_OF_ORDER_EXEC_MODE_ENABLE
    timed = cl.CommandQueue(cl_queue.context, properties=properties)
    x = cl_array.arange(timed, 3, 100_003, dtype=np.float32)
    x.finish()

    def is_of_kernel(x: Any) -> bool:
        event = x.events[-1]
        event.wait()
        assert event.profile.start <= event.profile.end
        return bool(event.command_type == cl.command_type.NDRANGE_KERNEL)

    xp.config.inline = "0"
    y = x * 2 + 1
    for found in (y, cl_array.cumsum(x), cl_array.sum(x), x[::-3] - 1):
        assert is_of_kernel(found)
    x += 1
    x *= 2
    assert is_of_kernel(x) and len(x.events) == 2 and x.events[0] == x.events[1]
    view = y[5:]  # of memory that a kernel wrote
    view += 1
    assert is_of_kernel(view)
    if timed.device.type == cl.device_type.CPU:
        xp.config.inline = "1"
        assert not is_of_kernel(x + y)  # the host's work
    np.testing.assert_array_equal((x + y).get()[:6], [15, 19, 23, 27, 31, 36])


def test_reduction(cl_queue: Any) -> None:
    context = cl_queue.context
    x = cl_array.arange(cl_queue, 100_000, dtype=np.float32)
    dot = ReductionKernel(context, np.float64, "0", "a + b", "x[i] * y[i]", "float *x, float *y")
    np.testing.assert_allclose(dot(x, x).get(), (np.arange(1e5) ** 2).sum(), rtol=1e-9)
    largest = ReductionKernel(context, np.float32, "-INFINITY", "max(a, b)", arguments="float *in")
    assert largest(x, slice=slice(5, 50, 2)).get() == 49
    assert largest(x, slice=slice(0, 0)).get() == -np.inf
    out = cl_array.zeros(cl_queue, 4, np.float32)
    result, event = largest(x[:9], out=out[2], return_event=True)
    event.wait()
    assert out.get().tolist() == [0, 0, 8, 0] and result.shape == ()
    places = ReductionKernel(context, np.int64, "0", "a + b", "i * i", "float *x")
    for some in (slice(None), slice(7, 99_001), slice(3, None, 7), slice(99_000, 5, -1)):
        wanted = sum(i * i for i in range(100_000)[some])
        assert places(x, slice=some).get() == wanted, "each element once, whatever the groups"
    counted = ReductionKernel(context, np.float64, "0", "a + b", "x[i] * n", "float *x")
    assert counted(x[:1000]).get() == 1000 * sum(range(1000))
    assert counted(x, slice=slice(0, 10, 2)).get() == 5 * sum(range(0, 10, 2))
    named = ReductionKernel(context, np.float32, "0", "a + b", "x[i] * n", "float *x, float n")
    assert named(x[:10], 0.5).get() == 22.5
    dtype = np.dtype([("low", np.int32), ("high", np.int32)])
    dtype, text = tools.match_dtype_to_c_struct(cl_queue.device, "isthmus_test_range", dtype)
    dtype = tools.get_or_register_dtype("isthmus_test_range", dtype)
    ends = ReductionKernel(
        context,
        dtype,
        "of(2147483647, -2147483648)",
        "of(min(a.low, b.low), max(a.high, b.high))",
        "of(x[i], x[i])",
        "int *x",
        preamble=text + "isthmus_test_range of(int low, int high)"
        " { isthmus_test_range r; r.low = low; r.high = high; return r; }",
    )
    values = np.random.default_rng(1).integers(-1000, 1000, 5000).astype(np.int32)
    found = ends(cl_array.to_device(cl_queue, values)).get()
    assert (found["low"], found["high"]) == (values.min(), values.max())
    template = ReductionTemplate("T *x", "0", "a + b", "x[i]")
    total = template.build(context, {"T": np.int32, "reduction_t": np.int64})
    assert total(cl_array.to_device(cl_queue, values)).get() == values.sum()


def test_scans(cl_queue: Any) -> None:
    context = cl_queue.context
    values = np.random.default_rng(2).integers(0, 50, 10_007).astype(np.int32)
    x = cl_array.to_device(cl_queue, values)
    y = cl_array.empty_like(x)
    sums = np.cumsum(values, dtype=np.int32)
    assert InclusiveScanKernel(context, np.int32, "a + b", "0")(x, y) is y
    assert (y.get() == sums).all()
    ExclusiveScanKernel(context, np.int32, "a + b", "0")(x, y)
    assert (y.get() == sums - values).all()
    starts = np.zeros(len(values), np.int8)
    starts[[0, 7, 8, 3000, 9999]] = 1
    before = cl_array.empty_like(x)
    segmented = GenericScanKernel(
        context,
        np.int32,
        "int *x, char *starts, int *y, int *before, int *last",
        "x[i]",
        "across_seg_boundary ? b : a + b",
        "0",
        "y[i] = item; before[i] = prev_item; if (i == 0) *last = last_item",
        is_segment_start_expr="starts[i]",
    )
    last = cl_array.zeros(cl_queue, (), np.int32)
    segmented(x, cl_array.to_device(cl_queue, starts), y, before, last)
    parts = np.split(values, np.flatnonzero(starts)[1:])
    expected = np.concatenate([np.cumsum(part) for part in parts])
    assert (y.get() == expected).all()
    assert (before.get() == expected - values).all()
    assert last.get() == expected[-1]
    steps = GenericScanKernel(
        context,
        np.int32,
        "int *x, int *y",
        "i > 0 && this_one != one_before",
        "a + b",
        "0",
        "y[i] = item",
        input_fetch_exprs=[("this_one", "x", 0), ("one_before", "x", -1)],
    )
    steps(x, y)
    assert (y.get() == np.concatenate([[0], np.cumsum(np.diff(values) != 0)])).all()
    for size in (1, 2, 17):
        InclusiveScanKernel(context, np.int32, "max(a, b)", "0")(x[:size], y[:size])
        assert (y.get()[:size] == np.maximum.accumulate(values[:size])).all()


def test_running_values_need_no_neutral_element(cl_queue: Any) -> None:
    vectors: Any = cltypes
    pair, declared = tools.match_dtype_to_c_struct(
        cl_queue.device, "running_pair", np.dtype([("whole", np.int32), ("part", np.float32)])
    )
    pair = tools.get_or_register_dtype("running_pair", pair)
    text = (
        declared
        + "running_pair add(running_pair a, running_pair b) { a.whole += b.whole; return a; }"
    )
    for dtype, scan_expr, preamble in (
        (np.int32, "a * b", ""),
        (np.complex64, "cfloat_mul(a, b)", ""),
        (vectors.float4, "a * b", ""),
        (pair, "add(a, b)", text),
    ):
        host = np.zeros(4, dtype)
        parts = host if host.dtype.names is None else host[host.dtype.names[0]]
        parts[...] = np.arange(1, 5)
        x = cl_array.to_device(cl_queue, host)
        kernel = InclusiveScanKernel(cl_queue.context, dtype, scan_expr, preamble=preamble)
        kernel(x)
        found = x.get() if host.dtype.names is None else x.get()[host.dtype.names[0]]
        whole = np.cumsum if dtype is pair else np.cumprod
        assert found.tolist() == whole(np.arange(1, 5)).tolist()


def test_algorithms(cl_queue: Any) -> None:
    context = cl_queue.context
    values = np.random.default_rng(3).integers(0, 100, 3000).astype(np.int32)
    x = cl_array.to_device(cl_queue, values)
    limit = [("limit", np.int32(30))]
    out, count, event = copy_if(x, "ary[i] > limit", extra_args=limit)
    event.wait()
    n = int(count.get())
    assert out.get()[:n].tolist() == values[values > 30].tolist()
    out, count, _ = remove_if(x, "ary[i] > limit", extra_args=limit)
    assert out.get()[: int(count.get())].tolist() == values[values <= 30].tolist()
    yes, no, count, _ = partition(x, "ary[i] > limit", extra_args=limit)
    assert int(count.get()) == n and yes.get()[:n].tolist() == values[values > 30].tolist()
    assert no.get()[: len(values) - n].tolist() == values[values <= 30].tolist()
    runs = cl_array.to_device(cl_queue, np.sort(values))
    out, count, _ = unique(runs)
    assert out.get()[: int(count.get())].tolist() == np.unique(values).tolist()
    others = cl_array.arange(cl_queue, 3000, dtype=np.float32)
    sort = RadixSort(context, "int *k, float *v", "k[i]", ["k", "v"], key_dtype=np.int32)
    (keys, moved), _ = sort(x, others, key_bits=7)
    order = np.argsort(values, kind="stable")
    assert (keys.get() == values[order]).all() and (moved.get() == order).all()
    starts, grouped, _ = KeyValueSorter(context)(cl_queue, x, others, 100, np.int32)
    assert (starts.get() == np.searchsorted(values[order], np.arange(101))).all()
    assert (grouped.get() == order).all()


def test_lists(cl_queue: Any) -> None:
    builder = ListOfListsBuilder(
        cl_queue.context,
        [("odd", np.int32), ("half", np.float32)],
        """
        void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {
          for (int j = 0; j < counts[i]; ++j) { APPEND_odd(2 * j + 1); APPEND_half(i / 2.0f); }
        }
        """,
        "int *counts",
        count_sharing={"half": "odd"},
        eliminate_empty_output_lists=["odd"],
    )
    counts = np.array([2, 0, 3, 0], np.int32)
    result, _ = builder(cl_queue, 4, cl_array.to_device(cl_queue, counts))
    odd, half = result["odd"], result["half"]
    assert odd.count == half.count == 5 and odd.num_nonempty_lists == 2
    assert odd.starts is not None and odd.lists is not None and half.lists is not None
    assert odd.starts.get().tolist() == [0, 2, 5]
    assert odd.lists.get().tolist() == [1, 3, 1, 3, 5]
    assert half.lists.get().tolist() == [0, 0, 1, 1, 1]
    assert odd.nonempty_indices is not None
    assert odd.nonempty_indices.get().tolist() == [0, 2]
    with pytest.raises(ValueError):
        builder(cl_queue, 4, cl_array.to_device(cl_queue, counts), omit_lists=["what"])


def test_lists_that_are_left_out(cl_queue: Any) -> None:
    builder = ListOfListsBuilder(
        cl_queue.context,
        [("a", np.int32), ("b", np.int64), ("c", np.int32)],
        """
        void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {
          for (int j = 0; j < i % 3; ++j) { APPEND_a(i); APPEND_b(j); APPEND_c(i + j); }
        }
        """,
        [],
        count_sharing={"c": "b"},
    )
    each = np.arange(1000) % 3
    for omitted in ([], ["a"], ["b", "c"], ["c"], ["a", "b", "c"], []):
        result, _ = builder(cl_queue, 1000, omit_lists=omitted)
        assert sorted(result) == sorted({"a", "b", "c"} - set(omitted))
        for name, built in result.items():
            assert built.starts is not None and built.lists is not None
            assert (np.diff(built.starts.get()) == each).all(), (omitted, name)
            objects = np.repeat(np.arange(1000), each)
            within = np.concatenate([np.arange(n) for n in each])
            wanted = {"a": objects, "b": within, "c": objects + within}[name]
            assert (built.lists.get() == wanted).all(), (omitted, name)
    with pytest.raises(ValueError, match="omit_lists: 'c' has the counts of 'b'"):
        builder(cl_queue, 1000, omit_lists=["b"])


@pytest.mark.parametrize("count", [0, 5, 128, 129, 140000])
def test_complex_lists_are_built_one_by_one_on_cpus(cl_queue: Any, count: int) -> None:
    import pyopencl as cl

    code = """
    void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {
      for (int j = 0; j < i % 3; ++j) { APPEND_size(get_local_size(0)); APPEND_object(i); }
    }
    """
    is_cpu = bool(cl_queue.device.type & cl.device_type.CPU)
    for complex_kernel in (False, True):
        builder = ListOfListsBuilder(
            cl_queue.context,
            [("size", np.int32), ("object", np.int64)],
            code,
            [],
            complex_kernel=complex_kernel,
        )
        result, _ = builder(cl_queue, count)
        size, found = result["size"].lists, result["object"].lists
        assert size is not None and found is not None
        wanted = np.repeat(np.arange(count), np.arange(count) % 3)
        assert (found.get() == wanted).all()
        if count:
            assert (size.get() == 1).all() == (complex_kernel and is_cpu)


@pytest.mark.parametrize("has_offset", [False, True])
def test_lists_of_arrays_that_are_not_there(cl_queue: Any, has_offset: bool) -> None:
    arguments = [tools.VectorArg(np.int32, name, with_offset=has_offset) for name in ("x", "more")]
    builder = ListOfListsBuilder(
        cl_queue.context,
        [("found", np.int32)],
        """
        void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {
          APPEND_found(x[i]);
          if (more) APPEND_found(more[i]);
        }
        """,
        arguments,
        name_prefix="build",
    )
    x = cl_array.arange(cl_queue, 4, dtype=np.int32)
    for more, wanted in (
        (None, [1, 2, 3]),
        (x[:3], [1, 0, 2, 1, 3, 2]),
        (x.data, [1, 0, 2, 1, 3, 2]),
    ):
        found = builder(cl_queue, 3, x[1:], more)[0]["found"].lists
        assert found is not None
        assert found.get().tolist() == wanted
    for wrong in (np.arange(3), 3, "x"):
        with pytest.raises(TypeError, match=r"build: more: expected .* or None, not"):
            builder(cl_queue, 3, x[1:], wrong)


def test_templates(cl_queue: Any) -> None:
    context = cl_queue.context
    x = cl_array.arange(cl_queue, 5, dtype=np.int32)
    plus = ElementwiseTemplate(
        "T *x, /* not read */ T a", "//CL:printf//x[i] += a * %(factor)s + LATER", name="plus"
    )
    built = plus.build(
        context,
        type_aliases=(("T", np.int32),),
        var_values=(("factor", "10"),),
        more_preamble="#define LATER b",
        more_arguments=[("T", "b")],
    )
    built(x, 2, 1)
    assert x.get().tolist() == [21, 22, 23, 24, 25]
    macro = ElementwiseTemplate(
        "int *x", "x[i] = TWICE(x[i])", preamble="%(macro_twice)s", template_processor="printf"
    )
    text = "#define TWICE(x)\n(2 * (x))"
    macro.build(context, var_values={"macro_twice": text})(x)
    assert x.get().tolist() == [42, 44, 46, 48, 50]
    with pytest.raises(RuntimeError, match="comment"):
        macro.build(context, var_values={"macro_twice": "1 // one"})
    scan = ScanTemplate(
        "scan_t *x", "x[i]", "a + b", "0", "x[i] = item + sizeof(index_t)", name_prefix="sums"
    )
    made = scan.build(context, (("scan_t", np.int32), ("index_t", np.int64)))
    assert made.index_dtype == np.int64
    made(x)
    assert x.get().tolist() == [50, 94, 140, 188, 238]
    with pytest.warns(UserWarning, match="no meaning"):
        ReductionTemplate("T *x", "0", "a + b", "x[i]", is_segment_start_expr="i == 3")


def test_templates_of_mako(cl_queue: Any) -> None:
    pytest.importorskip("mako")
    x = cl_array.arange(cl_queue, 3, dtype=np.int32)
    template = ElementwiseTemplate(
        "int *x", "//CL:mako//\n% for k in range(count):\nx[i] += ${k};\n% endfor\n"
    )
    template.build(cl_queue.context, var_values={"count": 4})(x)
    assert x.get().tolist() == [6, 7, 8]


def test_parameters_have_one_name_each(cl_queue: Any) -> None:
    context = cl_queue.context
    uses: tuple[Callable[[], Any], ...] = (
        lambda: ElementwiseKernel(context, "float *x, float *y, float x", "y[i] = x"),
        lambda: ReductionKernel(context, np.float32, "0", "a+b", "x[i]", "float *x, float *x"),
        lambda: GenericScanKernel(context, np.int32, "int *x, int *x", "x[i]", "a+b", "0", ""),
    )
    for use in uses:
        with pytest.raises(ValueError, match="two parameters have the name 'x'"):
            use()
    with pytest.raises(ValueError, match=r"^ExclusiveScanKernel: there is no neutral element"):
        ExclusiveScanKernel(context, np.int32, "a+b")
