"""The variables of the environment, isthmus.config, and what is said of values nobody takes."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _doctor
from tests.programs import run
from tests.ways import DEVICES

null = pytest.mark.skipif("null:1" not in DEVICES, reason="there is no null backend; build it")
opencl = pytest.mark.skipif("opencl:0" not in DEVICES, reason="there is no OpenCL driver")


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("ISTHMUS_EAGER", "yes", "0, 1"),
        ("ISTHMUS_INLINE", "maybe", "auto, 0, 1"),
        ("ISTHMUS_NUM_THREADS", "abc", "number of 1 or more"),
        ("ISTHMUS_NUM_THREADS", "0", "number of 1 or more"),
        ("ISTHMUS_NUM_THREADS", "-3", "number of 1 or more"),
        ("ISTHMUS_NUM_THREADS", "2x", "number of 1 or more"),
        ("ISTHMUS_CACHE", "7", "1, 0, ro"),
        ("ISTHMUS_CACHE_SIZE", "junk", "K, M or G"),
        ("ISTHMUS_CACHE_SIZE", "3X", "K, M or G"),
        ("ISTHMUS_BACKENDS", "nope", "the backends are cpu"),
        ("ISTHMUS_LOG_FILE", "/nowhere/at/all", "a file in a folder of yours"),
        ("ISTHMUS_PROFILE", "/nowhere/at/all", "a file in a folder of yours"),
        ("ISTHMUS_IMPLICIT_COPY", "often", "error, warn, allow"),
        ("ISTHMUS_PROGRESS", "2", "auto, 0, 1"),
        ("ISTHMUS_NO_RUNTIME_SETUP", "no", "0, 1"),
        ("ISTHMUS_SYCL_KERNELS", "text", "auto, source"),
        ("ISTHMUS_TRACE", "on", "0, 1"),
        ("ISTHMUS_BLAS", "fast", "auto, openblas, builtin"),
        ("ISTHMUS_BLAS", "/nowhere/libblas.so", "auto, openblas, builtin"),
        ("ISTHMUS_LOG", "loud", "neither a level of"),
    ],
)
def test_a_value_that_nobody_takes_is_told_of(name: str, value: str, accepted: str) -> None:
    out, err = run("import isthmus as xp; print((xp.ones(3) + 1).tolist())", **{name: value})
    assert out == "[2.0, 2.0, 2.0]\n"
    (line,) = err.splitlines()
    assert name in line
    assert value in line
    assert accepted in line


def test_values_that_are_taken_are_no_news() -> None:
    good = {
        "ISTHMUS_BLAS": "builtin",
        "ISTHMUS_EAGER": "1",
        "ISTHMUS_INLINE": "auto",
        "ISTHMUS_NUM_THREADS": "2",
        "ISTHMUS_CACHE": "ro",
        "ISTHMUS_CACHE_SIZE": "3M",
        "ISTHMUS_BACKENDS": "cpu, opencl ,sycl",
        "ISTHMUS_IMPLICIT_COPY": "warn",
        "ISTHMUS_PROGRESS": "0",
    }
    assert run("import isthmus; isthmus.devices()", **good) == ("", "")


def test_the_test_backend_opens_where_it_is_asked_for() -> None:
    text = """
        import isthmus as xp
        try:
            print(xp.Device("null"))
        except xp.DeviceNotFoundError as error:
            print(error)
    """
    if "null:1" in DEVICES:
        assert run(text)[0] == "null:0\n"
    said = run(text, ISTHMUS_TEST_BACKENDS="0")[0]
    assert said.startswith("device 'null': there is no backend 'null'; the backends are cpu"), said


def test_a_device_that_is_not_there_names_the_variable() -> None:
    text = """
        import isthmus as xp
        try:
            xp.ones(3)
        except LookupError as error:
            print(error)
    """
    assert run(text, ISTHMUS_DEVICE="abacus:3")[0].startswith("ISTHMUS_DEVICE: device 'abacus:3'")


def test_a_cache_folder_that_others_may_write_to_is_told_of(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    _, err = run("import isthmus", ISTHMUS_CACHE_DIR=str(folder))
    assert f"{folder} is not a folder that only you may write to" in err
    assert "ISTHMUS_CACHE_DIR" in err


def test_every_field_of_config_has_its_variable() -> None:
    fields = [name for name in dir(xp.config) if not name.startswith("_")]
    shown = repr(xp.config)
    for name in fields:
        assert f"{name}=" in shown
        if name != "on_build":  # a function, which no variable can hold
            assert f"ISTHMUS_{name.upper()}" in _doctor.VARIABLES


@pytest.mark.parametrize(
    ("field", "values", "wrong"),
    [
        ("cache", ("0", "ro", "1"), "2"),
        ("blas", ("builtin", "openblas", "auto"), "fast"),
        ("cache_size", ("5K", "256M"), "much"),
        ("progress", ("0", "1", "auto"), "maybe"),
        ("implicit_copy", ("warn", "allow", "error"), "often"),
        ("dump", ("/tmp/kernels", ""), None),
        ("cache_dir", ("/tmp/cache", ""), None),
    ],
)
def test_fields_take_what_variables_take(field: str, values: Any, wrong: Any) -> None:
    before = getattr(xp.config, field)
    try:
        for value in values:
            setattr(xp.config, field, value)
            assert getattr(xp.config, field) == value
        if wrong is not None:
            with pytest.raises(ValueError, match=f"{field}.*{wrong}"):
                setattr(xp.config, field, wrong)
            assert getattr(xp.config, field) == values[-1]
    finally:
        setattr(xp.config, field, before)


def test_the_library_for_products_is_the_one_that_is_named() -> None:
    text = """
        import isthmus as xp
        x = xp.arange(6, dtype="float64").reshape(2, 3)
        print(xp.devices(verbose=True)["blas"], xp.config.blas, (x @ x.T).tolist())
        xp.config.blas = "auto"
        print((x @ x.T).tolist())
    """
    product = "[[5.0, 14.0], [14.0, 50.0]]"
    out, _ = run(text, ISTHMUS_BLAS="builtin")
    assert out == f"builtin builtin {product}\n{product}\n"
    if xp.devices(verbose=True)["blas"] == "builtin":
        pytest.skip("there is no BLAS")
    name, file = xp.devices(verbose=True)["blas"].split(", ")
    out, _ = run(text, ISTHMUS_BLAS=file)
    assert out == f"{name}, {file} {file} {product}\n{product}\n"
    with pytest.raises(TypeError, match="blas"):
        xp.config.blas = 3  # type: ignore[assignment]


def library_of_numpy() -> str:
    maps = pathlib.Path("/proc/self/maps").read_text()
    files = {line.split()[-1] for line in maps.splitlines() if "/libscipy_openblas64_-" in line}
    if not files:
        pytest.skip("NumPy has another BLAS")
    return min(files)


def test_products_share_the_threads_of_numpys_library() -> None:
    file = library_of_numpy()
    text = """
        import isthmus as xp
        print(xp.devices(verbose=True)["blas"].split(", ")[1])
    """
    assert run(text, ISTHMUS_BLAS="")[0] == f"{file}\n"
    assert run(text, ISTHMUS_BLAS="openblas")[0] == f"{file}\n"


def test_numpys_library_keeps_its_number_of_threads() -> None:
    file = library_of_numpy()
    text = f"""
        import ctypes
        import isthmus as xp
        threads = ctypes.CDLL({file!r}).scipy_openblas_get_num_threads64_
        before, x = threads(), xp.ones((300, 300))
        for xp.config.num_threads in (1, before + 1):
            assert float((x @ x)[0, 0]) == 300
            assert threads() == before
    """
    run(text, ISTHMUS_BLAS=file)


@pytest.mark.parametrize(
    ("limit", "wanted"), [("1", "1"), ("1,2", "1"), ("0", "all"), ("1x", "all"), ("999", "all")]
)
def test_the_limit_of_openmp_is_one_of_ours(limit: str, wanted: str) -> None:
    text = "import isthmus as xp; print(xp.config.num_threads)"
    usual = run(text)[0].strip()
    assert run(text, OMP_NUM_THREADS=limit)[0].strip() == (usual if wanted == "all" else wanted)
    assert run(text, OMP_NUM_THREADS=limit, ISTHMUS_NUM_THREADS="3")[0].strip() == "3"


def test_a_library_that_was_limited_stays_so() -> None:
    library_of_numpy()
    text = """
        import os
        import isthmus as xp
        xp.config.num_threads = 4
        def threads():
            return len(os.listdir("/proc/self/task"))
        for _ in range(20):
            (xp.ones(10**7) + 1).eval()  # so that our own threads are there
        x, before = xp.ones((300, 300)).eval(), threads()
        assert float((x @ x)[0, 0]) == 300
        assert threads() == before, (before, threads())
    """
    run(text, OPENBLAS_NUM_THREADS="1")


def test_a_device_and_a_trace_are_fields_too(tmp_path: pathlib.Path) -> None:
    assert xp.config.profile == ""
    with pytest.raises(ValueError, match="cannot be written"):
        xp.config.profile = "/nowhere/at/all"
    xp.config.profile = tmp_path / "trace.json"
    (xp.ones(3) + 1).eval()
    xp.config.profile = None
    assert '"evaluate"' in (tmp_path / "trace.json").read_text()
    xp.config.device = "cpu"
    assert xp.config.device == "cpu"
    with pytest.raises(LookupError, match="abacus"):
        xp.config.device = "abacus"


def test_a_log_file_can_be_named_later(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "log"
    text = f"""
        import isthmus as xp
        xp.config.log_file = {str(file)!r}
        xp.config.log = "exchange=info"
        xp.asarray([1.0])
        xp.config.log_file = None
        xp.asarray([1.0, 2.0])
    """
    run(text)
    assert file.read_text().count("copy of a list") == 1


@opencl
def test_dump_writes_text_and_binary_of_kernels(tmp_path: pathlib.Path) -> None:
    text = """
        import isthmus as xp
        xp.sin(xp.ones((3,), dtype="float32", device="opencl:0")).eval()
    """
    folder = tmp_path / "kernels"
    places = {"ISTHMUS_DUMP": str(folder), "ISTHMUS_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):  # built, then loaded from disk
        run(text, ISTHMUS_INLINE="0", PYTHONWARNINGS="ignore", **places)
        sources = [*folder.glob("opencl-0-*.cl")]
        assert any("sin_float32" in file.read_text() for file in sources)
        assert {file.stem for file in sources} == {file.stem for file in folder.glob("*.bin")}
        for file in folder.iterdir():
            file.unlink()


@null
def test_on_build_is_told_of_kernels() -> None:
    text = """
        import threading
        import isthmus as xp
        seen, is_over = [], threading.Event()
        def told(done, total, device):
            seen.append((done, total, device))
            if done == total:
                is_over.set()
        xp.config.on_build = told
        (xp.ones((3,), device="null:2", dtype="float32") * 3).eval()
        assert is_over.wait(20)
        xp.config.on_build = None
        print(seen[-1])
    """
    assert run(text, ISTHMUS_CACHE="0")[0] == "(1, 1, 'null:2')\n"


def test_implicit_host_copy_is_a_choice() -> None:
    if "null:2" not in DEVICES:
        pytest.skip("there is no device whose memory the host cannot reach")
    x = xp.full((3,), 2.0, dtype="float32", device="null:2")
    with pytest.raises(xp.ImplicitHostCopyError, match=r"to_numpy\(\)"):
        np.asarray(x)
    assert x.to_numpy().tolist() == [2, 2, 2]
    with warnings.catch_warnings(), xp.implicit_host_copy("allow"):
        warnings.simplefilter("error")
        assert np.asarray(x).tolist() == [2, 2, 2]
        with pytest.raises(ValueError, match="copy=False"):
            np.asarray(x, copy=False)
    with xp.implicit_host_copy("warn"), pytest.warns(xp.PerformanceWarning, match="12 bytes"):
        assert np.asarray(x).tolist() == [2, 2, 2]
    with pytest.raises(ValueError, match="none of error, warn, allow"):
        xp.implicit_host_copy("often").__enter__()  # type: ignore[arg-type]


def test_cache_is_shown_and_has_a_folder_for_each_version(tmp_path: pathlib.Path) -> None:
    known = xp.cache.info()
    assert known.limit_nbytes > 0
    text = """
        import isthmus as xp
        info = xp.cache.info()
        xp.cache.clear()
        print(info.folder, xp.cache.info().files)
    """
    out, _ = run(text, ISTHMUS_CACHE_DIR=str(tmp_path / "cache"))
    folder, files = out.split()
    assert pathlib.Path(folder).parent == tmp_path / "cache"
    assert pathlib.Path(folder).name.startswith(xp.__version__)
    assert files == "0"
