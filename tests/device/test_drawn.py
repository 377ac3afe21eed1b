"""show(x, format="svg"): a picture that parses, names every shape of work, and has no overlaps."""

from __future__ import annotations

import pickle
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_looking import Graphs
from tests.ways import Way

SPACE = "{http://www.w3.org/2000/svg}"
Rectangle = tuple[float, float, float, float]


def parsed(x: Any) -> ElementTree.Element:
    return ElementTree.fromstring(xp.show(x, format="svg"))


def boxes(picture: ElementTree.Element) -> list[Rectangle]:
    return [
        (x, y, x + float(r.attrib["width"]), y + float(r.attrib["height"]))
        for r in picture.iter(f"{SPACE}rect")
        for x, y in [(float(r.attrib["x"]), float(r.attrib["y"]))]
    ]


def texts(picture: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SPACE}text")]


def wide_graph(count: int) -> Any:
    rng = np.random.default_rng(count)
    pool = [xp.ones((3, 4), dtype="float32").eval() for _ in range(3)]
    while len(pool) < count:
        a, b = pool[int(rng.integers(0, len(pool)))], pool[int(rng.integers(0, 6)) % len(pool)]
        pool.append(xp.sin(a) if rng.random() < 0.3 else a * 2 + b)
    total = xp.concat(pool[-4:])[:3]
    for part in pool[4::2]:
        total = total + part
    return xp.sum(total)


def check_no_overlaps(picture: ElementTree.Element) -> None:
    found = boxes(picture)
    left, top, width, height = (float(n) for n in picture.attrib["viewBox"].split())
    for x0, y0, x1, y1 in found:
        assert left <= x0 < x1 <= left + width and top <= y0 < y1 <= top + height
    for i, (x0, y0, x1, y1) in enumerate(found):
        for u0, v0, u1, v1 in found[:i]:
            assert x1 <= u0 or u1 <= x0 or y1 <= v0 or v1 <= y0


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(n) for n in re.findall(r"-?\d+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


@pytest.mark.lazy
@pytest.mark.parametrize("count", [5, 12, 30, 60])
def test_boxes_do_not_overlap_and_lines_pass_between_them(count: int) -> None:
    picture = parsed(wide_graph(count))
    found = boxes(picture)
    assert len(found) >= count
    check_no_overlaps(picture)
    for path in picture.iter(f"{SPACE}path"):
        if path.attrib.get("class") == "head":
            continue
        (x, y), *_, (end, below) = points(path.attrib["d"])
        assert y < below
        for x0, y0, x1, y1 in found:  # a line lies between its ends, in the gap of two layers
            is_beside = below <= y0 or y1 <= y
            is_past = not x0 < x < x1 and x == end
            assert is_beside or is_past


@pytest.mark.lazy
def test_every_shape_of_work_is_named_in_a_colour_of_its_own() -> None:
    x = xp.arange(6, dtype="float32").eval()
    rng = xp.random.default_rng(1)
    drawn = {
        "value": x,
        "map": xp.sin(x),
        "reduction": xp.sum(x),
        "scan": xp.cumulative_sum(x),
        "sort": xp.argsort(x),
        "read by position": xp.take(x, xp.asarray([1, 2], copy=True)),
        "random numbers": rng.random(3),
        "concat": xp.concat((x, x)),
    }
    colours = set()
    for work, array in drawn.items():
        picture = parsed(array)
        last = list(picture.iter(f"{SPACE}g"))[-1]
        words = " ".join(t.text or "" for t in last.iter(f"{SPACE}text"))
        assert work in words, words
        rectangle = last.find(f"{SPACE}rect")
        assert rectangle is not None
        colours.add(rectangle.attrib["fill"])
    assert len(colours) == len(drawn)


@pytest.mark.lazy
def test_functions_of_users_are_drawn(device: xp.Device) -> None:
    if device.backend not in ("opencl", "sycl"):
        pytest.skip("no kernels of users, or kernels of their own, which run at once")
    x = xp.ones((2,), dtype="float32", device=device).eval()
    cube = xp.ElementwiseKernel("float32 x", "float32 y", "y = x * x * x", name="cube")
    most = xp.ReductionKernel("T x", "T y", "x", "a > b ? a : b", "y = a", "0", name="most")
    words = texts(parsed(cube(x)))
    assert words[-2:] == ["%1 = cube(%0)", "user's function: float32 (2,)"]
    assert "user's reduction: float32 ()" in texts(parsed(most(x)))


def test_random_graphs_are_drawn(way: Way, device: xp.Device) -> None:
    for seed in range(1 if way.is_real else 3):
        for number, (name, made) in enumerate(Graphs(seed, device).all_kinds()):
            if number % 5 == 0:
                try:
                    picture = parsed(made)
                except ElementTree.ParseError as error:
                    raise AssertionError(f"{name}: {error}") from error
                check_no_overlaps(picture)


@pytest.mark.lazy
def test_a_concat_names_the_arrays_that_it_is_made_of(device: xp.Device) -> None:
    x = xp.ones((3,), dtype="float32", device=device).eval()
    y = xp.concat((x * 2, x, xp.astype(x, "int16")))
    assert "%4 = concat(%1, %0, %3): float32 (9,)" in xp.show(y)
    assert y.is_pending


@pytest.mark.lazy
def test_a_concat_of_many_is_drawn_with_few_words() -> None:
    x = xp.ones((1000,)).eval()
    joined = xp.concat([x + i for i in range(300)])
    last = next(text for text in texts(parsed(joined)) if "concat(" in text)
    assert "..." in last and len(last) < 50


def test_a_notebook_draws_what_show_gives() -> None:
    x = xp.ones((2,)) + 1
    shown = xp.show(x)
    assert isinstance(shown, str) and shown == f"{shown}" and "%0" in shown
    drawing: Any = shown
    assert drawing._repr_svg_() == xp.show(x, format="svg")
    svg: Any = xp.show(x, format="svg")
    assert svg._repr_svg_() == svg
    again = pickle.loads(pickle.dumps(shown))
    assert again == shown and again._repr_svg_() == drawing._repr_svg_()
    assert not hasattr(xp.show(x, format="dot"), "_repr_svg_")
    with pytest.raises(ValueError, match="'png' is none of text, dot, svg"):
        xp.show(x, format="png")  # type: ignore[arg-type]


@pytest.mark.lazy
def test_lines_of_the_text_are_the_boxes_of_the_picture() -> None:
    x = xp.ones((2, 3)).eval()
    y = xp.mean(x * 2 - x, axis=0)
    picture = parsed(y)
    assert [t.text for t in picture.iter(f"{SPACE}title")] == str(xp.show(y)).splitlines()
    tops = [box[1] for box in boxes(picture)]
    assert max(tops) == tops[-1]
