"""Names of functions of mathematics that are not in isthmus.special: what would do instead."""

from __future__ import annotations

import difflib

from isthmus import special
from isthmus._names import SPELLINGS

# SciPy's and OpenCL's name of a function of mathematics: what does the same here.
IN_SPECIAL = {
    "beta": "isthmus.exp(g(x) + g(y) - g(x + y)) with g = isthmus.special.gammaln, above 0",
    "betaln": "g(x) + g(y) - g(x + y) with g = isthmus.special.gammaln",
    "expit": "1 / (1 + isthmus.exp(-x))",
    "factorial": "isthmus.special.gamma(x + 1)",
    "lgamma": "isthmus.special.gammaln(x)",
    "log_softmax": "x - isthmus.logsumexp(x)",
    "loggamma": "isthmus.special.gammaln(x), which is the same above 0",
    "logit": "isthmus.log(x / (1 - x))",
    "mad": "isthmus.special.fma(x, y, z)",
    "powr": "isthmus.pow(x, y)",
    "sinc": "isthmus.where(x == 0, 1, isthmus.special.sinpi(x) / (isthmus.pi * x))",
    "softmax": "isthmus.exp(x - isthmus.logsumexp(x))",
    "tgamma": "isthmus.special.gamma(x)",
    "xlog1py": "isthmus.where(x == 0, 0, x * isthmus.log1p(y))",
    "xlogy": "isthmus.where(x == 0, 0, x * isthmus.log(y))",
}

# Functions of SciPy that have no such line.
OF_SCIPY = (
    *("airy", "bdtr", "betainc", "bernoulli", "binom", "comb", "dawsn", "digamma", "ellipe"),
    *("ellipj", "ellipk", "entr", "erfcinv", "erfcx", "erfi", "erfinv", "exp1", "expi", "expn"),
    *("fresnel", "gammainc", "gammaincc", "gammaincinv", "hyp1f1", "hyp2f1", "i0", "i0e", "i1"),
    *("i1e", "iv", "j0", "j1", "jn", "jv", "k0", "k1", "kl_div", "kn", "kv", "lambertw"),
    *("log_ndtr", "ndtr", "ndtri", "poch", "polygamma", "psi", "rel_entr", "rgamma", "sici"),
    *("spence", "sph_harm_y", "wofz", "y0", "y1", "yn", "yv", "zeta"),
)


def instead_of_ufunc(name: str) -> str:
    """What does here what a ufunc does, as the beginning of a sentence that goes on; else empty."""
    if name in special.__all__:
        return f"isthmus.special.{name} does, and "
    return f"use instead: {IN_SPECIAL[name]}; " if name in IN_SPECIAL else ""


def advice_on_special(name: str) -> str:
    """What would do in the place of a function of mathematics; begins with "; ", or is empty."""
    import isthmus

    ours = SPELLINGS.get(name, name)
    if name in IN_SPECIAL:
        return f"; use instead: {IN_SPECIAL[name]}"
    if not name.startswith("_") and ours in isthmus.__all__:
        return f"; use instead: isthmus.{ours}"
    if name in OF_SCIPY:
        return f"; x.to_numpy() is an array that scipy.special.{name} accepts"
    near = difflib.get_close_matches(name, special.__all__, 3, 0.7)
    return f"; similar names are: {', '.join(near)}" if near else ""
