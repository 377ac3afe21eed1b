"""Random numbers: known answers, equal bits on all devices, distributions, state, wrong uses."""

from __future__ import annotations

import copy
import math
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus.random import Generator, default_rng, philox4x32
from tests.device import philox
from tests.device.arrays import get, put

# Random123 1.14, kat_vectors, philox4x32 with 10 rounds: counter, key, answer.
ANSWERS = (
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([2**32 - 1] * 4, [2**32 - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
)


def test_the_known_answers_of_philox(device: xp.Device) -> None:
    counters, keys, answers = (np.array([row[i] for row in ANSWERS], dtype="u4") for i in range(3))
    got = philox4x32(put(counters, device), put(keys, device))
    assert got.dtype == np.dtype("u4")
    np.testing.assert_array_equal(get(got), answers)
    one = philox4x32(put(counters[:, None], device), put(keys[2], device))
    assert one.shape == (3, 1, 4)
    np.testing.assert_array_equal(get(one)[2, 0], answers[2])
    np.testing.assert_array_equal(philox.philox4x32(counters, keys), answers)


# What a device draws, in every dtype, by the name of the method; float64 where it has that.
DRAWS: dict[str, tuple[Any, ...]] = {
    "random": (),
    "standard_normal": (),
    "standard_exponential": (),
    "uniform": (-2.0, 3.0),
    "normal": (1.0, 2.0),
    "exponential": (3.0,),
    "standard_gamma": (2.5,),
    "gamma": (0.3, 2.0),
}


def drawn(where: str, dtype: str, shape: tuple[int, ...]) -> dict[str, Any]:
    """All of that by a generator of one seed."""
    rng = default_rng(2026)
    found = {
        name: get(getattr(rng, name)(*args, size=shape, dtype=dtype, device=where))
        for name, args in DRAWS.items()
    }
    found["integers"] = get(rng.integers(-5, 1000, shape, device=where))
    found["bounds"] = get(rng.integers(0, 256, shape, "uint8", device=where))
    found["permutation"] = get(rng.permutation(50, device=where))
    found["choice"] = get(rng.choice(9, shape, device=where))
    return {name: values.copy() for name, values in found.items()}


EXPECTED: dict[tuple[str, tuple[int, ...]], dict[str, Any]] = {}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_bits_are_those_of_every_other_device(device: xp.Device, dtype: str) -> None:
    if dtype == "float64" and not device.info["fp64"]:
        with pytest.raises(TypeError, match="has no float64; use float32"):
            default_rng(0).normal(size=3, dtype=dtype, device=device)
        assert get(default_rng(0).normal(size=3, device=device)).dtype == np.dtype("float32")
        return
    for shape in ((1000,), (7, 3)):
        with_cpu = EXPECTED.get((dtype, shape)) or drawn("cpu", dtype, shape)
        EXPECTED[dtype, shape] = with_cpu
        for name, got in drawn(str(device), dtype, shape).items():
            assert got.tobytes() == with_cpu[name].tobytes(), name
    # the calculation of poisson() needs the default dtype of the device
    lam = 0.1 * 1.5 ** np.arange(40)
    if device.info["fp64"] and dtype == "float64":
        got = default_rng(5).poisson(put(lam, device), (20, 40))
        assert (get(got) == get(default_rng(5).poisson(put(lam, "cpu"), (20, 40)))).all()
        for one in (0.0, 3.5, 29.9, 30.0, 1e6):  # blocks of one kind
            got = default_rng(6).poisson(one, 777, device=device)
            assert (get(got) == get(default_rng(6).poisson(one, 777, device="cpu"))).all(), one
    # shapes for which the first attempt does not do, beside others
    shapes = np.array([0, 1e-30, 0.01, 0.5, 0.999, 1, 1.5, 40, 1e10, np.inf, np.nan], dtype)
    there, here = (
        get(default_rng(8).standard_gamma(put(shapes, where), (300, 11), dtype=dtype, device=where))
        for where in (str(device), "cpu")
    )
    np.testing.assert_array_equal(there, here)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_parts_of_blocks_of_bits(device: xp.Device, dtype: str, name: str) -> None:
    """A work-item makes several numbers at once where a row of them begins with a block."""
    if dtype == "float64" and not device.info["fp64"]:
        pytest.skip("the device has no float64")
    for count in (1, 3, 4, 6, 1000, 1003):
        host = getattr(default_rng(7), name)(count, dtype, device="cpu")
        for key in (slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 2)):
            pending = getattr(default_rng(7), name)(count, dtype, device=device)[key]
            assert get(pending * 2).tobytes() == get(host[key] * 2).tobytes(), (count, key)


def test_numbers_follow_from_the_bits(device: xp.Device) -> None:
    rng = default_rng(11).jumped(3)
    rng.random(5, dtype="float32", device=device)  # two blocks
    assert rng.state["counter"] == 2 and rng.state["stream"] == 3
    expected = philox.uniform(rng.state, (4, 10), "float32")
    np.testing.assert_array_equal(get(rng.random((4, 10), "float32", device=device)), expected)
    expected = philox.below(rng.state, 13, (3, 7)) - 3
    np.testing.assert_array_equal(get(rng.integers(-3, 10, (3, 7), device=device)), expected)
    if device.info["fp64"]:
        expected = philox.uniform(rng.state, (301,), "float64")
        np.testing.assert_array_equal(get(rng.random(301, "float64", device=device)), expected)


@pytest.mark.parametrize("counter", [0, 2**32 - 700])
def test_many_numbers_follow_from_the_bits(device: xp.Device, counter: int) -> None:
    rng = default_rng(12)
    rng.state = {**rng.state, "counter": counter}
    for dtype in ("float32", "float64") if device.info["fp64"] else ("float32",):
        for count in (15, 16, 255, 257, 1000, 9999):
            expected = philox.uniform(rng.state, (count,), dtype)
            np.testing.assert_array_equal(get(rng.random(count, dtype, device=device)), expected)
            expected = philox.uniform(rng.state, (count,), dtype) * 4 - 1
            scaled = rng.uniform(-1, 3, count, dtype=dtype, device=device)
            np.testing.assert_array_equal(get(scaled), expected)


def test_numbers_do_not_depend_on_what_they_are_fused_with(device: xp.Device) -> None:
    def one() -> xp.Array:
        return default_rng(4).random((300, 70), device=device)

    alone = get(one())
    np.testing.assert_array_equal(get(one() + 1), alone + 1)
    np.testing.assert_array_equal(get(one()[::-3, 5:9]), alone[::-3, 5:9])
    np.testing.assert_array_equal(get(one().T * 2), alone.T * 2)
    for axis in (0, 1, None):
        got = get(xp.max(one(), axis=axis))
        np.testing.assert_array_equal(got, np.max(alone, axis=axis))
    ones = np.ones((70, 300), dtype=alone.dtype)
    for other in (put(ones, device).T, put(ones, device).T[:, ::-1]):  # loops in another order
        np.testing.assert_array_equal(get(one() + other), alone + 1)
        np.testing.assert_array_equal(get(xp.max(one() * other, axis=0)), alone.max(axis=0))
    made = xp.stack([one(), one()], axis=1)
    np.testing.assert_array_equal(get(made), np.stack([alone, alone], axis=1))


def test_out_is_written_in_any_layout(device: xp.Device) -> None:
    dtype = "float64" if device.info["fp64"] else "float32"
    expected = get(default_rng(8).standard_normal((4, 6), dtype=dtype, device=device))
    base = put(np.zeros((12, 8), dtype), device)
    for out in (base[:4, :6], base[::3, 7:1:-1], base.T[1:5, ::2]):
        made = default_rng(8).standard_normal(out=out)
        assert made is out
        np.testing.assert_array_equal(get(out), expected)
    with pytest.raises(ValueError, match=r"out has the shape \(4, 6\), but size is \(3,\)"):
        default_rng(8).random(3, out=base[:4, :6])
    with pytest.raises(TypeError, match="out has the dtype"):
        default_rng(8).random(dtype="float32" if dtype == "float64" else "float64", out=base)


def test_parameters_broadcast(device: xp.Device) -> None:
    real = "float64" if device.info["fp64"] else "float32"
    loc = put(np.array([0, 10, 20], dtype="float32"), device)
    scale = put(np.array([[1.0], [2.0]], dtype="float32"), device)
    got = default_rng(3).normal(loc, scale, device=device)
    assert got.shape == (2, 3) and got.dtype == np.dtype("float32")
    z = get(default_rng(3).standard_normal((2, 3), dtype="float32", device=device))
    np.testing.assert_array_equal(get(got), get(loc) + get(scale) * z)
    assert default_rng(3).normal(loc, 1, (5, 3)).shape == (5, 3)
    low, high = put(np.array([0, -5]), device), put(np.array([1, 5]), device)
    whole = get(default_rng(3).integers(low, high, (100, 2)))
    assert (whole[:, 0] == 0).all() and set(whole[:, 1]) == set(range(-5, 5))
    assert set(get(default_rng(3).integers(low, 1, (50, 2), endpoint=True))[:, 0]) == {0, 1}
    ends = get(default_rng(3).uniform(put(np.array([1.0], real), device), 2.0, (50,)))
    assert ends.min() >= 1 and ends.max() <= 2
    gamma = get(default_rng(3).gamma(put(np.array([0.5, 50.0], real), device), size=(400, 2)))
    assert gamma[:, 0].mean() < 1 and 48 < gamma[:, 1].mean() < 52
    assert default_rng(3).random(device=device).shape == ()
    with pytest.raises(ValueError, match=r"shape \(3,\), which cannot be broadcast to size \(1,\)"):
        default_rng(3).normal(loc, 1, 1)
    with pytest.raises(ValueError, match="cannot be broadcast together"):
        default_rng(3).normal(loc, 1, 4)


# The statistics are those of the fixed seed: they hold or they do not, on the host as anywhere.


def kolmogorov_smirnov(values: Any, cumulative: Any) -> float:
    """sqrt(n) times the distance of the two distributions; 1.95 is exceeded once in 1000 times."""
    ordered = np.sort(np.asarray(values, dtype="f8").ravel())
    expected = cumulative(ordered)
    steps = np.arange(ordered.size + 1) / ordered.size
    distance = max((steps[1:] - expected).max(), (expected - steps[:-1]).max())
    return float(distance * math.sqrt(ordered.size))


def normal_cumulative(x: Any) -> Any:
    return 0.5 * np.array([math.erfc(-v / math.sqrt(2)) for v in x])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distributions_of_reals(dtype: str) -> None:
    rng, n = default_rng(12345), 200_000
    uniform = np.asarray(rng.random(n, dtype=dtype))
    normal = np.asarray(rng.standard_normal(n, dtype=dtype))
    exponential = np.asarray(rng.standard_exponential(n, dtype=dtype))
    assert uniform.dtype == normal.dtype == exponential.dtype == np.dtype(dtype)
    assert 0 <= uniform.min() and uniform.max() < 1 and exponential.min() >= 0
    assert kolmogorov_smirnov(uniform, lambda x: x) < 1.95
    assert kolmogorov_smirnov(normal, normal_cumulative) < 1.95
    assert kolmogorov_smirnov(exponential, lambda x: 1 - np.exp(-x)) < 1.95
    for values, moments in (
        (uniform, (1 / 2, 1 / 3, 1 / 4, 1 / 5)),
        (normal, (0, 1, 0, 3)),
        (exponential, (1, 2, 6, 24)),
    ):
        wide = values.astype("f8")
        for power, moment in enumerate(moments, 1):
            raised = wide**power
            assert abs(raised.mean() - moment) < 4 * raised.std() / math.sqrt(n)
    # neighbours, which are made of one block of bits, have nothing to do with each other
    for values in (uniform, normal, exponential):
        for lag in (1, 2, 3, 4):
            assert abs(np.corrcoef(values[:-lag], values[lag:])[0, 1]) < 4 / math.sqrt(n)
    radius = normal.astype("f8").reshape(-1, 2)
    squares = (radius**2).sum(axis=1)
    assert kolmogorov_smirnov(squares, lambda x: 1 - np.exp(-x / 2)) < 1.95
    assert 3.9 < abs(normal).max() < 6  # among so many


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_gamma_distribution(dtype: str) -> None:
    n = 40_000
    for shape in (0.05, 0.5, 1.0, 1.5, 10.0, 1000.0):
        values = np.asarray(default_rng(7).standard_gamma(shape, n, dtype=dtype)).astype("f8")
        assert abs(values.mean() - shape) < 4 * math.sqrt(shape / n)
        kurtosis = 3 + 6 / shape
        assert abs(values.var() - shape) < 4 * shape * math.sqrt((kurtosis - 1) / n)
    one = default_rng(8).standard_gamma(1.0, n, dtype=dtype)
    assert kolmogorov_smirnov(np.asarray(one), lambda x: 1 - np.exp(-x)) < 1.95
    half = np.asarray(default_rng(9).standard_gamma(0.5, n, dtype=dtype)).astype("f8")
    chi = 2 * normal_cumulative(np.sqrt(2 * np.sort(half))) - 1
    assert kolmogorov_smirnov(chi, lambda x: x) < 1.95
    special = default_rng(0).standard_gamma(xp.asarray([0.0, -1.0, math.nan], dtype=dtype))
    assert special[0].item() == 0 and np.isnan(np.asarray(special)[1:]).all()


def test_the_poisson_distribution() -> None:
    n = 50_000
    for lam in (0.0, 0.3, 5.0, 29.9, 30.0, 45.0, 1e4):
        values = np.asarray(default_rng(21).poisson(lam, n))
        assert values.dtype == np.dtype("int64") and values.min() >= 0
        assert abs(values.mean() - lam) <= 4 * math.sqrt(lam / n)
        assert abs(values.var() - lam) <= 4 * math.sqrt((lam + 2 * lam**2) / n)
        if 0 < lam < 100:
            top = int(lam + 4 * math.sqrt(lam)) + 2
            p = [math.exp(k * math.log(lam) - lam - math.lgamma(k + 1)) for k in range(top)]
            check_frequencies(np.minimum(values, top), [*p, 1 - sum(p)])
    assert np.asarray(default_rng(1).poisson(1e15, 100)).std() > 1e7


def check_frequencies(found: Any, probabilities: list[float]) -> None:
    """Chi-square, of classes that are expected often enough; beyond 5 deviations it fails."""
    counts = np.bincount(found, minlength=len(probabilities))
    expected = found.size * np.array(probabilities)
    rare = expected < 20
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], max(expected[rare].sum(), 1e-300))
    if expected[-1] < 20:
        counts, expected = counts[:-1], expected[:-1]
    chi = ((counts - expected) ** 2 / expected).sum()
    freedom = len(expected)
    assert abs(chi - freedom) < 5 * math.sqrt(2 * freedom)


def test_integers_are_equally_frequent() -> None:
    n = 60_000
    for low, high, dtype in ((0, 6, "int64"), (-100, 156, "int16"), (0, 2, "bool"), (0, 256, "u1")):
        values = np.asarray(default_rng(5).integers(low, high, n, dtype))
        assert values.dtype == np.dtype(dtype)
        check_frequencies(values.astype("i8") - low, [1 / (high - low)] * (high - low))
    wide = np.asarray(default_rng(6).integers(0, 2**64, n, "uint64"))
    assert kolmogorov_smirnov(wide / 2**64, lambda x: x) < 1.95
    signed = np.asarray(default_rng(6).integers(-(2**63), 2**63 - 1, n, endpoint=True))
    assert (signed.view("u8") == wide + np.uint64(1 << 63)).all()
    byte_values = np.frombuffer(default_rng(6).bytes(n), "u1")
    check_frequencies(byte_values, [1 / 256] * 256)
    assert default_rng(6).bytes(5) == default_rng(6).bytes(8)[:5]


def test_orders_and_choices(device: xp.Device) -> None:
    rng = default_rng(77)
    order = get(rng.permutation(1000, device=device))
    assert sorted(order) == list(range(1000)) and abs(np.corrcoef(order, range(1000))[0, 1]) < 0.1
    values = np.arange(24.0, dtype="f4").reshape(4, 6)
    x = put(values, device)
    turned = get(rng.permutation(x, axis=1))
    assert sorted(map(tuple, turned.T)) == sorted(map(tuple, values.T))
    view = x[:, ::2]
    rng.shuffle(view, axis=1)
    assert sorted(map(tuple, get(view).T)) == sorted(map(tuple, values[:, ::2].T))
    np.testing.assert_array_equal(get(x)[:, 1::2], values[:, 1::2])
    some = get(rng.choice(10, 7, replace=False, device=device))
    assert len(set(some)) == 7 and set(some) <= set(range(10))
    p = put(np.array([0.5, 0.0, 0.2, 0.3], dtype="f4"), device)
    check_frequencies(get(rng.choice(4, 4000, p=p, device=device)), [0.5, 0, 0.2, 0.3])
    assert set(get(rng.choice(4, 3, replace=False, p=p, device=device))) == {0, 2, 3}
    whole = put(np.array([0, 1, 0], np.uint8), device)
    assert get(rng.choice(3, 4, p=whole, device=device)).tolist() == [1, 1, 1, 1]
    rows = get(rng.choice(x, (2, 5)))
    assert rows.shape == (2, 5, 6)
    assert get(rng.choice(x, 3, axis=1)).shape == (4, 3)
    assert rng.permutation(0, device=device).shape == (0,)


def test_all_orders_are_equally_frequent() -> None:
    rng, counts = default_rng(31), np.zeros(64, dtype=int)
    for _ in range(1200):
        a, b, c = rng.permutation(3).tolist()
        counts[16 * a + 4 * b + c] += 1
    seen = counts[counts > 0]
    assert seen.size == 6 and ((seen - 200) ** 2 / 200).sum() < 25


def test_streams_have_nothing_to_do_with_each_other() -> None:
    root = default_rng(99)
    streams = [root, *root.spawn(3), root.jumped(), root.jumped(2), default_rng(100)]
    streams += default_rng([99, 0]).spawn(1)
    values = np.stack([np.asarray(rng.standard_normal(20_000)) for rng in streams])
    correlations = np.corrcoef(values)
    assert (abs(correlations - np.eye(len(streams))) < 4.5 / math.sqrt(20_000)).all()
    keys = [rng.state["key"] for rng in default_rng(5).spawn(2000)]
    assert len(set(keys)) == 2000
    one = default_rng(5)
    assert [g.state for g in one.spawn(2) + one.spawn(1)] == [
        g.state for g in default_rng(5).spawn(3)
    ]
    assert default_rng(5).jumped(1).spawn(1)[0].state != default_rng(5).spawn(1)[0].state


def test_the_state_is_kept() -> None:
    rng = default_rng(42)
    rng.random(10)
    rng.spawn(2)
    state = rng.state
    assert state == {**state, "bit_generator": "Philox4x32-10", "counter": 5, "children": 2}
    for other in (copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):
        assert type(other) is Generator and other is not rng and other.state == state
        assert other.random(3).tolist() == copy.copy(rng).random(3).tolist()
    numbers = rng.normal(size=4).tolist()
    rng.state = state
    assert rng.normal(size=4).tolist() == numbers
    assert repr(Generator(1)).startswith("Generator(Philox4x32-10, key=0x")
    for wrong, error in (({}, ValueError), ("x", TypeError), ({**state, "key": -1}, ValueError)):
        with pytest.raises(error, match="Generator: state"):
            rng.state = wrong  # type: ignore[assignment]
    with pytest.raises(ValueError, match="past 2\\^60"):
        rng.state = {**state, "counter": 1 << 61}
    rng.state = {**state, "counter": (1 << 60) - 1}
    assert rng.random(2).shape == (2,)
    with pytest.raises(ValueError, match="jump to another one"):
        rng.random(3)


any_seed: Any = default_rng


def test_threads_draw_different_numbers() -> None:
    rng, found = default_rng(8), []

    def draw() -> None:
        for _ in range(50):
            found.append(tuple(rng.random(4).tolist()))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 200
    assert rng.state["counter"] == 400


def test_what_is_drawn_is_one_kernel_with_what_is_around_it() -> None:
    xp.config.eager = False
    rng = default_rng(1)
    before = xp.statistics()["kernels"]
    xp.max(xp.sqrt(rng.random(100_000)) + 2 * rng.standard_normal(100_000)).item()
    assert xp.statistics()["kernels"] - before == 1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: default_rng(-1), ValueError, "the seed -1 is below 0"),
        (lambda r: any_seed(1.5), TypeError, "neither an int nor a sequence of ints"),
        (lambda r: any_seed("abc"), TypeError, "neither an int nor a sequence of ints"),
        (lambda r: default_rng([1, -2]), ValueError, "the seed -2 is below 0"),
        (lambda r: r.random(-1), ValueError, "negative extent"),
        (lambda r: r.random(3, dtype="int32"), TypeError, "float32 and float64, not int32"),
        (lambda r: r.random(3, dtype="float16"), TypeError, "use astype"),
        (lambda r: r.normal(0, -1), ValueError, "scale: -1 is below 0"),
        (lambda r: r.normal(0, math.nan), ValueError, "scale: it is NaN; 0 or more"),
        (lambda r: r.normal(1j), TypeError, "complex"),
        (lambda r: r.uniform(2, 1), ValueError, "high 1 is below low 2"),
        (lambda r: r.uniform(-1e308, 1e308), OverflowError, "not a finite range"),
        (lambda r: r.uniform(-3e38, 3e38, dtype="float32"), OverflowError, "not a finite range"),
        (lambda r: r.exponential(-1), ValueError, "below 0"),
        (lambda r: r.gamma(-1), ValueError, "shape: -1 is below 0"),
        (lambda r: r.poisson(-1), ValueError, "lam: -1 is below 0"),
        (
            lambda r: r.poisson(math.nan),
            ValueError,
            "^poisson: lam: it is NaN; 0 or more is needed",
        ),
        (lambda r: r.poisson(1e19), ValueError, "past 9.2e18"),
        (lambda r: r.integers(3, 3), ValueError, "no integer from 3 to below 3"),
        (lambda r: r.integers(0), ValueError, "no integer"),
        (lambda r: r.integers(0, 300, dtype="uint8"), ValueError, "past what uint8 holds"),
        (lambda r: r.integers(-1, 3, dtype="uint8"), ValueError, "below what uint8 holds"),
        (lambda r: r.integers(0, 2**65), ValueError, "high 36893488147419103232 is past what int6"),
        (
            lambda r: r.integers(5, 2**64 + 6, 6, dtype="uint64"),
            ValueError,
            "high 18446744073709551622 is past what uint64 holds",
        ),
        (lambda r: r.integers(0, 2**64, 3), ValueError, "high 18446744073709551616 is past what i"),
        (lambda r: r.integers(2**64 - 5), ValueError, "high 18446744073709551611 is past what int"),
        (lambda r: r.integers(-(2**64), 3), ValueError, "low -18446744073709551616 is below what"),
        (lambda r: r.integers(2**70, 2**71), ValueError, f"low {2**70} is past what int64 holds"),
        (lambda r: r.integers(10**5000), ValueError, "high of 16610 bits is past what int64"),
        (
            lambda r: r.integers(0, 2**64, dtype="uint64", endpoint=True),
            ValueError,
            "high 18446744073709551616 is past what uint64 holds",
        ),
        (
            lambda r: r.integers(xp.asarray([1, 2]), 2**64 + 1, dtype="uint64"),
            ValueError,
            "high 18446744073709551617 is past what uint64 holds",
        ),
        (lambda r: r.integers(0, 2.5), TypeError, "2.5 is not an integer"),
        (lambda r: r.integers(0, 3, dtype="float32"), TypeError, "not an integer dtype"),
        (lambda r: r.integers(xp.asarray([1, 2]), 2), ValueError, "low is not below high"),
        (lambda r: r.permutation(-1), ValueError, "of -1 numbers"),
        (lambda r: r.permutation("abc"), TypeError, "an array or an int"),
        (lambda r: r.permutation(2**70), ValueError, "permutation: of a number beyond 2.63-1"),
        (lambda r: r.choice(-(2**70)), ValueError, "choice: of a number beyond 2.63-1"),
        (lambda r: r.bytes(2**70), ValueError, "bytes: length: an int beyond 64 bits"),
        (lambda r: r.choice(3, p=[True, False, False]), TypeError, "p has the dtype bool"),
        (lambda r: r.choice(3, p=[0, 2, 0]), ValueError, "the sum of p is 2"),
        (lambda r: r.shuffle([1, 2]), TypeError, "shuffle"),
        (lambda r: r.choice(3, 4, replace=False), ValueError, "4 of 3 elements without"),
        (lambda r: r.choice(0), ValueError, "1 of 0 elements"),
        (lambda r: r.choice(2, p=xp.asarray([0.5, 0.6])), ValueError, "the sum of p is 1.1"),
        (lambda r: r.choice(2, p=xp.asarray([1.5, -0.5])), ValueError, "below 0"),
        (lambda r: r.choice(3, p=xp.asarray([0.5, 0.5])), ValueError, "for 3 elements"),
        (lambda r: r.bytes(-1), ValueError, "-1 bytes"),
        (lambda r: r.spawn(-1), ValueError, "-1 generators"),
        (lambda r: r.spawn(2**20 + 1), ValueError, "spawn: 1048577 generators; a call makes 0 to"),
        (lambda r: r.spawn(2**70), ValueError, "generators; a call creates 0 to 1048576"),
        (lambda r: r.jumped(2**60 + 1), ValueError, "jumped: 1152921504606846977 jumps from"),
        (lambda r: r.jumped(2**63), ValueError, "jumps; a generator has 2.60 streams"),
        (lambda r: r.random(2**62), ValueError, "a stream has no more than 2305843009213693952"),
        (lambda r: r.permutation(2**62), ValueError, "elements; a stream has no more than"),
        (lambda r: r.choice(2**62, 2**61, replace=False), ValueError, "a stream has no more than"),
        (lambda r: r.bytes(2**62), MemoryError, "4611686018427387904 bytes on cpu"),
        (lambda r: r.jumped(-1), ValueError, "does not go back"),
        (
            lambda r: philox4x32(xp.zeros(4, dtype="uint32"), xp.zeros(3, dtype="uint32")),
            ValueError,
            "must have 2 numbers",
        ),
        (lambda r: philox4x32(xp.zeros(4), xp.zeros(2)), TypeError, "not uint32"),
    ],
)
def test_wrong_uses_are_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call(default_rng(0))
