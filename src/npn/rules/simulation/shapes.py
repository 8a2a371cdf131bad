"""What a deed does to the shape of the ingredients."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.names import IngredientNames
from npn.rules.simulation.applied_action import AppliedAction, is_a
from npn.rules.simulation.effects import Effects

MELTING = frozenset(
    """butter margarine shortening cheese chocolate chip lard caramel marshmallow""".split()
)
FATS = frozenset({"butter", "margarine", "shortening", "lard"})
EGGS = frozenset({"egg", "white", "yolk"})
MELTED = frozenset({"melt", "melts", "melted", "melting"})


GRINDING = frozenset("blend process pulse whirl whiz blitz".split())
GRINDERS = frozenset({"blender", "processor", "chopper", "mill", "grinder"})
SMOOTH = frozenset({"smooth", "creamy", "pureed", "liquefied", "puree"})
CHOPPED = frozenset({"chopped", "minced", "crumbs", "coarsely", "shredded"})
SHARING = frozenset({"among", "between"})
WELL = frozenset({"well", "indentation", "hole"})
AWAY = frozenset({"out", "on", "plastic", "wrap"})
TELLING = MELTED | SMOOTH | CHOPPED | SHARING | WELL | AWAY
BEATING = frozenset({"whisk", "beat", "whip", "scramble"})


def reshape(applied: AppliedAction, effects: Effects, names: Sequence[IngredientNames]) -> None:
    """Bring the ingredients to the shape that the action, or the words besides it, give them."""
    action = applied.action
    if action.reshapes:
        end_state = _end_state(applied, effects)
        if end_state:
            effects.change("shape", end_state, _shaped(applied), anew=True)
    if action.name in BEATING:
        mentioned = applied.members & applied.reading.mentioned
        eggs = {i for i in mentioned if is_a(names[i], EGGS)}
        effects.change("shape", "deformed", eggs)
    if action.name != "melt" and applied.says(MELTED):
        soft = {i for i in applied.members if is_a(names[i], MELTING)}
        effects.change(
            "shape", "deformed", (soft & applied.named) or (soft & applied.moving) or soft
        )
    elif action.heats:
        fats = {i for i in applied.moving & applied.named if is_a(names[i], FATS)}
        effects.change("shape", "deformed", fats)


def _end_state(applied: AppliedAction, effects: Effects) -> str:
    """The shape that the action gives, if it does here."""
    action = applied.action
    end_state = action.certain.get("shape", "")
    if not end_state:
        return ""
    if action.name in GRINDING:
        where = applied.place.name if applied.place is not None else effects.where(applied.members)
        if applied.says(CHOPPED):
            return "separated"
        ground = action.name != "blend" or where in GRINDERS or applied.says(SMOOTH)
        return end_state if ground else ""
    if action.name == "divide" and applied.says(SHARING):
        return ""
    if action.name == "press" and applied.place is None and applied.says(AWAY):
        return ""
    if action.name in ("form", "make", "shape") and applied.says(WELL):
        return ""
    return end_state


def _shaped(applied: AppliedAction) -> set[int]:
    """Whose shape it is that changes."""
    action = applied.action
    if action.name in GRINDING:
        return applied.members
    if action.name == "spread":
        return applied.spread
    if action.combines and (applied.there or not applied.named):
        return set()
    return applied.moving
