"""What linear algebra cannot do: errors that name the function and the matrix."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus
from tests.device.arrays import get, put
from tests.device.matrices import FLOATS, random, reached
from tests.programs import run
from tests.ways import DEVICES

pytestmark = pytest.mark.no_kernel
linalg: Any = xp.linalg
OF_ONE = (
    *("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_rank", "pinv"),
    *("qr", "slogdet", "svd", "svdvals", "cond"),
)
NARROW = [
    str(file)
    for folder in sys.path
    for file in pathlib.Path(folder).glob("scipy.libs/libscipy_openblas-*.so")
]
SQUARE = ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet")


def test_matrices_that_have_no_solution_are_named() -> None:
    stack = np.broadcast_to(np.eye(3), (2, 4, 3, 3)).copy()
    stack[1, 2, 0, 0] = stack[1, 3, 0, 0] = 0
    x, one = xp.asarray(stack), xp.asarray(stack[1, 2])
    wanted: list[tuple[Callable[[Any], Any], str]] = [
        (linalg.inv, "^inv: {} is singular$"),
        (lambda m: linalg.solve(m, xp.ones(3)), "^solve: {} is singular$"),
        (linalg.cholesky, "^cholesky: {} is not positive definite$"),
    ]
    for call, text in wanted:
        with pytest.raises(linalg.LinAlgError, match=text.format(r"matrix \(1, 2\) of the stack")):
            call(x)
        with pytest.raises(np.linalg.LinAlgError, match=text.format("the matrix")):
            call(one)
    with pytest.raises(ValueError, match=r"^solve: the matrix is singular$"):
        linalg.solve(one, xp.ones((5, 3, 1)))
    with pytest.raises(linalg.LinAlgError, match=r"^matrix_power: the matrix is singular$"):
        linalg.matrix_power(one, -2)
    assert issubclass(linalg.LinAlgError, xp.Error | ValueError)
    assert linalg.LinAlgError.__module__ == "isthmus.linalg"
    assert not hasattr(xp, "LinAlgError")
    assert get(linalg.cond(x, 1))[1, 2] == np.inf
    assert get(linalg.cond(x))[1, 2] == np.inf


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_nan_and_infinity_do_not_hang(bad: float, dtype: str) -> None:
    a = np.broadcast_to(np.eye(4), (3, 4, 4)).astype(dtype)
    a[1, 2, 1] = bad
    a[2] = bad
    x = xp.asarray(a)
    for name in (
        "svd",
        "svdvals",
        "eig",
        "eigvals",
        "eigh",
        "eigvalsh",
        "pinv",
        "matrix_rank",
        "cond",
    ):
        with pytest.raises(
            linalg.LinAlgError, match=rf"^{name}: matrix \(1\) of the stack has NaN or infinity$"
        ):
            getattr(linalg, name)(x)
    for name in ("svdvals", "eigvals", "eigvalsh", "matrix_rank"):
        getattr(linalg, name)(x[:1])
    with pytest.raises(
        linalg.LinAlgError, match=r"^matrix_norm: matrix \(1\) of the stack has NaN"
    ):
        linalg.matrix_norm(x, ord=2)
    for m, right, text in ((1, 0, "matrix"), (0, 1, "second array"), (1, 1, "matrix")):
        with pytest.raises(linalg.LinAlgError, match=rf"^lstsq: the {text} has NaN or infinity$"):
            linalg.lstsq(x[m], x[right])
    for name in ("det", "qr", "slogdet", "cholesky"):  # what there is of it
        getattr(linalg, name)(x)
    assert np.isnan(get(linalg.det(xp.asarray(np.full((2, 2), np.nan, dtype)))))
    assert np.isfinite(get(linalg.inv(x[:1]))).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_gives_nan(dtype: str) -> None:
    for n in (1, 2, 5, 50):
        for place in ((0, 0), (n - 1, 0), (0, n - 1), (n - 1, n - 1), ...):
            a = np.eye(n, dtype=dtype)
            a[place] = np.nan
            x = xp.asarray(a)
            inverse, solved = get(linalg.inv(x)), get(linalg.solve(x, xp.ones_like(x)))
            assert np.isnan(inverse).any(), (n, place)
            assert np.isnan(solved).any(), (n, place)
            assert np.isnan(get(linalg.det(x))), (n, place)
            assert all(np.isnan(get(part)) for part in linalg.slogdet(x)), (n, place)
            for upper in (False, True):
                half = np.triu(a) if upper else np.tril(a)
                factor = get(linalg.cholesky(x, upper=upper))
                assert np.isnan(factor).any() == np.isnan(half).any(), (n, place, upper)
            stack = xp.stack([x, xp.eye(n, dtype=x.dtype)])
            assert (get(linalg.inv(stack))[1] == np.eye(n)).all()


def test_wrong_shapes_are_named() -> None:
    for name in OF_ONE:
        for shape in ((), (3,)):
            with pytest.raises(ValueError, match=rf"^{name}: an array of {len(shape)} ax[ie]s"):
                getattr(linalg, name)(xp.ones(shape))
    for name in (*SQUARE,):
        with pytest.raises(
            ValueError, match=rf"^{name}: shape \(2, 3, 4\): the last two axes must"
        ):
            getattr(linalg, name)(xp.ones((2, 3, 4)))
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: linalg.solve(xp.ones((2, 3)), xp.ones(3)), r"^solve: shape \(2, 3\)"),
        (lambda: linalg.solve(xp.ones(3), xp.ones(3)), r"^solve: shape \(3,\)"),
        (
            lambda: linalg.solve(xp.eye(3), xp.ones(2)),
            r"^solve: shapes \(3, 3\) and \(2,\): axis -1",
        ),
        (lambda: linalg.solve(xp.eye(3), xp.ones(())), r"^solve: shapes"),
        (lambda: linalg.solve(xp.ones((2, 3, 3)), xp.ones((4, 3, 1))), r"^solve: shapes"),
        (lambda: linalg.matrix_power(xp.ones((2, 3)), 2), r"^matrix_power: shape \(2, 3\)"),
        (lambda: linalg.lstsq(xp.ones((2, 2, 2)), xp.ones(2)), r"^lstsq: shapes"),
        (lambda: linalg.lstsq(xp.ones((2, 2)), xp.ones(3)), r"^lstsq: shapes"),
        (lambda: linalg.multi_dot([xp.ones((2, 2))]), "^multi_dot: 1 arrays; at least 2"),
        (lambda: linalg.multi_dot([xp.ones((2, 2)), xp.ones((3, 2))]), "^multi_dot: array 0 has"),
        (lambda: linalg.multi_dot([xp.ones(2), xp.ones(2), xp.ones(2)]), "^multi_dot: array 1 has"),
        (lambda: linalg.qr(xp.eye(2), mode="raw"), "^qr: mode: 'raw' is none of 'reduced'"),
        (lambda: linalg.eigh(xp.eye(2), "X"), "^eigh: UPLO: 'X' is none of 'L', 'U'$"),
        (lambda: linalg.pinv(xp.eye(2), 1, rtol=1), "^pinv: give rtol or rcond, not both$"),
        (lambda: linalg.matrix_rank(xp.eye(2), 1, rtol=1), "^matrix_rank: give rtol or tol"),
        (lambda: linalg.cond(xp.ones((2, 0))), r"^cond: matrices of no elements"),
    ]
    for call, text in calls:
        with pytest.raises(ValueError, match=text):
            call()


def test_wrong_dtypes_are_named() -> None:
    for dtype in ("float16", "bfloat16"):
        x = xp.ones((2, 2), dtype=getattr(xp, dtype))
        for name in OF_ONE:
            with pytest.raises(
                TypeError, match=rf"^{name}: does not accept {dtype}; use astype\(float32\)"
            ):
                getattr(linalg, name)(x)
        for name in ("solve", "lstsq"):
            with pytest.raises(TypeError, match=rf"^{name}: does not accept {dtype}"):
                getattr(linalg, name)(x, x)
    structs = xp.asarray(np.zeros((2, 2), [("a", "f4")]))
    for name in (*OF_ONE, "matrix_power", "norm", "vector_norm", "matrix_norm"):
        args = (2,) if name == "matrix_power" else ()
        with pytest.raises(TypeError, match=rf"^{name}: does not accept struct"):
            getattr(linalg, name)(structs, *args)
    with pytest.raises(TypeError, match=r"^lstsq: rcond: expected a real number, not a str"):
        linalg.lstsq(xp.eye(2), xp.eye(2), rcond="x")
    with pytest.raises(TypeError, match="hermitian: leave it out"):
        linalg.matrix_rank(xp.eye(2), hermitian=True)


LIMITS = [(linalg.matrix_rank, "rtol"), (linalg.matrix_rank, "tol")]
LIMITS += [(linalg.pinv, "rtol"), (linalg.pinv, "rcond")]


@pytest.mark.parametrize(("function", "name"), LIMITS)
def test_wrong_limits_are_named_as_they_were_given(function: Any, name: str) -> None:
    who = f"^{function.__name__}: {name}"
    x = xp.ones((3, 2, 2))
    for bad in (1j, [1j], xp.ones((), dtype="complex128"), np.complex128(1)):
        with pytest.raises(
            TypeError, match=rf"{who}: does not accept complex128; real numbers are"
        ):
            function(x, **{name: bad})
    with pytest.raises(TypeError, match=rf"{who}: expected numbers, not a text$"):
        function(x, **{name: "a"})
    with pytest.raises(ValueError, match=rf"{who}: an int beyond the range of float64$"):
        function(x, **{name: 10**400})
    shapes = r"shapes \(3,\) and \(4,\) cannot be broadcast together"
    with pytest.raises(ValueError, match=rf"{who} and the stack: {shapes}"):
        function(x, **{name: xp.ones(4)})
    if "null:1" in DEVICES:
        with pytest.raises(xp.DeviceMismatchError, match=rf"^{function.__name__}: operands are on"):
            function(x, **{name: xp.ones(3, device="null:1")})
    for good in (2**70, np.float32(0.1), True, xp.ones(3), [1, 1, 1], xp.ones((4, 1)), 1e300):
        made = function(x.astype("float32"), **{name: good})
        assert made.shape[-3:] in ((3,), (4, 3), (3, 2, 2))


def test_chains_and_stacks_are_sequences() -> None:
    bad: Any
    for bad, text in ((3.0, "a float"), (xp.ones(()), "an isthmus.Array without axes")):
        for name, function in (("multi_dot", linalg.multi_dot), ("concat", xp.concat)):
            with pytest.raises(
                TypeError, match=rf"^{name}: expected a sequence of arrays, not {text}$"
            ):
                function(bad)

    def broken() -> Any:
        yield xp.ones((2, 2))
        raise TypeError("of the iterator")

    with pytest.raises(TypeError, match=r"^of the iterator$"):
        linalg.multi_dot(broken())


def test_results_that_are_too_large_name_the_function() -> None:
    tall = xp.broadcast_to(xp.ones((1, 1)), (2**33, 2))
    row = xp.broadcast_to(xp.ones((1, 1)), (1, 2**40))
    many = xp.broadcast_to(xp.ones((1, 1)), (2**40, 1, 1))
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: linalg.svd(tall), "svd"),
        (lambda: linalg.svd(tall[:, :0]), "svd"),
        (lambda: linalg.qr(tall[:, :0], mode="complete"), "qr"),
        (lambda: linalg.lstsq(row, row), "lstsq"),
        (lambda: linalg.solve(xp.expand_dims(many, 1), many), "solve"),
    ]
    for call, name in calls:
        with pytest.raises(ValueError, match=rf"^{name}: shape .* has more than 2\^63-1 elements$"):
            call()


def test_devices_that_the_host_does_not_reach_say_so(device: xp.Device) -> None:
    x = put(np.eye(3, dtype="float32"), device)
    if _isthmus._is_host_reachable(x):
        assert get(linalg.inv(x)).tolist() == np.eye(3).tolist()
        return
    for name in OF_ONE:
        with pytest.raises(
            NotImplementedError,
            match=rf'^{name}: the host cannot access the memory of {device}.*to_device\("cpu"\)',
        ):
            getattr(linalg, name)(x)
    for name in ("solve", "lstsq"):
        with pytest.raises(NotImplementedError, match=rf"^{name}: the host cannot access"):
            getattr(linalg, name)(x, x)
    near = linalg.inv(x.to_device("cpu")).to_device(device)
    assert get(near).tolist() == np.eye(3).tolist()


def test_two_devices_are_refused() -> None:
    if "null:1" not in DEVICES:
        pytest.skip("no second device")
    x, y = xp.ones((2, 2)), xp.ones((2, 2), device="null:1")
    for name in ("solve", "lstsq"):
        with pytest.raises(
            xp.DeviceMismatchError, match=rf"^{name}: operands are on cpu and null:1"
        ):
            getattr(linalg, name)(x, y)


def test_a_setting_without_lapack_says_what_would_do() -> None:
    before = xp.config.blas
    try:
        xp.config.blas = "builtin"
        with pytest.raises(NotImplementedError, match=r"^inv: needs LAPACK.*scipy-openblas64"):
            linalg.inv(xp.eye(2))
        assert linalg.inv(xp.zeros((0, 0))).shape == (0, 0)
        assert linalg.vector_norm(xp.ones(4)).item() == 2
    finally:
        xp.config.blas = before
    assert linalg.inv(xp.eye(2)).shape == (2, 2)


@pytest.mark.skipif(not NARROW, reason="no scipy with its own OpenBLAS")
def test_a_library_with_integers_of_32_bits() -> None:
    program = """
        import numpy as np
        import isthmus as xp
        linalg = xp.linalg
        assert "openblas-" in xp.devices(verbose=True)["blas"]
        for dtype in ("float32", "float64", "complex64", "complex128"):
            a = (np.random.default_rng(1).normal(size=(2, 5, 5)) + 4 * np.eye(5)).astype(dtype)
            x = xp.asarray(a)
            near = lambda x, y: np.testing.assert_allclose(np.asarray(x), y, 1e-3, 1e-4)
            near(linalg.det(x), np.linalg.det(a))
            near(x @ linalg.inv(x), np.eye(5) + 0 * a)
            near(x @ linalg.solve(x, x[0]), a[0] + 0 * a)
            q, r = linalg.qr(x)
            near(q @ r, a)
            u, s, vh = linalg.svd(x)
            near((u * xp.expand_dims(s, -2)) @ vh, a)
            for values, vectors in (linalg.eig(x), linalg.eigh(x + xp.conj(x.mT))):
                assert np.isfinite(np.asarray(vectors)).all()
            assert linalg.lstsq(x[0], x[1]).rank.item() == 5
        try:
            linalg.inv(xp.zeros((3, 3)))
        except linalg.LinAlgError as error:
            assert str(error) == "inv: the matrix is singular"
        try:
            linalg.det(xp.broadcast_to(xp.ones(()), (50000, 50000)))
        except NotImplementedError as error:
            assert "det: a matrix that needs numbers up to 2500000000" in str(error), error
        else:
            raise AssertionError("it fits")
    """
    run(program, ISTHMUS_BLAS=NARROW[0])


def test_calls_are_in_profiles() -> None:
    x = xp.asarray(np.eye(3)).eval()
    with xp.profile() as profile:
        linalg.inv(x)
    assert [kernel.operations for kernel in profile.kernels] == [("inv",)]


def test_an_array_is_usable_behind_an_error(device: xp.Device) -> None:
    reached(device)
    a = random("float32", (3, 3))
    x = put(a, device)
    singular = put(np.zeros((3, 3), "float32"), device)
    for _ in range(3):
        with pytest.raises(linalg.LinAlgError):
            linalg.inv(singular)
    np.testing.assert_allclose(get(linalg.inv(x)) @ a, np.eye(3), atol=1e-4)
    assert not get(singular).any()


def test_without_memory_it_is_usable_afterwards() -> None:
    run("""
        import resource
        import numpy as np
        import isthmus as xp
        x = xp.asarray(np.random.default_rng(1).normal(size=(1500, 1500)))
        small = x[:50, :50]
        wanted = np.asarray(xp.linalg.svdvals(small)).copy()
        xp.linalg.svd(x[:300, :300])  # OpenBLAS ends the process without memory of its own
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (16 << 20), resource.RLIM_INFINITY))
        for _ in range(3):
            try:
                xp.linalg.svd(x)
            except MemoryError as error:
                assert isinstance(error, xp.OutOfMemoryError), error
            else:
                raise AssertionError("there was memory")
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
        assert np.allclose(np.asarray(xp.linalg.svdvals(small)), wanted)
        assert np.isfinite(np.asarray(xp.linalg.inv(x))).all()
    """)


def test_children_of_a_fork_factor_too() -> None:
    run("""
        import os
        import numpy as np
        import isthmus as xp
        a = np.random.default_rng(1).normal(size=(200, 200))
        x = xp.asarray(a)
        wanted = np.asarray(xp.linalg.inv(x)).copy()
        child = os.fork()
        if child == 0:
            good = np.allclose(np.asarray(xp.linalg.inv(xp.asarray(a))), wanted)
            many = xp.asarray(np.broadcast_to(np.eye(3), (5000, 3, 3)).copy())
            good = good and np.asarray(xp.linalg.det(many)).sum() == 5000
            os._exit(0 if good else 1)
        assert os.waitpid(child, 0)[1] == 0
    """)
