"""isthmus.config refuses what a field does not take when it is set, and keeps what it had."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.programs import run
from tests.ways import DEVICES

null = pytest.mark.skipif("null:1" not in DEVICES, reason="there is no null backend; build it")


@pytest.fixture(autouse=True)
def _fields_and_folder_stay(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Where a field takes what it should refuse, it makes no folder beside the sources."""
    monkeypatch.chdir(tmp_path)
    names = [name for name in dir(xp.config) if not name.startswith("_")]
    before = {name: getattr(xp.config, name) for name in names if name != "no_runtime_setup"}
    yield
    for name, value in before.items():
        setattr(xp.config, name, value)


NO_TEXT = "contains a NUL, or characters that UTF-8 cannot encode"

REFUSED: tuple[tuple[str, object, type[Exception], str], ...] = (
    (
        "backends",
        "cpu,foo",
        ValueError,
        r"'cpu,foo' names a backend that this package does not have; it has .*cpu",
    ),
    ("backends", "cpu,", ValueError, "names a backend that this package does not have"),
    ("backends", 1, TypeError, "not an int"),
    ("backends", ["cpu"], TypeError, "not a list"),
    ("blas", "fast", ValueError, "'fast' is none of auto, openblas, builtin"),
    ("blas", "/nowhere.so", ValueError, "'/nowhere.so' cannot be used: .*; use the path of a BLAS"),
    ("blas", 1, TypeError, "not an int"),
    ("blas", "a\0b", ValueError, NO_TEXT),
    ("cache", "rw", ValueError, "'rw' is none of 0, 1, ro"),
    ("cache", 2, ValueError, "2 is none of 0, 1, ro"),
    ("cache", "1\n", ValueError, "is none of"),
    (
        "cache_dir",
        "/proc/nope",
        ValueError,
        "'/proc/nope' cannot be created: .*; use a folder of your own",
    ),
    ("cache_dir", pathlib.Path("/proc/nope"), ValueError, "cannot be created"),
    ("cache_dir", __file__, ValueError, "cannot be created: File exists"),
    ("cache_dir", True, TypeError, "not a bool"),
    ("cache_dir", b"folder", TypeError, "not a bytes"),
    ("cache_dir", "a\0b", ValueError, NO_TEXT),
    ("cache_dir", "\ud800", ValueError, NO_TEXT),
    ("cache_size", "3X", ValueError, "'3X' is not a number of bytes"),
    ("cache_size", "-1", ValueError, "is not a number of bytes"),
    ("cache_size", str(1 << 64), ValueError, "is not a number of bytes"),
    ("cache_size", "\N{ARABIC-INDIC DIGIT THREE}M", ValueError, "is not a number of bytes"),
    ("cache_size", 2.5, TypeError, "not a float"),
    ("device", "abacus", LookupError, "'abacus': there is no backend"),
    ("device", "\ud800", ValueError, NO_TEXT),
    ("device", None, TypeError, "expected a Device or str, not None"),
    ("dump", "/proc/nope", ValueError, "cannot be created"),
    ("dump", 7, TypeError, "not an int"),
    ("eager", "1", ValueError, "'1' is none of True, False, 1, 0"),
    ("eager", 2, ValueError, "2 is none of"),
    ("eager", None, ValueError, "None is none of"),
    ("eager", np.ones(2), ValueError, "is none of"),
    ("implicit_copy", "often", ValueError, "'often' is none of error, warn, allow"),
    ("implicit_copy", True, ValueError, "True is none of"),
    ("inline", "2", ValueError, "'2' is none of 0, 1, auto"),
    ("inline", None, TypeError, "not None"),
    ("inline", "\ud800", ValueError, NO_TEXT),
    ("log", "loud", ValueError, "'loud' in 'loud' is neither a level"),
    ("log", "jit=debug,mem", ValueError, "'mem' in 'jit=debug,mem' is neither"),
    ("log", None, TypeError, "expected a str, not None"),
    ("log_file", "/proc/nope", ValueError, "cannot be opened for writing"),
    ("log_file", 0, TypeError, "expected a path or None, not an int"),
    ("log_file", "a\0b", ValueError, NO_TEXT),
    ("num_threads", 0, ValueError, "0 is not a number of threads"),
    ("num_threads", 1 << 31, ValueError, "is not a number of threads"),
    ("num_threads", True, ValueError, "True is not a number"),
    ("num_threads", "2", ValueError, "'2' is not a number"),
    ("on_build", "tqdm", TypeError, "'tqdm' cannot be called"),
    ("profile", "/proc/nope", ValueError, "cannot be written"),
    ("profile", False, TypeError, "expected a path or None, not a bool"),
    ("progress", "maybe", ValueError, "'maybe' is none of auto, 0, 1"),
)


@pytest.mark.parametrize(("field", "value", "kind", "text"), REFUSED)
def test_what_a_field_does_not_take_is_refused_when_it_is_set(
    field: str, value: object, kind: type[Exception], text: str
) -> None:
    before = getattr(xp.config, field)
    with pytest.raises(kind, match=f"(?s){field}.*{text}"):
        setattr(xp.config, field, value)
    assert getattr(xp.config, field) == before


# What keeps a value is another than the usual one, which a field might fall back to.
UNUSUAL: dict[str, tuple[Any, Any]] = {
    "backends": ("cpu", "cpu,foo"),
    "blas": ("builtin", "fast"),
    "cache": ("ro", "rw"),
    "cache_size": ("7M", "7X"),
    "eager": (True, "no"),
    "implicit_copy": ("warn", "often"),
    "inline": ("1", "2"),
    "num_threads": (3, 0),
    "progress": ("0", "maybe"),
}


@pytest.mark.parametrize("field", UNUSUAL)
def test_a_refusal_keeps_what_was_set_before(field: str) -> None:
    good, wrong = UNUSUAL[field]
    setattr(xp.config, field, good)
    with pytest.raises(ValueError, match=field):
        setattr(xp.config, field, wrong)
    assert getattr(xp.config, field) == good


def test_a_refused_folder_keeps_the_one_before_and_makes_none(tmp_path: pathlib.Path) -> None:
    wrong: tuple[Any, ...] = (1, True, b"bytes", 2.5, "a\0b", tmp_path / "file" / "below")
    (tmp_path / "file").touch()
    xp.config.dump = tmp_path / "kernels"
    for value in wrong:
        with pytest.raises((TypeError, ValueError), match=r"config\.dump"):
            xp.config.dump = value
    assert xp.config.dump == str(tmp_path / "kernels")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "kernels"]


def test_every_field_says_its_name_when_it_refuses() -> None:
    fields = {name for name in dir(xp.config) if not name.startswith("_")} - {"no_runtime_setup"}
    assert {field for field, *_ in REFUSED} == fields
    for field in fields:
        before = getattr(xp.config, field)
        for value in (object(), [], 2.5, b"1", "\ud800"):
            with pytest.raises((TypeError, ValueError)) as caught:
                setattr(xp.config, field, value)
            assert field in str(caught.value)
            assert "_set" not in str(caught.value)
        assert getattr(xp.config, field) == before
    with pytest.raises(AttributeError, match="no_runtime_setup"):
        xp.config.no_runtime_setup = True  # type: ignore[misc]


@pytest.mark.parametrize("flag", [1, True, np.True_])
def test_eager_takes_one_and_true(flag: Any) -> None:
    xp.config.eager = flag
    assert xp.config.eager is True
    assert not (xp.ones(3) + 1).is_pending
    xp.config.eager = type(flag)(0)
    assert xp.config.eager is False
    assert (xp.ones(3) + 1).is_pending


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("backends", "cpu", "cpu"),
        ("blas", "builtin", "builtin"),
        ("cache", "ro", "ro"),
        ("cache_size", "7M", "7M"),
        pytest.param("device", "null:1", "null:1", marks=null),
        ("eager", "1", True),
        ("implicit_copy", "warn", "warn"),
        ("inline", "1", "1"),
        ("num_threads", "977", 977),
        ("no_runtime_setup", "1", True),
        ("progress", "0", "0"),
    ],
)
def test_a_field_starts_from_its_variable(field: str, value: str, found: object) -> None:
    text = f"import isthmus as xp; print(repr(xp.config.{field}))"
    assert run(text, **{f"ISTHMUS_{field.upper()}": value}) == (f"{found!r}\n", "")
    assert run(text) != (f"{found!r}\n", ""), "it would be so without the variable"


def test_there_are_as_many_threads_as_processors_for_them() -> None:
    text = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    text += "import isthmus as xp; print(xp.config.num_threads)"
    assert run(text) == ("1\n", "")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ISTHMUS_BACKENDS", "cpu,foo", "'foo' in 'cpu,foo' is not a backend"),
        ("ISTHMUS_CACHE_DIR", "/proc/nope", "'/proc/nope' cannot be created"),
        ("ISTHMUS_DUMP", "/proc/nope", "'/proc/nope' cannot be created"),
        ("ISTHMUS_CACHE_SIZE", "9" * 30, "is not a number of bytes"),
    ],
)
def test_a_variable_that_its_field_would_refuse_is_told_of(
    name: str, value: str, said: str
) -> None:
    out, err = run("import isthmus as xp; print((xp.ones(3) + 1).tolist())", **{name: value})
    assert out == "[2.0, 2.0, 2.0]\n"
    assert err.startswith(f"{name}: ")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_device_that_is_not_there_does_not_keep_config_from_being_shown() -> None:
    out, _ = run("import isthmus as xp; print(xp.config)", ISTHMUS_DEVICE="abacus")
    assert "eager=False" in out
    assert "device=<ISTHMUS_DEVICE: device 'abacus'" in out
