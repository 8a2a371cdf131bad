"""Meal-Master archives: our own, and the real ones where the data is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npn.formats import Found, Item, Note, Problem, read_file, read_text
from npn.recipe import Recipe

ARCHIVE = Path(__file__).parent / "meal_master_archive.txt"
REAL = Path(os.environ.get("NPN_DATA", ""), "formats", "mealmaster")


def lines(recipe: Recipe) -> list[str]:
    return [ingredient.text for ingredient in recipe.ingredients]


def archive() -> dict[str, Item]:
    """The recipes of our archive by title, which a problem quotes."""
    items: dict[str, Item] = {}
    for item in read_file(str(ARCHIVE)):
        if isinstance(item, Found):
            items[item.recipe.title] = item
        elif isinstance(item, Problem):
            items[item.message.split('"')[1]] = item
    return items


def recipe(title: str) -> Recipe:
    found = archive()[title]
    assert isinstance(found, Found)
    return found.recipe


def test_every_block_of_an_archive_is_found_among_mail_and_chatter() -> None:
    assert list(archive()) == [
        "Buttered Noodles",
        "Barley Soup",
        "Pear Tart",
        "How to Store Herbs",
        "Plum Sorbet",
        "Potato Cakes",
        "Radish Salad",
    ]


def test_an_archive_in_cp437_is_read_with_a_note() -> None:
    note = next(read_file(str(ARCHIVE)))
    assert note == Note(f"{ARCHIVE} is not UTF-8; read as CP437 (DOS)")
    assert "Serve in a hot (80°C) dish." in recipe("Buttered Noodles").steps


def test_wrapped_ingredients_are_joined() -> None:
    assert lines(recipe("Buttered Noodles")) == [
        "8 oz Egg noodles; broad",
        "1/4 c Butter; at room temperature, cut into Pieces",
        "Salt",
        "ds Nutmeg",
    ]


def test_directions_are_free_text_and_mail_is_no_part_of_them() -> None:
    assert recipe("Buttered Noodles").steps == (
        "Boil the noodles in salted water.",
        "Drain well.",
        "Toss with the butter and nutmeg.",
        "Serve in a hot (80°C) dish.",
    )


def test_two_columns_are_read_downwards() -> None:
    assert lines(recipe("Barley Soup")) == [
        "1 c Pearl barley",
        "6 c Vegetable stock",
        "2 lg Carrots; peeled and diced",
        "1 md Onion",
        "Salt and pepper",
        "1 1/2 tb Parsley; chopped",
    ]


def test_dividers_name_the_sections() -> None:
    tart = recipe("Pear Tart")
    assert lines(tart) == ["1 1/4 c Flour", "3 oz Butter", "2 Pears; sliced", "2 tb Honey"]
    assert [one.section for one in tart.ingredients] == [*["CRUST"] * 2, *["TOPPING"] * 2]


def test_dividers_among_the_directions_and_headings_in_the_list() -> None:
    pie = read_text(
        "      Title: Leek Pie\n Categories: Pies\n\n      1 c  Flour\n           FILLING:\n"
        "      2    Leeks\n-----SAUCE-----\n      1 c  Milk\n\n  Rub the flour.\n\n"
        "-----SAUCE-----\n  Boil the milk.\n-----TYPED BY ANN-----\n"
    )
    assert [(one.section, one.text) for one in pie.ingredients] == [
        *((None, "1 c Flour"), ("FILLING", "2 Leeks"), ("SAUCE", "1 c Milk")),
    ]
    assert pie.steps == ("Rub the flour.", "Boil the milk.")
    assert pie.step_sections == (None, "SAUCE")


def test_numbered_directions_are_steps_as_they_stand() -> None:
    assert recipe("Pear Tart").steps == (
        "Rub the butter into the flour.  Add cold water.",
        "Lay the pears on the dough. Bake 40 minutes.",
        "Brush with honey.",
    )


def test_a_block_without_ingredients_is_named_as_a_note() -> None:
    note = archive()["How to Store Herbs"]
    assert isinstance(note, Problem)
    assert note.where == "line 69"
    assert "no ingredient list" in note.message


def test_a_count_in_the_second_column_is_an_amount() -> None:
    rows = "    1/4 c  Butter; at room                     2    Eggs\n      8 oz Egg noodles"
    text = f"Title: Noodles\nYield: 4 servings\n\n{rows}\n\nBoil the noodles.\n"
    assert lines(read_text(text, "n.mmf")) == [
        "1/4 c Butter; at room",
        "8 oz Egg noodles",
        "2 Eggs",
    ]


def test_the_columns_of_quikbook_are_read() -> None:
    sorbet = recipe("Plum Sorbet")
    assert lines(sorbet) == ["plums stoned 1 kg", "juice of 1 lemon", "sugar 200 gm"]
    assert sorbet.steps == ("Stew the plums with the sugar.", "Freeze.")


def test_rows_of_quikbook_are_read() -> None:
    cakes = recipe("Potato Cakes")
    assert lines(cakes) == ["4 cups potatoes, grated", "1 egg", "2 tbs flour", "salt"]
    assert cakes.steps == ("Mix everything.", "Fry in small heaps.")


def test_left_aligned_columns_are_read() -> None:
    assert lines(recipe("Radish Salad")) == [
        "2 bn radishes, thinly sliced",
        "1 T lemon juice",
        "salt & white pepper",
        "1 t mustard, up to... 2 t",
    ]


def test_one_recipe_in_a_text() -> None:
    soup = read_text("      Title: Tea\n Categories: Drinks\n\n      1 ts Tea\n\n  Pour water.\n")
    assert (soup.title, lines(soup), soup.steps) == ("Tea", ["1 ts Tea"], ("Pour water.",))


@pytest.mark.skipif(not REAL.is_dir(), reason="NPN_DATA does not hold the real archives")
@pytest.mark.parametrize(
    ("name", "recipes", "notes"),
    [("candy.txt", 458, 10), ("cb0195.txt", 49, 1), ("cb0895.txt", 53, 0)],
)
def test_every_title_of_the_real_archives_is_read_or_named(
    name: str, recipes: int, notes: int
) -> None:
    items = list(read_file(str(REAL / name)))
    problems = [item for item in items if isinstance(item, Problem)]
    assert sum(isinstance(item, Found) for item in items) == recipes
    assert len(problems) == notes
    assert all("no ingredient list" in problem.message for problem in problems)
    titles = (REAL / name).read_bytes().count(b"Title:")
    assert recipes + notes == titles
