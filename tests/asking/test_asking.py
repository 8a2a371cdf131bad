"""Questions that are answered from a trace, and those that are not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from divided_traces import DOUGH, MARBLE_CAKE, SALAD
from npn.asking import CANNOT, ask
from npn.errors import NpnError
from npn.recipe import Amount, Ingredient
from npn.trace import Pile, Portion, SelectedAction, StateChange, StepTrace, Trace, Use


@cache
def stew() -> Trace:
    """Beef browned in half of the oil, put on a plate, then stewed; the parsley is never used."""
    oil, beef, stock = Portion(0, 0), Portion(1), Portion(2)
    return Trace(
        "Stew",
        "by hand",
        (
            Ingredient("2 tablespoons oil", "oil", {}, None, "oil", Amount(2, unit="tablespoon")),
            Ingredient("1 pound beef", "beef", {}, None, "beef", Amount(1, unit="pound")),
            Ingredient("3 cups stock", "stock", {}, None, "stock", Amount(3, unit="cup")),
            Ingredient("parsley", "parsley"),
        ),
        (
            StepTrace(
                "Brown the beef in 1 tablespoon oil for 5 minutes, then put it on a plate.",
                (SelectedAction("brown", 1.0),),
                (0, 1),
                changes=(StateChange("cookedness", "cooked", 1.0, (1,)),),
                uses=(Use(0, 0.5, Amount(1, unit="tablespoon")), Use(1)),
                piles=(Pile((oil, beef), "plate"),),
            ),
            StepTrace(
                "Bring the stock to a boil in a pot.",
                (SelectedAction("boil", 1.0),),
                (2,),
                uses=(Use(2),),
                piles=(Pile((oil, beef), "plate"), Pile((stock,), "pot")),
            ),
            StepTrace(
                "Add the beef and simmer for 1 hour.",
                (SelectedAction("add", 1.0), SelectedAction("simmer", 1.0)),
                (0, 1, 2),
                piles=(Pile((oil, beef, stock), "pot", "stew"),),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("question", "after", "words", "steps"),
    [
        ("When is the oil used?", None, "step 1 (half of the oil: 1 tablespoon)", (0,)),
        ("When do I add the stock?", None, "step 2", (1,)),
        ("In which step is the parsley added?", None, "No step takes the parsley", ()),
        ("Where is the beef now?", 2, "After step 2: beef: on the plate, with oil", (0,)),
        ("Where is the beef?", None, "in the pot", (2,)),
        ("Where is the beef now?", 0, "not taken from the list yet", ()),
        ("Where is the stew?", None, "in the pot", (2,)),
        ("What is in the pot after step 2?", None, "the pot holds stock", (1,)),
        ("What's in the stew?", None, "the stew holds oil, beef and stock", (2,)),
        ("What is in the pot after step 1?", None, "nothing in the pot after step 1", (1,)),
        ("How much oil do I need in step 1?", None, "half of the oil: 1 tablespoon", (0,)),
        ("How much stock is there?", None, "3 cups stock", (1,)),
        ("What do I need for step 2?", None, "3 cups stock", (1,)),
        ("What do I need for step 3?", None, "nothing from the list", (2,)),
        ("Is the beef cooked after step 2?", None, "Yes: after step 2", (0,)),
        ("Is the stock cooked?", None, "Nothing says so", ()),
        ("What happens in step 3?", None, "add and simmer", (2,)),
        ("What happens to the beef?", None, "step 1 (brown)", (0, 2)),
        ("What is never used?", None, "No step takes parsley", ()),
        ("How long does it simmer?", None, "1 hour", (2,)),
        ("How long does step 1 take?", None, "5 minutes", (0,)),
    ],
)
def test_a_question_is_answered_with_its_steps(
    question: str, after: int | None, words: str, steps: tuple[int, ...]
) -> None:
    reply = ask(stew(), question, after)
    assert words in reply.text
    assert reply.steps == steps


@pytest.mark.parametrize(
    "question",
    ["", "?", "Is this healthy?", "What is in the wok?", "Where is the saffron?", "When?", "Hello",
     "What is in the pot after step 99?", "Who wrote this?", "beef", "x" * 10_000],
)  # fmt: skip
def test_what_has_no_form_is_not_answered(question: str) -> None:
    assert ask(stew(), question).text == CANNOT


@cache
def stir_fry() -> Trace:
    """The steps say "beef" where the list says "flank steak"."""
    oil, steak = Portion(0), Portion(1)
    return Trace(
        "Stir-fry",
        "by hand",
        (
            Ingredient("2 tablespoons oil", "oil", {}, None, "oil", Amount(2, unit="tablespoon")),
            Ingredient("1 pound flank steak", "flank steak"),
            Ingredient("1 cup beef stock", "beef stock"),
        ),
        (
            StepTrace(
                "Heat the oil in a wok and sear the beef.",
                (),
                (0, 1),
                uses=(Use(0, words="oil"), Use(1)),
                piles=(Pile((oil, steak), "wok"),),
            ),
            StepTrace("Transfer to a plate.", (), (0, 1), piles=(Pile((oil, steak), "plate"),)),
        ),
    )


@pytest.mark.parametrize("words", [None, "beef"])
def test_an_ingredient_is_found_by_the_word_that_the_steps_use_for_it(words: str | None) -> None:
    trace = stir_fry()
    uses = (trace.steps[0].uses[0], Use(1, words=words))
    trace = replace(trace, steps=(replace(trace.steps[0], uses=uses), trace.steps[1]))
    assert ask(trace, "Where is the beef now?", 2).text == (
        "After step 2: flank steak: on the plate, with oil."
    )
    assert ask(trace, "When is the beef used?").ingredients == (1,)
    for other in ("Where is the pork?", "Where is the wok?", "When is the beef stock used?"):
        assert 1 not in ask(trace, other).ingredients


def test_what_a_step_acts_on_but_does_not_take_was_taken_before() -> None:
    reply = ask(stew(), "How much oil in step 3?")
    assert reply.text == (
        "Step 3 takes no oil from the list; it acts on what is taken in step 1 (half of the "
        "oil: 1 tablespoon)."
    )
    assert reply.steps == (0, 2)
    assert ask(stew(), "How much oil in step 2?").text == "Step 2 takes no oil from the list."


@pytest.mark.parametrize("after", [-1, 4])
def test_a_step_that_is_not_there_is_refused(after: int) -> None:
    with pytest.raises(NpnError, match=f"there is no step {after}: the recipe has 3"):
        ask(stew(), "Where is the beef now?", after)


def test_a_trace_without_steps_answers_nothing() -> None:
    assert ask(Trace("", "", (), ()), "Where is the beef?").text == CANNOT


@pytest.mark.parametrize(
    ("trace", "text", "after", "answer"),
    [
        (
            SALAD,
            "Where is the dressing?",
            2,
            "olive oil, lemon juice and mustard: part in the jar, and part in the bowl, with "
            "lettuce and tomato.",
        ),
        (SALAD, "What is in the jar?", 3, "the dressing holds olive oil, lemon juice and mustard."),
        (MARBLE_CAKE, "What is in the bowl?", 3, "the batter holds butter, sugar, egg and flour."),
        (DOUGH, "Is the flour cooked?", 3, "the flour is cooked in the tin, not in the bag."),
    ],
)
def test_a_mixture_that_was_divided_is_in_several_places(
    trace: Trace, text: str, after: int, answer: str
) -> None:
    assert ask(trace, text, after).text.endswith(answer)


def test_two_parts_of_one_name_are_told_apart() -> None:
    steps = [
        replace(step, piles=tuple(replace(pile, name="batter") for pile in step.piles))
        for step in MARBLE_CAKE.steps
    ]
    answer = ask(replace(MARBLE_CAKE, steps=tuple(steps)), "What is in the batter?", 3).text
    assert "the batter holds butter, sugar, egg and flour; the batter with cocoa holds" in answer
