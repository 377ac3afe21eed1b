"""python -m isthmus says what is there, and where."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import isthmus


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "isthmus", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def test_table_names_the_cpu_and_libraries_that_are_missing() -> None:
    done = run()
    assert done.returncode == 0, done.stderr
    assert "cpu, the default" in done.stdout
    assert "numpy" in done.stdout
    absent = [line for line in done.stdout.splitlines() if line.endswith("not installed")]
    assert absent or "cupy" in done.stdout


def test_json_holds_what_devices_say() -> None:
    known = json.loads(run("--json").stdout)
    assert known["isthmus"] == isthmus.__version__
    assert known["devices"]["cpu"] == json.loads(json.dumps(isthmus.Device("cpu").info))


def test_backend_that_is_left_out_is_listed_with_the_reason() -> None:
    missing = json.loads(run("--json", ISTHMUS_BACKENDS="cpu").stdout)["missing"]
    assert missing
    for name, reason in missing.items():
        assert reason == f"backend '{name}': left out by ISTHMUS_BACKENDS"


def test_doctor_finds_an_installation_that_works() -> None:
    done = run("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS  device cpu" in done.stdout


def test_doctor_warns_of_a_setting_that_nobody_reads() -> None:
    done = run("doctor", ISTHMUS_EGAER="1")
    assert "WARN  settings: not read: ISTHMUS_EGAER" in done.stdout


def test_report_is_a_block_to_paste() -> None:
    lines = run("report").stdout.splitlines()
    assert lines[0] == lines[-1] == "```"


def test_cache_is_shown_and_cleared(tmp_path: pathlib.Path) -> None:
    folder = str(tmp_path / "cache")
    for action in ("info", "clear"):
        done = run("cache", action, ISTHMUS_CACHE_DIR=folder)
        assert done.returncode == 0, done.stderr
        assert folder in done.stdout


def test_switched_off_cache_says_so() -> None:
    assert "off" in run("cache", "info", ISTHMUS_CACHE="0").stdout


@pytest.mark.parametrize("flag", ["--cmake-dir", "--include-dir", "--lib-dir"])
def test_folder_is_printed_alone_or_refused_with_the_reason(flag: str) -> None:
    done = run(flag)
    if done.returncode == 0:
        assert pathlib.Path(done.stdout.strip()).is_dir()
    else:
        assert "cmake --install" in done.stderr
        assert done.stdout == ""
