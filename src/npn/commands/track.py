"""`npn track`: recipes in, traces out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

import click

from npn.errors import NpnError
from npn.formats.writing import BINARY, TEXTS, binary_writer, text_writer
from npn.models import DEFAULT, SHIPPED, TRACKERS
from npn.recipe import Recipe
from npn.trace import Trace

Tracking: TypeAlias = Callable[[Iterable[Recipe]], Iterator[Trace | NpnError]]

takes_model = click.option(
    "--model",
    metavar="NAME|PATH",
    default=DEFAULT,
    help=f"Who tracks: {', '.join([*SHIPPED, *TRACKERS])}, or a model file.",
)


@click.command("track", no_args_is_help=True)
@click.argument("recipes", nargs=-1, required=True, metavar="RECIPE...")
@click.option(
    "--to",
    "form",
    type=click.Choice([*TEXTS, *BINARY]),
    default=next(iter(TEXTS)),
    help="What to write.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to FILE, once all is well. FOLDER/ gets a file for each recipe where a file holds "
    "only one.",
)
@takes_model
@click.option("--strict", is_flag=True, help="Stop at the first recipe that cannot be read.")
@click.option("--lexicon", metavar="DIR", help="Use the action lexicon in DIR.")
@click.option(
    "--processes",
    metavar="N",
    type=click.IntRange(1, 256),
    default=1,
    show_default=False,
    help="Track with N processes; for corpora see npn corpus.",
)
@click.option(
    "--extended", is_flag=True, help="Cooklang: name also what earlier steps made, @&(~1)dough{}."
)
def command(
    recipes: tuple[str, ...],
    form: str,
    output: str | None,
    model: str,
    strict: bool,
    lexicon: str | None,
    processes: int,
    extended: bool,
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
    npn track lasagne.txt --to html -o lasagne.html
    npn track many.jsonl --to cooklang -o recipes/
    npn track many.jsonl --to json | head -1
    npn track many.jsonl --to json --processes 4 -o out.jsonl

    A recipe that cannot be read is named on standard error, with its line, and the rest go on. The
    exit status is 2 if none could be read, or, with --strict, if any could not.
    """
    from npn.commands.files import RecipeReader, is_folder, open_output, write_each

    if form in BINARY and output in (None, "-"):
        raise NpnError(f"--to {form} writes a zip archive, not text: name it with -o FILE.zip")
    if extended and form != "cooklang":
        raise NpnError("--extended goes with --to cooklang only")
    options = {"extended": True} if extended else {}
    writer = None if form in BINARY else text_writer(form)
    to_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    reading = RecipeReader(recipes, strict=strict, progress=not to_terminal)
    if writer is not None and writer.one_each and is_folder(output):
        with tracking(model, lexicon, processes) as track:
            traces = reading.accepted(track(reading.recipes()))
            write_each(writer, traces, str(output), **options)
        reading.finish()
        return
    with open_output(output, recipes) as out, tracking(model, lexicon, processes) as track:
        traces = reading.accepted(track(reading.recipes()))
        if writer is None:
            binary_writer(form).write(traces, out.buffer)
        else:
            writer.write(traces, out, **options)
        out.flush()
        reading.finish()  # before an empty file takes FILE's place


@contextmanager
def tracking(
    model: str, lexicon: str | None, processes: int, *, one_by_one: bool = False
) -> Iterator[Tracking]:
    """What tracks recipes, in this process or in several. `one_by_one`, no more recipes are read
    ahead than there are processes, and none where that is one."""
    if processes == 1:
        from npn.models import load_tracker
        from npn.tracker import track_each

        yield partial(track_each, load_tracker(model, lexicon))
        return
    from npn.corpus.shard import TrackerChoice
    from npn.corpus.traces import TracePool

    with TracePool(TrackerChoice(model, lexicon), processes) as pool:
        yield pool.track_one_by_one if one_by_one else pool.track_each
