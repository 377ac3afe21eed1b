"""Arguments of another kind than the call takes: each a TypeError or ValueError that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import clmath, clrandom, tools
from isthmus.cl.algorithm import KeyValueSorter, ListOfListsBuilder, RadixSort, copy_if
from isthmus.cl.bitonic_sort import BitonicSort
from isthmus.cl.elementwise import ElementwiseKernel
from isthmus.cl.reduction import ReductionKernel
from isthmus.cl.scan import GenericScanKernel, InclusiveScanKernel

none: Any = None
one: Any = 5
text: Any = "a"
some: Any = [1]


def elementwise(x: Any) -> Any:
    return ElementwiseKernel(x.context, "float *x", "x[i] = 2 * x[i]")


def reduction(x: Any) -> Any:
    return ReductionKernel(x.context, np.float32, "0", "a + b", "x[i]", "float *x")


def scan(x: Any) -> Any:
    return InclusiveScanKernel(x.context, np.float32, "a + b", "0")


def indices(x: Any) -> Any:
    return x.astype(np.int32)


WRONG: dict[str, Callable[[Any], Any]] = {
    "criterion None": lambda x: cl_array.if_positive(None, x, x),
    "criterion list": lambda x: cl_array.if_positive(some, x, x),
    "criterion text": lambda x: cl_array.if_positive(text, 1, 2),
    "then_": lambda x: cl_array.if_positive(x, text, x),
    "if_positive out": lambda x: cl_array.if_positive(x, x, x, out=one),
    "hstack": lambda x: cl_array.hstack([x, one]),
    "stack": lambda x: cl_array.stack([x, none]),
    "concatenate": lambda x: cl_array.concatenate([one, x]),
    "maximum": lambda x: cl_array.maximum(text, x),
    "maximum of texts": lambda x: cl_array.maximum(text, text),
    "maximum out": lambda x: cl_array.maximum(x, x, out=one),
    "logical_not": lambda x: cl_array.logical_not(text),
    "logical_not None": lambda x: cl_array.logical_not(none),
    "logical_and": lambda x: cl_array.logical_and(x, text),
    "logical_or out": lambda x: cl_array.logical_or(x, x, out=one),
    "take out": lambda x: cl_array.take(x, indices(x), out=one),
    "multi_take out": lambda x: cl_array.multi_take([x], indices(x), out=[one]),
    "multi_put": lambda x: cl_array.multi_put([x], none),
    "multi_put out": lambda x: cl_array.multi_put([x], indices(x), out=[one]),
    "multi_take_put": lambda x: cl_array.multi_take_put([x], none, none),
    "max": lambda x: cl_array.max(none),
    "min": lambda x: cl_array.min(some),
    "any": lambda x: cl_array.any(none),
    "all": lambda x: cl_array.all(one),
    "diff": lambda x: cl_array.diff(none),
    "zeros_like": lambda x: cl_array.zeros_like(none),
    "empty_like": lambda x: cl_array.empty_like(one),
    "as_strided": lambda x: cl_array.as_strided(none),
    "transpose": lambda x: cl_array.transpose(none),
    "reshape": lambda x: cl_array.reshape(one, 3),
    "get": lambda x: x.get(ary=[1]),
    "get_async": lambda x: x.get_async(ary=5),
    "set None": lambda x: x.set(None),
    "set number": lambda x: x.set(5),
    "set text": lambda x: x.set("abc"),
    "reduction out": lambda x: reduction(x)(x, out=5),
    "reduction range": lambda x: reduction(x)(x, range=5),
    "elementwise range": lambda x: elementwise(x)(x, range=5),
    "elementwise slice": lambda x: elementwise(x)(x, slice=(1, 2)),
    "scan": lambda x: scan(x)(5),
    "scan output": lambda x: scan(x)(x, 5),
    "sort": lambda x: BitonicSort(x.context)(none),
    "radix sort": lambda x: RadixSort(x.context, "float *k", "(uint)k[i]", ["k"])(one),
    "radix sort of nothing": lambda x: RadixSort(x.context, "float *k", "(uint)k[i]", ["k"])(),
    "key-value sort": lambda x: KeyValueSorter(x.context)(x.queue, none, x, 3, np.int32),
    "fill_uniform": lambda x: clrandom.PhiloxGenerator(x.context).fill_uniform(none),
    "fill_rand": lambda x: clrandom.fill_rand(text),
    "device None": lambda x: tools.match_dtype_to_c_struct(None, "s", np.dtype([("a", "i4")])),
    "context": lambda x: tools.match_dtype_to_c_struct(
        x.queue.device, "s", np.dtype([("a", "i4")]), context=5
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_of_another_kind(cl_queue: Any, name: str) -> None:
    x = cl_array.arange(cl_queue, 6, dtype=np.float32)
    with pytest.raises(TypeError, match=r"expected|takes 1 arguments"):
        WRONG[name](x)
    assert (x + 1).get().tolist() == list(range(1, 7))


ON_A_QUEUE: dict[str, Callable[[Any, Any], Any]] = {
    "copy": lambda x, q: x.copy(queue=q),
    "fill": lambda x, q: x.fill(3, queue=q),
    "get": lambda x, q: x.get(queue=q),
    "set": lambda x, q: x.set(np.zeros(6, np.float32), queue=q),
    "map_to_host": lambda x, q: x.map_to_host(queue=q),
    "release": lambda x, q: x.map_to_host().base.release(q),
    "with_queue": lambda x, q: x.with_queue(q),
    "arange": lambda x, q: cl_array.arange(q, 3),
    "sum": lambda x, q: cl_array.sum(x, queue=q),
    "sin": lambda x, q: clmath.sin(x, queue=q),
    "elementwise": lambda x, q: elementwise(x)(x, queue=q),
    "reduction": lambda x, q: reduction(x)(x, queue=q),
    "scan": lambda x, q: scan(x)(x, queue=q),
    "copy_if": lambda x, q: copy_if(x, "ary[i] > 2", queue=q),
    "key-value sort": lambda x, q: KeyValueSorter(x.context)(q, x, x, 3, np.int32),
    "lists": lambda x, q: ListOfListsBuilder(x.context, [("a", np.int8)], "", [])(q, 3),
}


@pytest.mark.parametrize("name", ON_A_QUEUE)
@pytest.mark.parametrize("queue", [3, "cpu"])
def test_what_is_no_queue(cl_queue: Any, name: str, queue: Any) -> None:
    x = cl_array.arange(cl_queue, 6, dtype=np.float32)
    kind = type(queue).__name__
    with pytest.raises(TypeError, match=rf"expected a queue( or None)?, not '{kind}'"):
        ON_A_QUEUE[name](x, queue)
    assert x.get().tolist() == list(range(6))


def test_names_of_arguments_that_there_are(cl_queue: Any) -> None:
    for fetched, there in (("nosuch", "x, y"), ("n", "x, y")):
        with pytest.raises(ValueError, match=rf"p is of '{fetched}'; the arrays are {there}$"):
            GenericScanKernel(
                *(cl_queue.context, np.float32, "float *x, float *y, int n"),
                *("x[i]", "a + b", "0", "x[i] = item"),
                input_fetch_exprs=[("p", fetched, -1)],
            )


@pytest.mark.parametrize("kind", [tools.VectorArg, tools.ScalarArg])
@pytest.mark.parametrize("name", ["1x", "", "a b", "x[0]", "é", 5, None])
def test_names_that_c_has_not(kind: Any, name: Any) -> None:
    with pytest.raises(ValueError, match=r"is no name in C"):
        kind(np.float32, name)
    assert kind(np.float32, "_x1").name == "_x1"


def test_types_without_a_name() -> None:
    for names in ([], (), [5]):
        for dtype in (np.float32, None):
            with pytest.raises(ValueError, match="expected one or more names of a C type"):
                tools.get_or_register_dtype(names, dtype)  # type: ignore[arg-type]


def test_an_array_that_is_none_yet_has_a_text() -> None:
    class Derived(cl_array.Array):
        pass

    for kind in (cl_array.Array, Derived):
        made = kind.__new__(kind)
        assert repr(made) == str(made) == f"<cl.{kind.__name__} before __init__>"
