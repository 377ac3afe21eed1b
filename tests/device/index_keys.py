"""Random keys of x[...] with arrays among their entries, for Isthmus and for NumPy."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import isthmus as xp
from tests.device.arrays import INTEGERS, put

SHAPES = [(7,), (3, 4), (2, 3, 4), (5, 1, 0), (2, 1, 3, 2), (4, 3, 20)]
COMMON = [(), (1,), (3,), (2, 3), (2, 1, 3), (0,), (4, 0)]


class Keys:
    """One stream of random keys for arrays of a shape."""

    def __init__(self, shape: tuple[int, ...], device: xp.Device, seed: int) -> None:
        self.shape, self.device = shape, device
        self.rng = random.Random(seed)
        self.values = np.random.default_rng(seed)

    def given(self, indices: Any) -> Any:
        """The same indices as users may have them."""
        how = self.rng.randrange(6)
        if how == 0:
            return indices
        if how == 1:
            return indices.tolist()
        if how == 2 and indices.ndim == 2:
            return put(np.asfortranarray(indices), self.device)
        x = put(indices, self.device)
        if how == 3:  # pending
            return x + np.zeros((), indices.dtype)[()] if indices.dtype != bool else ~~x
        return x

    def integers(self, extent: int, common: tuple[int, ...]) -> Any:
        shape = common[self.rng.randint(0, len(common)) :]
        shape = tuple(1 if n > 1 and self.rng.random() < 0.2 else n for n in shape)
        dtype = self.rng.choice(INTEGERS)
        low = 0 if dtype.startswith("u") else -extent
        if extent == 0 and 0 not in shape:
            shape = (0,)
        if self.rng.random() < 0.02:
            extent += 1  # outside, perhaps
        return self.values.integers(low, max(extent, low + 1), shape).astype(dtype)

    def mask(self, axis: int, count: int) -> Any:
        shape = self.shape[axis : axis + count]
        if self.rng.random() < 0.02:
            shape = (*shape[:-1], 9)  # does not fit
        mask = self.values.random(shape) < self.rng.choice([0, 0.3, 0.7, 1])
        if self.rng.random() < 0.5 and mask.size:  # so that it broadcasts with others
            mask[...] = False
            mask.flat[self.rng.randrange(mask.size)] = True
        return mask

    def slice(self, extent: int) -> slice:
        start, stop = [
            self.rng.choice([None, self.rng.randint(-extent - 1, extent + 1)]) for _ in range(2)
        ]
        return slice(start, stop, self.rng.choice([None, None, 1, 2, -1, -2]))

    def key(self) -> tuple[Any, Any]:
        """A key for NumPy and one for Isthmus, which may be wrong."""
        rng, axis = self.rng, 0
        common = rng.choice(COMMON)
        theirs: list[Any] = []
        ours: list[Any] = []

        def add(entry: Any, mine: Any = None) -> None:
            theirs.append(entry)
            ours.append(entry if mine is None else mine)

        end = rng.randint(0, len(self.shape))
        has_ellipsis = False
        while axis < end:
            extent, kind = self.shape[axis], rng.random()
            if kind < 0.45:
                indices = self.integers(extent, common)
                add(indices, self.given(indices))
            elif kind < 0.6:
                count = rng.randint(1, end - axis)
                mask = self.mask(axis, count)
                add(mask, self.given(mask))
                axis += count - 1
            elif kind < 0.7 and extent:
                add(rng.randint(-extent, extent - 1))
            else:
                add(self.slice(extent))
            axis += 1
            if rng.random() < 0.08:
                add(None)
            if rng.random() < 0.05:
                truth = rng.random() < 0.7
                add(truth, rng.choice([truth, np.bool_(truth), np.asarray(truth)]))
            if rng.random() < 0.15 and not has_ellipsis:
                has_ellipsis = True
                add(Ellipsis)
                axis += rng.randint(0, len(self.shape) - end)
        if len(theirs) == 1 and rng.random() < 0.5:
            return theirs[0], ours[0]
        return tuple(theirs), tuple(ours)

    def keys(self, count: int) -> Iterator[tuple[Any, Any]]:
        for _ in range(count):
            yield self.key()
