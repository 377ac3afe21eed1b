"""Results of several arrays, with the names that the Array API standard gives them."""

from __future__ import annotations

from typing import NamedTuple

from isthmus._isthmus import Array


class UniqueAllResult(NamedTuple):
    """What unique_all() gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What unique_counts() gives."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What unique_inverse() gives."""

    values: Array
    inverse_indices: Array
