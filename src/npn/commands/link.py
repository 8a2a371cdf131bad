"""`npn link`: the steps of a running Mealie or Tandoor, linked to the ingredients they take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from npn.commands.track import Tracking, tracking
from npn.errors import NpnError
from npn.formats.writing.wording import count, plain
from npn.models import DEFAULT

if TYPE_CHECKING:
    from npn.linking.journal import Journal
    from npn.linking.library import Tally
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
    help="Link the steps that take an ingredient from the list, or all that touch it.",
)
@click.option(
    "--only", multiple=True, metavar="KEY", help="Only this slug (Mealie) or id (Tandoor)."
)
@click.option("--skip", multiple=True, metavar="KEY", help="Leave this recipe out.")
@click.option("--model", metavar="NAME|PATH", default=DEFAULT, help="Who tracks.")
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
    from npn.linking.journal import Journal
    from npn.linking.library import LinkChoice, Linking
    from npn.linking.mealie import Mealie
    from npn.linking.tandoor import Tandoor

    if yes and dry_run:
        raise NpnError("--yes and --dry-run contradict each other: give one")
    if undo is not None and not Path(undo).exists():
        raise NpnError(f"{undo} does not exist: name the journal of the linking to undo")
    program = (Mealie if manager == "mealie" else Tandoor)(url, os.environ)
    noted = Journal(Path(undo or journal or f"npn-link-{manager}.jsonl"), program)
    asks = not yes and not dry_run and _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
    if undo is not None:
        _undo(noted, yes=yes, asks=asks)
        return
    choice = LinkChoice(links == "all", relink, only, skip)

    def link(show: Callable[[Plan], None], change: bool) -> Tally:
        return Linking(noted, choice, show, change).run(partial(_tracking, model, processes))

    tally = link(_show, yes)
    if not yes and tally.linked and asks:
        _sum_up(tally, "would be linked")
        if not click.confirm(f"Link {count(tally.linked, 'recipe')}?"):
            return
        yes = True
        tally = link(lambda _: None, True)
    _sum_up(tally, "linked" if yes else "would be linked")
    if yes and tally.linked:
        click.echo(f"To undo this: the same command with --undo {noted.path}")
    elif tally.linked:
        click.echo("Nothing was changed: add --yes to do it.")


def _tracking(model: str, processes: int | None, recipes: int) -> AbstractContextManager[Tracking]:
    """What tracks so many recipes. One that cannot be tracked is an error among the traces, and
    does not stop the others."""
    if processes is None:
        processes = os.cpu_count() or 1 if recipes >= MANY else 1
    return tracking(model, None, processes, one_by_one=True)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _undo(journal: Journal, *, yes: bool, asks: bool) -> None:
    from npn.linking.library import undo

    tally = undo(journal, lambda entry: click.echo(plain(entry.title)), change=yes)
    if not yes and asks and tally.put_back and click.confirm(f"Put back {tally.put_back:,}?"):
        yes = True
        tally = undo(journal, lambda _: None, change=True)
    done = "put back" if yes else "would be put back"
    click.echo(f"{count(tally.put_back, 'recipe')} {done}")
    if tally.already:
        click.echo(f"{count(tally.already, 'recipe')} as before already")
    for title in tally.gone:
        click.echo(f"no longer there: {plain(title)}")
    for title in tally.changed:
        click.echo(f"left alone, since it was changed after the linking: {plain(title)}")
    if tally.put_back and not yes:
        click.echo("Nothing was changed: add --yes to do it.")


def _show(plan: Plan) -> None:
    click.echo(plain(plan.listed.title))
    for number, (step, taken) in enumerate(zip(plan.trace.steps, plan.takes(), strict=True), 1):
        text = plain(step.text)
        begin = text if len(text) <= WIDTH else f"{text[: WIDTH - 1].rstrip()}…"
        click.echo(f"  {number}. {begin}")
        for line in taken:
            click.echo(f"       {plain(line)}")
    for line in plan.unused():
        click.echo(f"  in no step: {plain(line)}")
    click.echo()


def _sum_up(tally: Tally, what: str) -> None:
    click.echo(f"{count(tally.linked, 'recipe')} {what}")
    if tally.before:
        click.echo(f"{count(tally.before, 'recipe')} linked before, by the journal")
    if tally.kept:
        click.echo(
            f"{count(tally.kept, 'recipe')} left alone: somebody has linked them (see --relink)"
        )
    if tally.same:
        click.echo(f"{count(tally.same, 'recipe')} in no need of a change")
    for title, reason in tally.unfit:
        click.echo(f"cannot be linked: {plain(title)}: {plain(reason)}")
