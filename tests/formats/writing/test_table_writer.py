from __future__ import annotations

import io
from dataclasses import replace

import pytest
from example_traces import BY_A_RULE, PANCAKES, long_trace

from npn.formats.writing import writers
from npn.formats.writing.wording import final_states, ingredient_names
from npn.recipe import Ingredient
from npn.trace import StateChange, StepTrace, Trace

EXPECTED = """\
Pancakes
6 ingredients, 5 steps, tracked by by-hand

    step                           actions   acts on            what changes
────────────────────────────────────────────────────────────────────────────────
1   Sift flour, salt and sugar     sift      flour, salt,       → bowl, composed
    into a bowl.                             sugar
2   Whisk the milk with the        whisk     milk, butter       composed
    butter.
3   Stir into the dry mixture.     stir      step 1 mixture,    milk, butter: →
                                             milk, butter       bowl
                                                                composed
4   Fry in a hot pan.              fry       step 3 mixture     → pan, cooked,
                                                                hot
5   Serve sprinkled with sugar.    serve     step 3 mixture,
                                             sugar (2)

step         1   2   3   4   5
flour       >+   ·   + >c^   •
salt        >+   ·   + >c^   •
sugar       >+   ·   + >c^   •
milk         ·   +  >+ >c^   •
butter       ·   +  >+ >c^   •
sugar (2)    ·   ·   ·   ·   •

> moved  + composed  c cooked  ^ hot  • acted on

In the end
flour + salt + sugar + milk + butter     pan, cooked, hot, composed
sugar (2)                                nothing known

"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(*traces: Trace, out: io.StringIO | None = None) -> str:
    out = out or io.StringIO()
    writers()["table"].write(traces, out)
    return out.getvalue()


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_a_recipe_in_80_columns() -> None:
    assert written(PANCAKES) == EXPECTED


def test_columns_that_would_be_empty_are_left_out() -> None:
    page = written(BY_A_RULE)
    assert "acts on" in page
    for absent in ("actions", "what changes", "In the end"):
        assert absent not in page


def test_a_long_list_is_not_repeated_at_every_step() -> None:
    page = written(BY_A_RULE)
    assert "as in step 3" in page


@pytest.mark.parametrize("columns", [40, 60, 80, 110])
def test_no_line_is_wider_than_the_page(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for line in written(PANCAKES, BY_A_RULE, long_trace(12, 45)).splitlines():
        assert len(line) <= columns


def test_twenty_steps_stand_side_by_side_and_more_go_below() -> None:
    def headers(page: str) -> list[str]:
        return [line for line in page.splitlines() if line.startswith("step   ")]

    assert len(headers(written(long_trace(8, 20)))) == 1
    blocks = headers(written(long_trace(8, 45)))
    assert len(blocks) == 2
    assert [number for block in blocks for number in block.split()[1:]] == [
        str(n) for n in range(1, 46)
    ]


def test_colour_on_a_terminal_only() -> None:
    assert "\x1b[" not in written(PANCAKES)
    assert "\x1b[" in written(PANCAKES, out=Terminal())


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    page = written(PANCAKES, out=Terminal())
    assert not any(f"\x1b[{code}m" in page for code in (31, 32, 33, 34, 36))


def test_markup_and_control_characters_in_a_recipe_are_shown_not_obeyed() -> None:
    text = "[bold]Heat[/bold] \x1b[2J\x9bmilk\u202e :smile: [/x]"
    trace = Trace(text, "by-hand", (Ingredient(text, text),), (StepTrace(text, entities=(0,)),))
    page = written(trace)
    assert "[bold]Heat[/bold]" in page
    assert ":smile: [/x]" in page
    assert not set("\x1b\x9b\u202e") & set(page)


def test_a_matrix_too_large_to_look_at_is_left_out() -> None:
    page = written(long_trace(100, 100))
    assert "too large to draw" in page
    assert not any(line.startswith("step   ") for line in page.splitlines())


def test_what_only_a_part_of_a_mixture_is_stands_below_it() -> None:
    apart = StateChange("shape", "deformed", 0.9, (3,))
    last = replace(PANCAKES.steps[-1], changes=(apart,))
    trace = replace(PANCAKES, steps=(*PANCAKES.steps[:-1], last))
    assert final_states(trace, ingredient_names(trace)) == [
        ("flour + salt + sugar + milk + butter", "pan, cooked, hot, composed"),
        ("· milk", "· deformed"),
        ("sugar (2)", "nothing known"),
    ]


def test_a_cell_shows_each_mark_once() -> None:
    twice = tuple(StateChange("location", place, 0.9, (0,)) for place in ("bowl", "oven"))
    trace = replace(PANCAKES, steps=(StepTrace("Put away.", (), (0,), (), twice),))
    row = next(line for line in written(trace).splitlines() if line.startswith("flour  "))
    assert row.split() == ["flour", ">"]


def test_ingredients_that_no_step_touches_are_named() -> None:
    page = written(replace(PANCAKES, steps=PANCAKES.steps[:2]))
    assert "Never acted on: sugar (2)." in page
    assert "Never acted on" not in written(PANCAKES)


def test_end_states_of_ones_own_lexicon_have_a_mark() -> None:
    change = StateChange("acidity", "acid", 0.9, (0,))
    trace = replace(PANCAKES, steps=(StepTrace("Add vinegar.", (), (0,), (), (change,)),))
    page = written(trace)
    assert "* another change" in page
    assert any(line.startswith("flour") and "acid" in line for line in page.splitlines())


def test_wide_characters_keep_the_columns_straight() -> None:
    trace = replace(BY_A_RULE, ingredients=(Ingredient("豆腐", "豆腐"), *BY_A_RULE.ingredients[1:]))
    rows = [line for line in written(trace).splitlines() if line.startswith(("豆腐", "salt "))]
    assert rows[0].index("•") == rows[1].index("•") - 2  # two characters, four columns
