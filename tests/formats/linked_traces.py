"""Traces written by hand in which ingredients are split, left over, and stand in sections."""

from __future__ import annotations

from npn.language.parsed_lines import describe_all
from npn.recipe import Ingredient, Recipe
from npn.trace import StepTrace, Trace, Use, all_or_nothing

LINES = (
    Ingredient("2 tablespoons olive oil, divided", section="Stew"),
    Ingredient("1 pound beef, cubed", section="Stew"),
    Ingredient("1/2 cup plus 2 tablespoons red wine", section="Stew"),
    Ingredient("salt and pepper to taste"),
    Ingredient("2-3 cloves garlic, crushed"),
    Ingredient("2 (14 oz) cans tomatoes", section="Sauce"),
    Ingredient("1 bay leaf (optional)", section="Sauce"),
    Ingredient("100 g butter", section="Sauce"),
)
STEW = Trace(
    "Beef & wine stew",
    "by-hand",
    describe_all(LINES),
    (
        StepTrace(
            "Heat half of the oil. Season the beef and brown it.",
            uses=(Use(0, 0.5), Use(1), Use(3, None)),
            entities=(0, 1, 3),
            section="Brown",
        ),
        StepTrace("Set it aside.", entities=(0, 1, 3), section="Brown"),
        StepTrace(
            "Soften the garlic in the remaining oil; add wine. Write {{ this }} and {% that.",
            uses=(Use(0, 0.5), Use(4), Use(2)),
            entities=(0, 2, 4),
        ),
        StepTrace(
            "Stir in the tomatoes and a third of the butter; taste for salt.",
            uses=(Use(5), Use(7, 1 / 3), Use(3, None)),
            entities=(3, 5, 7),
            section="Simmer",
        ),
    ),
)
PLAIN = Trace(
    "Crème tea",
    "by-hand",
    describe_all((Ingredient("1 bag tea"), Ingredient("1 cup water"), Ingredient("1 cup water"))),
    (
        StepTrace("Boil the water.", uses=(Use(1),), entities=(1,)),
        StepTrace("Add tea and more water.", uses=(Use(0), Use(2)), entities=(0, 1, 2)),
    ),
)


def trace_of_links(recipe: Recipe) -> Trace:
    """The links of a recipe as a trace: each step uses what the source links to it. Of what is
    linked to several steps nobody can know how much each takes."""
    count = len(recipe.ingredients)
    linked = [i for links in recipe.links for i in links]
    steps = []
    for number, text in enumerate(recipe.steps):
        links = recipe.links[number] if recipe.links else ()
        uses = tuple(Use(i, 1.0 if linked.count(i) == 1 else None) for i in links)
        steps.append(
            StepTrace(
                text,
                entities=links,
                attention=all_or_nothing(links, count),
                uses=uses,
                section=recipe.section_of(number),
            )
        )
    ingredients = describe_all(recipe.ingredients)
    return Trace(recipe.title, "links", ingredients, tuple(steps), yields=recipe.yields)
