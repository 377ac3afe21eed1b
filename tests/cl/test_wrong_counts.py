"""Numbers of elements that do not fit together, or not into a dtype: errors, nothing written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl.algorithm import KeyValueSorter, ListOfListsBuilder, RadixSort
from isthmus.cl.scan import GenericScanKernel, InclusiveScanKernel

# Compilers make one addition of such a loop. Nothing may be written: it would take gigabytes.
MANY = """
void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {
  for (long j = 0; j < each; ++j) APPEND_many(i);
  APPEND_few(i);
}
"""


@pytest.mark.parametrize(
    ("count", "each"),
    [(65537, 1 << 16), (40000, 1 << 16), (2, 1 << 31), (1, (1 << 32) + 3), (1, (1 << 31) - 1)],
)
def test_more_entries_than_starts_can_count(cl_queue: Any, count: int, each: int) -> None:
    lists: Any = [("few", np.int8), ("many", np.int8)]
    builder = ListOfListsBuilder(cl_queue.context, lists, MANY, "long each", name_prefix="fill")
    found = min(each, (1 << 31) - 1) * count
    with pytest.raises(OverflowError, match=rf"^fill: list 'many' has {found} entries or more"):
        builder(cl_queue, count, each)
    few = builder(cl_queue, count, each, omit_lists=["many"])[0]["few"]
    assert few.count == count
    many = builder(cl_queue, 3, 2)[0]["many"].lists
    assert many is not None and many.get().tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(("count", "kind"), [(-1, ValueError), (None, TypeError), (2.0, TypeError)])
def test_numbers_of_elements(cl_queue: Any, count: Any, kind: type[Exception]) -> None:
    context = cl_queue.context
    x = cl_array.arange(cl_queue, 4, dtype=np.int32)
    builder = ListOfListsBuilder(context, [("few", np.int8)], MANY.replace("each", "0"), [])
    with pytest.raises(kind, match="n_objects is"):
        builder(cl_queue, count)
    if count is not None:
        scan = GenericScanKernel(context, np.int32, "int *x", "x[i]", "a + b", "0", "x[i] = item")
        with pytest.raises(kind, match="scan: size is"):
            scan(x, size=count)
    with pytest.raises(kind, match="sort: nkeys is"):
        KeyValueSorter(context)(cl_queue, x, x, count, np.int32)
    if count is not None:
        with pytest.raises(kind, match="sort: key_bits is"):
            RadixSort(context, "int *k", "k[i]", ["k"])(x, key_bits=count)
    assert x.get().tolist() == [0, 1, 2, 3]


TOO_SHORT: dict[str, tuple[str, Callable[[Any, Any, Any], Any]]] = {
    "values of keys": (
        "sort: 3 values for 12 keys; as many are needed",
        lambda q, x, y: KeyValueSorter(q.context)(q, x, y, 5, np.int32),
    ),
    "the second array": (
        "sort: 3 elements of v for 12 keys; as many are needed",
        lambda q, x, y: RadixSort(q.context, "int *k, int *v", "k[i]", ["k", "v"])(x, y),
    ),
    "the third array": (
        "sort: 3 elements of w for 12 keys; as many are needed",
        lambda q, x, y: RadixSort(q.context, "int *k, int *v, int *w", "k[i]", ["w"])(x, x, y),
    ),
    "what a scan fetches": (
        "scan: 3 elements of y for 12 that input_fetch_exprs read; as many are needed",
        lambda q, x, y: fetching(q, 0)(x, y),
    ),
    "what a scan fetches of before": (
        "scan: 3 elements of y for 11 that input_fetch_exprs read; as many are needed",
        lambda q, x, y: fetching(q, -1)(x, y),
    ),
    "what a scan of more fetches": (
        "scan: 12 elements of y for 13 that input_fetch_exprs read; as many are needed",
        lambda q, x, y: fetching(q, 0)(x, x, size=13),
    ),
    "the results of a scan": (
        "different shapes",
        lambda q, x, y: InclusiveScanKernel(q.context, np.int32, "a + b", "0")(x, y),
    ),
}


def fetching(queue: Any, offset: int) -> Any:
    return GenericScanKernel(
        *(queue.context, np.int32, "int *x, int *y", "fetched", "a + b", "0", "x[i] = item"),
        input_fetch_exprs=[("fetched", "y", offset)],
    )


@pytest.mark.parametrize("name", TOO_SHORT)
def test_arrays_that_are_too_short(cl_queue: Any, name: str) -> None:
    x = cl_array.zeros(cl_queue, 12, np.int32)
    base = cl_array.arange(cl_queue, 32, dtype=np.int32)
    text, use = TOO_SHORT[name]
    with pytest.raises(ValueError, match=text):
        use(cl_queue, x, base[:3])
    assert x.get().tolist() == [0] * 12 and base.get().tolist() == list(range(32))


def test_arrays_that_are_long_enough(cl_queue: Any) -> None:
    context = cl_queue.context
    x = cl_array.to_device(cl_queue, np.array([2, 0, 1, 0], np.int32))
    y = cl_array.arange(cl_queue, 6, dtype=np.int32)
    (_, moved), _ = RadixSort(context, "int *k, int *v", "k[i]", ["k", "v"])(x, y)
    assert moved.get().tolist() == [1, 3, 2, 0]
    starts, grouped, _ = KeyValueSorter(context)(cl_queue, x, y, 3, np.int32)
    assert starts.get().tolist() == [0, 2, 3, 4] and grouped.get().tolist() == [1, 3, 2, 0]
    fetching(cl_queue, -1)(x, y[:3])
    assert x.get().tolist() == [0, 0, 1, 3]


def test_keys_are_sorted_by_exactly_the_bits_that_are_asked_for(cl_queue: Any) -> None:
    keys = np.array([9, 8, 1, 16, 7, 15], np.int32)
    sort = RadixSort(cl_queue.context, "int *k", "k[i]", ["k"])
    (found,), _ = sort(cl_array.to_device(cl_queue, keys), key_bits=3)
    assert found.get().tolist() == keys[np.argsort(keys & 7, kind="stable")].tolist()


def test_starts_that_the_dtype_has_not(cl_queue: Any) -> None:
    sort = KeyValueSorter(cl_queue.context)
    for count, starts, fits in (
        *((127, np.int8, True), (128, np.int8, False), (300, np.int8, False)),
        *((255, np.uint8, True), (256, np.uint8, False), (300, np.int16, True)),
    ):
        keys = cl_array.zeros(cl_queue, count, np.int32)
        if fits:
            found = sort(cl_queue, keys, keys, 2, starts)[0]
            assert found.dtype == starts and found.get().tolist() == [0, count, count]
        else:
            with pytest.raises(OverflowError, match=f"at most .* there are {count} keys"):
                sort(cl_queue, keys, keys, 2, starts)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64])
def test_all_keys_of_a_small_dtype(cl_queue: Any, dtype: Any) -> None:
    """The number of keys may be one that their dtype has not."""
    keys = cl_array.to_device(cl_queue, np.array([127, 0, 127], dtype))
    count = int(min(np.iinfo(dtype).max, 1000)) + 1
    starts, grouped, _ = KeyValueSorter(cl_queue.context)(cl_queue, keys, keys, count, np.int32)
    assert starts.get()[[0, 1, 127, -1]].tolist() == [0, 1, 1, 3]
    assert grouped.get().tolist() == [0, 127, 127]


def test_keys_outside_are_before_and_behind(cl_queue: Any) -> None:
    keys = cl_array.to_device(cl_queue, np.array([9, 1, -2, 0, 3], np.int32))
    starts, grouped, _ = KeyValueSorter(cl_queue.context)(cl_queue, keys, keys, 3, np.int32)
    assert starts.get().tolist() == [1, 2, 3, 3] and grouped.get().tolist() == [-2, 0, 1, 3, 9]
