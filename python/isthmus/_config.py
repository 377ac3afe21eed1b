"""isthmus.config: the settings of a process; each starts from its variable ISTHMUS_*."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import numpy as np

from isthmus import _host_copies, _isthmus, _logging


def _one_of(*words: str) -> Callable[[str], str]:
    def problem(value: str) -> str:
        return "" if value in words else f"is none of {', '.join(words)}"

    return problem


def _size(value: str) -> str:
    is_size = re.fullmatch(r"[0-9]+[KMG]?", value) and int(value.rstrip("KMG")) < 1 << 64
    return "" if is_size else "is not a number of bytes, optionally followed by K, M or G"


def _backends(value: str) -> str:
    words = [word.strip() for word in value.split(",")]
    unknown = [word for word in words if not _isthmus._has_backend(word)]
    known = ", ".join(_isthmus._backend_names())
    return f"names a backend that this package does not have; it has {known}" if unknown else ""


def _folder(value: str) -> str:
    """Makes it, so that what cannot be is said now and not when it is first needed."""
    try:
        os.makedirs(value, mode=0o700, exist_ok=True)
    except OSError as error:
        return f"cannot be created: {error.strerror}; use a folder of your own"
    return "" if os.access(value, os.W_OK) else "cannot be written to; use a folder of your own"


def _text(field: str, value: object, takes: str) -> str:
    """Raises: TypeError for what is no text, ValueError for text that the core cannot hold."""
    plain = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(plain, str):
        raise TypeError(f"config.{field}: expected {takes}, not {_isthmus._found_as(value)}")
    if re.search("[\0\ud800-\udfff]", plain):
        raise ValueError(
            f"config.{field}: {plain!r} contains a NUL, or characters that UTF-8 cannot encode"
        )
    return plain


def _file(field: str, value: object) -> str:
    return "" if value is None else _text(field, value, "a path or None")


class _Variable:
    """A field that the core reads, as text, each time it needs it."""

    def __init__(self, usual: str, problem: Callable[[str], str], text: str) -> None:
        self.usual, self.problem, self.__doc__ = usual, problem, text
        self.takes = "a str, an int or None" if usual else "a str, a path or None"
        self.is_word = usual != ""  # one of few, of which the core takes the usual one for others

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.variable = name, f"ISTHMUS_{name.upper()}"

    def __get__(self, config: object, owner: type | None = None) -> str:
        value = _isthmus._variable(self.variable)
        return self.usual if not value or (self.is_word and self.problem(value)) else value

    def __set__(self, config: object, value: str | os.PathLike[str] | int | None) -> None:
        # True and False are what 1 and 0 mean
        plain = str(int(value)) if self.is_word and isinstance(value, int) else value
        text = "" if plain is None else _text(self.name, plain, self.takes)
        problem = self.problem(text) if text else ""
        if problem:
            raise ValueError(f"config.{self.name}: {value!r} {problem}")
        _isthmus._set_variable(self.variable, text)


class Config:
    """Settings of the process; each starts from its environment variable ISTHMUS_*.

    Raises: ValueError for a value that a field does not accept.
    """

    __slots__ = ("_on_build",)
    __module__ = "isthmus"

    backends = _Variable(
        "",
        _backends,
        """Which backends may be loaded: "cpu,opencl"; empty: all (ISTHMUS_BACKENDS). cpu is always
        allowed, and loaded backends stay loaded.
        """,
    )
    cache = _Variable(
        "1",
        _one_of("0", "1", "ro"),
        """Whether kernels are kept on disk: "0", "1", or "ro" for read-only (ISTHMUS_CACHE).""",
    )
    cache_dir = _Variable(
        "",
        _folder,
        """The folder of kernels (ISTHMUS_CACHE_DIR); empty: isthmus/ in the user's cache folder.
        Each version of the library has its own folder in it; see isthmus.cache.info().
        """,
    )
    cache_size = _Variable(
        "256M",
        _size,
        """Bytes that kernels on disk may use, such as "64M"; the oldest are removed first
        (ISTHMUS_CACHE_SIZE).
        """,
    )
    dump = _Variable(
        "",
        _folder,
        """A folder for the source and the binary of each kernel that is built or loaded from now on
        (ISTHMUS_DUMP); empty: none. The host's own programs have no source.
        """,
    )
    progress = _Variable(
        "auto",
        _one_of("auto", "0", "1"),
        """Whether a line on the standard error reports builds that take over a second: "1", "0", or
        "auto": if that is a terminal (ISTHMUS_PROGRESS).
        """,
    )

    def __init__(self) -> None:
        self._on_build: Callable[[int, int, str], object] | None = None

    @property
    def blas(self) -> str:
        """The library for matrix products in memory that the host can access: "auto", "openblas",
        "builtin" (none), or the path of a BLAS (ISTHMUS_BLAS). devices(verbose=True) names the one
        in use.
        """
        return _isthmus._blas_setting()

    @blas.setter
    def blas(self, value: str | os.PathLike[str]) -> None:
        _isthmus._set_blas(_text("blas", value, "a str or a path"))

    @property
    def device(self) -> str:
        """The device of new arrays (ISTHMUS_DEVICE); see set_default_device."""
        return str(_isthmus._default_device())

    @device.setter
    def device(self, value: _isthmus.Device | str) -> None:
        is_device = isinstance(value, _isthmus.Device)
        _isthmus._set_default_device(
            value if is_device else _text("device", value, "a Device or str")
        )

    @property
    def eager(self) -> bool:
        """Whether operations run as soon as they are called (ISTHMUS_EAGER)."""
        return _isthmus._eager()

    @eager.setter
    def eager(self, value: bool) -> None:
        is_flag = isinstance(value, int | np.bool_) and value in (False, True)  # 0 and 1 are
        if not is_flag:
            raise ValueError(f"config.eager: {value!r} is none of True, False, 1, 0")
        _isthmus._set_eager(bool(value))

    @property
    def implicit_copy(self) -> str:
        """What numpy.asarray(x) does if the host cannot access x: "error", "warn" or "allow"
        (ISTHMUS_IMPLICIT_COPY); see implicit_host_copy.
        """
        return _host_copies.policy()

    @implicit_copy.setter
    def implicit_copy(self, value: str) -> None:
        _host_copies.set_policy(value)

    @property
    def inline(self) -> str:
        """Where work on memory that the host can access runs: "0" (on the device), "1" (on the
        host) or "auto" (ISTHMUS_INLINE).
        """
        return _isthmus._inline()

    @inline.setter
    def inline(self, value: str) -> None:
        plain = str(int(value)) if isinstance(value, int) else value
        _isthmus._set_inline(_text("inline", plain, "a str or an int"))

    @property
    def log(self) -> str:
        """What is logged, by channel: "info,jit=debug" (ISTHMUS_LOG); "off" logs nothing.

        Channels are jit, mem, exchange and runtime; the records go to Python's loggers
        ``isthmus.jit`` and so on, and to the file of ISTHMUS_LOG_FILE. A level that is set on one
        of these loggers, or on ``isthmus``, has the same effect.
        """
        return _isthmus._log_levels()

    @log.setter
    def log(self, value: str) -> None:
        _logging.set_levels(_text("log", value, "a str"))

    @property
    def log_file(self) -> str:
        """A file to which every record is appended (ISTHMUS_LOG_FILE); empty: none."""
        return _isthmus._variable("ISTHMUS_LOG_FILE")

    @log_file.setter
    def log_file(self, value: str | os.PathLike[str] | None) -> None:
        name = _file("log_file", value)
        _isthmus._set_log_file(name)
        _isthmus._set_variable("ISTHMUS_LOG_FILE", name)

    @property
    def no_runtime_setup(self) -> bool:
        """Whether OpenCL loaders are left unchanged (ISTHMUS_NO_RUNTIME_SETUP=1). Otherwise `import
        isthmus` makes them find Intel's wheels. Set the variable before the import; it cannot be
        set here.
        """
        return _isthmus._variable("ISTHMUS_NO_RUNTIME_SETUP") == "1"

    @property
    def num_threads(self) -> int:
        """Threads for host work, the caller's among them (ISTHMUS_NUM_THREADS)."""
        return _isthmus._num_threads()

    @num_threads.setter
    def num_threads(self, value: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 1 << 31:
            raise ValueError(
                f"config.num_threads: {value!r} is not a number of threads; use 1 or more"
            )
        _isthmus._set_num_threads(value)

    @property
    def on_build(self) -> Callable[[int, int, str], object] | None:
        """A function that is called as (done, total, device) when kernel builds start and end, by a
        separate thread, instead of the line of `progress`: for tqdm, rich and the like.
        """
        return self._on_build

    @on_build.setter
    def on_build(self, value: Callable[[int, int, str], object] | None) -> None:
        if value is not None and not callable(value):
            raise TypeError(f"config.on_build: {value!r} cannot be called")
        _isthmus._set_on_build(value)
        self._on_build = value

    @property
    def profile(self) -> str:
        """A file for a trace of all work from now on, or from the start (ISTHMUS_PROFILE); it is
        written at the end of the process, or when this is set again. Empty: none.
        """
        return _isthmus._profile_file()

    @profile.setter
    def profile(self, value: str | os.PathLike[str] | None) -> None:
        _isthmus._set_profile_file(_file("profile", value))

    def __repr__(self) -> str:
        return f"config({', '.join(f'{name}={self._shown(name)}' for name in FIELDS)})"

    def __reduce__(self) -> str:
        return "config"  # the one there is, by its name

    def _shown(self, name: str) -> str:
        try:
            return repr(getattr(self, name))
        except _isthmus.Error as error:  # ISTHMUS_DEVICE names none
            return f"<{error}>"


FIELDS: tuple[str, ...] = tuple(
    name for name, value in vars(Config).items() if isinstance(value, _Variable | property)
)


def variables() -> dict[str, str]:
    """The variables ISTHMUS_* that are set, by name."""
    return {k: v for k, v in sorted(os.environ.items()) if k.startswith("ISTHMUS_")}


def check_environment() -> None:
    """Warns of what is wrong with variables that are read later; called once, at import."""
    if variables():
        _isthmus._check_settings()
    for name in ("ISTHMUS_CACHE_DIR", "ISTHMUS_DUMP"):
        value = os.environ.get(name)
        problem = _folder(value) if value else ""
        if problem:
            _isthmus._warn_of_setting(f"{name}: '{value}' {problem}")


config = Config()
