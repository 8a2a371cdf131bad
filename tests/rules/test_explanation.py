"""Why a step takes an ingredient or acts on it: true reasons, or none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import npn
from npn.recipe import Amount, Ingredient
from npn.rules.explanation import Decision, ReasonChecker, explain, explain_step, reasons_text
from npn.trace import Pile, Portion, StepTrace, Trace, Use

OIL = Ingredient("2 tablespoons olive oil", "olive oil", amount=Amount(2, unit="tablespoon"))
FLOUR = Ingredient("1 cup flour", "flour", amount=Amount(1, unit="cup"))
EGG = Ingredient("1 egg", "egg", amount=Amount(1))
MILK = Ingredient("1 cup milk", "milk", amount=Amount(1, unit="cup"))
SAUCE_SUGAR = Ingredient("1 teaspoon sugar", "sugar", section="For the sauce")
CAKE_SUGAR = Ingredient("1 cup sugar", "sugar", section="For the cake")
QUOTED = re.compile(r'"([^"]*)"')


def make_trace(ingredients: list[Ingredient], *steps: StepTrace) -> Trace:
    return Trace("", "by hand", tuple(ingredients), steps)


def taking(text: str, *uses: Use, section: str | None = None) -> StepTrace:
    """A step that takes from the list, and leaves what it takes in one pile."""
    pile = Pile(tuple(Portion(use.ingredient) for use in uses), "bowl")
    who = tuple(use.ingredient for use in uses)
    return StepTrace(text, entities=who, uses=uses, piles=(pile,), section=section)


def pile(*members: int, place: str | None = None, name: str | None = None) -> Pile:
    return Pile(tuple(map(Portion, members)), place, name)


MIX = taking("Mix the flour and the egg in a bowl.", Use(0), Use(1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Add the oil.", 'named as "oil"'),
        ("Add 1 tablespoon of the oil.", '"1 tablespoon" is half of the line\'s 2 tablespoons'),
        ("Add half of the oil.", '"half" of the line\'s 2 tablespoons'),
    ],
)
def test_a_use_is_explained_by_its_name_and_amount(text: str, reason: str) -> None:
    trace = make_trace([OIL], taking(text, Use(0, 0.5)))
    assert reason in explain(trace, 0, 0)


def test_a_stated_amount_that_was_not_taken_is_no_reason() -> None:
    trace = make_trace([OIL], taking("Add 1 tablespoon of the oil.", Use(0, 1.0)))
    assert explain(trace, 0, 0) == 'olive oil: named as "oil"'


def test_the_rest_is_what_an_earlier_step_left() -> None:
    trace = make_trace(
        [OIL], taking("Heat half of the oil.", Use(0, 0.5)), taking("Add the rest.", Use(0, 0.5))
    )
    assert explain(trace, 1, 0) == "olive oil: what step 1 left of it"
    trace = make_trace(
        [OIL],
        taking("Heat half of the oil.", Use(0, 0.5)),
        taking("Add the remaining oil.", Use(0, 0.5)),
    )
    assert '"the remaining" is what step 1 left of it' in explain(trace, 1, 0)


def test_words_can_sum_ingredients_up() -> None:
    trace = make_trace(
        [FLOUR, EGG, MILK, OIL], MIX, taking("Add the remaining ingredients.", Use(2), Use(3))
    )
    assert explain(trace, 1, "milk") == 'milk: one of "the remaining ingredients"'


def test_the_ingredients_of_a_heading_are_those_under_it() -> None:
    step = taking("Whisk all of the sauce ingredients.", Use(0), Use(1))
    trace = make_trace([SAUCE_SUGAR, CAKE_SUGAR], step)
    assert '"all of the sauce ingredients"' in explain(trace, 0, 0)
    assert explain(trace, 0, 1) == "sugar: no reason found in the words"


def test_a_heading_tells_namesakes_apart() -> None:
    trace = make_trace([SAUCE_SUGAR, CAKE_SUGAR], taking("Stir sugar into the sauce.", Use(0)))
    reason = explain(trace, 0, 0)
    assert 'named as "sugar", which may also mean sugar' in reason
    assert 'under "For the sauce", and the step says "sauce"' in reason


def test_a_step_under_the_same_heading_is_a_reason_too() -> None:
    step = taking("Whisk until smooth.", Use(0), section="Sauce")
    trace = make_trace([SAUCE_SUGAR, CAKE_SUGAR], step)
    assert explain(trace, 0, 0) == ('sugar: under "For the sauce", and the step is under "Sauce"')


PART = "part of the pile of flour and egg since step 1; "


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Knead it.", PART + '"it" can mean what step 1 worked on'),
        ("Beat the mixture.", PART + '"mixture" can mean the only mixture that there is'),
        ("Pour the egg mixture out.", PART + 'its egg is named as "egg"'),
        ("Cover the bowl.", PART + 'the "bowl" is where it lies'),
        ("Stir well.", PART + "under way: step 1 worked on it"),
        ("Drizzle with milk.", PART + "under way: step 1 worked on it"),
    ],
)
def test_an_act_on_a_pile_is_explained_by_what_leads_to_it(text: str, reason: str) -> None:
    trace = make_trace(
        [FLOUR, EGG, MILK], MIX, StepTrace(text, entities=(0, 1), piles=(pile(0, 1, place="bowl"),))
    )
    assert explain(trace, 1, "flour") == f"flour: {reason}"


def test_what_is_named_can_come_to_what_is_not() -> None:
    step = StepTrace("Add milk.", entities=(0, 1, 2), uses=(Use(2),), piles=(pile(0, 1, 2),))
    trace = make_trace([FLOUR, EGG, MILK], MIX, step)
    assert explain(trace, 1, "flour") == f'flour: {PART}milk, named as "milk", comes to it'


def test_a_pile_is_as_old_as_its_youngest_member() -> None:
    trace = make_trace(
        [FLOUR, EGG, MILK],
        MIX,
        StepTrace("Add milk.", entities=(0, 1, 2), uses=(Use(2),), piles=(pile(0, 1, 2),)),
        StepTrace("Stir.", entities=(0, 1, 2), piles=(pile(0, 1, 2, name="batter"),)),
        StepTrace("Let the batter rest.", entities=(0, 1, 2), piles=(pile(0, 1, 2),)),
    )
    assert explain(trace, 3, "flour") == (
        "flour: part of the batter (flour, egg and milk) since step 2; "
        '"batter" is what the pile is called'
    )


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Heat the milk and whisk it.", '"it"'),  # the milk
        ("Pour the milk mixture out.", '"mixture"'),  # that of the milk
        ("Take a clean bowl.", '"bowl"'),  # another
        ("Cook; the edge is crisp.", "crisp"),
        ("Shape into a loaf.", "loaf"),  # to be
        ("Fish out the milk skin.", '"Fish"'),
    ],
)
def test_words_that_mean_something_else_are_no_reason(text: str, wrong: str) -> None:
    step = StepTrace(text, entities=(0, 1), piles=(pile(0, 1, place="bowl"),))
    assert wrong not in explain(make_trace([FLOUR, EGG, MILK], MIX, step), 1, "flour")


def test_taking_more_of_something_is_no_reason_to_act_on_the_pile_that_has_some() -> None:
    step = StepTrace("Break the egg.", entities=(0, 1), uses=(Use(1),), piles=(pile(0, 1),))
    assert "is named" not in explain(make_trace([FLOUR, EGG], MIX, step), 1, "flour")


def test_creaming_uses_no_cream() -> None:
    cream = Ingredient("1 cup cream", "cream")
    trace = make_trace([cream, FLOUR], taking("Cream the flour.", Use(0), Use(1)))
    assert explain(trace, 0, "cream") == "cream: no reason found in the words"


def test_where_there_is_no_reason_it_says_so_and_how_sure_the_network_is() -> None:
    step = StepTrace("Serve.", entities=(1,), attention=(0.2, 0.73), uses=(Use(1),))
    trace = make_trace([FLOUR, EGG], step)
    assert explain(trace, 0, "egg") == (
        "egg: no reason found in the words; the network is 73 % sure"
    )


def test_what_is_not_acted_on_needs_no_reason() -> None:
    assert explain(make_trace([FLOUR, EGG, MILK], MIX), 0, "milk") == (
        "milk is not acted on in step 1"
    )


def test_a_step_that_is_not_there_is_an_error() -> None:
    with pytest.raises(npn.NpnError, match="no step 9"):
        explain(make_trace([FLOUR, EGG], MIX), 9, "egg")


@pytest.mark.parametrize("model", ["mention", "previous", "first-mention", "weak-labels", "paper"])
def test_every_tracker_is_explained(model: str) -> None:
    steps = ["Melt the butter in a pan.", "Stir in the flour.", "Cook it."]
    recipe = npn.Recipe.from_lists("Roux", ["1 tb butter", "2 tb flour"], steps)
    trace = npn.load(model).track(recipe)
    assert 'named as "butter"' in explain(trace, 0, "butter")
    for number, step in enumerate(trace.steps):
        assert {one.ingredient for one in explain_step(trace, number)} >= set(step.entities)


WORDS = st.sampled_from(
    """add stir pour the of it them all remaining half dry rest first two ingredients mixture batter
    sauce dough bowl pan flour egg eggs milk sugar oil 1 2 cup tablespoon , . until into with İ
    everything Cream cream cheese""".split()
)
TEXTS = st.lists(WORDS, min_size=1, max_size=10).map(" ".join)
LINES = ["2 tablespoons oil", "1 cup flour", "2 eggs", "1 cup milk", "1 cup sugar"]
HEADINGS = ["For the sauce", "For the sauce", "Dough", None, None]


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_no_reason_quotes_words_that_are_not_in_the_step(steps: list[str]) -> None:
    recipe = npn.Recipe.from_lists("", LINES, steps, HEADINGS)
    trace = npn.load("weak-labels").track(recipe)
    headings = {heading for heading in HEADINGS if heading}
    for number, text in enumerate(steps):
        for decision in explain_step(trace, number):
            for quote in QUOTED.findall(reasons_text(decision)):
                assert quote in text or quote in headings
            for reason in decision.reasons:
                assert all(text[q.start : q.end] == q.text for q in reason.quotes)


def test_checking_marks_what_the_decision_did_not_need() -> None:
    """The rule `mention` takes what is named: without the name, it does not."""
    recipe = npn.Recipe.from_lists(
        "", ["1 cup flour", "1 egg"], ["Mix the flour.", "Mix the flour."]
    )
    tracker = npn.load("mention")
    trace = tracker.track(recipe)
    (decision,) = ReasonChecker(tracker, recipe).check(explain_step(trace, 0))
    assert reasons_text(decision) == 'named as "flour" (needed)'
    first = npn.load("first-mention")
    (later,) = ReasonChecker(first, recipe).check(explain_step(first.track(recipe), 1))
    assert reasons_text(later) == 'named as "flour" (also without it)'


def test_a_reason_without_words_is_not_checked() -> None:
    recipe = npn.Recipe.from_lists("", ["1 cup flour"], ["Mix the flour.", "Stir."])
    tracker = npn.load("previous")
    (decision,) = ReasonChecker(tracker, recipe).check(explain_step(tracker.track(recipe), 1))
    assert reasons_text(decision) == "under way: step 1 worked on it"


def test_a_remark_of_the_tracker_stands_after_the_reasons() -> None:
    decision = Decision(0, 0, None, (), 0.3, "most of its pile is acted on")
    assert reasons_text(decision) == ("no reason found in the words; most of its pile is acted on")
