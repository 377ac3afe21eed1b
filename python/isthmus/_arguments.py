"""What is wrong with the arguments of a call to a compiled function, in one sentence."""

from __future__ import annotations

import contextlib
import inspect
import operator
import re
from collections.abc import Iterable
from typing import Any, SupportsIndex

from isthmus import _isthmus
from isthmus._keywords import instead_of
from isthmus._signatures import parse

# What a word of an annotation takes. Others take what only the function itself can judge.
_CLASSES: dict[str, tuple[type, ...]] = {
    "None": (type(None),),
    "bool": (bool,),
    "int": (int,),
    "float": (float, int),
    "str": (str,),
    "SupportsIndex": (SupportsIndex,),
    "Array": (_isthmus.Array,),
    "Device": (_isthmus.Device,),
    "Queue": (_isthmus.Queue,),
    "Context": (_isthmus.Context,),
}
_INTS = {"int", "SupportsIndex"}
MOST = 2**63
_found = _isthmus._found_as
_WORDS = {
    "Axes": "int or sequence of ints",
    "Elements": "Array, number or list of numbers",
    "Index": "index",
    "Indices": "Array, int or list of ints",
    "Number": "number",
    "Real": "number",
    "Self": "object",
    "Shape": "int or sequence of ints",
    "SupportsIndex": "int",
}


def _plain(annotation: str) -> str:
    """Without the modules that names come from."""
    return re.sub(r"\b(?:builtins|typing|collections\.abc|isthmus\.memory)\.", "", annotation)


def _alternatives(annotation: str) -> list[str]:
    return [part.strip() for part in re.split(r"\|(?![^\[]*\])", annotation)]


def _fits(value: object, annotation: str) -> bool:
    words = _alternatives(annotation)
    if value is None:
        return "None" in words or "object" in words or "Any" in words
    known = [_CLASSES[word] for word in words if word in _CLASSES]
    return len(known) < len(words) or any(isinstance(value, classes) for classes in known)


def _listed(words: Iterable[str]) -> str:
    *front, last = words
    return f"{', '.join(front)} or {last}" if front else last


def _taken(annotation: str) -> str:
    return _listed(_WORDS.get(word, word) for word in _alternatives(annotation))


def _keywords_for(signature: inspect.Signature, args: list[Any]) -> str:
    """The keywords that must be written, where arguments stand in their place without them."""
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return ""
    known = sum(kind is not inspect.Parameter.KEYWORD_ONLY for kind in kinds)
    named = [f"{p.name}=..." for p in list(signature.parameters.values())[known:]]
    return _listed(named) if named and len(args) > known else ""


def problem(function: Any, args: list[Any], kwargs: dict[str, Any]) -> TypeError | ValueError:
    """The error for a call: a sentence that names the function, the argument, what it takes and
    what was given."""
    signature = parse(function.__nb_signature__[0][0])
    name = function.__name__
    parameters = [*signature.parameters.values()]
    if parameters and parameters[0].name == "self":
        owner = (function.__qualname__ or "").rpartition(".")[0] or "self"
        cls = getattr(_isthmus, owner, None)
        if not args or (cls is not None and not isinstance(args[0], cls)):
            found = _found(args[0]) if args else "nothing"
            return TypeError(f"{owner}.{name}: self: expected {owner}, not {found}")
        shown = owner.lstrip("_")
        name = shown if name == "__init__" else f"{shown}.{name}"
        signature = signature.replace(parameters=parameters[1:])
        args = args[1:]
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        if name == "where" and len(args) == 2:
            return TypeError(
                "where: expected a mask alone, or a mask and two values, not 2 arguments"
            )
        is_loose = len(args) > 2 and all(type(length) is int for length in args[1:])
        if name == "reshape" and is_loose:
            shape = ", ".join(map(str, args[1:]))
            return TypeError(f"{name}: pass the shape as one tuple: reshape(x, ({shape}))")
        keywords = _keywords_for(signature, args)
        if keywords:
            return TypeError(f"{name}: too many positional arguments; write {keywords}")
        takes = ", ".join(map(str, signature.parameters))
        named = {n for n, p in signature.parameters.items() if p.kind != p.VAR_POSITIONAL}
        unknown = [word for word in kwargs if word not in named]
        advice = instead_of(name, unknown[0]) if unknown else ""
        return TypeError(
            f"{name}: {error}; it takes {f'({takes})' if takes else 'no arguments'}{advice}"
        )
    for parameter, value in bound.arguments.items():
        annotation = _plain(str(signature.parameters[parameter].annotation))
        if _INTS.intersection(_alternatives(annotation)):
            with contextlib.suppress(TypeError):  # which the sentence below is for
                operator.index(value)  # raises what its own __index__ does, an interrupt among it
        if not _fits(value, annotation):
            return TypeError(
                f"{name}: {parameter}: expected {_taken(annotation)}, not {_found(value)}"
            )
    for parameter, value in bound.arguments.items():
        words = _alternatives(_plain(str(signature.parameters[parameter].annotation)))
        if isinstance(value, int) and _INTS.intersection(words) and not -MOST <= value < MOST:
            return ValueError(f"{name}: {parameter}: an int beyond 64 bits")
    given = ", ".join(_found(value) for value in bound.arguments.values())
    return TypeError(
        f"{name}: it does not take {given or 'no arguments'}: {_plain(str(signature))}"
    )


def install() -> None:
    """Has compiled functions speak so."""
    _isthmus._word_call_errors(problem)
