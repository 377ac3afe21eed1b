"""Variances, averages and logsumexp, against NumPy and the formulas of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    HALVES,
    LAYOUTS,
    REALS,
    assert_close,
    assert_same,
    dtype_of,
    get,
    has,
    put,
    spread_dtype,
    values_of,
    wide,
)
from tests.ways import Way

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]

AXES: list[Any] = [None, 0, -1, (0, 2), ()]


@pytest.mark.sampled("name", "dtype")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["var", "std"])
def test_spread_is_numpys(way: Way, device: xp.Device, name: str, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = values_of(dtype, (3, 4, 5))
    x = put(values, device)
    for axis in AXES:
        for keepdims in (False, True):
            for less in (0, 1, 0.5):
                got = getattr(xp, name)(x, axis=axis, correction=less, keepdims=keepdims)
                wanted = getattr(np, name)(wide(values), axis, ddof=less, keepdims=keepdims)
                assert get(got).dtype == spread_dtype(dtype, device)
                assert_close(get(got), wanted, (axis, less))


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_a_spread(way: Way, device: xp.Device, layout: str) -> None:
    base = values_of("float32", (6, 10))
    shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
    xp.sum(put(base, device)).eval()
    for axis in (None, *range(shown.ndim)):
        assert_close(get(xp.var(x, axis)), np.var(wide(shown), axis), layout)
        assert_close(get(xp.std(x + 1, axis)), np.std(wide(shown) + 1, axis), layout)


def test_a_correction_as_large_as_the_count_gives_what_numpy_gives(device: xp.Device) -> None:
    for values in ([1.0, 2.0], [3.0], [3.0, 3.0], [], [np.inf, 1.0], [np.nan, 1.0]):
        a = np.asarray(values, np.float32)
        for less in (0, 1, 2, 3, -1):
            got = xp.var(put(a, device), correction=less)
            assert_same(get(got), np.asarray(np.var(a, ddof=less)), (values, less))
            assert_same(get(xp.std(put(a, device), ddof=less)), np.asarray(np.std(a, ddof=less)))
    empty = xp.var(xp.ones((0, 3), device=device), axis=0)
    assert np.isnan(get(empty)).all()
    assert xp.var(xp.ones((0, 3), device=device), axis=1).shape == (0,)


def test_half_precision_is_summed_in_more(device: xp.Device) -> None:
    a = np.tile(np.asarray([-200, 200], np.float16), 5000)  # the sum of squares is 4e8
    assert float(xp.var(put(a, device)).item()) == 40000
    assert float(xp.std(put(a, device)).item()) == 200
    assert xp.var(put(a, device)).dtype == np.float16


def test_a_large_mean_does_not_hide_the_spread(device: xp.Device) -> None:
    a = (1e4 + np.arange(1000) % 2).astype(np.float32)
    assert float(xp.var(put(a, device)).item()) == pytest.approx(0.25, rel=1e-6)


def test_the_dtype_is_that_of_the_calculation(device: xp.Device) -> None:
    a = np.asarray([1, 2, 4], np.int32)
    got = xp.var(put(a, device), dtype="float32")
    assert_close(get(got), np.var(a, dtype=np.float32))
    assert got.dtype == np.float32
    for name in ("var", "std", "nanvar", "nanstd"):
        for values in (a, a.astype(np.float32), (a * 1j).astype(np.complex64)):
            got = getattr(xp, name)(put(values, device), dtype="complex64")
            assert got.dtype == np.complex64
            assert_close(get(got), getattr(np, name)(values, dtype=np.complex64), name)
    with pytest.raises(TypeError, match="var: dtype: int32 cannot hold fractions"):
        xp.var(put(a, device), dtype="int32")


def test_methods_are_called_as_in_numpy(device: xp.Device) -> None:
    a = values_of("float32", (3, 4))
    x = put(a, device)
    assert_close(get(x.var()), np.var(wide(a)))
    assert_close(get(x.std(1, ddof=1)), np.std(wide(a), 1, ddof=1))
    assert_close(get(x.std(0, correction=1)), np.std(wide(a), 0, ddof=1))
    assert_close(get(x.var(0, "float32", None, 1, True)), np.var(wide(a), 0, ddof=1, keepdims=True))
    out = xp.zeros(4, dtype="float32", device=device)
    assert x.var(0, out=out) is out
    assert_close(get(out), np.var(wide(a), 0))
    with pytest.raises(ValueError, match="var: ddof and correction are two names"):
        x.var(ddof=1, correction=1)


@pytest.mark.parametrize("name", ["var", "std", "logsumexp", "min_max", "average"])
def test_bad_axes_name_the_function(name: str) -> None:
    function: Any = getattr(xp, name)
    x = xp.ones((2, 3))
    with pytest.raises(IndexError, match="axis 2"):
        function(x, axis=2)
    with pytest.raises(ValueError, match="repeated"):
        function(x, axis=(0, 0))
    with pytest.raises(TypeError, match=name):
        function([1.0])
    if name != "min_max":
        with pytest.raises(IndexError, match=f"{name}: axis 2"):
            function(x, axis=2)


def test_a_variance_is_two_kernels() -> None:
    if xp.config.eager:
        pytest.skip("each operation is a kernel")
    x = xp.linspace(0, 1, 1000).eval()
    for call in (xp.var, xp.std):
        before = xp.statistics()["kernels"]
        call(x).eval()
        assert xp.statistics()["kernels"] == before + 2


# ---- logsumexp


def logsumexp(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """As the formula says, in numbers that are wide enough."""
    reduce: Any = np.logaddexp.reduce
    return np.asarray(reduce(a.astype(np.float64), axis=axis, keepdims=keepdims))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype not in COMPLEX])
def test_logsumexp_is_the_logarithm_of_a_sum(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = values_of(dtype, (3, 4, 5))
    x = put(values, device)
    for axis in (None, 0, 1, -1):
        for keepdims in (False, True):
            got = get(xp.logsumexp(x, axis=axis, keepdims=keepdims))
            assert got.dtype == spread_dtype(dtype, device)
            assert_close(got, logsumexp(values, axis, keepdims), axis)
    assert_close(get(xp.logsumexp(x, (0, 2))), logsumexp(values.swapaxes(1, 2).reshape(15, 4), 0))
    assert_close(get(xp.logsumexp(x, ())), values.astype(np.float64))


@pytest.mark.parametrize("dtype", REALS)
def test_logsumexp_does_not_overflow(device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    inf, nan, top = np.inf, np.nan, float(xp.finfo(dtype_of(dtype)).max)
    rows = [[1000, 1000], [-1000, -1000], [-inf, 0], [-inf, -inf], [inf, 0], [inf, -inf]]
    rows += [[inf, inf], [nan, 0], [nan, inf], [nan, -inf], [top, -top], [top, top], [1000, inf]]
    a = np.asarray(rows, dtype_of(dtype))
    got = get(xp.logsumexp(put(a, device), axis=1))
    assert_same(got, logsumexp(a, 1).astype(a.dtype))


def test_no_elements_have_the_logarithm_of_zero(device: xp.Device) -> None:
    x = xp.ones((0, 3), dtype="float32", device=device)
    assert get(xp.logsumexp(x, 0)).tolist() == [-np.inf] * 3
    assert xp.logsumexp(x).item() == -np.inf
    assert xp.logsumexp(x, 1).shape == (0,)
    with pytest.raises(TypeError, match="logsumexp: does not accept complex64"):
        xp.logsumexp(xp.ones(3, dtype="complex64"))


# ---- both ends, averages


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype not in COMPLEX])
def test_both_ends_are_min_and_max(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = values_of(dtype, (3, 4, 5))
    x = put(values, device)
    for axis in (None, 1, (0, 2)):
        low, high = xp.min_max(x, axis, keepdims=True)
        assert_same(get(low), np.asarray(values.min(axis, keepdims=True)))
        assert_same(get(high), np.asarray(values.max(axis, keepdims=True)))
    with pytest.raises(ValueError, match="no elements"):
        xp.min_max(x[:0])


def kernels_of(action: Any) -> int:
    before = xp.statistics()["kernels"]
    action()
    return int(xp.statistics()["kernels"] - before)


SHAPES: list[Any] = [
    *[((5000,), None), ((70, 300), 0), ((70, 300), 1), ((3, 2000), 1), ((2000, 20), 0)],
    *[((9, 5, 40), (0, 2)), ((1, 1), None), ((0, 3), 1)],
]


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype not in COMPLEX])
def test_the_smallest_and_the_largest_are_one_kernel(
    way: Way, device: xp.Device, dtype: str
) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    for shape, axis in SHAPES:
        values = values_of(dtype, shape)
        x = put(values, device).eval()
        low, high = xp.min_max(x, axis)
        kernels = kernels_of(high.eval)
        if not xp.config.eager and x.size:
            assert kernels == 1 and not low.is_pending
        assert_same(get(low), np.asarray(values.min(axis)), shape)
        assert_same(get(high), np.asarray(values.max(axis)), shape)


@pytest.mark.sampled("dtype", every=2)
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_of_the_same_elements_have_the_bits_that_each_has_alone(
    way: Way, device: xp.Device, dtype: str
) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    names = ["sum", "any", "prod"] if dtype in COMPLEX else ["sum", "prod", "max", "min"]
    for shape, axis in SHAPES[: 3 if way.is_real else 6]:  # each is six kernels to compile
        x = put(values_of(dtype, shape), device).eval()
        for numbers in (x,) if way.is_real else (x, xp.flip(x)):
            alone = [get(getattr(xp, name)(numbers, axis=axis)) for name in names]
            pending = [getattr(xp, name)(numbers, axis=axis) for name in names]
            kernels = kernels_of(lambda: [one.eval() for one in pending])  # noqa: B023
            assert kernels == (0 if xp.config.eager else 1)
            for name, one, wanted in zip(names, pending, alone, strict=True):
                assert_same(get(one), wanted, (name, shape))


def test_several_reductions_fuse_with_what_is_around_them(way: Way, device: xp.Device) -> None:
    values = np.random.default_rng(5).normal(size=(60, 500)).astype(np.float32)
    x = put(values, device).eval()
    got = (xp.max(x, axis=1) - xp.min(x, axis=1)) * 2
    assert kernels_of(got.eval) == (0 if xp.config.eager else 1)
    assert_same(get(got), (values.max(1) - values.min(1)) * 2)
    more = put(values, device).eval() * 2 + 1  # pending, and not held below
    low, high = xp.min_max(more, 0)
    del more
    assert kernels_of(low.eval) == (0 if xp.config.eager else 1)
    assert_same(get(high), (values * 2 + 1).max(0))
    low, high = xp.min_max(x)
    scaled = (x - low) / (high - low)
    del low, high
    assert kernels_of(scaled.eval) == (0 if xp.config.eager else 2)
    least, most = values.min(), values.max()
    assert_same(get(scaled), (values - least) / (most - least))


@pytest.mark.lazy
def test_only_reductions_of_the_same_elements_share_a_kernel(way: Way, device: xp.Device) -> None:
    x = put(values_of("float32", (70, 300)), device).eval()
    others = [
        xp.min(x, axis=1),
        xp.min(x),
        xp.min(x[1:], axis=0),
        xp.argmin(x, axis=1),
        xp.cumulative_sum(x, axis=0),
        xp.min(x + 1, axis=0),
    ]
    assert kernels_of(xp.max(x, axis=0).eval) == 1
    assert all(other.is_pending for other in others)
    low, _ = xp.min_max(x, 0)
    assert "max" not in xp.source(xp.min(x[1:], axis=0))
    text = xp.source(low)
    assert "combine_min" in text and "combine_max" in text


@pytest.mark.sampled("dtype", every=2)
@pytest.mark.parametrize("dtype", DTYPES)
def test_an_average_is_weighted_as_numpys(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    values = values_of(dtype, (2, 3, 4))
    x, wider = put(values, device), wide(values)
    whole = np.random.default_rng(2).uniform(1, 2, (2, 3, 4)).astype(np.float32)
    row, pair = whole[0, :, 0].copy(), whole[:, 0, :].T.copy()
    for axis, weights in ((None, whole), (1, whole), ((0, 2), whole), (1, row), ((2, 0), pair)):
        for keepdims in (False, True):
            got = get(xp.average(x, axis, put(weights, device), keepdims=keepdims))
            wanted = np.average(wider, axis, weights.astype(np.float64), keepdims=keepdims)
            assert_close(got, wanted, (axis, weights.shape))
    assert_close(get(xp.average(x, 1)), wider.mean(1))
    if device.info["fp64"] and dtype not in HALVES:
        like = np.average(values, 1, row)
        assert get(xp.average(x, 1, put(row, device))).dtype == like.dtype


def test_half_precision_is_averaged_in_more(device: xp.Device) -> None:
    a = put(np.full(3000, 60000, np.float16), device)
    assert float(xp.average(a, weights=a).item()) == 60000


def test_weights_that_sum_to_zero_give_nan(device: xp.Device) -> None:
    a = put(np.asarray([1, 2], np.float32), device)
    assert np.isnan(xp.average(a, weights=xp.zeros(2, dtype="float32", device=device)).item())


def test_weights_of_another_shape_are_refused() -> None:
    x = xp.ones((2, 3))
    with pytest.raises(TypeError, match="name the axes that they are for"):
        xp.average(x, weights=xp.ones(3))
    with pytest.raises(ValueError, match=r"average: weights of shape \(3,\) for axes of shape \(2"):
        xp.average(x, 0, xp.ones(3))
    with pytest.raises(TypeError, match="average: weights: expected numbers, not a text"):
        xp.average(x, 0, "ab")  # type: ignore[arg-type]
    assert get(xp.average(x, 0, [1.0, 3.0])).tolist() == [1, 1, 1]


@pytest.mark.parametrize("count", [1000, 70_000])
def test_variance_far_from_zero(count: int, device: xp.Device) -> None:
    a = (1e6 + np.random.default_rng(4).random(count)).astype(np.float32)
    a[0] = 1e6 + 0.5
    true = a.astype(np.float64).var()
    for x in (put(a, device), put(np.stack([a, a]), device)[0]):
        assert float(xp.var(x)) == pytest.approx(true, rel=0.02)
        assert float(xp.std(x)) == pytest.approx(true**0.5, rel=0.02)
        with_nan = xp.concat([x, xp.asarray([np.nan], dtype=xp.float32, device=device)])
        assert float(xp.nanvar(with_nan)) == pytest.approx(true, rel=0.02)
    both = put(np.stack([a, a + 100], axis=1), device)
    assert get(xp.var(both, axis=0)) == pytest.approx([true, true], rel=0.02)
