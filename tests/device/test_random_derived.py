"""Random numbers that are expressions of others: moments, exact distributions, equal bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus.random import default_rng
from tests.device.arrays import get, put
from tests.device.test_random import check_frequencies, kolmogorov_smirnov

N = 40_000

# Arguments, mean, variance and fourth central moment.
MOMENTS: dict[str, tuple[tuple[float, ...], float, float, float]] = {
    "beta": ((2.0, 3.0), 0.4, 0.04, 0.00377),
    "chisquare": ((5.0,), 5.0, 10.0, 12.0 * 5 * 9),
    "f": ((6.0, 20.0), 1.111111, 0.617284, 4.245868),
    "triangular": ((-1.0, 1.0, 5.0), 5 / 3, 14 / 9, 2.4 * (14 / 9) ** 2),
    "standard_t": ((9.0,), 0.0, 9 / 7, 3 * 81 / (7 * 5)),
    "laplace": ((1.0, 2.0), 1.0, 8.0, 24.0 * 16),
    "rayleigh": ((2.0,), 2 * math.sqrt(math.pi / 2), 4 * (2 - math.pi / 2), 9.6),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", MOMENTS)
def test_moments_are_those_of_the_distribution(name: str, dtype: str) -> None:
    arguments, mean, variance, fourth = MOMENTS[name]
    made = getattr(default_rng(17), name)(*arguments, size=N, dtype=dtype)
    assert made.dtype == np.dtype(dtype) and made.is_pending
    values = np.asarray(made).astype("f8")
    assert abs(values.mean() - mean) < 4 * math.sqrt(variance / N)
    assert abs(values.var() - variance) < 4.5 * math.sqrt((fourth - variance**2) / N)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distributions_are_those_of_their_formulas(dtype: str) -> None:
    rng = default_rng(18)
    found: list[tuple[Any, Any]] = [
        (rng.beta(1.0, 1.0, N, dtype=dtype), lambda x: x),
        (rng.beta(0.5, 0.5, N, dtype=dtype), lambda x: 2 / math.pi * np.arcsin(np.sqrt(x))),
        (rng.chisquare(2.0, N, dtype=dtype), lambda x: 1 - np.exp(-x / 2)),
        (rng.f(2.0, 2.0, N, dtype=dtype), lambda x: x / (1 + x)),
        (rng.triangular(0.0, 0.0, 1.0, N, dtype=dtype), lambda x: 1 - (1 - x) ** 2),
        (
            rng.triangular(-1.0, 0.0, 3.0, N, dtype=dtype),
            lambda x: np.where(x < 0, (x + 1) ** 2 / 4, 1 - (3 - x) ** 2 / 12),
        ),
        (rng.standard_t(1.0, N, dtype=dtype), lambda x: 0.5 + np.arctan(x) / math.pi),
        (rng.standard_cauchy(N, dtype=dtype), lambda x: 0.5 + np.arctan(x) / math.pi),
        (rng.rayleigh(1.0, N, dtype=dtype), lambda x: 1 - np.exp(-x * x / 2)),
        (
            rng.laplace(size=N, dtype=dtype),
            lambda x: np.where(x < 0, np.exp(-abs(x)) / 2, 1 - np.exp(-abs(x)) / 2),
        ),
    ]
    for values, cumulative in found:
        assert kolmogorov_smirnov(np.asarray(values), cumulative) < 1.95


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("a", [2e-4, 3e-3, 0.05, 0.3, 0.99])
def test_beta_of_small_parameters_is_not_lost(a: float, dtype: str) -> None:
    """Gamma numbers of these shapes are often 0; near 0 the distribution is x^a / (a B(a, a))."""
    rng = default_rng(4)
    least = float(np.finfo(dtype).tiny) * 1e5
    factor = math.exp(math.lgamma(2 * a) - 2 * math.lgamma(a)) / a
    for parameter in (a, xp.asarray(a, dtype=dtype)):
        values = np.asarray(rng.beta(parameter, a, N, dtype=dtype)).astype("f8")
        assert values.min() >= 0 and values.max() <= 1  # and no NaN
        assert abs(values.mean() - 0.5) < 4 * math.sqrt(0.25 / (2 * a + 1) / N)
        for x in (least, math.sqrt(least), 1e-5):
            p = factor * x**a
            assert abs((values < x).mean() - p) < 4 * math.sqrt(p * (1 - p) / N) + 2e-5


def test_beta_of_the_least_parameters_is_a_choice_between_the_ends(device: xp.Device) -> None:
    for low, high in ((2e-30, 6e-30), (1e-36, 3e-36), (1e-300, 3e-300)):
        values = get(default_rng(4).beta(low, high, N, dtype="float32", device=device))
        assert set(values.tolist()) == {0.0, 1.0}
        assert abs(values.astype("f8").mean() - 0.25) < 4 * math.sqrt(0.1875 / N)
    below = default_rng(4).beta(xp.asarray([-1.0, -0.5]), 1.0)
    assert np.isnan(np.asarray(below)).all()


def test_counts_of_trials() -> None:
    rng = default_rng(19)
    for n, p in ((1, 0.25), (12, 0.5), (40, 0.9), (5, 0.0), (5, 1.0), (0, 0.5)):
        values = np.asarray(rng.binomial(n, p, N))
        assert values.dtype == np.dtype("int64")
        chances = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        check_frequencies(values, chances)
    for n, p in ((1, 0.5), (4, 0.3)):
        values = np.minimum(np.asarray(rng.negative_binomial(n, p, N)), 40)
        chances = [math.comb(k + n - 1, k) * p**n * (1 - p) ** k for k in range(40)]
        check_frequencies(values, [*chances, 1 - sum(chances)])


def test_many_trials_are_halved() -> None:
    rng = default_rng(19)
    for n, p in ((20_000, 0.5), (50_000, 2e-5), (10**6, 1e-6), (2**40, 0.3), (2**62, 0.7)):
        for trials, chance in ((n, p), (xp.asarray(n), xp.asarray([p]))):
            values = np.asarray(rng.binomial(trials, chance, 4000))
            mean, variance = n * p, n * p * (1 - p)
            assert values.min() >= 0 and values.max() <= n
            assert abs(float(np.mean(values - int(mean))) + int(mean) - mean) < 4 * math.sqrt(
                variance / 4000
            )
            assert 0.9 < np.var(values - int(mean)) / variance < 1.1
        small = np.asarray(rng.binomial(n, 1.0 / n, N)) if n < 2**30 else None
        if small is not None:
            poisson = [math.exp(-1) / math.factorial(k) for k in range(12)]
            check_frequencies(np.minimum(small, 12), [*poisson, 1 - sum(poisson)])
    for n in (2**53, 2**60):  # what fails seldom
        failed = n - np.asarray(rng.binomial(n, 1 - 2.0**-50, 4000))
        mean = n * 2.0**-50
        assert abs(failed.mean() - mean) < 4 * math.sqrt(mean / 4000)
        assert 0.9 < failed.var() / mean < 1.1
    assert rng.binomial(2**63 - 1, xp.asarray([0.0, 1.0])).tolist() == [0, 2**63 - 1]
    assert rng.binomial(xp.asarray([0, 5, 2**50]), 1.0).tolist() == [0, 5, 2**50]
    bad = xp.asarray([math.nan, -0.5, 1.5])
    assert rng.binomial(2**50, bad).tolist() == [-(2**63)] * 3


def test_many_trials_are_equal_on_all_devices(device: xp.Device) -> None:
    if not device.info["fp64"]:
        pytest.skip("no float64")
    n, p = np.array([3, 2**20, 2**45]), np.array([0.5, 0.001, 0.75])
    rng, other = default_rng(5), default_rng(5)
    got = get(rng.binomial(put(n, device), put(p, device), (4, 3)))
    np.testing.assert_array_equal(got, other.binomial(n, p, (4, 3), device="cpu").to_numpy())
    assert rng.state == other.state


def test_numbers_of_trials_and_chances_may_be_arrays(device: xp.Device) -> None:
    real = "float64" if device.info["fp64"] else "float32"
    n = put(np.array([[0], [3], [50]], "int32"), device)
    p = put(np.array([0.0, 0.5, 1.0], real), device)
    got = get(default_rng(5).binomial(n, p, (3, 3)))
    assert got.dtype == np.dtype("int64")
    np.testing.assert_array_equal(got[:, 0], 0)
    np.testing.assert_array_equal(got[:, 2], [0, 3, 50])
    assert got[0, 1] == 0 and 0 <= got[1, 1] <= 3 and 10 < got[2, 1] < 40
    assert get(default_rng(5).binomial(n, 0.5, device=device)).shape == (3, 1)
    empty = put(np.zeros((0, 2), "int64"), device)
    assert default_rng(5).binomial(empty, 0.5).shape == (0, 2)


def test_dirichlet_numbers_have_the_sum_one(device: xp.Device) -> None:
    real = "float64" if device.info["fp64"] else "float32"
    alpha = np.array([1.0, 2.0, 5.0], real)
    values = get(default_rng(6).dirichlet(put(alpha, device), (300,)))
    assert values.shape == (300, 3) and values.dtype == np.dtype(real)
    np.testing.assert_allclose(values.sum(axis=1), 1, 1e-6)
    expected = alpha / 8
    deviation = np.sqrt(expected * (1 - expected) / 9 / 300)
    assert (abs(values.mean(axis=0) - expected) < 4 * deviation).all()
    assert default_rng(6).dirichlet(put(alpha, device)).shape == (3,)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("a", [1e-30, 1e-3, 0.02, 0.2])
def test_dirichlet_numbers_of_small_shapes_have_the_sum_one(
    device: xp.Device, a: float, dtype: str
) -> None:
    if dtype == "float64" and not device.info["fp64"]:
        pytest.skip("no float64")
    rows = 10_000
    alpha = put(np.array([a, 2 * a, a], dtype), device)
    values = get(default_rng(1).dirichlet(alpha, rows)).astype("f8")
    np.testing.assert_allclose(values.sum(axis=1), 1, 0, 4e-7)  # and no NaN
    expected = np.array([0.25, 0.5, 0.25])
    deviation = np.sqrt(expected * (1 - expected) / (4 * a + 1) / rows)
    assert (abs(values.mean(axis=0) - expected) < 4 * deviation).all()
    # each is a beta number of its shape and the others
    other = get(default_rng(2).beta(a, 3 * a, rows, dtype=dtype, device=device)).astype("f8")
    for x in (1e-30, 1e-6, 0.5, 0.999):
        assert abs((values[:, 0] < x).mean() - (other < x).mean()) < 4 * math.sqrt(0.5 / rows)


def test_a_shape_of_zero_has_no_part() -> None:
    values = np.asarray(default_rng(3).dirichlet([0.0, 0.01, 0.02], 1000))
    np.testing.assert_array_equal(values[:, 0], 0)
    np.testing.assert_allclose(values.sum(axis=1), 1, 1e-15)
    assert np.isnan(np.asarray(default_rng(3).dirichlet([-0.5, 1.0]))).all()
    for dtype in ("float32", "float64"):
        assert default_rng(3).dirichlet([0, 0], 2, dtype=dtype).tolist() == [[0, 0]] * 2
    assert np.isnan(np.asarray(default_rng(3).dirichlet([0.0, math.nan]))).all()


def test_counts_of_what_is_no_parameter_are_the_least_int(device: xp.Device) -> None:
    """Integers have no NaN: they are what astype makes of one."""
    real = "float64" if device.info["fp64"] else "float32"
    least = -(2**63)
    bad = put(np.array([math.nan, -1.0, 2.0, 0.0, 1.0], real), device)
    for n in (3, put(np.array([3] * 5), device)):
        assert get(default_rng(1).binomial(n, bad)).tolist() == [least, least, least, 0, 3]
    assert get(default_rng(1).binomial(0, bad)).tolist() == [least, least, least, 0, 0]
    for name, others in (("poisson", ()), ("negative_binomial", (0.5,))):
        got = get(getattr(default_rng(1), name)(bad[:2], *others))
        assert got.tolist() == [least, least], name


def test_triangular_numbers_of_arrays_stay_in_their_range(device: xp.Device) -> None:
    left, mode, right = np.array([[0, -5, 0.1], [0, 1, 0.1], [1, 1, 0.3]], "f4")
    low, top, high = (put(x, device) for x in (left, mode, right))
    got = get(default_rng(3).triangular(low, top, high, (999, 3)))
    assert got.dtype == np.dtype("f4") and (got >= left).all() and (got <= right).all()
    assert (abs(got.mean(0) - (left + mode + right) / 3) < 0.25).all()
    beside = get(default_rng(3).triangular(put(left, device), 1.0, 2.0, (9, 3), dtype="float32"))
    assert ((beside >= left) & (beside <= 2)).all()


def test_arguments_stand_in_numpys_order(device: xp.Device) -> None:
    f4 = np.dtype("f4")

    def rng() -> xp.random.Generator:
        return default_rng(4)

    wanted = get(rng().standard_exponential(5, f4, device=device)).tolist()
    for method in ("zig", "inv"):
        out = put(np.zeros(5, "f4"), device)
        assert rng().standard_exponential(None, None, method, out) is out
        assert get(out).tolist() == wanted
    out = put(np.zeros(5, "f4"), device)
    assert rng().standard_gamma(2.5, 5, f4, out) is out
    gamma = get(rng().standard_gamma(2.5, 5, f4, device=device))
    assert get(out).tolist() == gamma.tolist()
    x = put(np.arange(6, dtype="f4"), device)
    for replace in (True, False):
        got = rng().choice(x, 3, replace, None, 0, False)
        assert get(got).tolist() == get(rng().choice(x, 3, replace, shuffle=True)).tolist()


LISTS: dict[str, Any] = {
    "uniform": lambda r, of, **where: r.uniform(of([0.0, 10.0]), of([1.0, 20.0]), **where),
    "normal": lambda r, of, **where: r.normal(of([0.0, 10.0]), 2.0, **where),
    "gamma": lambda r, of, **where: r.gamma(2.0, of((1.0, 3.0)), **where),
    "poisson": lambda r, of, **where: r.poisson(of([1.0, 50.0]), **where),
    "integers": lambda r, of, **where: r.integers(of([1, 2]), of([3, 40]), **where),
    "beta": lambda r, of, **where: r.beta(of([0.5, 2.0]), 1.0, **where),
    "f": lambda r, of, **where: r.f(of([5.0, 9.0]), 3.0, **where),
    "standard_gamma": lambda r, of, **where: r.standard_gamma(of([0.5, 2.0]), **where),
    "triangular": lambda r, of, **where: r.triangular(0.0, 1.0, of([1.0, 2.0]), **where),
    "binomial": lambda r, of, **where: r.binomial(of([5, 9]), of([0.5, 0.1]), **where),
    "dirichlet": lambda r, of, **where: r.dirichlet(of([1.0, 2.0, 3.0]), 4, **where),
    "choice": lambda r, of, **where: r.choice(3, 5, p=of([0.5, 0.25, 0.25]), **where),
    "choice of parts": lambda r, of, **where: r.choice(of([5, 6, 7]), 2, **where),
    "permutation": lambda r, of, **where: r.permutation(of([[1, 2], [3, 4], [5, 6]]), **where),
    "permuted": lambda r, of, **where: r.permuted(of([1, 2, 3, 4]), **where),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_and_numpys_arrays_are_parameters(device: xp.Device, name: str) -> None:
    if not device.info["fp64"]:
        pytest.skip("no float64")
    call = LISTS[name]
    wanted = call(default_rng(8), lambda x: xp.asarray(x, device=device))
    assert wanted.device == device
    for of in (list, np.asarray):
        got = call(default_rng(8), of, device=device)
        assert got.device == device and got.dtype == wanted.dtype
        np.testing.assert_array_equal(get(got), get(wanted))


def test_a_list_goes_where_the_other_parameter_is(device: xp.Device) -> None:
    loc = put(np.zeros(2, "f4"), device)
    assert default_rng(1).normal(loc, [1.0, 2.0], dtype="float32").device == device
    assert default_rng(1).choice(loc, 3, p=[0.5, 0.5]).device == device


def test_permuted_orders_each_row_by_itself(device: xp.Device) -> None:
    values = np.arange(600, dtype="f4").reshape(20, 30)
    x = put(values, device)
    for axis in (0, 1, -1):
        got = get(default_rng(7).permuted(x, axis=axis))
        np.testing.assert_array_equal(np.sort(got, axis=axis), values)
        orders = {tuple(row % 30) for row in (got if axis else got.T // 30)}
        assert len(orders) >= 20
    got = get(default_rng(7).permuted(x))
    assert got.shape == (20, 30) and not np.array_equal(got, values)
    np.testing.assert_array_equal(np.sort(got, axis=None), values.ravel())
    out = put(np.zeros((20, 30), "f4"), device)
    assert default_rng(7).permuted(x, out=out) is out
    np.testing.assert_array_equal(get(out), got)


EXPECTED: dict[str, list[bytes]] = {}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_bits_of_all_devices_are_equal(device: xp.Device, dtype: str) -> None:
    if dtype == "float64" and not device.info["fp64"]:
        pytest.skip("no float64")

    def drawn(where: str) -> list[bytes]:
        rng, size = default_rng(2027), (7, 30)
        made = [
            getattr(rng, name)(*arguments, size=size, dtype=dtype, device=where)
            for name, (arguments, *_) in MOMENTS.items()
        ]
        made.append(rng.standard_cauchy(size, dtype=dtype, device=where))
        made.append(rng.dirichlet(put(np.array([0.5, 2.0], dtype), xp.Device(where)), size))
        made.append(rng.beta(0.004, 0.03, size, dtype=dtype, device=where))
        made.append(rng.dirichlet([0.01, 0.02], size, dtype=dtype, device=where))
        made.append(rng.permuted(made[0], axis=0))
        made.append(rng.binomial(9, put(np.array([0.5, 0.1], dtype), xp.Device(where)), (3, 2)))
        return [get(x).tobytes() for x in made]

    wanted = EXPECTED.setdefault(dtype, drawn("cpu"))
    for i, (got, one) in enumerate(zip(drawn(str(device)), wanted, strict=True)):
        assert got == one, i


BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda r: r.beta(0, 1), ValueError, "beta: a: 0 is not above 0"),
    (lambda r: r.beta(1, math.nan), ValueError, "beta: b: nan is not above 0"),
    (lambda r: r.chisquare(0), ValueError, "chisquare: df: 0 is not above 0"),
    (lambda r: r.standard_t(-1), ValueError, "standard_t: df: -1 is not above 0"),
    (lambda r: r.f(0, 1), ValueError, "f: dfnum: 0 is not above 0"),
    (lambda r: r.f(1, -1), ValueError, "f: dfden: -1 is not above 0"),
    (lambda r: r.triangular(2, 1, 3), ValueError, "triangular: left 2 must not exceed mode 1"),
    (lambda r: r.triangular(0, 4, 3), ValueError, "triangular: mode 4 must not exceed right 3"),
    (lambda r: r.triangular(1, 1, 1), ValueError, "triangular: left 1 is not below right 1"),
    (lambda r: r.triangular(0, math.nan, 1), ValueError, "triangular: left 0 must not exceed mode"),
    (lambda r: r.triangular(-1e308, 0, 1e308), OverflowError, "triangular: .* not a finite range"),
    (lambda r: r.laplace(0, -1), ValueError, "laplace: scale: -1 is below 0"),
    (lambda r: r.rayleigh(-2), ValueError, "rayleigh: scale: -2 is below 0"),
    (lambda r: r.binomial(3, 1.5), ValueError, "binomial: p: 1.5 is not from 0 to 1"),
    (lambda r: r.binomial(-3, 0.5), ValueError, "binomial: n: -3 is below 0"),
    (lambda r: r.binomial(xp.asarray([2, -1]), 0.5), ValueError, "binomial: n: -1 is below 0"),
    (lambda r: r.binomial(2**63, 0.5), ValueError, "binomial: n: it is past"),
    (lambda r: r.binomial(2**70, 0.5), ValueError, "binomial: n: it is past"),
    (lambda r: r.binomial(2.5, 0.5), TypeError, "not an integer one"),
    (lambda r: r.negative_binomial(0, 0.5), ValueError, "n: 0 is not above 0"),
    (lambda r: r.negative_binomial(1, 0), ValueError, "p: 0 is not above 0"),
    (lambda r: r.negative_binomial(1e300, 0.5), ValueError, "take too many trials"),
    (lambda r: r.negative_binomial(1, 1e-300), ValueError, "take too many trials"),
    (lambda r: r.dirichlet(xp.ones((2, 2))), ValueError, r"alpha has the shape \(2, 2\)"),
    (lambda r: r.dirichlet([]), ValueError, "dirichlet: alpha has no elements"),
    (lambda r: r.dirichlet("ab"), TypeError, "dirichlet: .* not a text"),
    (lambda r: r.normal([1j]), TypeError, "normal: does not accept complex128"),
    (lambda r: r.normal(object()), TypeError, "normal: an object does not hold numbers"),
    (lambda r: r.permutation(np.array(5)), IndexError, "permutation: axis 0"),
    (lambda r: r.permutation(xp.asarray(5)), IndexError, "permutation: axis 0"),
    (lambda r: r.choice(2.5), TypeError, "choice: expected an array or an int, not a float"),
    (lambda r: r.shuffle([1, 2]), TypeError, "shuffle: a list is not an isthmus.Array"),
    (lambda r: r.permuted(xp.ones(3), axis=1), IndexError, "permuted: axis 1"),
    (lambda r: r.spawn(1.5), TypeError, "spawn: n_children: expected an int, not a float"),
    (lambda r: r.jumped(1.5), TypeError, "jumped: jumps: expected an int, not a float"),
    (
        lambda r: setattr(r, "state", {**r.state, "key": 1.5}),
        TypeError,
        "Generator: state: key: expected an int, not a float",
    ),
    (
        lambda r: r.standard_exponential(3, None, "zag"),
        ValueError,
        "standard_exponential: method: 'zag' is none of 'zig', 'inv'",
    ),
    (
        lambda r: r.standard_gamma(2.0, 4, out=xp.zeros(3)),
        ValueError,
        r"standard_gamma: out has the shape \(3,\), but size is \(4,\)",
    ),
    (lambda r: r.standard_cauchy(3, dtype="float16"), TypeError, "use astype"),
]


@pytest.mark.parametrize(("call", "error", "words"), BAD)
def test_wrong_uses_are_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call(default_rng(0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_draws_that_begin_anywhere_in_a_block_fuse(
    device: xp.Device, dtype: str, name: str
) -> None:
    """Work-items have whole blocks where all draws of a kernel begin alike."""
    if dtype == "float64" and not device.info["fp64"]:
        pytest.skip("the device has no float64")

    def drawn(where: Any, x: slice, y: slice) -> list[bytes]:
        rng = default_rng(7)
        a, b = (getattr(rng, name)(41, dtype, device=where) for _ in range(2))
        both = [a[x] - b[y], a[x] * 2]  # two results of one kernel
        return [get(one).tobytes() for one in (*both, both[0] + both[1])]

    keys = [slice(begin, begin + 33) for begin in range(6)]
    for x, y in [*zip(keys, keys, strict=True), (keys[1], keys[2]), (keys[0], keys[3])]:
        assert drawn(device, x, y) == drawn("cpu", x, y), (x, y)
