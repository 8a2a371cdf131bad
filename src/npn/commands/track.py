"""`npn track`: recipes in, traces out."""

from __future__ import annotations

import sys

import click

from npn.errors import NpnError
from npn.formats.writing import BINARY, writers
from npn.models import DEFAULT, SHIPPED, TRACKERS

NOTHING_READ = 2


@click.command("track", no_args_is_help=True)
@click.argument("recipes", nargs=-1, required=True, metavar="RECIPE...")
@click.option(
    "--to",
    "form",
    type=click.Choice([*writers(), *BINARY]),
    default=next(iter(writers())),
    show_default=True,
    help="What to write.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, once all is well.")
@click.option(
    "--model",
    metavar="NAME|PATH",
    default=DEFAULT,
    show_default=True,
    help=f"Who tracks: {', '.join([*SHIPPED, *TRACKERS])}, or a model file.",
)
@click.option("--strict", is_flag=True, help="Stop at the first recipe that cannot be read.")
@click.option("--lexicon", metavar="DIR", help="Use the action lexicon in DIR.")
def command(
    recipes: tuple[str, ...],
    form: str,
    output: str | None,
    model: str,
    strict: bool,
    lexicon: str | None,
) -> None:
    """Say what happens to every ingredient in every step of a recipe.

    RECIPE is a file in any format that `npn formats` lists, the address of a page, or - for
    standard input; there may be several, with one recipe each or many.

    \b
    npn track soup.txt
    npn track soup.txt --model mention
    npn track *.mmf --to markdown -o soups.md
    npn track https://example.org/soup
    npn track soups/* --to mealie -o soups.zip
    npn track many.jsonl --to json | head -1

    A recipe that cannot be read is named on standard error, with its line, and the rest go on. The
    exit status is 2 if none could be read, or, with --strict, if any could not.
    """
    from npn.commands.output import open_output
    from npn.commands.reading import RecipeReader
    from npn.formats.writing import binary_writers
    from npn.models import load_tracker

    if form in BINARY and output in (None, "-"):
        raise NpnError(f"--to {form} writes a zip archive, not text: name it with -o FILE.zip")
    tracker = load_tracker(model, lexicon)
    to_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    progress = sys.stderr is not None and sys.stderr.isatty() and not to_terminal
    reading = RecipeReader(recipes, strict=strict, progress=progress)
    with open_output(output, recipes) as out:
        traces = tracker.track_many(reading.recipes())
        if form in BINARY:
            binary_writers()[form].write(traces, out.buffer)
        else:
            writers()[form].write(traces, out)
        out.flush()
        if not reading.sum_up():
            raise click.exceptions.Exit(NOTHING_READ)  # before an empty file takes FILE's place
