"""`npn track`: recipes in, traces out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from npn.errors import NpnError
from npn.formats.writing import Writer, writers
from npn.models import DEFAULT, SHIPPED, TRACKERS

NOTHING_READ = 2
# Objects between two searches for unreachable ones. Recipes and traces hold no cycles, and go when
# they are written: Python's own 700 would have it look for nothing several times a recipe.
GARBAGE = 50_000


def writer_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command a flag for each option of each writer."""
    options = {one.name: one for writer in writers().values() for one in writer.options}
    for option in reversed(options.values()):
        command = click.option(f"--{option.name}", is_flag=True, help=option.about)(command)
    return command


def chosen_options(writer: Writer, flags: dict[str, bool]) -> dict[str, bool]:
    """The flags for a writer; one that it does not know is an error."""
    known = {option.name for option in writer.options}
    for name, chosen in flags.items():
        if chosen and name not in known:
            takers = [
                one.name for one in writers().values() if name in {o.name for o in one.options}
            ]
            raise NpnError(f"--{name} goes with --to {' or --to '.join(takers)} only")
    return {name: flags[name] for name in known}


@click.command("track", no_args_is_help=True)
@click.argument("recipes", nargs=-1, required=True, metavar="RECIPE...")
@click.option(
    "--to",
    "form",
    type=click.Choice(list(writers())),
    default=next(iter(writers())),
    show_default=True,
    help="What to write.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to FILE, once all is well. FOLDER/ gets a file for each recipe where a file holds "
    "only one.",
)
@click.option(
    "--model",
    metavar="NAME|PATH",
    default=DEFAULT,
    show_default=True,
    help=f"Who tracks: {', '.join([*SHIPPED, *TRACKERS])}, or a model file.",
)
@click.option("--strict", is_flag=True, help="Stop at the first recipe that cannot be read.")
@click.option("--lexicon", metavar="DIR", help="Use the action lexicon in DIR.")
@click.option("--serving", is_flag=True, help="Take serving food for an action on it.")
@writer_options
def command(
    recipes: tuple[str, ...],
    form: str,
    output: str | None,
    model: str,
    strict: bool,
    lexicon: str | None,
    serving: bool,
    **flags: bool,
) -> None:
    """Say what happens to every ingredient in every step of a recipe.

    RECIPE is a file in any format that `npn formats` lists, or - for standard input; there may be
    several, with one recipe each or many.

    \b
    npn track soup.txt
    npn track soup.txt --model mention
    npn track *.mmf --to markdown -o soups.md
    npn track lasagne.txt --to html -o lasagne.html
    npn track many.jsonl --to cooklang -o recipes/
    curl -s https://example.org/soup | npn track -
    npn track many.jsonl --to json | head -1

    A recipe that cannot be read is named on standard error, with its line, and the rest go on. The
    exit status is 2 if none could be read, or, with --strict, if any could not.
    """
    import gc

    from npn.commands.folder import is_folder, write_each
    from npn.commands.output import open_output
    from npn.commands.reading import Reading
    from npn.models import load_tracker

    writer = writers()[form]
    options = chosen_options(writer, flags)
    tracker = load_tracker(model, lexicon, serving=serving)
    gc.freeze()
    gc.set_threshold(GARBAGE)
    to_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    progress = sys.stderr is not None and sys.stderr.isatty() and not to_terminal
    reading = Reading(recipes, strict=strict, progress=progress)
    traces = tracker.track_many(reading.recipes())
    if writer.one_each and is_folder(output):
        write_each(writer, traces, str(output), options)
        if not reading.sum_up():
            raise click.exceptions.Exit(NOTHING_READ)
        return
    with open_output(output) as out:
        writer.write(traces, out, **options)
        out.flush()
        if not reading.sum_up():
            raise click.exceptions.Exit(NOTHING_READ)  # before an empty file takes FILE's place
