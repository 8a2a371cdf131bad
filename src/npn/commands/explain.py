"""`npn explain`: why each step acts on what it acts on."""

from __future__ import annotations

import click

from npn.models import DEFAULT

NOTHING_READ = 2


@click.command("explain", no_args_is_help=True)
@click.argument("recipes", nargs=-1, required=True, metavar="RECIPE...")
@click.option(
    "--model", metavar="NAME|PATH", default=DEFAULT, show_default=True, help="Who tracks."
)
def command(recipes: tuple[str, ...], model: str) -> None:
    """Say why each step acts on the ingredients it acts on: which words name them, or which
    mixture they are part of, and since when.

    \b
    npn explain soup.txt
    npn explain soup.txt --model weak-labels
    """
    from npn.commands.reading import RecipeReader
    from npn.formats.writing.wording import plain, title
    from npn.models import load_tracker
    from npn.rules.explanation import explain

    tracker = load_tracker(model)
    reading = RecipeReader(recipes, strict=False, progress=False)
    for trace in tracker.track_many(reading.recipes()):
        click.echo(title(trace))
        for number, step in enumerate(trace.steps):
            click.echo(f"\n{number + 1}. {plain(step.text)}")
            for i in step.entities:
                click.echo(f"   {plain(explain(trace, number, i))}")
        click.echo()
    if not reading.sum_up():
        raise click.exceptions.Exit(NOTHING_READ)
