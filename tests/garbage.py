"""Collections of garbage that take little time, however many modules and tests there are."""

from __future__ import annotations

import gc


def keep_what_is_there() -> None:
    """Collections from here on leave alone what is alive now: to walk through jax, numba and all
    tests takes 80 ms, and many tests collect garbage again and again. It is never collected."""
    gc.collect()
    gc.freeze()
