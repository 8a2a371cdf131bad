from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest
from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES, long_trace
from hostile_traces import EMPTY, HOSTILE
from lasagne_trace import LASAGNE
from written import written

from npn.formats.writing.svg_text import DARK, LIGHT, STYLE, text_width, wrapped
from npn.trace import Trace

SVG = "{http://www.w3.org/2000/svg}"
ALL = [PANCAKES, BY_A_RULE, BEEF_WITH_ONIONS, LASAGNE, HOSTILE, EMPTY, long_trace(30, 30)]


def drawn(trace: Trace) -> ET.Element:
    return ET.fromstring(written("svg", trace).encode())


def texts(picture: ET.Element) -> list[ET.Element]:
    return [one for one in picture.iter(f"{SVG}text") if one.get("class") != "n"]


@pytest.mark.parametrize("trace", ALL)
def test_no_two_texts_share_a_row_and_none_leaves_the_picture(trace: Trace) -> None:
    picture = drawn(trace)
    width, height = (float(number) for number in picture.get("viewBox", "").split()[2:])
    rows = [float(one.get("y", "")) for one in texts(picture)]
    assert all(below - above >= 17 for above, below in pairwise(rows))
    assert max(rows, default=0) <= height
    for one in texts(picture):
        size = {"h": 18, "p": 13}.get(one.get("class", ""), 14)
        assert float(one.get("x", "")) + text_width(one.text or "", size) <= width


@pytest.mark.parametrize("trace", ALL)
def test_texts_lie_to_the_right_of_all_lines(trace: Trace) -> None:
    picture = drawn(trace)
    rows = [one for one in texts(picture) if one.get("class") != "h"]
    left = min((float(one.get("x", "")) for one in rows), default=1e9)
    for path in picture.iter(f"{SVG}path"):
        numbers = re.findall(r"[MH]([\d.]+)", path.get("d", ""))
        assert all(float(number) < left for number in numbers)


def test_there_is_a_numbered_dot_for_each_stage_and_a_row_for_each_portion() -> None:
    picture = drawn(BEEF_WITH_ONIONS)
    dots = [one.text for one in picture.iter(f"{SVG}text") if one.get("class") == "n"]
    assert dots == ["1", "2", "3", "4"]
    rows = [one.text for one in texts(picture) if one.get("class") == "i"]
    assert rows[:3] == ["half of the oil: 1 tablespoon", "1 pound beef", "some salt"]
    assert len(rows) == 8


def test_screen_readers_get_a_title_and_the_whole_flow_in_words() -> None:
    picture = drawn(PANCAKES)
    assert picture.get("role") == "img"
    named = [picture.find(f"{SVG}{tag}") for tag in ("title", "desc")]
    assert picture.get("aria-labelledby", "").split() == [
        one.get("id") for one in named if one is not None
    ]
    assert named[1] is not None
    assert "Step 3: what step 1 left, what step 2 left give in the bowl." in (named[1].text or "")


def test_nothing_is_markup_and_nothing_runs() -> None:
    picture = drawn(HOSTILE)
    kinds = {one.tag.removeprefix(SVG) for one in picture.iter()}
    assert kinds <= {"svg", "title", "desc", "style", "rect", "g", "path", "circle", "text"}
    assert not any(name.startswith("on") for one in picture.iter() for name in one.attrib)


def test_the_picture_follows_the_scheme_and_prints_light() -> None:
    assert "@media (prefers-color-scheme:dark)" in STYLE
    assert "@media print" in STYLE


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("colours", "paper", "number"),
    [(LIGHT, "#ffffff", "#ffffff"), (DARK, "#16181c", "#111111")],
)
def test_lines_and_numbers_can_be_told_from_what_is_behind_them(
    colours: tuple[str, ...], paper: str, number: str
) -> None:
    for colour in colours:
        for other in (paper, number):
            low, high = sorted((luminance(colour), luminance(other)))
            assert (high + 0.05) / (low + 0.05) >= 4.5


def test_what_is_too_large_is_said_to_be() -> None:
    assert "too large to draw" in written("svg", long_trace(300, 300))


def test_lines_break_between_words_and_say_where_they_stop() -> None:
    assert wrapped("add 1 1/3 cups", 33, 10, 3) == ["add", "1 1/3", "cups"]
    assert wrapped("one two three", 50, 10, 3) == ["one two", "three"]
    assert wrapped("one two three", 50, 10, 1) == ["one…"]
    assert all(text_width(line, 10) <= 50 for line in wrapped("x" * 100, 50, 10, 3))
    assert wrapped("", 50, 10, 3) == []


def test_the_order_of_ingredients_is_that_of_the_step() -> None:
    steps = (replace(PANCAKES.steps[0], uses=tuple(reversed(PANCAKES.steps[0].uses))),)
    rows = [one.text for one in texts(drawn(replace(PANCAKES, steps=steps)))]
    assert rows[1:4] == ["sugar", "salt", "flour"]
