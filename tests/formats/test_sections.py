"""Headings are never ingredients or steps: they are the sections of what stands below them."""

from __future__ import annotations

import json

import pytest

from npn.errors import NpnError
from npn.formats import read_text
from npn.formats.sections import heading_text, is_clear_heading
from npn.formats.text_lines import is_plugin_text
from npn.recipe import Recipe


def listed(recipe: Recipe) -> list[tuple[str | None, str]]:
    return [(one.section, one.text) for one in recipe.ingredients]


def directed(recipe: Recipe) -> list[tuple[str | None, str]]:
    return [(recipe.section_of(i), step) for i, step in enumerate(recipe.steps)]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("For the sauce:", "For the sauce"),
        ("For the sauce", "For the sauce"),
        ("FOR THE DOUGH", "FOR THE DOUGH"),
        ("Topping:", "Topping"),
        ("**Crumble topping:**", "Crumble topping"),
        ("## Filling", "Filling"),
        ("----- SAUCE -----", "SAUCE"),
        ("MMMMM---------SAUCE---------", "SAUCE"),
        ("To assemble", "To assemble"),
        ("To finish the tart", "To finish the tart"),
        ("For serving", "For serving"),
    ],
)
def test_clear_headings(line: str, heading: str) -> None:
    assert is_clear_heading(line)
    assert heading_text(line) == heading


@pytest.mark.parametrize(
    "line",
    [
        "2 cups flour",
        "salt",
        "SALT",
        "EVOO",
        "Salt, to taste",
        "For dusting: flour",
        "For frying, 1 cup oil",
        "To taste",
        "a pinch of salt:",
        "#10 can tomatoes",
        "Cook the onions for the sauce.",
        "",
        ":",
    ],
)
def test_lines_that_are_no_headings(line: str) -> None:
    assert not is_clear_heading(line)


POOLISH = """Pizza

Ingredients

Poolish (night before)
100 g flour
100 g water

Final dough
400 g flour
salt

To assemble
Tomato purée
2 balls mozzarella

Method

Poolish
1. Mix the flour and the water. Leave overnight.

Make the dough
2. Add the rest and knead.
3. Let it rise

To assemble:
1. Top and bake.
"""


def test_headings_of_any_wording_among_ingredients_and_steps() -> None:
    pizza = read_text(POOLISH)
    assert listed(pizza) == [
        ("Poolish (night before)", "100 g flour"),
        ("Poolish (night before)", "100 g water"),
        ("Final dough", "400 g flour"),
        ("Final dough", "salt"),
        ("To assemble", "Tomato purée"),
        ("To assemble", "2 balls mozzarella"),
    ]
    assert directed(pizza) == [
        ("Poolish", "Mix the flour and the water. Leave overnight."),
        ("Make the dough", "Add the rest and knead."),
        ("Make the dough", "Let it rise"),
        ("To assemble", "Top and bake."),
    ]


def test_headings_without_the_word_ingredients() -> None:
    cake = read_text(
        "Carrot cake\n\nCake\n2 cups flour\n3 carrots\n\nCream cheese frosting\n8 oz cream cheese\n"
        "1 cup sugar\n\nCake\nMix the flour and the carrots. Bake for an hour.\n\nFrosting\n"
        "Beat the cheese with the sugar. Spread it over the cake."
    )
    assert listed(cake) == [
        ("Cake", "2 cups flour"),
        ("Cake", "3 carrots"),
        ("Cream cheese frosting", "8 oz cream cheese"),
        ("Cream cheese frosting", "1 cup sugar"),
    ]
    assert directed(cake) == [
        ("Cake", "Mix the flour and the carrots."),
        ("Cake", "Bake for an hour."),
        ("Frosting", "Beat the cheese with the sugar."),
        ("Frosting", "Spread it over the cake."),
    ]


def test_a_line_without_bullet_among_bullets_is_a_heading() -> None:
    bowl = read_text(
        "Bowl\n\nIngredients:\nChicken\n- 1 lb chicken thighs\n- salt\nRice\n- 2 cups rice\n"
        "- 4 cups water, plus\n  more if needed\n\nMethod:\nFor the chicken:\nRoast the chicken.\n"
    )
    assert listed(bowl) == [
        ("Chicken", "1 lb chicken thighs"),
        ("Chicken", "salt"),
        ("Rice", "2 cups rice"),
        ("Rice", "4 cups water, plus more if needed"),
    ]
    assert directed(bowl) == [("For the chicken", "Roast the chicken.")]


def test_two_recipes_in_one_text_are_two_sections() -> None:
    lamb = read_text(
        "Lamb\n\nIngredients\n1 lb lamb\n2 onions\n\nDirections\nBrown the lamb.\n\nMint sauce\n\n"
        "Ingredients\n1 bunch mint\n1 tbsp vinegar\n\nDirections\nChop the mint.\n"
    )
    assert [section for section, _ in listed(lamb)] == [None, None, "Mint sauce", "Mint sauce"]
    assert directed(lamb) == [(None, "Brown the lamb."), ("Mint sauce", "Chop the mint.")]


@pytest.mark.parametrize(
    ("heading", "section"),
    [("Ingredients for the icing:", "for the icing"), ("Icing ingredients", "Icing")],
)
def test_a_list_that_says_what_it_is_for(heading: str, section: str) -> None:
    icing = read_text(f"Cake\n\n{heading}\n1 cup sugar\n2 tbsp milk\n\nDirections\nStir.")
    assert listed(icing) == [(section, "1 cup sugar"), (section, "2 tbsp milk")]


def test_a_list_among_the_directions_gives_its_heading_to_the_steps_behind_it() -> None:
    cake = read_text(
        "Cake\n\n1 cup sugar\n2 cups flour\n\nMix. Bake.\n\nFor the icing:\n1 cup icing sugar\n"
        "2 tbsp water\n\nStir and spread."
    )
    assert [section for section, _ in listed(cake)] == [None, None, *["For the icing"] * 2]
    assert [section for section, _ in directed(cake)] == [None, None, "For the icing"]


def test_lines_without_amount_are_not_headings_for_that_alone() -> None:
    soup = read_text("Soup\n\nIngredients\nSalt\n2 leeks\nParsley\n1 l stock\n\nMethod\nBoil all.")
    assert [one.text for one in soup.ingredients] == ["Salt", "2 leeks", "Parsley", "1 l stock"]
    assert not any(one.section for one in soup.ingredients)


def test_steps_without_full_stops_are_not_headings() -> None:
    soup = read_text("Ingredients\n2 leeks\n\nMethod\nChop the leeks\nBoil them\nServe hot")
    assert soup.steps == ("Chop the leeks", "Boil them", "Serve hot")
    assert soup.step_sections == ()


@pytest.mark.parametrize(
    "text",
    [
        *("US Customary Metric", "1x 2x 3x", "1x2x3x", "½x 1x 2x", "Video", "Print", "Cook Mode"),
        *("Deselect All", "Jump to Recipe", "Save Recipe", "Rate this recipe"),
    ],
)
def test_buttons_of_plug_ins(text: str) -> None:
    assert is_plugin_text(text)


def test_what_is_copied_along_with_a_recipe_is_left_out() -> None:
    tea = read_text(
        "Mint tea\nJump to Recipe\nPrint\n\nIngredients US Customary Metric 1x 2x 3x\n"
        "▢ 1 bunch mint\n▢ 1 l water\nCook Mode Prevent your screen from going dark\n\n"
        "Instructions\nDeselect All\n1. Boil the water.\n2. Add the mint.\nVideo\nSave Recipe\n"
    )
    assert tea.title == "Mint tea"
    assert listed(tea) == [(None, "1 bunch mint"), (None, "1 l water")]
    assert tea.steps == ("Boil the water.", "Add the mint.")


@pytest.mark.parametrize("above", ["Ingredients\n", "", "Pie\n\n"])
def test_headings_alone_are_no_recipe(above: str) -> None:
    with pytest.raises(NpnError, match="headings but no ingredients"):
        read_text(f"{above}For the sauce:\nFor the dough:\n\nDirections\nMix.")
    with pytest.raises(NpnError, match="no steps were found"):
        read_text("Ingredients\n2 eggs\n1 onion\n\nDirections\nFor the sauce:\n")


def test_sections_without_lines_leave_a_plain_recipe() -> None:
    eggs = read_text("Ingredients\nFor the sauce:\nFor the eggs:\n2 eggs\n1 leek\n\nMethod\nBoil.")
    assert listed(eggs) == [("For the eggs", "2 eggs"), ("For the eggs", "1 leek")]


def test_our_own_json_is_taken_as_it_stands() -> None:
    data: dict[str, object] = {"ingredients": ["For the sauce:", "Print"]}
    data["steps"] = ["Dough:", "Mix."]
    recipe = read_text(json.dumps(data))
    assert listed(recipe) == [(None, "For the sauce:"), (None, "Print")]
    assert recipe.steps == ("Dough:", "Mix.")
    data |= {"ingredient_sections": [None, "Sauce"], "step_sections": ["Dough", None]}
    recipe = read_text(json.dumps(data))
    assert listed(recipe) == [(None, "For the sauce:"), ("Sauce", "Print")]
    assert directed(recipe) == [("Dough", "Dough:"), (None, "Mix.")]
