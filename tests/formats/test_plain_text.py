"""Recipes as people type them."""

from __future__ import annotations

import pytest

from npn.errors import NpnError
from npn.formats import read_text
from npn.recipe import Recipe, Yield


def lines(recipe: Recipe) -> list[str]:
    return [ingredient.text for ingredient in recipe.ingredients]


def test_headings_bullets_and_numbers() -> None:
    recipe = read_text(
        """Lemon Pancakes

Ingredients:
- 2 cups flour
* 1 cup milk
• 2 eggs
[ ] a pinch of salt

Directions:
1. Mix flour and milk. Add the eggs.
2) Fry in butter.
Step 3: Serve.
"""
    )
    assert recipe.title == "Lemon Pancakes"
    assert lines(recipe) == ["2 cups flour", "1 cup milk", "2 eggs", "a pinch of salt"]
    assert recipe.steps == ("Mix flour and milk. Add the eggs.", "Fry in butter.", "Serve.")


def test_a_recipe_without_headings_is_told_apart_by_its_lines() -> None:
    recipe = read_text(
        """Tomato soup
Serves 4

1 onion, chopped
2 tbsp olive oil
salt and pepper

Fry the onion in the oil until soft. Add the tomatoes and
simmer 20 minutes. Season and serve.
"""
    )
    assert recipe.title == "Tomato soup"
    assert lines(recipe) == ["1 onion, chopped", "2 tbsp olive oil", "salt and pepper"]
    assert recipe.steps == (
        "Fry the onion in the oil until soft.",
        "Add the tomatoes and simmer 20 minutes.",
        "Season and serve.",
    )


def test_no_blank_line_is_needed() -> None:
    recipe = read_text("Crepes\n2 cups flour\n2 eggs\nsalt\nMix flour and eggs\nFry\nServe hot")
    assert lines(recipe) == ["2 cups flour", "2 eggs", "salt"]
    assert recipe.steps == ("Mix flour and eggs", "Fry", "Serve hot")


def test_wrapped_ingredient_lines_are_joined() -> None:
    recipe = read_text(
        "Ingredients\n- 1 cup butter, at room\n  temperature\n- 2 eggs\n\nMethod\nBeat together."
    )
    assert lines(recipe) == ["1 cup butter, at room temperature", "2 eggs"]


def test_an_unfinished_ingredient_line_goes_on() -> None:
    recipe = read_text(
        "Ingredients\n1 cup butter (cut into\nsmall cubes)\n2 eggs\n\nMethod\nBeat together."
    )
    assert lines(recipe) == ["1 cup butter (cut into small cubes)", "2 eggs"]


def test_the_parts_of_a_recipe_give_one_list() -> None:
    recipe = read_text(
        """Tart
Ingredients
For the crust:
1 cup flour
TOPPING
3 pears
For the glaze
2 tbsp jam

Directions
For the crust:
Knead the flour with water.
Glaze:
Melt the jam."""
    )
    assert lines(recipe) == ["1 cup flour", "3 pears", "2 tbsp jam"]
    assert recipe.steps == ("Knead the flour with water.", "Melt the jam.")


def test_a_list_among_the_directions_belongs_to_the_ingredients() -> None:
    recipe = read_text(
        """Cake

1 cup sugar
2 cups flour

Mix the sugar and the flour. Bake.

For the icing:
1 cup icing sugar
2 tbsp water

Mix and spread over the cake."""
    )
    assert lines(recipe) == ["1 cup sugar", "2 cups flour", "1 cup icing sugar", "2 tbsp water"]
    assert recipe.steps == (
        "Mix the sugar and the flour.",
        "Bake.",
        "Mix and spread over the cake.",
    )


def test_markdown() -> None:
    recipe = read_text(
        "# Bread\n\n## Ingredients\n\n* 500 g flour\n* 300 ml water\n\n## Method\n\n"
        "Mix. Knead ten minutes.\n\nBake at 220 C. for 35 minutes.\n\n## Notes\n\nKeeps a week."
    )
    assert recipe.title == "Bread"
    assert lines(recipe) == ["500 g flour", "300 ml water"]
    assert recipe.steps == ("Mix.", "Knead ten minutes.", "Bake at 220 C. for 35 minutes.")


def test_capitals_throughout_are_not_headings() -> None:
    recipe = read_text("CAKE\n\n1 C. SUGAR\n2 C. FLOUR\nSALT\n\nMIX ALL. BAKE 1 HR.")
    assert lines(recipe) == ["1 C. SUGAR", "2 C. FLOUR", "SALT"]
    assert recipe.steps == ("MIX ALL.", "BAKE 1 HR.")


def test_bulleted_steps_are_steps_as_they_stand() -> None:
    recipe = read_text(
        "Ingredients\n2 eggs\nDirections\n- Beat the eggs. Season.\n- Fry them\n  slowly."
    )
    assert recipe.steps == ("Beat the eggs. Season.", "Fry them slowly.")


def test_a_number_in_a_wrapped_line_is_no_numbered_step() -> None:
    recipe = read_text("Ingredients\n2 eggs\nDirections\nBoil the eggs for at least\n10. Cool.")
    assert recipe.steps == ("Boil the eggs for at least 10.", "Cool.")


def test_numbered_steps_may_run_on_in_one_line() -> None:
    recipe = read_text("2 cups flour\n1 egg\n\n1. Mix 2 eggs. 2. Bake. 3. Eat.")
    assert recipe.steps == ("Mix 2 eggs.", "Bake.", "Eat.")


def test_ingredients_without_amounts_under_a_heading() -> None:
    recipe = read_text("Ingredients\nsalt\nchicken\n\nRub the chicken with salt. Roast.")
    assert lines(recipe) == ["salt", "chicken"]
    assert recipe.steps == ("Rub the chicken with salt.", "Roast.")


@pytest.mark.parametrize(
    ("text", "ingredients"),
    [
        (
            "2 cups flour, 1 onion, finely chopped, and a pinch of salt. Mix. Fry.",
            ["2 cups flour", "1 onion, finely chopped", "a pinch of salt"],
        ),
        (
            "You will need 2 eggs, 1 cup rice and 3 tbsp butter. Mix. Fry.",
            ["2 eggs", "1 cup rice", "3 tbsp butter"],
        ),
        (
            "Ingredients: 2 eggs; 1 cup rice (long grain; rinsed); butter\nMethod: Mix. Fry.",
            ["2 eggs", "1 cup rice (long grain; rinsed)", "butter"],
        ),
    ],
)
def test_ingredients_listed_in_prose(text: str, ingredients: list[str]) -> None:
    recipe = read_text(text)
    assert lines(recipe) == ingredients
    assert recipe.steps == ("Mix.", "Fry.")


def test_prose_without_a_list_says_what_is_missing() -> None:
    with pytest.raises(NpnError, match="no ingredient list was found"):
        read_text("Beat eggs with milk and flour, then fry the batter in butter. Serve with jam.")


def test_a_list_without_directions_says_what_is_missing() -> None:
    with pytest.raises(NpnError, match="no steps were found"):
        read_text("Toast\n\nIngredients\n1 slice bread\n\nDirections\n")


def test_a_title_of_its_own() -> None:
    assert read_text("Title: Eggs\n\n2 eggs\n\nBoil the eggs.").title == "Eggs"
    assert read_text("2 eggs\n1 pan\n\nBoil the eggs.").title == ""


@pytest.mark.parametrize(
    "title", ["20-Minute Beef", "5 Ingredient Chili", "One Pan Rice", "3-Bean Chili", "A Good Stew"]
)
def test_a_title_that_opens_with_a_number_is_no_ingredient(title: str) -> None:
    for above in ("\n", "\n\nIngredients\n"):
        recipe = read_text(f"{title}\nServes 4\n{above}1 lb beef\n2 cups beans\n\nFry the beef.")
        assert recipe.title == title
        assert [line.text for line in recipe.ingredients] == ["1 lb beef", "2 cups beans"]


@pytest.mark.parametrize(
    "line", ["4 minute steaks", "1 Onion", "A handful of basil", "3-lb Chicken"]
)
def test_an_ingredient_at_the_top_is_no_title(line: str) -> None:
    recipe = read_text(f"{line}\n\n1 lb beef\n2 cups beans\n\nFry the beef.")
    assert recipe.title == ""
    assert recipe.ingredients[0].text == line


@pytest.mark.parametrize(
    "top", ["Tea\nPrep: 10 min | Cook: 5 min | Serves 4", "Tea (serves 4)", "Tea\nServes 4"]
)
def test_servings_stand_alone_beside_the_times_or_behind_the_title(top: str) -> None:
    recipe = read_text(f"{top}\n\n1 l water\n4 bags tea\n\nBoil the water.")
    assert recipe.yields == Yield(4)
    assert len(recipe.ingredients) == 2


def test_what_a_line_of_the_list_makes_is_not_what_the_recipe_makes() -> None:
    text = "Pie\n\n1 recipe crust (makes 2 crusts)\n4 apples\n\nBake the apples in the crust."
    assert read_text(text).yields is None
