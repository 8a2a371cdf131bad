"""What a deed does to the ingredients: the lexicon's end states, the place named or implied, and
what the words say besides."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.names import IngredientNames
from npn.rules.simulation.applied_action import AppliedAction, is_a, move
from npn.rules.simulation.effects import Effects
from npn.rules.simulation.shapes import BEATING, reshape
from npn.rules.simulation.shapes import TELLING as TELLING_SHAPE
from npn.rules.simulation.temperatures import TELLING as TELLING_HEAT
from npn.rules.simulation.temperatures import heat

# Actions that make one of all they name; the others that combine add to what is there.
TOGETHER = frozenset(
    """mix combine whisk blend beat cream sift toss stir process shake puree mash whip dissolve
    pulse cook boil saute fry heat grind""".split()
)
# Nothing new comes together when these say nothing of what is put to it: "spread in a pan".
AFRESH = frozenset({"spread", "fill", "marinate", "water", "batter", "baste"})
LIQUIDS = frozenset("water broth stock brine marinade liquid juice milk wine oil".split())
# Words of a clause that tell what happens besides its action.
POURED_OFF = frozenset({"fat", "grease", "excess", "drippings", "foam", "scum", "froth"})
ONLY_DRY = frozenset({"pat", "blot", "squeeze"})  # pat dry, but also pat into a pan
DRY = frozenset({"dry"})
TELLING = POURED_OFF | DRY | TELLING_HEAT | TELLING_SHAPE


def change(applied: AppliedAction, effects: Effects, names: Sequence[IngredientNames]) -> None:
    """Bring the ingredients to their end states."""
    action = applied.action
    _compose(applied, effects, names)
    heat(applied, effects)
    if action.reshapes or action.heats or applied.telling or action.name in BEATING:
        reshape(applied, effects, names)
    for type, end_state in action.plain:
        if action.name not in ONLY_DRY or applied.says(DRY):
            effects.change(type, end_state, applied.members)
    move(applied, effects)


def _compose(applied: AppliedAction, effects: Effects, names: Sequence[IngredientNames]) -> None:
    action = applied.action
    end_state = action.changes.get("composition")
    if end_state == "not composed":
        if action.separates and not action.reshapes and "composition" in action.certain:
            liquids = {i for i in applied.members if is_a(names[i], LIQUIDS)}
            if not applied.says(POURED_OFF):
                effects.change("composition", end_state, liquids or applied.members)
    elif (
        applied.joined
        or _heaped(applied, effects)
        or (
            end_state == "composed"
            and action.combines
            and action.name not in AFRESH
            and len(applied.members) > 1
            and (
                action.name not in TOGETHER
                or any(effects.states[i].get("composition") != "composed" for i in applied.members)
            )
        )
    ):
        effects.change("composition", "composed", applied.members)


def _heaped(applied: AppliedAction, effects: Effects) -> bool:
    """Whether several things are put into one place for the first time."""
    return (
        applied.action.may_combine
        and applied.place is not None
        and len(applied.members) > 1
        and not any("composition" in effects.states[i] for i in applied.members)
    )
