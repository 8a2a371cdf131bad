"""Amounts in lines and steps, parts of them, and how they are written for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.language.amounts import format_amount, fraction_of, scale
from npn.language.parsed_lines import describe, parse_line, second_food
from npn.models import load_tracker
from npn.recipe import Amount, Ingredient, Recipe
from npn.rules.grammar.references import Share, parse_amount


def amount(line: str) -> Amount:
    """The amount of a line, without its note."""
    found = parse_amount(line)
    assert isinstance(found, Amount)
    return found


@pytest.mark.parametrize(
    ("phrase", "quantity", "unit"),
    [
        ("2 tablespoons of the oil", 2, "tablespoon"),
        ("1/4 cup", 0.25, "cup"),
        ("half a cup of the stock", 0.5, "cup"),
        ("half an onion", 0.5, None),
        ("2 of the eggs", 2, None),
        ("a pinch of salt", 1, "pinch"),
        ("1 T butter", 1, "tablespoon"),
        ("the 2 cups flour", 2, "cup"),
    ],
)
def test_a_step_states_an_amount(phrase: str, quantity: float, unit: str | None) -> None:
    assert parse_amount(phrase) == Amount(quantity, None, unit)


@pytest.mark.parametrize(
    ("phrase", "fraction"),
    [
        ("half of the sugar", 1 / 2),
        ("half the sugar", 1 / 2),
        ("half", 1 / 2),
        ("the other half of the cheese", 1 / 2),
        ("a third of the cheese", 1 / 3),
        ("two thirds of the flour", 2 / 3),
        ("1/3 of the batter", 1 / 3),
        ("one quarter of the batter", 1 / 4),
        ("50% of the milk", 1 / 2),
        ("all of the milk", 1),
        ("the remaining milk", None),
        ("the rest of the milk", None),
    ],
)
def test_a_step_states_a_share(phrase: str, fraction: float | None) -> None:
    found = parse_amount(phrase)
    assert isinstance(found, Share)
    assert found.fraction == (None if fraction is None else pytest.approx(fraction))


@pytest.mark.parametrize("phrase", ["", "the oil", "onions", "most of the oil", "half-and-half"])
def test_a_phrase_may_state_nothing(phrase: str) -> None:
    assert parse_amount(phrase) is None


@pytest.mark.parametrize(
    ("part", "whole", "fraction"),
    [
        ("1 tablespoon", "2 tablespoons", 1 / 2),
        ("1 tablespoon", "1/4 cup", 1 / 4),
        ("1 teaspoon", "1 tablespoon", 1 / 3),
        ("1 cup", "1 quart", 1 / 4),
        ("100 ml", "1 l", 1 / 10),
        ("2 fl oz", "1 cup", 1 / 4),
        ("8 oz", "1 lb", 1 / 2),
        ("250 g", "1 kg", 1 / 4),
        ("4 tablespoons", "1 stick", 1 / 2),
        ("1 stick", "1 cup", 1 / 2),
        ("113 g", "2 sticks", 1 / 2),
        ("2 tablespoons", "1/2 cup plus 2 tablespoons", 1 / 5),
        ("1", "3 cloves", 1 / 3),
        ("2 cloves", "4 cloves", 1 / 2),
        ("7 oz", "1 (14 oz) can", 1 / 2),
        ("1 can", "2 (14 oz) cans", 1 / 2),
        ("2 tablespoons", "2-3 tablespoons", 2 / 3),
        ("3 tablespoons", "2-3 tablespoons", 1),
        ("1/3 cup", "80 ml", 0.986),
    ],
)
def test_a_stated_amount_is_a_part_of_the_whole(part: str, whole: str, fraction: float) -> None:
    assert fraction_of(amount(part), amount(whole)) == pytest.approx(fraction, rel=0.01)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("1 cup", "100 g"),
        ("1 clove", "1 head"),
        ("3 tablespoons", "1 tablespoon"),
        ("1 cup", "2"),
        ("1/2 cup", "0 cups"),
    ],
)
def test_what_cannot_be_compared_has_no_fraction(part: str, whole: str) -> None:
    assert fraction_of(amount(part), amount(whole)) is None


def test_an_unknown_amount_has_no_fraction() -> None:
    assert fraction_of(Amount(), Amount(1, unit="cup")) is None
    assert fraction_of(Amount(1, unit="cup"), Amount(unit="cup")) is None


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("1.5 tbsp", "1 1/2 tablespoons"),
        ("0.5 c", "1/2 cup"),
        ("2-3 cloves", "2-3 cloves"),
        ("1/2-3/4 cup", "1/2 to 3/4 cup"),
        ("1/2 cup plus 2 tbsp", "1/2 cup plus 2 tablespoons"),
        ("2 (14 oz) cans", "2 cans (14 ounces each)"),
        ("1 (14 oz) can", "1 can (14 ounces)"),
        ("4 (6 oz)", "4 (6 ounces each)"),
        ("1/2 c (1 stick) plus 2 T", "1/2 cup plus 2 tablespoons"),
        ("1 T + 2 t", "1 tablespoon plus 2 teaspoons"),
        ("13/4 cups", "1 3/4 cups"),
        ("11/2 tbsp", "1 1/2 tablespoons"),
        ("3", "3"),
        ("1 loaf", "1 loaf"),
        ("2 loaves", "2 loaves"),
        ("2 pinches", "2 pinches"),
        ("3 inches", "3 inches"),
        ("2 fl oz", "2 fluid ounces"),
        ("1.43 cups", "1.43 cups"),
        ("14.5 oz", "14 1/2 ounces"),
        ("28.25 oz", "28 1/4 ounces"),
        ("1 (13.5 oz) can", "1 can (13 1/2 ounces)"),
        ("0.07 cup", "0.07 cup"),
        ("0.333 cup", "1/3 cup"),
        ("0.5 l", "0.5 liter"),
        ("1.5 kg", "1.5 kilograms"),
    ],
)
def test_amounts_are_written_for_people(written: str, text: str) -> None:
    assert format_amount(amount(written)) == text


def test_nothing_is_written_of_an_unknown_amount() -> None:
    assert format_amount(Amount()) == ""
    assert format_amount(Amount(note="to taste")) == ""


@pytest.mark.parametrize("written", ["1/0 cup", "1" + "0" * 30 + " cups", "1/0 cup plus 2 tbsp"])
def test_no_unit_is_written_without_a_quantity(written: str) -> None:
    found = parse_line(f"{written} sugar").amount
    assert found.unit == "cup"
    assert format_amount(found) == ""
    assert format_amount(scale(found, 0.5)) == ""


def test_rashers_are_counted() -> None:
    for line in ("6 rashers streaky bacon", "6 streaky bacon rashers"):
        parsed = parse_line(line)
        assert (parsed.amount, parsed.food) == (Amount(6, unit="rasher"), "streaky bacon")


def test_what_comes_after_a_plus_sign_is_a_remark_that_says_so() -> None:
    assert parse_line("2 large eggs + 1 yolk").amount == Amount(2, note="large, plus 1 yolk")


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ("large, plus 1 yolk", (Amount(1), "yolk")),
        ("and 2 tbsp cornstarch", (Amount(2, unit="tablespoon"), "cornstarch")),
        ("plus 1 for the top", None),
        ("plus 2 more", None),
        ("plus extra for brushing", None),
        ("1 yolk", None),
        (None, None),
    ],
)
def test_a_second_food_stands_among_the_remarks(
    note: str | None, found: tuple[Amount, str] | None
) -> None:
    assert second_food(note) == found


def test_a_part_of_an_amount() -> None:
    assert format_amount(scale(amount("2-3 tbsp"), 0.5)) == "1 to 1 1/2 tablespoons"
    assert format_amount(scale(amount("1 cup plus 2 tbsp"), 0.5)) == "1/2 cup plus 1 tablespoon"
    assert format_amount(scale(amount("2 (14 oz) cans"), 0.5)) == "1 can (14 ounces)"
    assert scale(Amount(note="to taste"), 0.5) == Amount(note="to taste")


def test_an_ingredient_is_described_from_its_line() -> None:
    line = "1/2 cup cold unsalted butter, cubed (optional)"
    assert describe(Ingredient(line, section="Crust")) == Ingredient(
        line,
        "butter",
        section="Crust",
        food="unsalted butter",
        amount=Amount(0.5, None, "cup", "cold, cubed"),
        optional=True,
    )


def test_what_the_source_gave_stays() -> None:
    given = Ingredient("2 cups flour", "white flour", food="flour 00", amount=Amount(3))
    assert describe(given) == given
    assert describe(Ingredient("2 cups flour", "white flour")).name == "white flour"


@pytest.mark.parametrize("number", ["1/0", "1" + "0" * 30, "9" * 5_000, "1.2.3", "0/0"])
def test_numbers_without_sense_are_no_quantity(number: str) -> None:
    assert parse_line(f"{number} cups sugar").amount.quantity is None
    found = parse_amount(f"{number} cups of sugar")
    assert found is None or (isinstance(found, Amount) and found.quantity is None)


@pytest.mark.parametrize("part", ["1 g/", "(1 g ", "1 lb 2 oz ", "very ", "a ", "plus 1 c ", "of "])
def test_a_megabyte_in_one_line_is_no_burden(part: str) -> None:
    text = part * (1_000_000 // len(part))
    parse_line(text)
    parse_amount(text)


@given(st.text())
def test_any_line_can_be_parsed(line: str) -> None:
    parsed = parse_line(line)
    assert parsed.food or not parsed.name
    format_amount(parsed.amount)
    parse_amount(line)


PIECES = st.sampled_from(
    "1 2 1/2 ½ - – ( ) , ; / x to or and plus of a half dozen cup oz g can large each chopped "
    "finely juice lemon salt optional 14 % . : fresh for".split()
)


@given(st.lists(PIECES, max_size=14))
def test_any_row_of_the_words_of_lines_can_be_parsed(pieces: list[str]) -> None:
    line = " ".join(pieces)
    found = parse_line(line).amount
    assert found.quantity is None or 0 <= found.quantity <= 12_000_000
    assert found.most is None or (found.quantity is not None and found.most > found.quantity)
    assert fraction_of(found, found) in (None, 1.0)


@pytest.mark.parametrize("tracker", ["first-mention", "weak-labels", "world"])
def test_a_trace_lists_ingredients_with_amount_food_and_section(tracker: str) -> None:
    recipe = Recipe.from_lists(
        "Toast",
        ["2 tb unsalted butter, melted", "1 slice bread"],
        ["Spread the butter on the bread."],
        ["Topping", None],
    )
    butter = load_tracker(tracker).track(recipe).ingredients[0]
    assert (butter.name, butter.food, butter.section) == ("butter", "unsalted butter", "Topping")
    assert butter.amount == Amount(2, None, "tablespoon", "melted")


@pytest.mark.parametrize(
    ("line", "quantity", "unit", "food"),
    [
        ("1 ¹/₂ lemons juiced", 1.5, None, "lemons"),
        ("¹/₃ cup sugar", 1 / 3, "cup", "sugar"),
        ("2¹⁄₄ cups flour", 2.25, "cup", "flour"),
        ("1 cup tea²", 1, "cup", "tea²"),
    ],
)
def test_fractions_in_small_digits_are_read_as_mealie_writes_them(
    line: str, quantity: float, unit: str | None, food: str
) -> None:
    found = parse_line(line)
    assert found.amount.quantity == pytest.approx(quantity)
    assert (found.amount.unit, found.food) == (unit, food)
