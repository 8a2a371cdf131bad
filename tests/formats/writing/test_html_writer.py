from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES, long_trace
from hostile_traces import EMPTY, HOSTILE
from lasagne_trace import LASAGNE
from node_parsers import missing, parsed
from written import written

from npn.formats import read_text
from npn.formats.writing.html_parts import amount_markup
from npn.recipe import Amount, Ingredient
from npn.trace import Pile, Portion, StepTrace, Trace, Use

VOID = frozenset(("meta", "br"))
ALL = [PANCAKES, BY_A_RULE, BEEF_WITH_ONIONS, LASAGNE, HOSTILE, EMPTY, long_trace(30, 30)]


class Page(HTMLParser):
    """What a browser would make of a page: its elements, its scripts, its text by element."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif data.strip():
            self.texts.append((self.open[-1] if self.open else "", data))


@pytest.mark.parametrize("trace", ALL)
def test_pages_are_well_formed_and_whole_in_themselves(trace: Trace) -> None:
    page = Page(written("html", trace))
    assert not page.open
    for _, attributes in page.elements:
        assert not {"src", "srcset", "onclick", "onload", "onerror"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in written("html", trace)
    assert "@import" not in written("html", trace)


def test_no_recipe_text_is_markup() -> None:
    page = Page(written("html", HOSTILE))
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"img", "iframe", "object", "embed", "link", "base"}
    assert len(page.scripts) == 2
    assert any("<script>alert(1)</script>" in text for _, text in page.texts)
    assert json.loads(page.scripts[0])["name"].startswith("</title></script>")
    assert "\x1b" not in written("html", HOSTILE)


def test_browsers_may_run_the_one_script_and_no_other() -> None:
    page = Page(written("html", PANCAKES))
    policy = next(
        attributes["content"] or ""
        for tag, attributes in page.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}'" in policy


def test_amounts_stand_beside_the_step_that_takes_them() -> None:
    page = written("html", BEEF_WITH_ONIONS)
    first = page.split('id="step-1"')[1].split('id="step-2"')[0]
    assert "half of the oil: " in first
    assert '<b data-q="1" data-u="pound|pounds">1 pound</b> beef' in first
    assert "beef on the plate:" in first


def test_what_a_step_throws_away_is_no_pile_of_its_own() -> None:
    lines = (Ingredient("1 cup lentils", "lentils"), Ingredient("1 bay leaf", "bay leaf"))
    step = StepTrace(
        "Simmer the lentils with the bay leaf in a pot. Discard the bay leaf.",
        entities=(0, 1),
        uses=(Use(0), Use(1)),
        piles=(Pile((Portion(0),), "pot"),),
    )
    page = written("html", Trace("Lentils", "by hand", lines, (step,)))
    assert "no longer there: bay leaf" in page
    assert "<li>bay leaf</li></ul>" not in page.split('aria-label="after it"')[1]


def test_a_page_has_piles_flow_and_lives() -> None:
    page = written("html", LASAGNE)
    assert "meat sauce in the pot:" in page
    assert "<svg" in page
    assert '<th scope="row">olive oil</th>' in page
    assert 'meat sauce (step <a href="#step-5">5</a>)' in page


def test_a_page_can_be_read_without_its_script() -> None:
    without = re.sub(r"<script>.*?</script>", "", written("html", PANCAKES), flags=re.DOTALL)
    for text in [one.text for one in PANCAKES.ingredients] + [one.text for one in PANCAKES.steps]:
        assert text in without
    assert 'aria-label="Scale the amounts" hidden' in without


@pytest.mark.parametrize("trace", [PANCAKES, BEEF_WITH_ONIONS, LASAGNE])
def test_what_is_written_is_read_back(trace: Trace) -> None:
    recipe = read_text(written("html", trace))
    assert recipe.title == trace.title
    assert [one.text for one in recipe.ingredients] == [one.text for one in trace.ingredients]
    assert [one.section for one in recipe.ingredients] == [one.section for one in trace.ingredients]
    assert recipe.steps == tuple(step.text for step in trace.steps)
    assert [recipe.section_of(n) for n in range(len(trace.steps))] == [
        step.section for step in trace.steps
    ]


def test_amounts_are_marked_for_scaling() -> None:
    two = Amount(2, 3, "can", package=Amount(14, unit="ounce"), plus=Amount(5, unit="gram"))
    assert amount_markup(two) == (
        '<b data-q="2" data-m="3" data-u="can|cans">2-3 cans</b> (14 ounces each) plus '
        '<b data-q="5" data-u="gram|grams" data-d="1">5 grams</b>'
    )
    assert amount_markup(None) == ""
    assert amount_markup(Amount(note="to taste")) == ""
    assert amount_markup(Amount(3, note="each")) == '<b data-q="3">3</b> each'
    assert amount_markup(Amount(unit="cup", plus=Amount(2, unit="tablespoon"))) == ""


def test_no_line_is_broken_inside_a_mixed_number() -> None:
    line = Ingredient("1 1/2 cups oil", "oil", amount=Amount(1.5, unit="cup"))
    step = StepTrace("Take 1 1/2 cups oil, that is 1 ½.", entities=(0,), uses=(Use(0),))
    page = Page(written("html", Trace("Oil", "by-hand", (line,), (step,))))
    texts = [text.rstrip(" ") for tag, text in page.texts if tag in ("li", "b", "p")]
    assert "1\u00a01/2 cups oil" in texts
    assert "1\u00a01/2 cups" in texts
    assert "Take 1\u00a01/2 cups oil, that is 1\u00a0½." in texts
    assert "whole + '\\u00a0' + part" in page.scripts[1]


def test_the_script_scales_every_amount_and_back() -> None:
    if why := missing("jsdom"):
        pytest.skip(why)
    (found,) = parsed("scaling.mjs", [written("html", LASAGNE)])
    pairs = dict(zip(found["before"], found["after"], strict=True))
    assert found["hidden"] is False
    assert found["arrows"] == 22 + 1  # of the lines, and the word about the picture
    assert pairs["1/3 cup"] == "2/3 cup"
    assert pairs["1/2 cup"] == "1 cup"
    assert pairs["1 cup"] == "2 cups"
    assert pairs["1 tablespoon"] == "2 tablespoons"
    assert found["again"] == found["before"]


def test_the_script_writes_the_nearest_fraction() -> None:
    if why := missing("jsdom"):
        pytest.skip(why)
    line = Ingredient("7.25 oz rice", "rice", amount=Amount(7.25, unit="ounce"))
    step = StepTrace("Boil the rice.", entities=(0,), uses=(Use(0, amount=line.amount),))
    (found,) = parsed("scaling.mjs", [written("html", Trace("Rice", "by-hand", (line,), (step,)))])
    assert set(found["after"]) == {"14\u00a01/2 ounces"}
    assert found["again"] == found["before"]
