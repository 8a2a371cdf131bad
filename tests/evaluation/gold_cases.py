"""Gold and traces made by hand, of recipes with four ingredients."""

from collections.abc import Sequence

from npn.evaluation.bootstrap import Array
from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.evaluation.tracking import count_recipe
from npn.recipe import Recipe
from npn.trace import SelectedAction, StateChange, StepTrace, Trace

Ends = dict[str, dict[str, set[int]]]  # type -> end state -> ingredients


def gold_step(
    entities: set[int],
    combined: set[int] | None = None,
    labelled: bool = True,
    actions: Sequence[str] | None = None,
    changes: Ends | None = None,
    disputed: set[str] | None = None,
) -> GoldStep:
    return GoldStep(
        frozenset(entities),
        None if combined is None else frozenset(combined),
        labelled,
        None if actions is None else tuple(actions),
        None
        if changes is None
        else tuple(
            StateChange(type, end, 1.0, tuple(sorted(who)))
            for type, ends in changes.items()
            for end, who in ends.items()
        ),
        frozenset(disputed or ()),
    )


def said(
    entities: set[int] | frozenset[int] = frozenset(),
    actions: Sequence[str] = (),
    changes: Ends | None = None,
) -> StepTrace:
    return StepTrace(
        "",
        tuple(SelectedAction(name, 1.0) for name in actions),
        tuple(sorted(entities)),
        changes=tuple(
            StateChange(type, end, 1.0, tuple(sorted(who)))
            for type, ends in (changes or {}).items()
            for end, who in ends.items()
        ),
    )


def recipe_of(steps: Sequence[GoldStep], ingredients: int = 4) -> GoldRecipe:
    lines = [f"ingredient {i}" for i in range(ingredients)]
    return GoldRecipe("", Recipe.from_lists("", lines, [""] * len(steps)), tuple(steps))


def trace_of(gold: GoldRecipe, steps: Sequence[StepTrace]) -> Trace:
    return Trace("", "test", gold.recipe.ingredients, tuple(steps))


def counts_of(pairs: Sequence[tuple[GoldStep, StepTrace]]) -> Array:
    gold = recipe_of([labels for labels, _ in pairs])
    return count_recipe(gold, trace_of(gold, [step for _, step in pairs]))
