"""inspect.signature() of compiled functions: the text of their signature, read as Python."""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any

from isthmus import _isthmus
from isthmus._isthmus import Array


class _Text:
    """A default or an annotation, shown as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return _Text(ast.unparse(node))


def _parameter(kind: Any, argument: ast.arg, default: ast.expr | None) -> inspect.Parameter:
    empty = inspect.Parameter.empty
    note = argument.annotation
    return inspect.Parameter(
        argument.arg,
        kind,
        default=_value(default) if default else empty,
        annotation=_Text(ast.unparse(note)) if note else empty,
    )


@functools.cache
def parse(text: str) -> inspect.Signature:
    """The signature that "def name(...) -> ..." has."""
    (function,) = ast.parse(f"{text}: ...").body
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(plain) - len(given.defaults)), *given.defaults]
    kinds: list[Any] = [inspect.Parameter.POSITIONAL_ONLY] * len(given.posonlyargs)
    kinds += [inspect.Parameter.POSITIONAL_OR_KEYWORD] * len(given.args)
    parameters = [_parameter(*one) for one in zip(kinds, plain, defaults, strict=True)]
    if given.vararg:
        parameters.append(_parameter(inspect.Parameter.VAR_POSITIONAL, given.vararg, None))
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        parameters.append(_parameter(inspect.Parameter.KEYWORD_ONLY, argument, default))
    returns = _Text(ast.unparse(function.returns)) if function.returns else inspect.Signature.empty
    return inspect.Signature(parameters, return_annotation=returns)


def _signature(function: Any) -> inspect.Signature:
    return parse(function.__nb_signature__[0][0])


def _signature_without_self(method: Any) -> inspect.Signature:
    whole = _signature(method)
    return whole.replace(parameters=[*whole.parameters.values()][1:])


def install() -> None:
    """Gives the compiled classes of functions and methods a __signature__."""
    for example in (_isthmus.synchronize, Array.copy):
        _isthmus._add_signatures(example, property(_signature))
    method: Any = Array.copy
    bound = method.__get__(object())  # what an instance has
    _isthmus._add_signatures(bound, property(_signature_without_self))
