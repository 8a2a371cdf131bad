"""`npn explain`: why each step takes and acts on what it does, and how a tracker came to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import click

from npn.commands.explain_stages import portion_text, stage_lines
from npn.commands.files import RecipeReader, hanging
from npn.errors import NpnError
from npn.formats.writing.wording import ingredient_names, plain, title
from npn.models import DEFAULT, load_tracker
from npn.networks.world.config import WorldSettings
from npn.networks.world.tracing import WorldReading
from npn.networks.world.tracker import WorldTracker
from npn.recipe import Recipe
from npn.rules.explanation import Decision, ReasonChecker, explain_step, reasons_text
from npn.trace import Trace
from npn.tracker import Tracker

INDENT = "   "
LEGEND = (
    "(needed): without these words, or this heading, the decision would be another; (also without "
    "it): it would be the same. What rests on no words of the step has no mark."
)


@click.command("explain", no_args_is_help=True)
@click.argument("recipes", nargs=-1, required=True, metavar="RECIPE...")
@click.option("--model", metavar="NAME|PATH", default=DEFAULT, help="Who tracks.")
@click.option(
    "--check", is_flag=True, help="Take each reason away, track again, and mark what was needed."
)
@click.option("--stages", is_flag=True, help="Print a recipe's way through the tracker instead.")
def command(recipes: tuple[str, ...], model: str, check: bool, stages: bool) -> None:
    """Say why each step takes and acts on the ingredients it does: which words name them or sum
    them up, which pile they lie in and since when, which heading they stand under.

    \b
    npn explain soup.txt
    npn explain soup.txt --check
    npn explain soup.txt --stages
    npn explain soup.txt --model weak-labels
    """
    if stages and check:
        raise NpnError("--check marks reasons, which --stages does not print: give one of the two")
    tracker = load_tracker(model)
    if stages:
        if not isinstance(tracker, WorldTracker):
            raise NpnError(
                f'the tracker "{plain(tracker.name)}" has no stages to look at: take --model world'
            )
        lines_of = partial(stage_lines, tracker)
    else:
        lines_of = partial(reason_lines, tracker, check=check)
    reading = RecipeReader(recipes)
    for lines in reading.each(lambda recipe: list(lines_of(recipe))):
        for line in lines:
            click.echo(line)
        click.echo()
    reading.finish()


def reason_lines(tracker: Tracker, recipe: Recipe, *, check: bool) -> Iterator[str]:
    """The steps of a recipe, each with its decisions and their reasons."""
    trace = tracker.track(recipe)
    names = ingredient_names(trace)
    checker = ReasonChecker(tracker, recipe)
    yield title(trace)
    for number, decisions in enumerate(decide(tracker, recipe, trace, names)):
        if check:
            decisions = checker.check(decisions)
        yield ""
        yield from hanging(f"{number + 1}. ", INDENT, plain(trace.steps[number].text))
        for line in decision_lines(decisions, names):
            yield from hanging(INDENT, 2 * INDENT, plain(line))
    if check:
        yield ""
        yield from hanging("", "", LEGEND)


def decide(
    tracker: Tracker, recipe: Recipe, trace: Trace, names: Sequence[str]
) -> list[list[Decision]]:
    """The decisions of each step, with the network's own probabilities where it is a world
    network."""
    found = [explain_step(trace, number, names) for number in range(len(trace.steps))]
    if isinstance(tracker, WorldTracker) and recipe.ingredients and recipe.steps:
        reading = tracker.stages(recipe)
        found = [list(with_chances(one, reading, tracker.settings)) for one in found]
    return found


def decision_lines(decisions: Iterable[Decision], names: Sequence[str]) -> Iterator[str]:
    """A line for each group of decisions that have the same reasons."""
    groups: dict[tuple[bool, str], list[str]] = {}
    for one in decisions:
        use, name = one.use, names[one.ingredient]
        if use is not None and use.fraction is not None and use.fraction < 1:
            name += f" ({portion_text(use)})"
        groups.setdefault((use is None, reasons_text(one)), []).append(name)
    for (acts, reasons), who in groups.items():
        together = " and ".join(filter(None, [", ".join(who[:-1]), who[-1]]))
        yield f"{'acts on' if acts else 'takes'} {together}: {reasons}"


# -- How sure the world network was of a decision, and what decoding did beyond its probabilities.


def with_chances(
    decisions: Iterable[Decision], reading: WorldReading, settings: WorldSettings
) -> Iterator[Decision]:
    """The decisions with the network's own probabilities: of taking the ingredient for a use, of
    acting on it otherwise. Where a decision goes against its probability, a remark says why: what
    is acted on is taken somewhere (see `choose_portions`), and whoever acts on most of a pile acts
    on all of it (see `act_on_piles`)."""
    for one in decisions:
        if one.use is not None:
            chance = 1.0 - float(reading.steps.use[one.step, one.ingredient, 0])
            likely = chance > settings.use_threshold
            why = "some step must take what is acted on, and no step is likelier"
        else:
            chance = float(reading.steps.act[one.step, one.ingredient])
            likely = chance > settings.act_threshold
            why = "most of its pile is acted on, and so all of it is"
        remark = "" if likely else f"the network is only {100 * chance:.0f} % sure, but {why}"
        yield replace(one, chance=chance, remark=remark)
