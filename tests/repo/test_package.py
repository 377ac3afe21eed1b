"""What a C++ program gets from an installation: versions, places, and refusals with reasons."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import pytest

import isthmus
from isthmus import _isthmus

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(_isthmus.__file__).parents[2]
VERSION = [int(part) for part in isthmus.__version__.split(".")]
ABI = f"0.{VERSION[1]}" if VERSION[0] == 0 else str(VERSION[0])


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """An installation that was moved."""
    if not (BUILD / "cmake_install.cmake").is_file():
        pytest.skip(f"{BUILD} is no build folder")
    folder = tmp_path_factory.mktemp("package")
    command = ["cmake", "--install", str(BUILD), "--prefix", str(folder / "first")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (folder / "first").rename(folder / "moved")


def dynamic(file: pathlib.Path, tag: str) -> list[str]:
    """The values of one tag of a library's dynamic section."""
    if shutil.which("readelf") is None:
        pytest.skip("there is no readelf")
    text = subprocess.check_output(["readelf", "-dW", file], text=True)
    return re.findall(rf"\({tag}\)[^\[]*\[([^\]]*)\]", text)


def test_the_library_is_named_by_its_abi(prefix: pathlib.Path) -> None:
    library = prefix / "lib/libisthmus.so"
    assert dynamic(library, "SONAME") == [f"libisthmus.so.{ABI}"]
    assert library.resolve().name == f"libisthmus.so.{isthmus.__version__}"
    for module in (prefix / "lib/isthmus/backends").glob("*.so"):
        assert f"libisthmus.so.{ABI}" in dynamic(module, "NEEDED"), module


def test_libraries_look_for_others_beside_themselves_only(prefix: pathlib.Path) -> None:
    libraries = [*prefix.glob("lib/libisthmus.so"), *prefix.glob("lib/isthmus/backends/*.so")]
    assert len(libraries) >= 2
    for file in libraries:
        for path in dynamic(file, "RUNPATH") + dynamic(file, "RPATH"):
            assert all(part.startswith("$ORIGIN") for part in path.split(":")), (file, path)
    if "libtbb.so.12" in dynamic(libraries[0], "NEEDED"):
        from_system = ["/lib", "/usr/lib"]
        found = subprocess.check_output(["ldd", libraries[0]], text=True, env={})
        place = next(line for line in found.splitlines() if "libtbb" in line).split("=> ")[1]
        assert place.startswith((str(prefix), *from_system)), place


def test_no_file_names_the_build_tree(prefix: pathlib.Path) -> None:
    places = [str(place).encode() for place in (BUILD, prefix.parent / "first")]
    named = [
        str(file)
        for file in prefix.rglob("*")
        if file.is_file() and any(place in file.read_bytes() for place in places)
    ]
    assert named == []


# Before 1.0 each minor version may break programs; a patch does not.
REQUESTS = [
    ("", True),
    (isthmus.__version__, True),
    (f"{VERSION[0]}.{VERSION[1]}", True),
    (f"{VERSION[0]}.{VERSION[1]}.{VERSION[2] + 1}", False),
    (f"{VERSION[0]}.{VERSION[1] + 1}", False),
    (f"{VERSION[0] + 1}.0", False),
    (f"{isthmus.__version__} EXACT", True),
    (f"{VERSION[0]}.{VERSION[1]}...<{VERSION[0]}.{VERSION[1] + 1}", True),
    (f"{VERSION[0]}.{VERSION[1] + 1}...<{VERSION[0] + 1}", False),
]
if VERSION[0] == 0 and VERSION[1] > 0:
    REQUESTS.append((f"0.{VERSION[1] - 1}", False))


@pytest.mark.parametrize(("wanted", "fits"), REQUESTS)
def test_find_package_takes_versions_by_semver(
    prefix: pathlib.Path, tmp_path: pathlib.Path, wanted: str, fits: bool
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(consumer LANGUAGES NONE)\n"
        f"find_package(Isthmus {wanted} CONFIG)\n"
        'message(STATUS "found=${Isthmus_FOUND} version=${Isthmus_VERSION}")\n'
    )
    command = ["cmake", "-S", ".", "-B", "b", f"-DCMAKE_PREFIX_PATH={prefix}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (f"found=1 version={isthmus.__version__}" in done.stdout) == fits, done.stdout


@pytest.mark.parametrize(
    ("version", "abi", "rule"),
    [
        ("0.1.0", "0.1", "SameMinorVersion"),
        ("0.12.3", "0.12", "SameMinorVersion"),
        ("1.0.0", "1", "SameMajorVersion"),
        ("12.3.4", "12", "SameMajorVersion"),
    ],
)
def test_the_abi_follows_from_the_version(
    tmp_path: pathlib.Path, version: str, abi: str, rule: str
) -> None:
    for folder in ("cmake", "isthmus"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "cmake/IsthmusVersion.cmake", tmp_path / "cmake")
    text = (ROOT / "isthmus/version.h").read_text()
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), version.split("."), strict=True):
        text = re.sub(rf"(?m)^(#define ISTHMUS_VERSION_{name}) \d+$", rf"\1 {number}", text)
    (tmp_path / "isthmus/version.h").write_text(text)
    script = tmp_path / "script.cmake"
    script.write_text(
        "include(cmake/IsthmusVersion.cmake)\n"
        'message("${ISTHMUS_VERSION} ${ISTHMUS_ABI} ${ISTHMUS_COMPATIBILITY}")\n'
    )
    command = ["cmake", "-P", str(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr.strip() == f"{version} {abi} {rule}"


def test_pkg_config_knows_the_version_and_the_places(prefix: pathlib.Path) -> None:
    if shutil.which("pkg-config") is None:
        pytest.skip("there is no pkg-config")

    def ask(*arguments: str) -> str:
        return subprocess.check_output(
            ["pkg-config", *arguments],
            env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")},
            text=True,
        ).strip()

    assert ask("--modversion", "isthmus") == isthmus.__version__
    assert ask("--exists", "--print-errors", f"isthmus >= {VERSION[0]}.{VERSION[1]}") == ""
    for name, folder in (("prefix", "."), ("libdir", "lib"), ("includedir", "include")):
        place = pathlib.Path(ask(f"--variable={name}", "isthmus"))
        assert place.resolve() == (prefix / folder).resolve()
    flags = ask("--static", "--cflags", "--libs", "isthmus").split()
    assert "-listhmus" in flags
    assert not [flag for flag in flags if "tbb" in flag]


REFUSED = [
    ("-std=c++17", "compile with -std=c++20 or later"),
    ("-D_GLIBCXX_DEBUG", "compile with -D_GLIBCXX_ASSERTIONS in its place"),
    ("-DISTHMUS_GLIBCXX_DEBUG", "compile with it too"),  # as of a library compiled so
    ("-D_GLIBCXX_USE_CXX11_ABI=0", "compile without -D_GLIBCXX_USE_CXX11_ABI=0"),
]


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("header", ["isthmus.h", "array/array.h", "version.h"])
@pytest.mark.parametrize(("flag", "reason"), REFUSED)
def test_flags_that_change_the_abi_are_refused(
    prefix: pathlib.Path, compiler: str, header: str, flag: str, reason: str
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    command = [compiler, "-std=c++20", flag, f"-I{prefix}/include", "-fsyntax-only"]
    done = subprocess.run(
        [*command, "-fmax-errors=1" if compiler == "g++" else "-ferror-limit=1", "-xc++", "-"],
        input=f"#include <isthmus/{header}>\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert reason in done.stderr, done.stderr[:2000]


@pytest.mark.parametrize("flag", ["-std=c++20", "-std=c++23", "-D_GLIBCXX_ASSERTIONS"])
def test_flags_that_do_not_are_taken(
    prefix: pathlib.Path, tmp_path: pathlib.Path, flag: str
) -> None:
    (tmp_path / "main.cpp").write_text(
        "#include <isthmus/version.h>\n"
        "static_assert(ISTHMUS_VERSION == "
        f"{VERSION[0] * 10000 + VERSION[1] * 100 + VERSION[2]});\n"
        "int main() { return isthmus::version() != ISTHMUS_VERSION_STRING; }\n"
    )
    library = prefix / "lib"
    command = ["g++", "-std=c++20", flag, "main.cpp", "-o", "main", f"-I{prefix / 'include'}"]
    subprocess.run([*command, f"-L{library}", "-listhmus"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True, env={"LD_LIBRARY_PATH": str(library)})
