"""The official Cooklang parser reads what we write, step for step and ingredient for ingredient."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest
from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES
from hostile_traces import HOSTILE
from lasagne_trace import LASAGNE
from node_parsers import as_cooklang, cooklang_differences, missing, parsed

from golden_cases import read_cases
from npn.formats import Found, read_file
from npn.models import load_tracker

pytestmark = pytest.mark.skipif(
    bool(missing("@cooklang/cooklang")), reason=missing("@cooklang/cooklang") or "installed"
)
SAMPLE = 200


def test_the_parser_finds_what_was_tracked_by_hand() -> None:
    traces = [PANCAKES, BY_A_RULE, BEEF_WITH_ONIONS, LASAGNE, HOSTILE]
    for trace, found in zip(traces, parsed("cooklang.mjs", map(as_cooklang, traces)), strict=True):
        assert cooklang_differences(trace, found) == []


def test_the_parser_finds_sections_and_titles() -> None:
    (found,) = parsed("cooklang.mjs", [as_cooklang(BEEF_WITH_ONIONS)])
    assert found["title"] == "Beef with onions"
    assert [one["name"] for one in found["sections"]] == ["The beef", "The onions", None]


def test_the_parser_follows_references_to_what_steps_made() -> None:
    (found,) = parsed("cooklang.mjs", [as_cooklang(LASAGNE, extended=True)])
    assert found["report"] == ""
    steps = [step for section in found["sections"] for step in section["steps"]]
    assert [one["refers"] for one in steps[9]["ingredients"]] == [
        "section",
        "section",
        "step",
        "step",
    ]


def test_the_parser_finds_the_golden_recipes() -> None:
    tracker = load_tracker("weak-labels", None)
    traces = [tracker.track(case.recipe) for case in read_cases()]
    for trace, found in zip(traces, parsed("cooklang.mjs", map(as_cooklang, traces)), strict=True):
        assert cooklang_differences(trace, found) == []


def test_the_parser_finds_recipes_of_the_corpus() -> None:
    corpus = Path(os.environ.get("NPN_DATA", "")) / "corpus" / "web.jsonl.gz"
    if not os.environ.get("NPN_DATA") or not corpus.exists():
        pytest.skip("NPN_DATA names no folder with a corpus")
    recipes = (item.recipe for item in read_file(str(corpus)) if isinstance(item, Found))
    traces = list(load_tracker("weak-labels", None).track_many(islice(recipes, SAMPLE)))
    for trace, found in zip(traces, parsed("cooklang.mjs", map(as_cooklang, traces)), strict=True):
        assert cooklang_differences(trace, found) == []
