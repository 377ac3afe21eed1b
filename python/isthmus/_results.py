"""Results of several arrays, with the names that the Array API standard gives them."""

from __future__ import annotations

from typing import NamedTuple

from isthmus._isthmus import Array


class EigResult(NamedTuple):
    """The result of linalg.eig()."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """The result of linalg.eigh()."""

    eigenvalues: Array
    eigenvectors: Array


class LstsqResult(NamedTuple):
    """The result of linalg.lstsq()."""

    x: Array
    residuals: Array
    rank: Array
    s: Array


class QRResult(NamedTuple):
    """The result of linalg.qr()."""

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """The result of linalg.svd()."""

    U: Array
    S: Array
    Vh: Array


class SlogdetResult(NamedTuple):
    """The result of linalg.slogdet()."""

    sign: Array
    logabsdet: Array


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
