"""Records of the core as records of Python's logging: loggers "isthmus.jit", ".mem" and so on.

The core says nothing below the levels of ISTHMUS_LOG (``isthmus.config.log``); what it says is
handed over when Python runs next, with the time and the thread of when it was said.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading

from isthmus import _isthmus

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_parent = logging.getLogger("isthmus")


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


def deliver(channel: str, level: str, text: str, seconds: float, thread: int, lost: int) -> None:
    """Hands one record to its logger; `lost` others before it found no room."""
    logger = logging.getLogger(f"isthmus.{channel}")
    number = _LEVELS[level]
    if not logger.isEnabledFor(number):
        return
    if lost:
        text = f"{text} ({lost} records before this one were lost)"
    record = logger.makeRecord(logger.name, number, "isthmus", 0, text, (), None)
    record.msecs += (seconds - record.created) * 1000
    record.created, record.thread = seconds, thread
    names = (t.name for t in threading.enumerate() if t.ident == thread)
    record.threadName = next(names, "a thread of C++")
    logger.handle(record)


def install() -> None:
    """Connects the two; called once, at import."""
    wanted = os.environ.get("ISTHMUS_LOG")
    if wanted:  # the core lets through what was asked for, and Python shall not take it away
        _parent.setLevel(logging.DEBUG)
        if not os.environ.get("ISTHMUS_LOG_FILE"):
            _parent.addHandler(_LastResort())
    _isthmus._forward_log(deliver)
    atexit.register(_isthmus._drain_log)
