"""Records of the core as records of Python's logging: loggers "isthmus.jit", ".mem" and so on.

The core says nothing below the levels of ISTHMUS_LOG (``isthmus.config.log``) and those that were
set on these loggers or on "isthmus", whichever let through more; what it says is handed over when
Python runs next, with the time and the thread of when it was said.
"""

from __future__ import annotations

import atexit
import logging
import sys
import threading
import warnings
from typing import ClassVar

from isthmus import _isthmus
from isthmus._warnings import CompilerWarning

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_ORDER = (*_LEVELS, "off")
_CHANNELS = ("jit", "mem", "exchange", "runtime")
_parent = logging.getLogger("isthmus")


class _Logger(logging.Logger):
    """A logger of this package: to set its level is enough for the core to speak."""

    def setLevel(self, level: int | str) -> None:  # logging's own spelling
        """As in logging; the core says as much, on the standard error if there is no handler."""
        super().setLevel(level)
        _speak()


class _LastResort(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to the standard error while the program has set up no logging of its own."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        has_other = logging.root.handlers or _parent.handlers != [self]
        if not has_other:
            self.stream = sys.stderr  # as it is now
            super().emit(record)


class _Asked:
    """What config.log or ISTHMUS_LOG wants of each channel, whatever the loggers take."""

    levels: ClassVar[dict[str, str]] = {}

    @classmethod
    def read(cls) -> None:
        """From what the core says now."""
        cls.levels = dict(word.split("=") for word in _isthmus._log_levels().split(","))


def _level_of_loggers(channel: str) -> str:
    """What was set on the channel's logger or on "isthmus"; the root's is for all libraries."""
    least = logging.getLogger(f"isthmus.{channel}").level or _parent.level
    levels = (name for name, number in _LEVELS.items() if number >= least)
    return next(levels, "off") if least else "off"


def _spoken() -> dict[str, str]:
    """What was asked for and what the loggers take."""
    return {c: min(_Asked.levels[c], _level_of_loggers(c), key=_ORDER.index) for c in _CHANNELS}


def _speak() -> None:
    """Has the core say what was asked for and what the loggers take."""
    levels = _spoken()
    _isthmus._set_log_levels(",".join(f"{name}={level}" for name, level in levels.items()))
    is_silent = set(levels.values()) == {"off"} or _isthmus._variable("ISTHMUS_LOG_FILE")
    if not is_silent and not _parent.handlers:
        _parent.addHandler(_LastResort())


def set_levels(text: str) -> None:
    """For config.log. Raises: ValueError for what is no level or channel."""
    _isthmus._set_log_levels(text)
    _Asked.read()
    _speak()


def deliver(channel: str, level: str, text: str, seconds: float, thread: int, lost: int) -> None:
    """Hands one record to its logger; `lost` others before it found no room."""
    logger = logging.getLogger(f"isthmus.{channel}")
    number = _LEVELS[level]
    if channel == "jit" and text.startswith("compiler of "):
        warnings.warn(text, CompilerWarning, stacklevel=2)
        if _ORDER.index(level) < _ORDER.index(_spoken()[channel]):
            return  # the core says it whatever the levels are; once is enough
    is_asked = _ORDER.index(level) >= _ORDER.index(_Asked.levels[channel])
    if not is_asked and not logger.isEnabledFor(number):
        return
    if lost:
        text = f"{text} ({lost} records before this one were lost)"
    record = logger.makeRecord(logger.name, number, "isthmus", 0, text, (), None)
    record.relativeCreated += (seconds - record.created) * 1000
    record.created, record.thread = seconds, thread
    record.msecs = float(int(seconds % 1 * 1000))  # what stands behind the second in texts
    names = (t.name for t in threading.enumerate() if t.ident == thread)
    record.threadName = next(names, "a thread of C++")
    logger.handle(record)


def install() -> None:
    """Connects the two; called once, at import."""
    _Asked.read()
    for logger in (_parent, *(logging.getLogger(f"isthmus.{name}") for name in _CHANNELS)):
        if type(logger) is logging.Logger:  # else a program has loggers of a class of its own
            logger.__class__ = _Logger
    _speak()
    _isthmus._forward_log(deliver)
    atexit.register(_isthmus._drain_log)
