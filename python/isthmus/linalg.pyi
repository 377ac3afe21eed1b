from isthmus._isthmus import Array, Axes, Elements, Real

__all__: list[str]

from collections.abc import Sequence
from typing import Literal, overload

import numpy.linalg

import isthmus._isthmus
from isthmus._isthmus import (
    cross as cross,
    matmul as matmul,
    matrix_transpose as matrix_transpose,
    outer as outer,
    tensordot as tensordot,
    vecdot as vecdot
)
import isthmus._results
from isthmus._results import QRResult, SVDResult


class LinAlgError(isthmus._isthmus.Error, numpy.linalg.LinAlgError):
    """
    A matrix that is singular, not positive definite, or does not converge; also an instance of numpy.linalg.LinAlgError, which is a ValueError.
    """

def solve(x1: Array, x2: Array, /) -> Array:
    """
    The x of which x1 @ x = x2.

    Shapes: (..., m, m) and (m,), or (..., m, k), give (..., m) or (..., m, k); leading axes broadcast.
    dtype: the common one of both; halves are accepted beside a wider dtype.
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for a singular matrix, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.solve.
    """

def inv(x: Array, /) -> Array:
    """
    Inverses of matrices.

    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for a singular matrix, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.inv.
    """

def det(x: Array, /) -> Array:
    """
    Determinants. The pivots are multiplied without overflow and underflow; the factorization itself may overflow for numbers near the limit of the dtype.

    Shapes: (..., m, m) gives (...).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.det.
    """

def slogdet(x: Array, /) -> isthmus._results.SlogdetResult:
    """
    Signs of determinants, and logarithms of their sizes: (sign, logabsdet).

    A determinant of 0 has the sign 0 and the logarithm -inf.
    Shapes: (..., m, m) gives (...).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.slogdet.
    """

def matrix_power(x: Array, n: int, /) -> Array:
    """
    Matrices times themselves n times: products by matmul(), of inverses for a negative n; identity matrices for 0.

    Returns: new memory.
    Waits: as matmul() and inv().
    Raises: as these.
    Source: Array API 2025.12, linalg.matrix_power.
    """

def multi_dot(arrays: Sequence[Array], /) -> Array:
    """
    The product of two matrices or more, in the order of the fewest multiplications.

    Shapes: the first may be a row of one axis, the last a column.
    Returns: new memory, by matmul().
    Waits: as matmul().
    Raises: ValueError for shapes that do not fit, and as matmul().
    Source: NumPy 2, linalg.multi_dot.
    """

def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """
    The lower triangular L of which x = L @ conj(L.mT), or the upper triangular U of which x = conj(U.mT) @ U.

    upper: whether to return U. Only that triangle of x is read.
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for a matrix that is not positive definite, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.cholesky.
    """

@overload
def qr(x: Array, /, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """
    Orthonormal columns Q and an upper triangular R of which x = Q @ R: (Q, R).

    mode: 'reduced' for Q of (..., m, k) and R of (..., k, n), where k is the lesser one of m and n; 'complete' for (..., m, m) and (..., m, n); 'r' for R alone.
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.qr.
    """

@overload
def qr(x: Array, /, mode: Literal["r"]) -> Array: ...

@overload
def qr(x: Array, /, mode: str) -> QRResult | Array: ...

@overload
def svd(
    x: Array, /, full_matrices: bool = True, compute_uv: Literal[True] = True
) -> SVDResult:
    """
    Singular values, in descending order, and vectors: (U, S, Vh), of which x = U[..., :k] * S[..., None, :] @ Vh[..., :k, :].

    full_matrices: whether U is (..., m, m) and Vh (..., n, n), or (..., m, k) and (..., k, n), where k is the lesser one of m and n.
    compute_uv: if False, S is returned alone, as by svdvals().
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.svd.
    """

@overload
def svd(x: Array, /, full_matrices: bool = True, *, compute_uv: Literal[False]) -> Array: ...

@overload
def svd(x: Array, /, full_matrices: bool, compute_uv: Literal[False]) -> Array: ...

@overload
def svd(
    x: Array, /, full_matrices: bool = True, compute_uv: bool = True
) -> SVDResult | Array: ...

def svdvals(x: Array, /) -> Array:
    """
    Singular values, in descending order.

    Shapes: (..., m, n) gives (..., min(m, n)).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.svdvals.
    """

def eigh(x: Array, /, UPLO: str = 'L') -> isthmus._results.EighResult:
    """
    Real eigenvalues, in ascending order, and orthonormal eigenvectors of symmetric or Hermitian matrices: (eigenvalues, eigenvectors).

    UPLO: which triangle is read, 'L' for the lower or 'U' for the upper one.
    Shapes: (..., m) and (..., m, m), of which the columns are the vectors.
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.eigh.
    """

def eigvalsh(x: Array, /, UPLO: str = 'L') -> Array:
    """
    Real eigenvalues of symmetric or Hermitian matrices, in ascending order.

    UPLO: which triangle is read, 'L' for the lower or 'U' for the upper one.
    Shapes: (..., m, m) gives (..., m).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.eigvalsh.
    """

def eig(x: Array, /) -> isthmus._results.EigResult:
    """
    Complex eigenvalues and eigenvectors of square matrices, in no order: (eigenvalues, eigenvectors).

    Shapes: (..., m) and (..., m, m), of which the columns are the vectors, of length 1.
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.eig.
    """

def eigvals(x: Array, /) -> Array:
    """
    Complex eigenvalues of square matrices, in no order.

    Shapes: (..., m, m) gives (..., m).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.eigvals.
    """

def matrix_rank(x: Array, /, tol: Elements | None = None, *, rtol: Elements | None = None) -> Array:
    """
    How many singular values are above a limit: int64.

    tol: the limit.
    rtol: the limit in units of the largest singular value of the matrix; by default max(m, n) times the eps of the dtype. Both broadcast to the stack.
    Shapes: (..., m, n) gives (...).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.matrix_rank.
    """

def pinv(x: Array, /, rcond: Elements | None = None, *, rtol: Elements | None = None) -> Array:
    """
    Moore-Penrose inverses.

    rtol: singular values up to so many times the largest of the matrix count as zero; by default max(m, n) times the eps of the dtype. It broadcasts to the stack. rcond is NumPy's name for it.
    Shapes: (..., m, n) gives (..., n, m).
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: Array API 2025.12, linalg.pinv.
    """

def lstsq(x1: Array, x2: Array, /, rcond: Real | None = None) -> isthmus._results.LstsqResult:
    """
    The x of least |x2 - x1 @ x|, and of those the one of least |x|: (x, residuals, rank, s).

    rcond: singular values up to so many times the largest count as zero; by default max(m, n) times the eps of the dtype.
    Shapes: (m, n) and (m,), or (m, k), give x of (n,) or (n, k). residuals are the sums of squares of each column, and empty unless rank = n < m. rank is 0-d.
    dtype: the common one of both; halves are accepted beside a wider dtype.
    Accepts: float32, float64, complex64, complex128; integers and bools are converted to the default real dtype.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: LinAlgError for NaN and infinities, and if the iteration does not converge, NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit.
    Source: NumPy 2, linalg.lstsq.
    """

def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Real | str | None = 'fro') -> Array:
    """
    Norms of matrices.

    ord: 'fro' for the root of the sum of squares, 'nuc' for the sum of the singular values; 1 or -1 for the largest or smallest sum of |x| of a column, inf or -inf of a row; 2 or -2 for the largest or smallest singular value.
    Shapes: (..., m, n) gives (...), or with keepdims (..., 1, 1).
    Returns: real, new memory; pending, but for those of singular values, which LAPACK calculates on the host during the call.
    Waits: for singular values, as svdvals().
    Raises: ValueError for another ord and for fewer than two axes, and as svdvals().
    Source: Array API 2025.12, linalg.matrix_norm.
    """

def norm(x: Array, /, ord: Real | str | None = None, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """
    NumPy's function for vector_norm() along one axis and matrix_norm() in two.

    ord: as there; None for the root of the sum of squares.
    axis: None for all axes, of which there may be more than two if ord is None.
    Returns: real, new memory; pending, but for those of singular values, which LAPACK calculates on the host during the call.
    Waits: for singular values, as svdvals().
    Raises: ValueError for another ord and for more than two axes, and as svdvals().
    Source: NumPy 2, linalg.norm.
    """

def cond(x: Array, /, p: Real | str | None = None) -> Array:
    """
    Condition numbers of matrices: matrix_norm(x, ord=p) * matrix_norm(inv(x), ord=p).

    p: as ord of matrix_norm(); None is 2. Singular matrices have infinity; 2 and -2 are quotients of singular values.
    Shapes: (..., m, n) gives (...); m and n are equal unless p is 2 or -2.
    Returns: new memory on the device of the operand, calculated by LAPACK on the host.
    Waits: for the operands and for the result.
    Raises: NotImplementedError if the host cannot access the memory (to_device("cpu") copies it) or the library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError for shapes that do not fit; as svdvals().
    Source: NumPy 2, linalg.cond.
    """

def vector_norm(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False, ord: Real = 2) -> Array:
    """
    Norms over all axes or some: sum(|x| ** ord) ** (1 / ord).

    ord: any real number; 0 for the number of elements that are not zero, inf for the largest |x|, -inf for the smallest. As in NumPy, 2 overflows where the squares do.
    Returns: real, new memory; pending; one kernel, on any device. Without elements 0.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis outside the array, ValueError for -inf without elements, TypeError for structs.
    Source: Array API 2025.12, linalg.vector_norm.
    """

def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """
    The diagonals of matrices, as the last axis.

    offset: the column in which they begin; negative for the row.
    Returns: a view; unlike in NumPy, writing to it writes to x.
    Raises: ValueError for fewer than two axes.
    Source: Array API 2025.12, linalg.diagonal.
    """

def trace(x: Array, /, *, offset: int = 0, dtype: object | None = None) -> Array:
    """
    The sums of the diagonals of matrices.

    offset: the column in which they begin; negative for the row.
    dtype: the dtype of the result, by default as that of sum().
    Shapes: (..., m, n) gives (...).
    Returns: new memory; pending.
    Raises: ValueError for fewer than two axes, TypeError for dtypes, as sum().
    Source: Array API 2025.12, linalg.trace.
    """
