"""Writes an array of numbers as a grey picture in the format PGM."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def write_if_asked(values: np.ndarray[Any, Any]) -> None:
    """Writes a picture if the command line ends in a name like picture.pgm.

    The smallest value becomes black, the largest white.
    """
    file = sys.argv[-1]
    if not file.endswith(".pgm"):
        return
    low, high = float(values.min()), float(values.max())
    grey = ((values - low) * (255 / max(high - low, 1e-30))).astype(np.uint8)
    with open(file, "wb") as out:
        out.write(f"P5 {grey.shape[1]} {grey.shape[0]} 255\n".encode())
        out.write(grey.tobytes())
    print(f"written: {file}")
