"""ISTHMUS_LOG, ISTHMUS_LOG_FILE and Python's logging."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import isthmus as xp
from tests.programs import run
from tests.ways import DEVICES

null = pytest.mark.skipif("null:1" not in DEVICES, reason="there is no null backend; build it")


@pytest.fixture(autouse=True)
def _levels_stay() -> Iterator[None]:
    before = xp.config.log
    yield
    xp.config.log = before


COPY = """
    import isthmus as xp
    x = xp.asarray([1.0, 2.0])
"""


def test_nothing_is_said_unasked() -> None:
    assert run(COPY) == ("", "")


def test_what_is_asked_for_is_on_the_standard_error() -> None:
    assert "isthmus.exchange INFO: asarray: copy of a list" in run(COPY, ISTHMUS_LOG="info")[1]
    assert run(COPY, ISTHMUS_LOG="info,exchange=error")[1].count("exchange") == 0


def test_a_file_takes_every_record_instead(tmp_path: Path) -> None:
    file = tmp_path / "log"
    out, err = run(COPY, ISTHMUS_LOG="debug", ISTHMUS_LOG_FILE=str(file))
    assert (out, err) == ("", "")
    assert "isthmus.exchange info: asarray: copy of a list, 16 bytes\n" in (file.read_text())


def test_a_mistake_in_the_variable_is_a_record_and_not_an_error() -> None:
    _, err = run("import isthmus", ISTHMUS_LOG="loud")
    assert "isthmus.runtime warning: ISTHMUS_LOG: log: 'loud' in 'loud' is neither" in err


@pytest.mark.parametrize("log", ["jit=off", "jit=warning"])
def test_what_a_compiler_says_is_a_warning_and_a_record_if_asked_for(log: str) -> None:
    if "opencl:0" not in map(str, xp.devices()):
        pytest.skip("users' texts take a compiler")
    text = """
        import isthmus as xp
        text = "__kernel void f(__global uchar* x) { x[0] = x[0] + x[1] >> 1; }"
        xp.RawKernel(text, "f")((1,), (1,), (xp.zeros(4, dtype="uint8", device="opencl:0"),))
    """
    lines = run(text, ISTHMUS_LOG=log, ISTHMUS_CACHE="0")[1].splitlines()
    assert sum("CompilerWarning: compiler of opencl:0" in line for line in lines) == 1
    records = 0 if log == "jit=off" else 1
    assert sum("compiler of opencl:0" in line for line in lines) == 1 + records


@pytest.mark.parametrize("logger", ["isthmus", "isthmus.exchange"])
def test_a_level_of_a_logger_alone_is_enough(logger: str) -> None:
    text = f"""
        import logging
        import isthmus as xp
        logging.getLogger({logger!r}).setLevel("DEBUG")
        xp.asarray([1.0, 2.0])
        logging.getLogger({logger!r}).setLevel("NOTSET")
        xp.asarray([1.0, 2.0])
        assert xp.config.log == "jit=off,mem=off,exchange=off,runtime=off"
    """
    out, err = run(text)
    assert out == ""
    assert err.count("isthmus.exchange INFO: asarray: copy of a list") == 1


def test_the_more_talkative_of_setting_and_logger_holds() -> None:
    text = """
        import logging, sys
        logging.basicConfig(stream=sys.stdout, format="%(name)s %(levelname)s")
        import isthmus as xp
        xp.config.log = "exchange=info"
        logging.getLogger("isthmus").setLevel("WARNING")
        xp.asarray([1.0, 2.0])
        print(xp.config.log)
    """
    assert run(text)[0].splitlines() == [
        "isthmus.exchange INFO",
        "jit=warning,mem=warning,exchange=info,runtime=warning",
    ]


def test_a_program_that_sets_up_logging_has_each_record_once() -> None:
    text = """
        import logging, sys
        logging.basicConfig(stream=sys.stdout, format="%(name)s %(levelname)s")
        import isthmus as xp
        x = xp.asarray([1.0, 2.0])
    """
    out, err = run(text, ISTHMUS_LOG="exchange=info")
    assert (out, err) == ("isthmus.exchange INFO\n", "")


def test_records_have_time_and_thread_of_when_they_were_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    xp.config.log = "exchange=info"
    caplog.set_level(logging.INFO, "isthmus")
    begin = time.time()
    thread = threading.Thread(target=lambda: xp.asarray([1, 2, 3]), name="the one that copies")
    thread.start()
    thread.join()
    end = time.time()
    xp.asarray(np.zeros(1))  # a call at the border hands over what waits
    (record,) = (r for r in caplog.records if r.name == "isthmus.exchange")
    assert begin <= record.created <= end
    assert record.msecs == int(record.created % 1 * 1000)
    assert record.thread == thread.ident
    assert "list" in record.getMessage()


def test_levels_are_a_setting_and_a_wrong_one_is_refused() -> None:
    xp.config.log = "warning,mem=debug"
    assert xp.config.log == "jit=warning,mem=debug,exchange=warning,runtime=warning"
    with pytest.raises(ValueError, match="'loud'"):
        xp.config.log = "loud"


@null
def test_a_handler_may_call_the_library_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    text = """
        import logging, sys
        import isthmus as xp
        xp.config.log = "debug"
        seen = []
        class Handler(logging.Handler):
            def emit(self, record):
                seen.append(record.getMessage())
                if len(seen) < 20:  # more records come of this
                    float(xp.sum(xp.asarray([1.0, 2.0], device="null:2")).item())
                if len(seen) == 5:
                    raise RuntimeError("a bad handler")
        logging.getLogger("isthmus").addHandler(Handler())
        logging.getLogger("isthmus").setLevel(logging.DEBUG)
        sys.unraisablehook = lambda it: print(it.exc_value)
        for _ in range(10):
            x = xp.asarray([1.0, 2.0], device="null:2") + 1
            assert float(xp.sum(x).item()) == 5
        xp.config.log = "off"
        assert any("built" in text or "loaded" in text for text in seen), seen
        assert any("from the driver" in text for text in seen), seen
        del x  # logging keeps the handler alive, and it this module
    """
    assert run(text) == ("a bad handler\n", "")
