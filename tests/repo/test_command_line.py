"""python -m isthmus says what is there, and where."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import isthmus
from isthmus import _demo

ROOT = pathlib.Path(__file__).parents[2]


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


def test_doctor_finds_a_default_device_that_is_not_there() -> None:
    done = run("doctor", ISTHMUS_DEVICE="abacus")
    assert done.returncode == 1
    assert "FAIL  default device: ISTHMUS_DEVICE: device 'abacus'" in done.stdout
    done = run(ISTHMUS_DEVICE="abacus")
    assert done.returncode == 1
    assert done.stderr.startswith("isthmus: ISTHMUS_DEVICE: device 'abacus'")


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


def test_version_is_printed_alone() -> None:
    assert run("--version").stdout == f"isthmus {isthmus.__version__}\n"


def test_a_command_that_is_not_there_is_refused_with_those_that_are() -> None:
    done = run("nonsense")
    assert done.returncode == 2
    assert "argument command: invalid choice: 'nonsense'" in done.stderr
    assert "'demo'" in done.stderr


def test_flags_for_build_scripts_name_folders_that_are_there() -> None:
    include = run("--cflags").stdout.strip().removeprefix("-I")
    assert (pathlib.Path(include) / "isthmus/isthmus.h").is_file()
    folder = run("--libs").stdout.split()[0].removeprefix("-L")
    assert (pathlib.Path(folder) / "libisthmus.so").is_file()
    package = pathlib.Path(run("--cmake-dir").stdout.strip())
    assert (package / "isthmus-config.cmake").is_file()
    package = pathlib.Path(run("--pkgconfig-dir").stdout.strip())
    assert (package / "isthmus.pc").is_file()
    assert pathlib.Path(run("--runtime-dir").stdout.strip()).is_dir()


@pytest.mark.parametrize("finder", ["cmake", "pkg-config"])
def test_a_cpp_program_finds_the_package(finder: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "main.cpp").write_text(
        "#include <isthmus/isthmus.h>\n"
        "int main() {\n"
        "  const std::int64_t shape[] = {2};\n"
        "  const auto one = isthmus::Scalar::of(1.0);\n"
        "  return isthmus::full(shape, one, isthmus::TypeId::float32).ndim() - 1;\n"
        "}\n"
    )
    if finder == "cmake":
        (tmp_path / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(consumer LANGUAGES CXX)\n"
            "find_package(Isthmus REQUIRED)\nadd_executable(main main.cpp)\n"
            "target_link_libraries(main PRIVATE isthmus::isthmus)\n"
        )
        prefix = run("--cmake-dir").stdout.strip()
        commands = [
            ["cmake", "-S", ".", "-B", ".", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"],
            ["cmake", "--build", "."],
        ]
    else:
        if shutil.which("pkg-config") is None:
            pytest.skip("there is no pkg-config")
        flags = subprocess.check_output(
            ["pkg-config", "--cflags", "--libs", "isthmus"],
            env={**os.environ, "PKG_CONFIG_PATH": run("--pkgconfig-dir").stdout.strip()},
            text=True,
        )
        commands = [["c++", "-std=c++20", "main.cpp", "-o", "main", *flags.split()]]
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.run([tmp_path / "main"]).returncode == 0


def test_doctor_does_not_install_what_was_left_out() -> None:
    out = run("doctor", ISTHMUS_BACKENDS="cpu").stdout
    assert "left out by ISTHMUS_BACKENDS" in out
    assert "pip install" not in out


def test_demo_shows_one_kernel_on_each_device() -> None:
    done = run("demo", ISTHMUS_BACKENDS="cpu", ISTHMUS_EAGER="0")
    assert done.returncode == 0, done.stderr
    assert "one kernel of " in done.stdout
    assert "cpu" in done.stdout


def test_bench_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    _demo.bench(sizes=(10, 1000))
    head, names, *rows = capsys.readouterr().out.splitlines()
    assert "microseconds" in head
    assert "NumPy" in names
    assert [row.split()[0] for row in rows] == ["10", "1000"]


def test_the_command_of_a_checkout_runs(tmp_path: pathlib.Path) -> None:
    spec = importlib.util.spec_from_file_location("link_build", ROOT / "tools/link_build.py")
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    script = tool.write_command(tmp_path)
    done = subprocess.run([script, "--version"], capture_output=True, text=True)
    assert done.stdout == f"isthmus {isthmus.__version__}\n", done.stderr


COMMANDS = (
    *((), ("-v",), ("--json",), ("doctor",), ("report",), ("demo",)),
    *(("cache", "info"), ("cache", "clear"), ("--version",), ("--help",), ("cache", "--help")),
    *(("--cflags",), ("--libs",), ("--runtime-dir",), ("--include-dir",), ("--cmake-dir",)),
)


@pytest.mark.parametrize("is_buffered", [True, False], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_whose_reader_has_gone_ends_quietly(
    arguments: tuple[str, ...], is_buffered: bool, tmp_path: pathlib.Path
) -> None:
    read, write = os.pipe()
    os.close(read)
    settings = {"ISTHMUS_BACKENDS": "cpu", "ISTHMUS_CACHE_DIR": str(tmp_path / "cache")}
    settings["PYTHONUNBUFFERED"] = "" if is_buffered else "1"
    done = subprocess.run(
        [sys.executable, "-m", "isthmus", *arguments],
        env={**os.environ, **settings},
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_report_of_which_one_line_is_read_ends_quietly() -> None:
    command = f"'{sys.executable}' -u -m isthmus report | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("```\n0\n", "")


def test_a_refusal_is_told_though_nobody_reads_the_output() -> None:
    command = f"'{sys.executable}' -m isthmus nonsense >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 2
    assert "invalid choice: 'nonsense'" in done.stderr
    assert "Traceback" not in done.stderr
    command = command.replace("nonsense", "report")
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
