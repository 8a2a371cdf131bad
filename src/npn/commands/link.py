"""`npn link`: the steps of a running Mealie or Tandoor, linked to the ingredients they take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TextIO

import click

from npn.corpus.shard import TrackerChoice
from npn.corpus.sharding.pool import Died, Pool, in_order
from npn.errors import NpnError
from npn.models import DEFAULT
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import Tracker

if TYPE_CHECKING:
    from npn.linking.journal import JournalEntry
    from npn.linking.library import Library, Tally, Tracking
    from npn.linking.manager import Manager
    from npn.linking.plan import Plan

MANY = 50  # recipes for which starting further processes pays
WIDTH = 60  # characters of a step that are shown


@click.command("link", no_args_is_help=True)
@click.argument("manager", type=click.Choice(["mealie", "tandoor"]))
@click.option("--url", required=True, metavar="URL", help="The address of the library.")
@click.option("--yes", is_flag=True, help="Change the recipes, without asking.")
@click.option("--dry-run", is_flag=True, help="Only show what would be linked; never ask.")
@click.option("--relink", is_flag=True, help="Also replace links that somebody has set.")
@click.option(
    "--links",
    type=click.Choice(["used", "all"]),
    default="used",
    show_default=True,
    help="Link the steps that take an ingredient from the list, or all that touch it.",
)
@click.option(
    "--only", multiple=True, metavar="KEY", help="Only this slug (Mealie) or id (Tandoor)."
)
@click.option("--skip", multiple=True, metavar="KEY", help="Leave this recipe out.")
@click.option(
    "--model", metavar="NAME|PATH", default=DEFAULT, show_default=True, help="Who tracks."
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Track with N processes [default: one; for many recipes, one for each processor].",
)
@click.option("--journal", metavar="FILE", help="Where to note what was there before.")
@click.option("--undo", metavar="JOURNAL", help="Put back what this journal says was changed.")
def command(
    manager: str,
    url: str,
    yes: bool,
    dry_run: bool,
    relink: bool,
    links: str,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    model: str,
    processes: int | None,
    journal: str | None,
    undo: str | None,
) -> None:
    """Link the steps of a library's recipes to the ingredients they take.

    The token is taken from MEALIE_TOKEN or TANDOOR_TOKEN. Nothing is changed unless you say so:
    without --yes the command shows what it would do, and on a terminal asks whether to do it.
    Recipes that somebody has linked are left alone. A run that was stopped goes on where it was.

    \b
    npn link mealie --url https://mealie.example.org
    npn link mealie --url https://mealie.example.org --only lemon-loaf --yes
    npn link tandoor --url https://tandoor.example.org --yes
    npn link tandoor --url https://tandoor.example.org --undo npn-link-tandoor.jsonl
    """
    from pathlib import Path

    from npn.linking.journal import Journal
    from npn.linking.library import Library
    from npn.linking.manager import new_server
    from npn.linking.plan import LinkChoice

    if yes and dry_run:
        raise NpnError("--yes and --dry-run contradict each other: give one")
    if undo is not None and not Path(undo).exists():
        raise NpnError(f"{undo} does not exist: name the journal of the linking to undo")
    program = _manager(manager)
    server = new_server(url, os.environ, program.title, program.variable, program.profile)
    path = undo or journal or f"npn-link-{manager}.jsonl"
    library = Library(program, server, Journal(Path(path), manager, server.url, program.is_steps))
    asks = not yes and not dry_run and _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
    if undo is not None:
        _undo(library, yes=yes, asks=asks)
        return
    choice = LinkChoice(every=links == "all", relink=relink)
    tracking = partial(_tracking, model, processes)
    chosen = partial(library.link, tracking, choice, only=only, skip=skip)
    _link(library, chosen, yes=yes, asks=asks)


def _tracking(model: str, processes: int | None, recipes: int) -> AbstractContextManager[Tracking]:
    from npn.commands.link import tracked_recipes
    from npn.corpus.shard import TrackerChoice

    if processes is None:
        processes = os.cpu_count() or 1 if recipes >= MANY else 1
    return tracked_recipes(TrackerChoice(model), processes)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _manager(name: str) -> Manager:
    from npn.linking.mealie import Mealie
    from npn.linking.tandoor import Tandoor

    return Mealie() if name == "mealie" else Tandoor()


def _link(library: Library, link: Callable[..., Tally], *, yes: bool, asks: bool) -> None:
    tally = link(show=_show, change=yes)
    if not yes and tally.linked and asks:
        _sum_up(tally, "would be linked")
        if not click.confirm(f"Link {_recipes(tally.linked)}?"):
            return
        yes = True
        tally = link(show=lambda _: None, change=True)
    _sum_up(tally, "linked" if yes else "would be linked")
    if yes and tally.linked:
        click.echo(f"To undo this: the same command with --undo {library.journal.path}")
    elif tally.linked:
        click.echo("Nothing was changed: add --yes to do it.")


def _undo(library: Library, *, yes: bool, asks: bool) -> None:
    from npn.formats.writing.wording import plain
    from npn.linking.library import undo

    def show(entry: JournalEntry) -> None:
        click.echo(plain(entry.title))

    tally = undo(library, show, change=yes)
    if not yes and asks and tally.put_back and click.confirm(f"Put back {tally.put_back:,}?"):
        yes = True
        tally = undo(library, lambda _: None, change=True)
    click.echo(f"{_recipes(tally.put_back)} {'put back' if yes else 'would be put back'}")
    if tally.already:
        click.echo(f"{_recipes(tally.already)} as before already")
    for title in tally.gone:
        click.echo(f"no longer there: {plain(title)}")
    for title in tally.changed:
        click.echo(f"left alone, since it was changed after the linking: {plain(title)}")
    if tally.put_back and not yes:
        click.echo("Nothing was changed: add --yes to do it.")


def _show(plan: Plan) -> None:
    from npn.formats.writing.wording import plain

    click.echo(plain(plan.title))
    for number, step in enumerate(plan.steps, 1):
        text = plain(step.text)
        begin = text if len(text) <= WIDTH else f"{text[: WIDTH - 1].rstrip()}…"
        click.echo(f"  {number}. {begin}")
        for line in step.takes:
            click.echo(f"       {plain(line)}")
    for line in plan.unused:
        click.echo(f"  in no step: {plain(line)}")
    click.echo()


def _sum_up(tally: Tally, what: str) -> None:
    from npn.formats.writing.wording import plain

    click.echo(f"{_recipes(tally.linked)} {what}")
    if tally.before:
        click.echo(f"{_recipes(tally.before)} linked before, by the journal")
    if tally.kept:
        click.echo(f"{_recipes(tally.kept)} left alone: somebody has linked them (see --relink)")
    if tally.same:
        click.echo(f"{_recipes(tally.same)} in no need of a change")
    for one in tally.unfit:
        click.echo(f"cannot be linked: {plain(one.title)}: {plain(one.reason)}")


def _recipes(number: int) -> str:
    return f"{number:,} recipe{'' if number == 1 else 's'}"


# -- Recipes tracked one by one, in this process or in several: a recipe that cannot be tracked is
# an error among the traces, and does not stop the others.

Tracked = Trace | NpnError


@contextmanager
def tracked_recipes(
    choice: TrackerChoice, processes: int
) -> Iterator[Callable[[Iterable[Recipe]], Iterator[Tracked]]]:
    """What makes traces of recipes, in their order. Of these, only as many are read ahead as there
    are processes, and none where that is one."""
    if processes == 1:
        tracker = choice.load()
        yield lambda recipes: (_track(tracker, recipe) for recipe in recipes)
        return
    with Pool(TrackRecipe(choice), processes) as pool:
        yield lambda recipes: _from_pool(pool, recipes)


@dataclass(frozen=True, slots=True)
class NumberedRecipe:
    number: int
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class TrackRecipe:
    choice: TrackerChoice

    def start(self) -> Callable[[NumberedRecipe], Tracked]:
        tracker = self.choice.load()
        return lambda task: _track(tracker, task.recipe)


def _track(tracker: Tracker, recipe: Recipe) -> Tracked:
    try:
        return tracker.track(recipe)
    except NpnError as error:
        return error


def _from_pool(pool: Pool[NumberedRecipe, Tracked], recipes: Iterable[Recipe]) -> Iterator[Tracked]:
    tasks = (NumberedRecipe(number, recipe) for number, recipe in enumerate(recipes))
    for _, tracked in in_order(pool.run(tasks), lambda task: task.number):
        yield NpnError("the process that tracked it died") if isinstance(tracked, Died) else tracked
