"""Products of matrices and vectors, against NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    HALVES,
    INTEGERS,
    LAYOUTS,
    dtype_of,
    get,
    has,
    put,
    random_values,
)
from tests.ways import Way

any_xp: Any = xp
any_np: Any = np
SHAPES = [
    ((4,), (4,)),
    ((3, 4), (4, 5)),
    ((4,), (4, 5)),
    ((3, 4), (4,)),
    ((1, 4), (4, 1)),
    ((2, 3, 4), (4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((4,), (2, 4, 3)),
    ((2, 3, 4), (4,)),
]
EMPTY = [((3, 0), (0, 4)), ((0, 4), (4, 3)), ((2, 3, 4), (4, 0)), ((0,), (0,)), ((0, 2, 3), (3, 1))]


def values_of(dtype: str, shape: tuple[int, ...], seed: int = 5) -> Any:
    rng = np.random.default_rng(seed)
    return random_values(dtype, int(np.prod(shape)), -4, 4, rng).reshape(shape)


def wide_of(values: Any) -> Any:
    """In a dtype of NumPy in which a product is nearly exact, and integers wrap as their own."""
    if values.dtype.kind in "biu":
        return values
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)


def assert_near(got: Any, wanted: Any, dtype: str, note: object = "") -> None:
    """Equal for integers and bools, else in units of the last place of terms of up to 16."""
    wanted = np.asarray(wanted)
    assert got.dtype == dtype_of(dtype), note
    assert got.shape == wanted.shape, note
    if got.dtype.kind in "biu":
        np.testing.assert_array_equal(got, wanted, err_msg=str(note))
        return
    eps = float(xp.finfo(got.dtype).eps)
    kind = np.complex128 if wanted.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(got.astype(kind), wanted, 4 * eps, 512 * eps, err_msg=str(note))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_matmul_is_numpys(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    for first, second in SHAPES if way.is_main else SHAPES[:3]:
        a, b = values_of(dtype, first), values_of(dtype, second, 6)
        got = xp.matmul(put(a, device), put(b, device))
        assert_near(get(got), np.matmul(wide_of(a), wide_of(b)), dtype, (first, second))
    a, b = values_of(dtype, (3, 4)), values_of(dtype, (4, 2))
    assert_near(get(put(a, device) @ put(b, device)), wide_of(a) @ wide_of(b), dtype)


def test_products_without_elements_are_zeros_or_empty(device: xp.Device) -> None:
    for first, second in EMPTY:
        for dtype in ("float32", "int32", "bool"):
            a, b = values_of(dtype, first), values_of(dtype, second)
            assert_near(get(put(a, device) @ put(b, device)), a @ b, dtype, (first, second))


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_multiplied(way: Way, device: xp.Device, layout: str) -> None:
    base = values_of("float32", (6, 10))
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
    xp.sum(put(base, device)).eval()
    if shown.ndim == 0:
        return
    columns = values_of("float32", (shown.shape[-1], 3), 7)
    wanted = wide_of(shown) @ wide_of(columns)
    assert_near(get(x @ put(columns, device)), wanted, "float32", layout)
    if shown.ndim > 1:
        rows = values_of("float32", (3, shown.shape[-2]), 8)
        wanted = wide_of(rows) @ wide_of(shown)
        assert_near(get(put(rows, device) @ x), wanted, "float32", layout)
        wanted = wide_of(shown) @ np.swapaxes(wide_of(shown), -1, -2)
        assert_near(get(x @ x.mT), wanted, "float32", layout)


def test_stacks_are_multiplied_where_they_lie() -> None:
    a = values_of("float64", (40, 3, 6, 5))
    x = put(a, "cpu")
    stacks: list[Any] = [
        (a.transpose(0, 1, 3, 2), xp.matrix_transpose(x)),
        (a[::2, :, :, ::-1], x[::2, :, :, ::-1]),
        (a.transpose(3, 2, 1, 0), x.transpose()),
        (np.broadcast_to(a[:1], a.shape), xp.broadcast_to(x[:1], a.shape)),
    ]
    for of_numpy, ours in stacks:
        for dtype in ("float64", "complex64"):
            left, left_ours = of_numpy.astype(dtype), xp.astype(ours, getattr(xp, dtype))
            right = values_of(dtype, (of_numpy.shape[-1], 7), 3)
            for b in (right, np.asfortranarray(right), right[:, :1], right[:, ::2]):
                wanted = wide_of(left) @ wide_of(b)
                assert_near(get(left_ours @ put(b, "cpu")), wanted, dtype, b.shape)


def test_large_products_are_near(device: xp.Device) -> None:
    a, b = values_of("float32", (70, 300)), values_of("float32", (300, 90))
    x, y = put(a, device), put(b, device)
    np.testing.assert_allclose(get(x @ y), wide_of(a) @ wide_of(b), 1e-5, 1e-3)
    np.testing.assert_allclose(get(y.T @ x.T), wide_of(b).T @ wide_of(a).T, 1e-5, 1e-3)
    if device.backend != "cpu":
        return
    a = values_of("float64", (200, 300))  # with vectors, too, past what our own row multiplies
    x = put(a, device)
    np.testing.assert_allclose(get(x @ x[0]), a @ a[0], 1e-9, 1e-9)
    np.testing.assert_allclose(get(x[0] @ x.T), a[0] @ a.T, 1e-9, 1e-9)
    np.testing.assert_allclose(get(x.T @ x[:, 3]), a.T @ a[:, 3], 1e-9, 1e-9)
    np.testing.assert_allclose(get(x[:, 3] @ x), a[:, 3] @ a, 1e-9, 1e-9)
    np.testing.assert_allclose(get(x[None] @ x.T[None, :, :1]), (a @ a.T[:, :1])[None], 1e-9)


@pytest.mark.no_kernel  # on cpu a library multiplies them, or blocks of our own
@pytest.mark.parametrize("dtype", ["float32", "float64", *COMPLEX])
@pytest.mark.parametrize("shape", [(70, 90), (300, 5), (260, 1), (33, 300)])
def test_a_matrix_times_its_own_transpose(dtype: str, shape: tuple[int, int]) -> None:
    a = values_of(dtype, (2, *shape))
    a[0, 1, 0] = np.nan
    x = put(a, "cpu")
    for part in (1, (1, slice(None, None, 2)), (1, slice(None), slice(shape[1] // 2 + 1))):
        m, n = x[part], a[part]
        close: Any = {"rtol": 1e-5, "atol": 1e-3 if dtype in ("float32", "complex64") else 1e-9}
        np.testing.assert_allclose(get(m.T @ m), n.T @ n, **close)
        np.testing.assert_allclose(get(m @ m.T), n @ n.T, **close)
        np.testing.assert_allclose(get(m @ xp.conj(m.T)), n @ n.conj().T, **close)
    stacks = get(xp.matrix_transpose(x) @ x)
    np.testing.assert_allclose(stacks, a.transpose(0, 2, 1) @ a, **close)


def test_dtypes_are_promoted(device: xp.Device) -> None:
    pairs = [("int8", "int32"), ("bool", "uint8"), ("float32", "complex64"), ("int16", "float32")]
    for first, second in pairs:
        a, b = values_of(first, (2, 3)), values_of(second, (3, 2))
        wanted = (a.astype(np.result_type(a, b))) @ b
        got = get(put(a, device) @ put(b, device))
        np.testing.assert_allclose(got, wanted, 1e-5, 1e-5)
        assert got.dtype == wanted.dtype


def test_integers_wrap_around_and_halves_are_rounded_once(device: xp.Device) -> None:
    a = np.full((2, 3), 100, np.int8)
    assert_near(get(put(a, device) @ put(a.T, device)), a @ a.T, "int8")
    ones = np.ones((1, 3000), np.float16)  # would stay at 2048 if sums were float16
    assert get(put(ones, device) @ put(ones.T, device)).item() == 3000
    assert get(xp.vecdot(put(ones, device), put(ones, device))).tolist() == [3000]


def test_operands_may_be_pending_or_views_of_one_array(device: xp.Device) -> None:
    a = values_of("float32", (4, 4))
    x = put(a, device)
    wanted = (2 * wide_of(a) + 1) @ wide_of(a).T
    assert_near(get((2 * x + 1) @ x.T), wanted, "float32")
    again = get((x @ x) @ x)
    np.testing.assert_allclose(again, wide_of(a) @ wide_of(a) @ wide_of(a), 1e-4, 1e-3)


def test_matmul_writes_to_out_and_in_place(device: xp.Device) -> None:
    a, b = values_of("float32", (3, 3)), values_of("float32", (3, 3), 9)
    x, y = put(a, device), put(b, device)
    out = xp.zeros((3, 3), dtype="float32", device=device)
    assert xp.matmul(x, y, out=out) is out
    assert_near(get(out), wide_of(a) @ wide_of(b), "float32")
    shown, before = x[:2], x
    x @= y
    assert x is before
    assert_near(get(shown), (wide_of(a) @ wide_of(b))[:2], "float32")
    y @= y
    assert_near(get(y), wide_of(b) @ wide_of(b), "float32")
    row = xp.ones((1, 3), dtype="float32", device=device)
    with pytest.raises(ValueError, match="matmul"):
        row @= xp.ones((3, 2), dtype="float32", device=device)
    whole = xp.ones((2, 2), dtype="int32", device=device)
    with pytest.raises(TypeError, match="matmul"):
        whole @= xp.ones((2, 2), dtype="float32", device=device)


def test_vecdot_vdot_and_outer_are_numpys(device: xp.Device) -> None:
    for dtype in ("float32", "complex64", "int32", "bool"):
        a, b = values_of(dtype, (2, 3, 4)), values_of(dtype, (3, 4), 6)
        x, y = put(a, device), put(b, device)
        wide, other = wide_of(a), wide_of(b)
        assert_near(get(xp.vecdot(x, y)), np.vecdot(wide, other), dtype)
        moved = any_np.vecdot(wide, other, axis=-2)
        assert_near(get(xp.vecdot(x, y, axis=-2)), moved, dtype)
        assert_near(get(xp.vdot(x[0], y)), np.vdot(wide[0], other), dtype)
        assert_near(get(x[0].vdot(y.T.mT)), np.vdot(wide[0], other), dtype)
        wanted = np.outer(wide, other)
        assert_near(get(xp.outer(x, y)), wanted, dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_of_products_have_the_bits_of_sums_of_stored_ones(dtype: str) -> None:
    rng = np.random.default_rng(3)
    for count in (1, 7, 31, 32, 33, 64, 100, 1023, 1024, 1025, 3000, 70_001):
        x, y = (xp.asarray(rng.normal(size=count).astype(dtype), copy=True) for _ in range(2))
        makers: list[Callable[[xp.Array, xp.Array], xp.Array]] = [
            lambda x, y: x * y, lambda x, _: x * 3, lambda x, _: x * x, lambda x, _: x**2,
        ]  # fmt: skip
        for made in makers:
            stored = made(x, y).eval()
            assert get(xp.sum(made(x, y))) == get(xp.sum(stored)), count
            assert get(xp.sum(made(x[::-1], y[::-1]))) == get(xp.sum(stored[::-1])), count
        assert get(x @ y) == get(xp.sum((x * y).eval())), count
    x, y = (xp.asarray(rng.normal(size=(50, 1100)).astype(dtype)) for _ in range(2))
    for axis in (0, 1, None):
        both = xp.sum(x * y, axis=axis), xp.sum((x * y).eval(), axis=axis)
        np.testing.assert_array_equal(get(both[0]), get(both[1]))
    special = xp.asarray(np.array([1e30, -1e30, np.inf, 2, -np.inf] * 20, dtype=dtype))
    for factor in (1, 1e30, np.nan):
        assert np.isnan(get(xp.sum(special * factor)))


def test_tensordot_and_dot_are_numpys(device: xp.Device) -> None:
    axes: list[Any] = [0, ([1], [0]), ((2, 0), (1, 2)), ([-1, 1], [-2, 0]), ([], [])]
    for dtype in ("float32", "int16"):
        a, b = values_of(dtype, (4, 3, 2)), values_of(dtype, (3, 2, 4), 6)
        x, y = put(a, device), put(b, device)
        for which in axes:
            wanted = np.tensordot(wide_of(a), wide_of(b), which)
            assert_near(get(xp.tensordot(x, y, axes=which)), wanted, dtype, which)
        pairs: list[Any] = [(a[0, 0], b), (a, b[0, :, 0]), (a[0], b[0]), (a[0, 0, 0], b), (a, b)]
        ours: list[Any] = [(x[0, 0], y), (x, y[0, :, 0]), (x[0], y[0]), (x[0, 0, 0], y), (x, y)]
        for (left, right), (p, q) in zip(pairs, ours, strict=True):
            wanted = np.dot(wide_of(left), wide_of(right))
            assert_near(get(xp.dot(p, q)), wanted, dtype, (left.shape, right.shape))
            assert_near(get(p.dot(q)), wanted, dtype)


EINSUMS = [
    ("ij,jk->ik", "AB,BC"),
    ("ij,jk", "AB,BC"),
    ("ji,jk->ki", "BA,BC"),
    ("bij,bjk->bik", "DAB,DBC"),
    ("bij,jk->ikb", "DAB,BC"),
    ("ij->", "AB"),
    ("ij->ji", "AB"),
    ("ii->i", "AA"),
    ("iij->j", "AAB"),
    ("i,i->", "A,A"),
    ("i,j->ij", "A,B"),
    ("i,j->", "A,B"),
    ("ij,ij->i", "AB,AB"),
    ("i...,...j->...", "AD,DB"),
    ("...ij,...jk->...ik", "DAB,BC"),
    ("...ii", "DAA"),
    ("ij,jk,kl->il", "AB,BC,CD"),
    ("ij,jk,ki->", "AB,BC,CA"),
    ("ijk,il,jm,kn->lmn", "ABC,AD,BD,CD"),
    (" i j , j -> i ", "AB,B"),
    ("ij,kj->ik", "AB,1B"),
    ("bi,bj->bij", "1A,DB"),
    ("ba", "AB"),
]
LENGTHS = {"A": 2, "B": 3, "C": 4, "D": 5, "1": 1}


def operands_of(dtype: str, shapes: str) -> Iterator[Any]:
    for seed, letters in enumerate(shapes.split(",")):
        yield values_of(dtype, tuple(LENGTHS[c] for c in letters), seed)


def test_einsum_is_numpys(way: Way, device: xp.Device) -> None:
    for dtype in ("float32", "int32", "complex64", "bool") if way.is_main else ("float32",):
        for text, shapes in EINSUMS if not way.is_real or dtype == "float32" else EINSUMS[:4]:
            arrays = [*operands_of(dtype, shapes)]
            wanted = np.einsum(text, *map(wide_of, arrays))
            got = xp.einsum(text, *(put(a, device) for a in arrays))
            assert got.shape == wanted.shape
            assert got.dtype == dtype_of(dtype)
            np.testing.assert_allclose(get(got), wanted, 1e-3, 1e-3, err_msg=text)


def lists_of(text: str, arrays: list[Any]) -> list[Any]:
    """Numbers for the letters of a text, in the order of the alphabet."""
    parts, _, result = text.replace(" ", "").partition("->")
    letters = sorted(set(text) & set("abcdefghijklmnopqrstuvwxyz"))

    def numbers(part: str) -> list[Any]:
        part = part.replace("...", ".")
        return [... if c == "." else 3 + 2 * letters.index(c) for c in part]

    given: list[Any] = []
    for array, part in zip(arrays, parts.split(","), strict=True):
        given += [array, numbers(part)]
    return given + ([numbers(result)] if "->" in text else [])


def test_einsum_takes_lists_of_axes(way: Way, device: xp.Device) -> None:
    for text, shapes in EINSUMS if way.is_main else EINSUMS[:3]:
        arrays = [*operands_of("float32", shapes)]
        wanted = np.einsum(text, *map(wide_of, arrays))
        got = any_xp.einsum(*lists_of(text, [put(a, device) for a in arrays]))
        assert got.shape == wanted.shape, text
        np.testing.assert_allclose(get(got), wanted, 1e-3, 1e-3, err_msg=text)
    a = values_of("float32", (2, 3))
    x = put(a, device)
    out = xp.zeros((2, 2), dtype="float32", device=device)
    assert xp.einsum(x, (0, 1), x, (2, 1), (0, 2), out=out, optimize=False) is out
    np.testing.assert_allclose(get(out), wide_of(a) @ wide_of(a).T, 1e-3, 1e-3)
    np.testing.assert_array_equal(get(xp.einsum(x, [60, 1000])), a)  # NumPy's end at 51


SHARED = [
    ("i,i,i->", "A,A,A"),
    ("i,i,i->i", "A,A,A"),
    ("ij,ij,ij->i", "AB,AB,AB"),
    ("ij,jk,jl->ikl", "AB,BC,BD"),
    ("ai,bi,ci,di->abcd", "AD,BD,CD,AD"),
    ("...i,...i,...i->...", "ABC,BC,C"),
    ("ii,i,ij->j", "BB,B,BC"),
    ("i,j,k,i,j,k->", "A,B,C,A,B,C"),
    ("bij,bjk,bkl,blm->bim", "DAB,DBC,DCA,DAB"),
]


def test_axes_may_be_shared_by_any_number_of_operands(way: Way, device: xp.Device) -> None:
    for text, shapes in SHARED if way.is_main else SHARED[:3]:
        arrays = [*operands_of("float32", shapes)]
        wanted = np.einsum(text, *map(wide_of, arrays))
        ours = [put(a, device) for a in arrays]
        whole = [(*range(len(arrays)),)]
        for optimize in (True, False, whole):
            got = get(xp.einsum(text, *ours, optimize=optimize))
            np.testing.assert_allclose(got, wanted, 1e-3, 1e-2, err_msg=text)


def test_einsum_takes_paths_and_gives_new_memory(device: xp.Device) -> None:
    arrays = [*operands_of("float32", "AB,BC,CD")]
    ours = [put(a, device) for a in arrays]
    wanted = np.einsum("ij,jk,kl->il", *map(wide_of, arrays))
    paths: list[Any] = [True, False, "greedy", [(0, 1), (0, 1)], [(1, 2), (0, 1)], [(0, 1, 2)]]
    paths += [["einsum_path", (0, 2), (0, 1)], [(2,)], "optimal", ("greedy", 10**6), ("optimal", 4)]
    for path in paths:
        got = get(xp.einsum("ij,jk,kl->il", *ours, optimize=path))
        np.testing.assert_allclose(got, wanted, 1e-4, 1e-4, err_msg=str(path))
        lists = [ours[0], [0, 1], ours[1], [1, 2], ours[2], [2, 3], [0, 3]]
        got = get(any_xp.einsum(*lists, optimize=path))
        np.testing.assert_allclose(got, wanted, 1e-4, 1e-4, err_msg=str(path))
    x = ours[0]
    turned = xp.einsum("ij->ji", x)
    turned[...] = 0
    np.testing.assert_array_equal(get(x), arrays[0])


def test_opt_einsum_takes_arrays(device: xp.Device) -> None:
    opt_einsum: Any = pytest.importorskip("opt_einsum")
    arrays = [*operands_of("float32", "AB,BC,CD,DA")]
    ours = [put(a, device) for a in arrays]
    text = "ij,jk,kl,lm->im"
    wanted = np.einsum(text, *map(wide_of, arrays))
    path, _ = opt_einsum.contract_path(text, *(a.shape for a in arrays), shapes=True)
    got = get(xp.einsum(text, *ours, optimize=path))
    np.testing.assert_allclose(got, wanted, 1e-4, 1e-4)
    words: list[Any] = ["auto", "dp", "branch-2", "random-greedy", ("dp", 10**6)]
    for word in words:
        got = get(xp.einsum(text, *ours, optimize=word))
        np.testing.assert_allclose(got, wanted, 1e-4, 1e-4, err_msg=str(word))
    got = get(opt_einsum.contract(text, *ours))
    np.testing.assert_allclose(got, wanted, 1e-4, 1e-4)


def ones(*shape: int) -> Any:
    return xp.ones(shape)


BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: ones(3, 4) @ ones(5, 6), ValueError, r"matmul: shapes \(3, 4\) and \(5, 6\).*reshape"),
    (lambda: ones(3, 4) @ ones(5, 4), ValueError, "matrix_transpose of the second one fits"),
    (lambda: ones(4, 3) @ ones(4, 5), ValueError, "matrix_transpose of the first one fits"),
    (lambda: ones(2, 3, 4) @ ones(3, 4, 5), ValueError, "matmul: shapes"),
    (lambda: ones() @ ones(3), ValueError, "matmul: an operand has no axes.*multiply"),
    (lambda: ones(3) @ 2, TypeError, r"matmul: an int is not an array; use multiply \(\*\)"),
    (lambda: 2.0 @ ones(3), TypeError, "matmul: a float is not an array"),
    (lambda: ones(3) @ [1.0], TypeError, "matmul: a list"),
    (lambda: ones(3) @ None, TypeError, "unsupported operand"),
    (lambda: any_xp.matmul(ones(3), np.ones(3)), TypeError, "matmul"),
    (lambda: xp.vecdot(ones(2, 3), ones(2, 4)), ValueError, "vecdot: shapes.*3 and 4"),
    (lambda: xp.vecdot(ones(2, 3), ones(3), axis=-2), IndexError, "vecdot: axis -2"),
    (lambda: xp.vecdot(ones(3, 2), ones(2, 2)), ValueError, "vecdot: shapes"),
    (lambda: xp.vdot(ones(2, 3), ones(5)), ValueError, "vdot: shapes.*6 and 5"),
    (lambda: xp.dot(ones(2, 3), ones(2, 2, 3)), ValueError, "dot: shapes"),
    (lambda: xp.tensordot(ones(2, 3), ones(2, 3)[0], axes=2), ValueError, "0 to 1 can be summed"),
    (lambda: xp.tensordot(ones(2, 3), ones(2, 3), axes=1), ValueError, "tensordot: shapes"),
    (lambda: xp.tensordot(ones(2), ones(2), axes=([0], [])), ValueError, "1 axes.*0 of the second"),
    (lambda: xp.tensordot(ones(2), ones(2), axes=([0, 0], [0, 0])), ValueError, "repeated"),
    (lambda: xp.tensordot(ones(2), ones(2), axes=([1], [0])), IndexError, "tensordot: axis 1"),
    (lambda: any_xp.tensordot(ones(2), ones(2), axes=None), TypeError, "tensordot: axes"),
    (lambda: xp.einsum("ij", ones(2)), ValueError, "einsum: 'ij': operand 0 has shape"),
    (lambda: xp.einsum("i,i", ones(2)), ValueError, "is for 2 operands, but 1 were given"),
    (lambda: xp.einsum("i,i", ones(2), ones(3)), ValueError, "'i' has 3 elements in operand 1"),
    (lambda: xp.einsum("ii", ones(2, 3)), ValueError, "a diagonal needs equal axes"),
    (lambda: xp.einsum("i->j", ones(2)), ValueError, "'j' is in the result but in no operand"),
    (lambda: xp.einsum("i->ii", ones(2)), ValueError, "'i' appears twice in the result"),
    (lambda: xp.einsum("i3", ones(2)), ValueError, "'3' is not a letter"),
    (lambda: xp.einsum("ié->i", ones(2)), ValueError, "'ié->i': 'é' is not a letter"),
    (lambda: xp.einsum("🙂", ones(2)), ValueError, "'🙂': '🙂' is not a letter"),
    (lambda: xp.einsum("...i->i", ones(2, 2)), ValueError, "write '...' after"),
    (lambda: xp.einsum("...i...", ones(2, 2)), ValueError, "'...' twice"),
    (lambda: xp.einsum("i"), ValueError, "einsum: 'i'"),
    (lambda: any_xp.einsum([0], ones(2)), TypeError, "einsum: expected subscripts"),
    (lambda: xp.einsum(ones(2)), TypeError, "a list of axes is missing after the array"),
    (lambda: xp.einsum(ones(2), ones(2)), TypeError, "expected a list of axes"),
    (lambda: xp.einsum(ones(2), "i"), TypeError, "expected a list of axes"),
    (lambda: xp.einsum(ones(2), [0.5]), TypeError, "axes are ints or '...', not a float"),
    (lambda: xp.einsum(ones(2), [-1]), ValueError, "-1 is not a valid axis label"),
    (lambda: xp.einsum(ones(2), [2**70]), ValueError, "1180591620717411303424 is not a valid"),
    (lambda: xp.einsum(ones(2), [0, 1]), ValueError, r"'\[0, 1\]': operand 0 has shape \(2,\)"),
    (lambda: xp.einsum(ones(2), [0], [0], ones(2), [0]), TypeError, "einsum"),
    (lambda: xp.einsum(ones(2), [0], ones(3), [0]), ValueError, "axis 0 has 3 elements in operand"),
    (lambda: xp.einsum(ones(2), [0], [0, 0]), ValueError, "axis 0 appears twice in the result"),
    (lambda: xp.einsum("i,i", ones(2), ones(2), optimize=[(0, 5)]), ValueError, "operand 5 of 2"),
    (lambda: xp.einsum("i,i", ones(2), ones(2), optimize=[(0, 0)]), ValueError, "taken once"),
    (lambda: xp.einsum("i,i", ones(2), ones(2), optimize="best"), ValueError, "'best' is none of"),
    (lambda: any_xp.einsum("i,i", ones(2), ones(2), optimize=3), TypeError, "einsum: optimize"),
]


def test_what_does_not_fit_is_refused_in_words() -> None:
    for call, kind, text in BAD:
        with pytest.raises(kind, match=text):
            call()
    struct: Any = xp.asarray(np.zeros((2, 2), [("a", "f4")]))
    for function in (xp.matmul, xp.vecdot, xp.tensordot, xp.outer, xp.dot, xp.vdot):
        with pytest.raises(TypeError, match="does not accept"):
            function(struct, struct)


def test_shared_memory_is_read_in_one_kernel(way: Way, device: xp.Device) -> None:
    """Else the products of all elements would be written to memory first."""
    a = np.arange(12, dtype=np.int32).reshape(3, 4)
    x = xp.asarray(a) if device.backend == "cpu" else put(a, device)
    y = xp.matrix_transpose(put(a, device)).copy().eval()
    before = xp.statistics()["kernels"]
    got = (x @ y).eval()
    assert xp.statistics()["kernels"] <= before + 2  # the sums; and columns, laid out densely
    np.testing.assert_array_equal(get(got), a @ a.T)


def test_the_result_does_not_hear_of_later_writes(device: xp.Device) -> None:
    a = values_of("float32", (3, 3))
    x = put(a, device)
    makes: list[Callable[[], xp.Array]] = [
        lambda: x @ x,
        lambda: xp.vecdot(x, x),
        lambda: xp.einsum("ij,ij->j", x, x),
    ]
    for make in makes:
        made = make()
        before = get(make()).copy()
        x[...] = 0
        np.testing.assert_allclose(get(made), before, 1e-5, 1e-5)
        x[...] = put(a, device)


def test_integers_of_every_width_have_numpys_product() -> None:
    for dtype in (*INTEGERS, *HALVES, *COMPLEX):
        a = values_of(dtype, (17, 33))
        got = get(put(a, "cpu") @ put(a, "cpu").T)
        kind = np.complex128 if dtype in COMPLEX else np.float64
        wide = a if dtype in INTEGERS else a.astype(kind)
        np.testing.assert_allclose(got.astype(wide.dtype), wide @ wide.T, 2e-2, 2e-1)
