"""The tools that look (show, source, explain, profile, repr, pickle, copy) take graphs of every
operation and creation function, pending or not, and change nothing that they look at."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, family, function_of, get, has, special_values
from tests.programs import run
from tests.ways import Way

SHAPES = ((), (1,), (3,), (2, 3), (2, 1), (0, 3), (1, 2, 3))


class Graphs:
    """Random graphs of all that there is."""

    def __init__(self, seed: int, device: xp.Device) -> None:
        self.rng, self.device = random.Random(seed), device
        self.dtypes = [d for d in DTYPES if has(device, d)]
        self.pool: list[Any] = [self.create(name) for name in CREATE]

    def create(self, name: str) -> Any:
        shape = self.rng.choice(SHAPES)
        return CREATE[name](self, shape, self.rng.choice(self.dtypes))

    def pick(self, is_wanted: Callable[[Any], bool] = lambda x: True) -> Any:
        found = [x for x in self.pool if is_wanted(x)]
        return self.rng.choice(found) if found else None

    def operation(self, row: dict[str, Any]) -> Any:
        """A row applied to arrays of the pool; None where they do not fit."""
        takes = {"boolean", "integer", "real", "complex"}
        takes = {f for f in takes if row[f]} | ({"integer"} if row["promotes_integers"] else set())
        x = self.pick(lambda x: family(str(x.dtype)) in takes)
        if x is None:
            return None
        operands = [x]
        if row["name"] == "where":
            operands = [x != x, x, x]
        elif row["arity"] > 1:
            rest = row["arity"] - 1
            operands += [self.rng.choice((x, x[...], xp.flip(x), 1)) for _ in range(rest)]
        try:
            return function_of(row)(*operands)
        except (TypeError, OverflowError):  # bool with a number, say
            return None

    def reduction(self, row: dict[str, Any]) -> Any:
        x = self.pick(lambda x: x.size > 0)
        axis = self.rng.choice((None, *range(x.ndim)))
        try:
            return getattr(xp, row["name"])(x, axis=axis, keepdims=self.rng.random() < 0.3)
        except TypeError:
            return None

    def manipulation(self, name: str) -> Any:
        return MANIPULATE[name](self, self.pick())

    def all_kinds(self) -> Iterator[tuple[str, Any]]:
        """Every row, function and view once, in random order, over what came before."""
        kinds: list[tuple[str, Callable[[], Any]]] = []
        for row in xp.op_table:
            kinds.append((row["name"], lambda row=row: self.operation(row)))  # type: ignore[misc]
        for row in xp.reduction_table:
            kinds.append((row["name"], lambda row=row: self.reduction(row)))  # type: ignore[misc]
        for name in CREATE:
            kinds.append((name, lambda name=name: self.create(name)))  # type: ignore[misc]
        for name in MANIPULATE:
            kinds.append((name, lambda name=name: self.manipulation(name)))  # type: ignore[misc]
        self.rng.shuffle(kinds)
        for name, make in kinds:
            made = make()
            if made is None:
                continue
            if self.rng.random() < 0.2:
                made.eval()
            self.pool.append(made)
            if len(self.pool) > 25:
                del self.pool[self.rng.randrange(15)]
            yield name, made


CREATE: dict[str, Callable[[Graphs, tuple[int, ...], str], Any]] = {
    "zeros": lambda g, shape, dtype: xp.zeros(shape, dtype=dtype, device=g.device),
    "ones": lambda g, shape, dtype: xp.ones(shape, dtype=dtype, device=g.device),
    "full": lambda g, shape, dtype: xp.full(shape, True, dtype=dtype, device=g.device),
    "arange": lambda g, shape, dtype: xp.arange(1, 7, 2, device=g.device),
    "arange of floats": lambda g, shape, dtype: xp.arange(0.5, 3, dtype="float32", device=g.device),
    "linspace": lambda g, shape, dtype: xp.linspace(0, 1, 3, dtype="float32", device=g.device),
    "eye": lambda g, shape, dtype: xp.eye(2, 3, k=1, dtype=dtype, device=g.device),
    "asarray": lambda g, shape, dtype: xp.asarray(special_values(dtype)[:3], device=g.device),
    "empty_like": lambda g, shape, dtype: xp.zeros_like(xp.empty(shape, device=g.device)),
}
MANIPULATE: dict[str, Callable[[Graphs, Any], Any]] = {
    "astype": lambda g, x: xp.astype(x, "complex64" if x.dtype.kind == "c" else "float32"),
    "copy": lambda g, x: x.copy(),
    "reshape": lambda g, x: xp.reshape(x, (-1,)) if x.size else x,
    "permute_dims": lambda g, x: xp.permute_dims(x, tuple(reversed(range(x.ndim)))),
    "flip": lambda g, x: xp.flip(x),
    "slice": lambda g, x: x[..., ::2] if x.ndim else x[...],
    "expand_dims": lambda g, x: xp.expand_dims(x, axis=0),
    "broadcast_to": lambda g, x: xp.broadcast_to(x, (2, *x.shape)),
    "concat": lambda g, x: xp.concat([x, x]) if x.ndim else x,
    "stack": lambda g, x: xp.stack([x, x]),
    "mean": lambda g, x: xp.mean(x) if x.dtype.kind == "f" and x.size else x,
    "in place": lambda g, x: x if x.is_read_only or not x.size else add_in_place(x),
    "unstack": lambda g, x: xp.unstack(x)[0] if x.ndim and x.shape[0] else x,
}


def add_in_place(x: Any) -> Any:
    x[...] = 1
    return x


def lines_of(x: Any) -> list[str]:
    return xp.show(x).splitlines()


def test_several_arrays_are_looked_at_together() -> None:
    x = xp.arange(4096.0).eval()
    both = xp.min_max(x * 2)
    names = [line.split(" = ")[1].split("(")[0] for line in lines_of(both)]
    assert names == ["a value that is there: float64 ", "multiply", "min", "max"]
    assert lines_of(list(both)) == lines_of(both)
    assert xp.source(both).count("// multiply, min, max of shape (4096,)") == 1
    assert xp.source((both[0], both[0])) == xp.source(both)
    assert xp.source((x, x)) == ""


@pytest.mark.parametrize(
    ("made", "shape"),
    [
        (lambda x: xp.quantile(x, 0.5), "()"),
        (lambda x: xp.repeat(x, 2, axis=1), "(4, 12)"),
        (lambda x: xp.topk(x[0], 3)[0], "(3,)"),
        (lambda x: (x * 2)[1:3], "(2, 6)"),
        (lambda x: x[0], "(6,)"),
    ],
)
def test_the_last_line_has_the_shape_of_the_array(made: Any, shape: str) -> None:
    x = xp.reshape(xp.arange(24.0), (4, 6)).eval()
    assert lines_of(made(x))[-1].endswith(f"float64 {shape} on cpu")


@pytest.mark.no_kernel  # some graphs are ready when they are made
@pytest.mark.parametrize("seed", range(3))
def test_every_operation_can_be_looked_at(way: Way, device: xp.Device, seed: int) -> None:
    if way.is_real and (seed or way.eager):
        pytest.skip("each graph is a kernel of its own, and each operation when it is eager")
    graphs = Graphs(seed, device)
    names = set()
    with np.errstate(all="ignore"):
        for name, x in graphs.all_kinds():
            was_pending = x.is_pending
            lines = lines_of(x)
            assert lines[-1].startswith(f"%{len(lines) - 1} = "), lines
            assert was_pending == ("a value that is there" not in lines[-1])
            dots = xp.show(x, format="dot")
            assert dots.count("[shape=") == len(lines)
            assert xp.explain(x).verdict == "zero-copy"
            text = xp.source(x)
            assert not text or text.startswith("//")
            assert text or not was_pending or x.size == 0, name
            assert x.is_pending == was_pending, f"{name}: looking has calculated"
            names.add(name)
    everything = {row["name"] for row in (*xp.op_table, *xp.reduction_table)}
    everything |= CREATE.keys() | MANIPULATE.keys()
    # with other values some rows find no operand that they take
    assert len(everything - names) <= 8, everything - names


@pytest.mark.no_kernel
@pytest.mark.parametrize("seed", range(2))
def test_every_operation_is_profiled_printed_pickled_and_copied(
    way: Way, device: xp.Device, seed: int
) -> None:
    if way.is_real and (seed or way.inline == "0"):
        pytest.skip("each graph is a kernel of its own")
    graphs = Graphs(100 + seed, device)
    with np.errstate(all="ignore"), xp.profile() as p:
        for name, x in graphs.all_kinds():
            one = pickle.loads(pickle.dumps(x))
            others = [one, copy.copy(x), copy.deepcopy(x)]
            wanted = get(x)
            for other in others:
                assert (other.dtype, other.shape, other.device) == (x.dtype, x.shape, x.device)
                assert np.array_equal(get(other), wanted, equal_nan=wanted.dtype.kind in "fc"), name
            for text in (repr(x), str(x), f"{x}", xp.show(x), xp._isthmus._format(x)):
                assert text
    assert not p.evaluations or str(p)
    assert all(kernel.operations is not None for kernel in p.kernels)


def test_the_tables_name_what_there_is() -> None:
    for row in (*xp.op_table, *xp.reduction_table):
        function = function_of(row)
        assert row["summary"] in function.__doc__
        assert row["name"] in (xp.special if row["space"] else xp).__all__
    assert "astype" not in {row["name"] for row in xp.op_table}


def test_show_and_source_name_every_shape_of_work(way: Way, device: xp.Device) -> None:
    x = xp.ones((3, 4), dtype="float32", device=device).eval()
    shapes = {
        "cumulative_sum": xp.cumulative_sum(x, axis=1),
        "sort": xp.sort(x),
        "argsort": xp.argsort(x),
        "max": xp.max(x, axis=0),
        "load": xp.take(x, xp.asarray(np.array([1, 0]), device=device), axis=0),
    }
    for name, made in shapes.items():
        if made.is_pending:
            assert f"= {name}(" in str(xp.show(made))
            assert name in xp.source(made)


def test_show_and_source_refuse_what_is_no_array() -> None:
    wrongs: list[Any] = [1, None, "x", np.ones(3), [np.ones(3)], (xp.ones(3), 1), {}]
    for wrong in wrongs:
        for tool in (xp.show, xp.source):
            with pytest.raises(TypeError, match=r"isthmus\.Array|Array"):
                tool(wrong)


def test_source_is_what_is_compiled(way: Way, device: xp.Device, tmp_path: Any) -> None:
    """The text that ISTHMUS_DUMP has written is the one that source() foretold."""
    x = xp.ones((7, 5), dtype="float32", device=device).eval()
    y = xp.sum(3 * x + 0.5, axis=0) - 1
    text = xp.source(y)
    if not way.is_real or way.inline == "1" or way.eager:
        y.eval()
        return
    before = xp.config.cache
    xp.config.dump, xp.config.cache = str(tmp_path), "0"
    try:
        xp.cache.clear(disk=False)
        y.eval()
        xp.synchronize(device)
    finally:
        xp.config.dump, xp.config.cache = "", before
    written = [file.read_text() for file in tmp_path.iterdir() if file.suffix in (".cl", ".cpp")]
    assert any(text.split("\n", 1)[1].strip() == one.strip() for one in written), written


def test_a_failed_value_raises_its_error_in_source() -> None:
    out, _ = run("""
        import isthmus as xp
        a = xp.ones(1 << 10).eval()
        x = xp.broadcast_to(a, (1 << 40, 1 << 10)) + 1
        a[0] = 2  # what reads it is calculated first, or never
        try:
            xp.source(x)
        except MemoryError:
            print("raised")
    """)
    assert out.split() == ["raised"]


def test_doctor_and_report_run_beside_pending_graphs() -> None:
    out, _ = run("""
        import isthmus as xp
        from isthmus.__main__ import main
        for d in xp.devices():
            with d:
                x = [xp.ones(3) + 1, xp.arange(3), xp.sum(xp.ones((2, 2)), axis=0)]
                assert main(["doctor"]) in (0, 1)
                assert main(["report"]) == 0
                assert [a.is_pending for a in x] == [True] * 3
    """)
    assert "PASS" in out
