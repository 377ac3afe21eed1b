"""Programs of their own process, since settings are read when isthmus is imported."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import textwrap

# From Python 3.12 on, a fork of a process with threads is warned of.
FORKS = "ignore:This process:DeprecationWarning"


def run(text: str, **environment: str) -> tuple[str, str]:
    """What a script printed on standard output and as errors, under these settings alone; the test
    backend can be opened."""
    settings = {"ISTHMUS_TEST_BACKENDS": "1"} | environment
    done = subprocess.run(
        [sys.executable, "-W", FORKS, "-X", "faulthandler", "-c", textwrap.dedent(text)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=pathlib.Path(__file__).parents[1],  # so that `tests` can be imported
        env={k: v for k, v in os.environ.items() if not k.startswith("ISTHMUS_")} | settings,
    )
    assert done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout, done.stderr
