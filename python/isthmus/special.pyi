from isthmus._isthmus import Array, Number

__all__: list[str]

def erf(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Error function.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [-30, 30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``scipy.special.erf(x)``.
    """

def erfc(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    1 - erf(x), accurate where this is small.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 5 ulp for float32 and float64 in [-9, 9].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``scipy.special.erfc(x)``.
    """

def gamma(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Gamma function; NaN for negative whole numbers and minus infinity, infinity with the sign of x for a zero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 10 ulp for float32 and float64 in [0.01, 30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``scipy.special.gamma(x)``.
    """

def gammaln(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Logarithm of the magnitude of the gamma function; infinity for zero and negative whole numbers.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 7 ulp for float32 and float64 in [0, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``scipy.special.gammaln(x)``.
    """

def gammasgn(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sign of the gamma function, 1 or -1; that of x for a zero, NaN for negative whole numbers and minus infinity. Together with gammaln it is C's lgamma_r.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-10000, 10000].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``scipy.special.gammasgn(x)``.
    """

def cbrt(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Cube root.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.cbrt(x)``.
    """

def exp2(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    2 to the power x.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-120, 120].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.exp2(x)``.
    """

def exp10(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    10 to the power x.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-37, 37].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``scipy.special.exp10(x)``.
    """

def log1mexp(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    log(1 - exp(-abs(x))), accurate near 0 and far from it; as in JAX and R for x > 0, and as in Stan for x < 0.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 5 ulp for float32 and float64 in [-80, 80].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log(1 - np.exp(-np.abs(x)))``.
    """

def rsqrt(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    One divided by the square root.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [0, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``1 / np.sqrt(x)``.
    """

def logb(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whole part of the logarithm of the magnitude to base 2, as a float; minus infinity for zero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.frexp(x)[1] - 1.0``.
    """

def ilogb(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whole part of the logarithm of the magnitude to base 2, as int32; the smallest int32 for zero, the largest for infinities and NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.frexp(x)[1] - 1``.
    """

def pown(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Power with a whole exponent, which is truncated and rounded to the dtype of the first; an odd int keeps its effect on the sign if it is rounded, and one of more than 64 bits is an error.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [0, 30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.power(x, np.trunc(y))``.
    """

def rootn(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Root of a whole degree, which is truncated and converted to the dtype of the first; for a negative number NaN unless the degree is odd.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1, 30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.power(x, 1 / np.trunc(y))``.
    """

def ldexp(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The first times 2 to the power of the second, a whole number, which is truncated and converted to the dtype of the first.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.ldexp(x, np.trunc(y).astype(int))``.
    """

def sinpi(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sine of an angle in half turns: sin(pi x), exact at whole numbers and halves.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sin(np.pi * x)``.
    """

def cospi(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Cosine of an angle in half turns: cos(pi x), exact at whole numbers and halves.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.cos(np.pi * x)``.
    """

def tanpi(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Tangent of an angle in half turns: tan(pi x), exact at whole numbers; infinite at halves.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 6 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.tan(np.pi * x)``.
    """

def asinpi(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc sine in half turns; NaN outside [-1, 1].

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 5 ulp for float32 and float64 in [-1, 1].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.asin(x) / np.pi``.
    """

def acospi(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc cosine in half turns; NaN outside [-1, 1].

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 5 ulp for float32 and float64 in [-1, 1].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.acos(x) / np.pi``.
    """

def atanpi(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc tangent in half turns.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 5 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atan(x) / np.pi``.
    """

def atan2pi(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Angle in half turns of the point (y, x), in its quadrant.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 6 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atan2(x, y) / np.pi``.
    """

def fract(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Fractional part, x - floor(x), always below 1; zero with the sign of x for infinities.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 1 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``x - np.floor(x)``.
    """

def fmod(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Remainder with the sign of the first; 0 for an integer divided by 0.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.fmod(x, y)``.
    """

def fdim(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The first minus the second if the first is greater, else 0; NaN if either is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.where(x > y, x - y, 0)``.
    """

def fmax(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The larger number; the other number if one is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.fmax(x, y)``.
    """

def fmin(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The smaller number; the other number if one is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.fmin(x, y)``.
    """

def maxmag(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number of larger magnitude, or the larger number if the magnitudes are equal; the other number if one is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.where(np.abs(x) > np.abs(y), x, np.where(np.abs(x) < np.abs(y), y, np.fmax(x, y)))``.
    """

def minmag(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number of smaller magnitude, or the smaller number if the magnitudes are equal; the other number if one is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.where(np.abs(x) < np.abs(y), x, np.where(np.abs(x) > np.abs(y), y, np.fmin(x, y)))``.
    """

def fma(x1: Array, x2: Array | Number, x3: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    x * y + z, rounded once.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``x * y + z``.
    """
