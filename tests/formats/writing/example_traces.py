"""Two traces of one recipe, written by hand: all that a tracker can say, and what a rule says."""

from __future__ import annotations

from dataclasses import replace

from npn.recipe import Ingredient
from npn.trace import SelectedAction, StateChange, StepTrace, Trace

DRY, WET, BATTER = (0, 1, 2), (3, 4), (0, 1, 2, 3, 4)


def step(
    text: str,
    action: str,
    entities: tuple[int, ...],
    changes: tuple[tuple[str, str, tuple[int, ...]], ...],
    mixtures: tuple[tuple[int, ...], ...],
) -> StepTrace:
    return StepTrace(
        text,
        (SelectedAction(action, 0.9),),
        entities,
        tuple(0.9 if i in entities else 0.1 for i in range(6)),
        tuple(StateChange(type, end, 0.8, who) for type, end, who in changes),
        mixtures,
    )


PANCAKES = Trace(
    "Pancakes",
    "by-hand",
    (
        Ingredient("1 cup flour", "flour"),
        Ingredient("a pinch of salt", "salt"),
        Ingredient("1 tbsp sugar", "sugar"),
        Ingredient("1 cup milk", "milk"),
        Ingredient("2 tbsp melted butter", "butter", {"temperature": "hot"}),
        Ingredient("sugar, to serve", "sugar"),
    ),
    (
        step(
            "Sift flour, salt and sugar into a bowl.",
            "sift",
            DRY,
            (("composition", "composed", DRY), ("location", "bowl", DRY)),
            (DRY,),
        ),
        step(
            "Whisk the milk with the butter.",
            "whisk",
            WET,
            (("composition", "composed", WET),),
            (DRY, WET),
        ),
        step(
            "Stir into the dry mixture.",
            "stir",
            BATTER,
            (("composition", "composed", BATTER), ("location", "bowl", WET)),
            (BATTER,),
        ),
        step(
            "Fry in a hot pan.",
            "fry",
            BATTER,
            (
                ("cookedness", "cooked", BATTER),
                ("temperature", "hot", BATTER),
                ("location", "pan", BATTER),
            ),
            (BATTER,),
        ),
        step("Serve sprinkled with sugar.", "serve", (*BATTER, 5), (), (BATTER,)),
    ),
)

BY_A_RULE = Trace(
    "Pancakes",
    "a-rule",
    tuple(replace(one, state={}) for one in PANCAKES.ingredients),
    tuple(
        StepTrace(one.text, entities=one.entities, attention=one.attention)
        for one in PANCAKES.steps
    ),
)


def long_trace(ingredients: int, steps: int) -> Trace:
    everyone = tuple(range(ingredients))
    return Trace(
        "Long",
        "by-hand",
        tuple(Ingredient(f"1 cup thing{i}", f"thing{i}") for i in everyone),
        tuple(
            StepTrace(f"Stir for the {n}th time.", (), everyone, (1.0,) * ingredients)
            for n in range(steps)
        ),
    )
