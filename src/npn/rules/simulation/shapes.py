"""What a deed does to the shape of the ingredients."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.names import IngredientNames
from npn.rules.simulation.applied_action import Deed, is_a
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


def reshape(deed: Deed, effects: Effects, names: Sequence[IngredientNames]) -> None:
    """Bring the ingredients to the shape that the action, or the words besides it, give them."""
    action = deed.action
    if action.reshapes:
        end_state = _end_state(deed, effects)
        if end_state:
            effects.change("shape", end_state, _shaped(deed), anew=True)
    if action.name in BEATING:
        said = {m.ingredient for m in deed.reading.mentions}
        eggs = {i for i in deed.members & said if is_a(names[i], EGGS)}
        effects.change("shape", "deformed", eggs)
    if action.name != "melt" and deed.says(MELTED):
        soft = {i for i in deed.members if is_a(names[i], MELTING)}
        effects.change("shape", "deformed", (soft & deed.named) or (soft & deed.moving) or soft)
    elif action.heats:
        fats = {i for i in deed.moving & deed.named if is_a(names[i], FATS)}
        effects.change("shape", "deformed", fats)


def _end_state(deed: Deed, effects: Effects) -> str:
    """The shape that the action gives, if it does here."""
    action = deed.action
    end_state = action.certain.get("shape", "")
    if not end_state:
        return ""
    if action.name in GRINDING:
        where = deed.place.name if deed.place is not None else effects.where(deed.members)
        if deed.says(CHOPPED):
            return "separated"
        ground = action.name != "blend" or where in GRINDERS or deed.says(SMOOTH)
        return end_state if ground else ""
    if action.name == "divide" and deed.says(SHARING):
        return ""
    if action.name == "press" and deed.place is None and deed.says(AWAY):
        return ""
    if action.name in ("form", "make", "shape") and deed.says(WELL):
        return ""
    return end_state


def _shaped(deed: Deed) -> set[int]:
    """Whose shape it is that changes."""
    action = deed.action
    if action.name in GRINDING:
        return deed.members
    if action.name == "spread":
        return deed.spread
    if action.combines and (deed.there or not deed.named):
        return set()
    return deed.moving
