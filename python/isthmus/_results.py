"""Results of several arrays, with the names that the Array API standard gives them."""

from __future__ import annotations

from typing import NamedTuple

from isthmus._isthmus import Array


class UniqueAllResult(NamedTuple):
    """The result of unique_all()."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """The result of unique_counts()."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """The result of unique_inverse()."""

    values: Array
    inverse_indices: Array
