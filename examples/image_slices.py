"""An image as an array: crop, mirror, blur by shifted slices, mix channels; written by Pillow.

    python examples/image_slices.py [--device cpu] [--out FILE]

The photograph comes from scikit-image as NumPy's uint8, and Isthmus works on those bytes. The same
function runs on NumPy, which the result is checked against. Pillow reads the finished pixels where
Isthmus has them: a pixel that is changed afterwards is changed in the picture, too.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from skimage import data

import isthmus as xp

WEIGHTS = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
# Rows are the new red, green and blue, columns what they take of the old: sepia.
MIX = ((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131))


def blur(x: Any) -> Any:
    """Weighs each pixel with its neighbours, by shifted views, along both axes in turn."""
    height, width, _ = x.shape
    x = sum(w * x[i : height - 4 + i] for i, w in enumerate(WEIGHTS))
    return sum(w * x[:, i : width - 4 + i] for i, w in enumerate(WEIGHTS))


def retouch(namespace: Any, photograph: Any) -> Any:
    """Pixels as RGBA bytes. `namespace` is isthmus or numpy: the code is the same."""
    x = photograph[16:400, 64:448]  # the face
    x = x[:, ::-1]  # in a mirror
    x = blur(namespace.astype(x, namespace.float32) / 255)
    red, green, blue = x[..., 0], x[..., 1], x[..., 2]
    mixed = [r * red + g * green + b * blue for r, g, b in MIX]
    opaque = namespace.ones_like(red)
    x = namespace.stack([*mixed, opaque], axis=-1)
    return namespace.astype(namespace.round(255 * namespace.clip(x, 0, 1)), namespace.uint8)


def main() -> int:
    parser = argparse.ArgumentParser(description="Crop, mirror, blur and mix colours of an image.")
    parser.add_argument("--device", default="cpu", help="one of those that python -m isthmus lists")
    parser.add_argument("--out", type=Path, default=Path("image_slices.png"))
    arguments = parser.parse_args()
    load: Any = data.astronaut
    photograph = np.asarray(load())
    begin = time.perf_counter()
    expected = retouch(np, photograph)
    numpy_seconds = time.perf_counter() - begin

    ours = xp.asarray(photograph, device=arguments.device)
    for _ in range(2):  # the first time kernels are built
        before = xp.statistics()["kernels"]
        begin = time.perf_counter()
        with xp.fusing():  # nobody writes to the photograph meanwhile
            pixels = retouch(xp, ours).eval()
        xp.synchronize(ours.device)
        seconds = time.perf_counter() - begin
        kernels = xp.statistics()["kernels"] - before
    times = f"{seconds * 1e3:.1f} ms; {numpy_seconds * 1e3:.1f} ms by NumPy"
    print(f"{ours.device}: {kernels} kernels, {times}")

    picture = Image.fromarray(pixels)
    picture.save(arguments.out)
    print(f"{arguments.out} is {picture.size} {picture.mode}")
    pixels[0, 0] = 7
    if picture.getpixel((0, 0)) != (7, 7, 7, 7):
        print("Pillow has a copy of the pixels", file=sys.stderr)
        return 1
    off = np.max(np.abs(np.asarray(pixels)[1:].astype(int) - expected[1:]))
    if off > 1:
        print(f"a pixel is off by {off} of 255 beside NumPy's", file=sys.stderr)
        return 1
    print("The picture agrees with NumPy's, and Pillow shares its memory.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
