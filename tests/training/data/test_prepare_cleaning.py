"""What archives add to recipes is taken out; what is no recipe is dropped, and counted."""

from __future__ import annotations

import pytest

from npn.recipe import Recipe
from npn.training.data.cleaning import Cleaned, Cleaner

LINES = ["2 c Flour", "1 ts Salt", "1 c Water"]
STEPS = ["Mix the flour and salt.", "Stir in the water and knead well."]


def clean(lines: list[str], steps: list[str]) -> tuple[Cleaned | None, Cleaner]:
    cleaner = Cleaner()
    return cleaner.clean(Recipe.from_lists("Dough", lines, steps)), cleaner


@pytest.mark.parametrize(
    "note",
    [
        "Source: a village fair.",
        "From: Somebody Date: 03-04-95",
        "Recipe by: Our Aunt",
        "Typed for you by a friend.",
        "Posted by the milkman.",
        "Makes 4 servings.",
        "Makes about 3 dozen.",
        "Serves 6.",
        "Yield: 2 loaves",
        "Preparation Time: 0:20",
        "Per serving: 120 calories, 3 g fat.",
        "Each serving provides 2 breads.",
        "NOTE: this freezes well.",
        "Write to baker@example.com for more.",
        "See www.example.com for pictures.",
        ": from a collection of breads",
        "Contains 230 kcal a slice.",
    ],
)
def test_notes_are_taken_out(note: str) -> None:
    cleaned, cleaner = clean(LINES, [STEPS[0], note, STEPS[1]])
    assert cleaned is not None
    assert cleaned.sentences == tuple(STEPS)
    assert cleaner.removed["notes, credits and addresses"] >= 1


@pytest.mark.parametrize(
    "sentence",
    [
        "Serve 2 slices to each guest.",
        "Make 12 balls of the dough.",
        "From time to time, stir the dough.",
        "Bake @ 350 degrees for 30 minutes.",
        "To serve, cut into slices.",
        "Place 6 inches from the source of heat.",
    ],
)
def test_instructions_stay(sentence: str) -> None:
    cleaned, _ = clean(LINES, [*STEPS, sentence])
    assert cleaned is not None
    assert cleaned.sentences == (*STEPS, sentence)


def test_what_a_note_announces_goes_with_it_and_the_rest_stays() -> None:
    cleaned, _ = clean(LINES, [f"{STEPS[0]} Note: It freezes well. {STEPS[1]}"])
    assert cleaned is not None
    assert cleaned.sentences == tuple(STEPS)


def test_a_signature_is_taken_off_the_end_alone() -> None:
    cleaned, cleaner = clean(LINES, ["For The Dough", *STEPS, "Serve Warm.", "Mary Baker"])
    assert cleaned is not None
    assert cleaned.sentences == ("For The Dough", *STEPS, "Serve Warm.")
    assert cleaner.removed["names at the end"] == 1


def test_headings_go_and_wrapped_lines_are_joined() -> None:
    lines = ["DOUGH", "2 c Flour", "-sifted twice", "1 ts Salt", "A. BAKER", "Glaze:"]
    cleaned, _ = clean(lines, STEPS)
    assert cleaned is not None
    assert [one.text for one in cleaned.ingredients] == ["2 c Flour sifted twice", "1 ts Salt"]


def test_a_list_all_in_capitals_stays() -> None:
    lines = [line.upper() for line in (*LINES, "Pepper")]
    cleaned, _ = clean(lines, STEPS)
    assert cleaned is not None
    assert len(cleaned.ingredients) == 4


@pytest.mark.parametrize(
    ("lines", "steps", "reason"),
    [
        (LINES[:1], STEPS, "fewer than 2 ingredients"),
        ([f"{n} c Flour" for n in range(31)], STEPS, "more than 30 ingredients"),
        (LINES, STEPS[:1], "fewer than 2 sentences"),
        (LINES, STEPS * 26, "more than 50 sentences"),
        (LINES, ["Das Mehl und das Salz mit dem Wasser kneten und dann backen."], "not in English"),
    ],
)
def test_what_is_no_recipe_is_dropped(lines: list[str], steps: list[str], reason: str) -> None:
    cleaned, cleaner = clean(lines, steps)
    assert cleaned is None
    assert dict(cleaner.dropped) == {reason: 1}


def test_a_sentence_without_end_is_taken_out() -> None:
    cleaned, cleaner = clean(LINES, [*STEPS, "Mix " + "flour and salt " * 40])
    assert cleaned is not None
    assert cleaned.sentences == tuple(STEPS)
    assert cleaner.removed["sentences of more than 80 words"] == 1
