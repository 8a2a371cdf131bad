"""Mermaid and Recipe Grid, judged by their own programs where these are installed."""

from __future__ import annotations

import re
from functools import cache

import pytest
from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES, long_trace, pile
from hostile_traces import EMPTY, HOSTILE
from lasagne_trace import LASAGNE
from node_parsers import missing, parsed
from written import written

from golden_cases import read_cases
from npn.formats.writing.flow import flow_of, taken_phrases
from npn.formats.writing.recipe_grid import statements
from npn.formats.writing.wording import ingredient_names
from npn.models import load_tracker
from npn.recipe import Amount, Ingredient
from npn.trace import StepTrace, Trace, Use

CODE = re.compile(r"ﬂ°°(\d+)¶ß")  # Mermaid's own mark for a character's code until it draws

HALVES = (pile("tin", 0, 1), pile("plate", 0, 1))
DIVIDED = Trace(
    "Divided",
    "by-hand",
    (
        Ingredient("2 cups flour", "flour", amount=Amount(2, unit="cup")),
        Ingredient("1-2 eggs", "egg", amount=Amount(1, 2)),
        Ingredient("1 lemon", "lemon", amount=Amount(1)),
    ),
    (
        StepTrace("Mix.", entities=(0, 1), uses=(Use(0), Use(1)), piles=(pile("bowl", 0, 1),)),
        StepTrace("Divide.", entities=(0, 1), piles=HALVES),
        StepTrace("Bake one.", entities=(0, 1), piles=(HALVES[0], pile("oven", 0, 1))),
    ),
)
BY_HAND = [PANCAKES, BY_A_RULE, BEEF_WITH_ONIONS, LASAGNE, HOSTILE, EMPTY, DIVIDED]


@cache
def golden_traces() -> tuple[Trace, ...]:
    tracker = load_tracker("weak-labels", None)
    return tuple(tracker.track(case.recipe) for case in read_cases())


def test_mermaid_finds_the_vertices_and_edges_of_the_flow() -> None:
    if why := missing("mermaid"):
        pytest.skip(why)
    traces = [*BY_HAND, *golden_traces()[:10]]
    answers = parsed("mermaid.mjs", [written("mermaid", trace) for trace in traces])
    for trace, answer in zip(traces, answers, strict=True):
        flow = flow_of(trace)
        vertices = {f"p{n}" for n in range(len(flow.portions))} | {"dish"}
        vertices |= {f"s{n}" for n in range(len(flow.stages))}
        assert set(answer["vertices"]) == vertices
        edges = [(f"p{taken}", f"s{n}") for n, one in enumerate(flow.stages) for taken in one.takes]
        edges += [(f"s{m}", f"s{n}") for n, one in enumerate(flow.stages) for m in one.inputs]
        edges += [(f"s{end}", "dish") for end in flow.ends[-1:]]
        assert sorted(map(tuple, answer["edges"])) == sorted(edges)
        phrases = taken_phrases(trace, flow, ingredient_names(trace))
        for n, phrase in enumerate(phrases):
            text = CODE.sub(lambda found: chr(int(found[1])), answer["vertices"][f"p{n}"])
            assert text == phrase


def test_mermaid_text_has_a_code_for_whatever_could_mean_something() -> None:
    text = written("mermaid", HOSTILE)
    assert not set("<>`%{}@&|\\;") & set(re.sub(r"#\d+;|<br>|-->", "", text))
    assert written("mermaid", BEEF_WITH_ONIONS).count("\n  p0 --> s0\n") == 1


def test_recipe_grid_nests_steps_and_splits_what_goes_two_ways() -> None:
    lines = statements(PANCAKES)
    assert lines[0] == '"Pancakes" = "serve"('
    assert '      "sift"(' in lines
    assert '"step 1" = "Mix."(' in statements(DIVIDED)
    joined = "\n".join(statements(DIVIDED))
    assert joined.count('1/2 of "step 1"') == joined.count('remaining "step 1"') == 1
    assert '"unused lemon" = {1} "lemon"' in joined
    assert '{2 "cup"} "flour"' in joined
    assert '"1-2 egg"' in joined


@pytest.mark.parametrize("trace", [*BY_HAND[:5], DIVIDED, long_trace(20, 60)])
def test_recipe_grid_compiles_what_was_tracked_by_hand(trace: Trace) -> None:
    assert lint(trace) == []


def test_recipe_grid_compiles_every_golden_recipe_and_finds_no_fault() -> None:
    assert len(golden_traces()) >= 42
    for trace in golden_traces():
        assert (trace.title, lint(trace)) == (trace.title, [])


def lint(trace: Trace) -> list[str]:
    """What the linter of Recipe Grid says of a trace's statements."""
    compiler = pytest.importorskip("recipe_grid.compiler")
    linter = pytest.importorskip("recipe_grid.lint")
    return [
        one.description for one in linter.check(compiler.compile(["\n".join(statements(trace))]))
    ]


def test_recipe_grid_reads_the_page_itself() -> None:
    pages = pytest.importorskip("recipe_grid.markdown")
    for trace in (PANCAKES, LASAGNE, HOSTILE):
        page = pages.compile_markdown(written("recipe-grid", trace))
        assert page.recipes
