"""A disc of light bodies in the field of two heavy ones that turn around each other.

    python examples/cl/n_body.py [picture.pgm]

ARRAYS=pyopencl in the environment takes pyopencl's arrays: the imports are all that differs.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import picture
import pyopencl as cl

if os.environ.get("ARRAYS") == "pyopencl":
    import pyopencl.array as cl_array
else:
    import isthmus.cl.array as cl_array

BODIES = 200_000
STEPS = 20
DT = np.float32(0.02)
MASSES = (1.0, 0.3)
SOFTENING = np.float32(0.01)


def heavy_places(time: float) -> list[tuple[np.float32, np.float32]]:
    """Where the heavy bodies are: on circles around their centre of mass."""
    total = sum(MASSES)
    return [
        (np.float32(radius * np.cos(time)), np.float32(radius * np.sin(time)))
        for radius in (-MASSES[1] / total, MASSES[0] / total)
    ]


def start() -> np.ndarray[Any, Any]:
    """Places and velocities of the light bodies, on circles around the first heavy one."""
    random = np.random.default_rng(4)
    distance = random.uniform(0.2, 0.6, BODIES)
    angle = random.uniform(0, 2 * np.pi, BODIES)
    speed = np.sqrt(MASSES[0] / distance)
    place = np.stack([distance * np.cos(angle) - 0.23, distance * np.sin(angle)])
    velocity = np.stack([-speed * np.sin(angle), speed * np.cos(angle)])
    return np.concatenate([place, velocity]).astype(np.float32)


START = start()


def compute(queue: Any, allocator: Any = None) -> np.ndarray[Any, Any]:
    """Places of the light bodies after all steps: an array of (2, BODIES)."""
    x, y, vx, vy = (cl_array.to_device(queue, row, allocator=allocator) for row in START)
    for step in range(STEPS):
        for mass, (px, py) in zip(MASSES, heavy_places(step * DT), strict=True):
            dx = px - x
            dy = py - y
            pull = np.float32(mass * DT) * (dx * dx + dy * dy + SOFTENING) ** np.float32(-1.5)
            vx += pull * dx
            vy += pull * dy
        x += DT * vx
        y += DT * vy
    return cl_array.stack([x, y]).get()


def main() -> None:
    context = cl.create_some_context(interactive=False)
    result = compute(cl.CommandQueue(context))
    print(f"mean place {result.mean(axis=1)}, deviation {result.std(axis=1)}")
    counts, _, _ = np.histogram2d(result[1], result[0], bins=256, range=[[-2, 2], [-2, 2]])
    picture.write_if_asked(np.log1p(counts))


if __name__ == "__main__":
    main()
