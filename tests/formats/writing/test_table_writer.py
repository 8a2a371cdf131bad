from __future__ import annotations

import io
from dataclasses import replace

import pytest
from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES, long_trace

from npn.formats.writing import writers
from npn.formats.writing.piles import at_place, in_the_end
from npn.formats.writing.wording import amount_text, ingredient_names, taken
from npn.language.parsed_lines import describe
from npn.recipe import Amount, Ingredient
from npn.trace import Pile, Portion, StateChange, StepTrace, Trace, Use

EXPECTED = """\
Pancakes
6 ingredients, 5 steps, tracked by by-hand

    step                   takes              acts on           what changes
────────────────────────────────────────────────────────────────────────────────
1   Sift flour, salt and   flour                                → bowl, composed
    sugar into a bowl.     salt
                           sugar
2   Whisk the milk with    milk                                 composed
    the butter.            butter
3   Stir into the dry                         step 1 mixture,   milk + butter: →
    mixture.                                  milk + butter     bowl
                                                                composed
4   Fry in a hot pan.                         step 3 mixture    → pan, cooked,
                                                                hot
5   Serve sprinkled with   sugar (2)          pancakes
    sugar.

step         1   2   3   4   5
flour       >+   ·   + >c^   •
salt        >+   ·   + >c^   •
sugar       >+   ·   + >c^   •
milk         ·   +  >+ >c^   •
butter       ·   +  >+ >c^   •
sugar (2)    ·   ·   ·   ·   •

> moved  + composed  c cooked  ^ hot  • acted on

In the end
pancakes: flour, salt, sugar, milk,      in the pan, cooked, hot
butter, sugar (2)

"""
IN_PARTS = """\
Beef with onions
5 ingredients, 4 steps, tracked by by-hand

    step                   takes              acts on           what changes
────────────────────────────────────────────────────────────────────────────────
    The beef
1   Brown the beef in 1    half of the oil:                     → plate
    tablespoon oil. Salt   1 tablespoon                         beef: cooked
    it. Move to a plate.   1 pound beef
                           some salt
    The onions
2   Melt a third of the    a third of the                       onion: cooked
    butter with the rest   butter: 1                            oil, butter,
    of the oil; brown      tablespoon                           onion: hot
    the onions, with       the rest of the
    salt.                  oil: 1
                           tablespoon
                           2 onions
                           some salt
3   Return the beef to                        beef, step 2      beef: → pan
    the pan and heat                          mixture           hot
    through.
4   Put the remaining      the rest of the
    butter on a plate      butter: 2
    beside it.             tablespoons

step     1  2  3  4
oil      >  ^ >^  ·
butter   ·  ^  ^  •
onion    · c^  ^  ·
beef    >c  · >^  ·
salt     >  • >^  ·

> moved  ^ hot  • acted on  c cooked

In the end
oil, butter (1st part), onion, beef,     in the pan, hot
salt
butter (2nd part)                        on the plate

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


def test_a_recipe_whose_ingredients_are_used_in_parts() -> None:
    assert written(BEEF_WITH_ONIONS) == IN_PARTS


def test_a_wide_page_says_the_actions_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "actions" not in written(PANCAKES)
    monkeypatch.setenv("COLUMNS", "120")
    assert "actions" in written(PANCAKES)


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


MIXED = Trace(
    "Lasagne",
    "by-hand",
    (Ingredient("", "mozzarella", amount=Amount(4, unit="cup")),),
    tuple(
        StepTrace(f"Top{' again' * n} with 1 1/3 cups or 1 ½ cups.", entities=(0,), uses=(use,))
        for n, use in enumerate([Use(0, fraction=1 / 3)] * 3)
    ),
)


@pytest.mark.parametrize("columns", range(40, 111, 5))
def test_no_line_is_broken_inside_a_mixed_number(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    page = written(MIXED)
    assert page.count("1 1/3") == 6
    assert page.count("1 ½") == 3
    assert page.replace("\n", "").isprintable()


@pytest.mark.parametrize("columns", range(40, 81))
def test_a_sign_of_the_legend_stays_with_its_meaning(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    page = written(PANCAKES)
    for entry in ("> moved", "+ composed", "c cooked", "^ hot", "• acted on"):
        assert entry in page


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


def test_what_most_of_the_dish_is_stands_beside_it() -> None:
    cold = StateChange("temperature", "cold", 0.9, (3, 4))
    last = replace(PANCAKES.steps[-1], changes=(cold,))
    trace = replace(PANCAKES, steps=(*PANCAKES.steps[:-1], last))
    ((what, how),) = in_the_end(trace, ingredient_names(trace))
    assert what == "pancakes: flour, salt, sugar, milk, butter, sugar (2)"
    assert how == "in the pan, cooked"


def test_a_dish_whose_parts_differ_says_so() -> None:
    trace = long_trace(9, 1)
    uses = tuple(Use(i) for i in range(9))
    changes = (
        StateChange("cookedness", "cooked", 0.9, (0, 1)),
        StateChange("temperature", "hot", 0.9, (0, 1)),
        StateChange("temperature", "room", 0.9, (2,)),
        StateChange("composition", "composed", 0.9, tuple(range(9))),
    )
    piles = (Pile(tuple(map(Portion, range(9)))),)
    step = replace(trace.steps[0], uses=uses, piles=piles, changes=changes)
    assert in_the_end(replace(trace, steps=(step,)), ingredient_names(trace)) == [
        ("everything", "its parts differ: some cooked, some hot, some at room temperature")
    ]


def test_a_pile_named_after_the_one_thing_in_it_does_not_repeat_its_name() -> None:
    egg = Ingredient("1 egg", "egg")
    step = StepTrace(
        "Boil.", entities=(0,), uses=(Use(0),), piles=(Pile((Portion(0),), "pot", "egg"),)
    )
    trace = Trace("Egg", "by-hand", (egg,), (step,))
    assert in_the_end(trace, ["egg"]) == [("egg", "in the pot")]
    out = io.StringIO()
    writers()["html"].write([trace], out)
    assert "<b>in the pot:</b> egg</li>" in out.getvalue()


def test_a_dish_of_nearly_everything_says_what_is_missing() -> None:
    trace = long_trace(9, 1)
    uses = tuple(Use(i) for i in range(9))
    piles = (Pile(tuple(map(Portion, range(8)))), Pile((Portion(8),), "rack"))
    trace = replace(trace, steps=(replace(trace.steps[0], uses=uses, piles=piles),))
    assert in_the_end(trace, ingredient_names(trace)) == [
        ("everything but thing8", "nothing more known"),
        ("thing8", "on the rack"),
    ]


def test_namesakes_are_told_apart_by_food_or_section() -> None:
    two = (Ingredient("", "sugar", food="brown sugar"), Ingredient("", "sugar", food="white sugar"))
    assert ingredient_names(Trace("", "", two, ())) == ["brown sugar", "white sugar"]
    two = (Ingredient("", "oil"), Ingredient("", "oil", section="For the dressing:"))
    assert ingredient_names(Trace("", "", two, ())) == ["oil", "oil (dressing)"]


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Amount(2, unit="tablespoon"), "2 tablespoons"),
        (Amount(1, unit="cup", plus=Amount(0.5, unit="teaspoon")), "1 cup plus 1/2 teaspoon"),
        (Amount(2, 3, "can", package=Amount(14, unit="ounce")), "2-3 cans (14 ounces each)"),
        (Amount(note="to taste"), ""),
        (Amount(unit="cup"), ""),
        (Amount(1, unit="teaspoon", note="each"), "1 teaspoon each"),
        (None, ""),
    ],
)
def test_amounts_for_people(amount: Amount | None, text: str) -> None:
    assert amount_text(amount) == text


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("2 large eggs + 1 yolk", "2 eggs plus 1 yolk"),
        ("2 eggs, plus 1 egg yolk", "2 eggs plus 1 egg yolk"),
        ("1 cup flour and 2 tbsp cornstarch", "1 cup flour plus 2 tablespoons cornstarch"),
        ("2 onions plus 1 for the top", "2 onions"),
        ("2 eggs, plus extra for brushing", "2 eggs"),
        ("1 tsp each baking soda and salt", "1 teaspoon each baking soda and salt"),
    ],
)
def test_nothing_of_a_line_that_is_taken_whole_is_lost(line: str, phrase: str) -> None:
    one = describe(Ingredient(line))
    assert one.amount is not None
    for amount in (None, replace(one.amount, note=None)):  # as a tracker may state it, too
        step = StepTrace("Add all.", entities=(0,), uses=(Use(0, amount=amount),))
        trace = Trace("", "by-hand", (one,), (step,))
        assert taken(trace, ingredient_names(trace)) == [[phrase]]


def test_a_cell_shows_each_mark_once() -> None:
    twice = tuple(StateChange("location", place, 0.9, (0,)) for place in ("bowl", "oven"))
    trace = replace(PANCAKES, steps=(StepTrace("Put away.", (), (0,), (), twice),))
    row = next(line for line in written(trace).splitlines() if line.startswith("flour  "))
    assert row.split() == ["flour", ">"]


def test_ingredients_that_no_step_touches_are_named() -> None:
    page = written(replace(PANCAKES, steps=PANCAKES.steps[:2]))
    assert "Never used: sugar (2)." in page
    assert "Never used" not in written(PANCAKES)


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


@pytest.mark.parametrize(
    ("place", "where"),
    [("bowl", "in the bowl"), ("cake stand", "on the cake stand"), ("bun", "on the bun")],
)
def test_a_thing_lies_in_a_vessel_and_on_a_stand(place: str, where: str) -> None:
    assert at_place(place) == where
