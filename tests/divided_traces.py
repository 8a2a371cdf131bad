"""Traces written by hand in which a mixture is divided: a part of it goes its own way."""

from __future__ import annotations

from npn.language.parsed_lines import describe_all
from npn.recipe import Ingredient, Yield
from npn.trace import (
    Pile,
    Portion,
    SelectedAction,
    StateChange,
    StepTrace,
    Trace,
    Use,
    all_or_nothing,
)


def _of(*ingredients: int) -> tuple[Portion, ...]:
    return tuple(map(Portion, ingredients))


def _step(
    text: str,
    actions: str,
    uses: tuple[int, ...],
    entities: tuple[int, ...],
    piles: tuple[Pile, ...],
    changes: tuple[StateChange, ...] = (),
    ingredients: int = 6,
) -> StepTrace:
    return StepTrace(
        text,
        tuple(SelectedAction(name, 0.9) for name in actions.split()),
        entities,
        all_or_nothing(entities, ingredients),
        changes,
        tuple(map(Use, uses)),
        piles,
    )


# Half of a dressing goes over the leaves; the rest waits in its jar and is poured over at the end.
_DRESSING = Pile(_of(0, 1, 2), "jar", "dressing")
_SALAD = Pile(_of(0, 1, 2, 3, 4), "bowl", "salad")
_TOPPED = Pile(_of(0, 1, 2, 3, 4, 5), "bowl", "salad")
SALAD = Trace(
    "Chicken salad",
    "by-hand",
    describe_all(
        (
            Ingredient("6 tablespoons olive oil"),
            Ingredient("2 tablespoons lemon juice"),
            Ingredient("1 teaspoon mustard"),
            Ingredient("1 head lettuce, torn"),
            Ingredient("2 tomatoes, sliced"),
            Ingredient("300 g cooked chicken"),
        )
    ),
    (
        _step(
            "Shake the oil, the lemon juice and the mustard in a jar.",
            "shake",
            (0, 1, 2),
            (0, 1, 2),
            (_DRESSING,),
            (
                StateChange("location", "jar", 0.9, (0, 1, 2)),
                StateChange("composition", "composed", 0.9, (0, 1, 2)),
            ),
        ),
        _step(
            "Toss the lettuce and the tomatoes with half of the dressing in a bowl.",
            "toss",
            (3, 4),
            (0, 1, 2, 3, 4),
            (_DRESSING, _SALAD),
            (StateChange("location", "bowl", 0.9, (3, 4)),),
        ),
        _step(
            "Lay the chicken on top.",
            "lay",
            (5,),
            (0, 1, 2, 3, 4, 5),
            (_DRESSING, _TOPPED),
            (StateChange("location", "bowl", 0.9, (5,)),),
        ),
        _step(
            "Pour the rest of the dressing over it and serve.",
            "pour serve",
            (),
            (0, 1, 2, 3, 4, 5),
            (_TOPPED,),
            (StateChange("location", "bowl", 0.9, (0, 1, 2)),),
        ),
    ),
    yields=Yield(4),
)

# A batter is divided between two bowls, one half is coloured, and both go into a tin.
_BATTER = Pile(_of(0, 1, 2, 3), "bowl", "batter")
_HALF = Pile(_of(0, 1, 2, 3), "second bowl", "batter")
_DARK = Pile(_of(0, 1, 2, 3, 4), "second bowl", "cocoa batter")
_CAKE = Pile(_of(0, 1, 2, 3, 4), "tin", "cake")
MARBLE_CAKE = Trace(
    "Marble cake",
    "by-hand",
    describe_all(
        (
            Ingredient("200 g butter"),
            Ingredient("200 g sugar"),
            Ingredient("4 eggs"),
            Ingredient("200 g flour"),
            Ingredient("2 tablespoons cocoa"),
        )
    ),
    (
        _step(
            "Beat the butter, sugar, eggs and flour to a smooth batter.",
            "beat",
            (0, 1, 2, 3),
            (0, 1, 2, 3),
            (_BATTER,),
            (StateChange("composition", "composed", 0.9, (0, 1, 2, 3)),),
            5,
        ),
        _step(
            "Divide the batter between two bowls.",
            "divide",
            (),
            (0, 1, 2, 3),
            (_BATTER, _HALF),
            (StateChange("shape", "separated", 0.9, (0, 1, 2, 3)),),
            5,
        ),
        _step(
            "Stir the cocoa into one half.",
            "stir",
            (4,),
            (0, 1, 2, 3, 4),
            (_BATTER, _DARK),
            (StateChange("composition", "composed", 0.9, (0, 1, 2, 3, 4)),),
            5,
        ),
        _step(
            "Spoon both batters into a tin.",
            "spoon",
            (),
            (0, 1, 2, 3, 4),
            (_CAKE,),
            (StateChange("location", "tin", 0.9, (0, 1, 2, 3, 4)),),
            5,
        ),
        _step(
            "Bake for 50 minutes.",
            "bake",
            (),
            (0, 1, 2, 3, 4),
            (_CAKE,),
            (
                StateChange("location", "oven", 0.9, (0, 1, 2, 3, 4)),
                StateChange("cookedness", "cooked", 0.9, (0, 1, 2, 3, 4)),
            ),
            5,
        ),
    ),
)

# Half of a dough is baked, the other half frozen: two piles of the same are left in the end.
_DOUGH = Pile(_of(0, 1, 2), "bowl", "dough")
DOUGH = Trace(
    "Dough for two loaves",
    "by-hand",
    describe_all(
        (Ingredient("1 kg flour"), Ingredient("600 ml water"), Ingredient("2 teaspoons salt"))
    ),
    (
        _step("Knead everything.", "knead", (0, 1, 2), (0, 1, 2), (_DOUGH,), (), 3),
        _step(
            "Freeze half of the dough in a bag.",
            "freeze",
            (),
            (0, 1, 2),
            (_DOUGH, Pile(_of(0, 1, 2), "bag", "dough")),
            (StateChange("temperature", "cold", 0.9, (0, 1, 2)),),
            3,
        ),
        _step(
            "Bake the other half in a tin.",
            "bake",
            (),
            (0, 1, 2),
            (Pile(_of(0, 1, 2), "tin", "bread"), Pile(_of(0, 1, 2), "bag", "dough")),
            (StateChange("cookedness", "cooked", 0.9, (0, 1, 2)),),
            3,
        ),
    ),
)
DIVIDED = (SALAD, MARBLE_CAKE, DOUGH)
