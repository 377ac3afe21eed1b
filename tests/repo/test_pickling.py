"""Functions and settings in pickles and copies: they are found by their names."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import isthmus as xp

NAMED: list[Any] = [xp.sin, xp.asarray, xp.special.erf, xp.einsum, xp.Array.sum, xp.config, xp.fuse]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("thing", NAMED)
def test_what_has_a_name_is_found_by_it(thing: Any, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(thing, protocol)) is thing


def test_pickles_have_public_names() -> None:
    for thing in (xp.sin, xp.special.erf, xp.config):
        assert b"isthmus._isthmus" not in pickle.dumps(thing)


@pytest.mark.parametrize("thing", NAMED)
def test_copies_are_the_thing_itself(thing: Any) -> None:
    assert copy.copy(thing) is thing
    assert copy.deepcopy([thing])[0] is thing


def test_another_configuration_is_refused() -> None:
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(type(xp.config)())
