"""Traces written by hand: of pancakes all that a tracker can say and what a rule says, and of
beef with onions, whose oil and butter are used in parts."""

from __future__ import annotations

from dataclasses import replace

from npn.recipe import Amount, Ingredient
from npn.trace import Pile, Portion, SelectedAction, StateChange, StepTrace, Trace, Use

DRY, WET, BATTER = (0, 1, 2), (3, 4), (0, 1, 2, 3, 4)


def step(
    text: str,
    action: str,
    entities: tuple[int, ...],
    changes: tuple[tuple[str, str, tuple[int, ...]], ...],
    uses: tuple[int, ...],
    piles: tuple[Pile, ...],
) -> StepTrace:
    return StepTrace(
        text,
        (SelectedAction(action, 0.9),),
        entities,
        tuple(0.9 if i in entities else 0.1 for i in range(6)),
        tuple(StateChange(type, end, 0.8, who) for type, end, who in changes),
        tuple(Use(i) for i in uses),
        piles,
    )


def pile(place: str | None, *ingredients: int, name: str | None = None) -> Pile:
    return Pile(tuple(Portion(i) for i in ingredients), place, name)


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
            DRY,
            (pile("bowl", *DRY),),
        ),
        step(
            "Whisk the milk with the butter.",
            "whisk",
            WET,
            (("composition", "composed", WET),),
            WET,
            (pile("bowl", *DRY), pile(None, *WET)),
        ),
        step(
            "Stir into the dry mixture.",
            "stir",
            BATTER,
            (("composition", "composed", BATTER), ("location", "bowl", WET)),
            (),
            (pile("bowl", *BATTER),),
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
            (),
            (pile("pan", *BATTER, name="pancakes"),),
        ),
        step(
            "Serve sprinkled with sugar.",
            "serve",
            (*BATTER, 5),
            (),
            (5,),
            (pile("pan", *BATTER, 5, name="pancakes"),),
        ),
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


OIL, BUTTER, ONION, BEEF, SALT = range(5)


def beef_step(
    text: str,
    uses: tuple[Use, ...],
    entities: tuple[int, ...],
    piles: tuple[Pile, ...],
    changes: tuple[tuple[str, str, tuple[int, ...]], ...] = (),
    section: str | None = None,
) -> StepTrace:
    return StepTrace(
        text,
        (),
        entities,
        tuple(1.0 if i in entities else 0.0 for i in range(5)),
        tuple(StateChange(type, end, 1.0, who) for type, end, who in changes),
        uses,
        piles,
        section,
    )


BEEF_WITH_ONIONS = Trace(
    "Beef with onions",
    "by-hand",
    (
        Ingredient(
            "2 tablespoons oil, divided", "oil", amount=Amount(2, unit="tablespoon", note="divided")
        ),
        Ingredient("3 tablespoons cold butter", "butter", amount=Amount(3, unit="tablespoon")),
        Ingredient("2 onions", "onion", food="onions", amount=Amount(2)),
        Ingredient("1 pound beef", "beef", amount=Amount(1, unit="pound")),
        Ingredient("salt", "salt"),
    ),
    (
        beef_step(
            "Brown the beef in 1 tablespoon oil. Salt it. Move to a plate.",
            (
                Use(OIL, 0.5, Amount(1, unit="tablespoon"), "1 tablespoon oil"),
                Use(BEEF, 1, Amount(1, unit="pound"), "beef"),
                Use(SALT, None, None, "Salt"),
            ),
            (OIL, BEEF, SALT),
            (Pile((Portion(OIL), Portion(BEEF), Portion(SALT)), "plate", "beef"),),
            (("location", "plate", (OIL, BEEF, SALT)), ("cookedness", "cooked", (BEEF,))),
            "The beef",
        ),
        beef_step(
            "Melt a third of the butter with the rest of the oil; brown the onions, with salt.",
            (
                Use(BUTTER, 1 / 3, Amount(1, unit="tablespoon")),
                Use(OIL, 0.5, Amount(1, unit="tablespoon")),
                Use(ONION),
                Use(SALT, None),
            ),
            (OIL, BUTTER, ONION, SALT),
            (
                Pile((Portion(OIL), Portion(BEEF), Portion(SALT)), "plate", "beef"),
                Pile((Portion(OIL, 1), Portion(BUTTER), Portion(ONION), Portion(SALT, 1)), "pan"),
            ),
            (("cookedness", "cooked", (ONION,)), ("temperature", "hot", (OIL, BUTTER, ONION))),
            "The onions",
        ),
        beef_step(
            "Return the beef to the pan and heat through.",
            (),
            (OIL, BUTTER, ONION, BEEF, SALT),
            (
                Pile(
                    (
                        Portion(OIL), Portion(OIL, 1), Portion(BUTTER), Portion(ONION),
                        Portion(BEEF), Portion(SALT), Portion(SALT, 1),
                    ),
                    "pan",
                ),
            ),
            (
                ("location", "pan", (OIL, BEEF, SALT)),
                ("temperature", "hot", (OIL, BUTTER, ONION, BEEF, SALT)),
            ),
            "The onions",
        ),
        beef_step(
            "Put the remaining butter on a plate beside it.",
            (Use(BUTTER, 2 / 3, Amount(2, unit="tablespoon")),),
            (BUTTER,),
            (
                Pile(
                    (
                        Portion(OIL), Portion(OIL, 1), Portion(BUTTER), Portion(ONION),
                        Portion(BEEF), Portion(SALT), Portion(SALT, 1),
                    ),
                    "pan",
                ),
                Pile((Portion(BUTTER, 1),), "plate"),
            ),
        ),
    ),
)  # fmt: skip


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
