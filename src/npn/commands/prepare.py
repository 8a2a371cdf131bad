"""`npn prepare`: a corpus of recipes becomes training data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from npn.training.data.prepare import Summary

NOTES = 5  # problems told one by one; the rest are counted


@click.command("prepare", no_args_is_help=True)
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...", type=Path)
@click.option("-o", "--output", "folder", required=True, metavar="DIR", type=Path)
@click.option("--words", metavar="N", default=7_358, show_default=True, help="Most words.")
@click.option("--entities", metavar="N", default=2_996, show_default=True, help="Most entities.")
@click.option(
    "--development",
    metavar="SHARE",
    type=click.FloatRange(0, 0.5),
    default=0.01,
    show_default=True,
    help="Share of the recipes for development.",
)
@click.option(
    "--test",
    metavar="SHARE",
    type=click.FloatRange(0, 0.4),
    default=0.01,
    show_default=True,
    help="Share of the recipes for testing.",
)
@click.option(
    "--limit", metavar="N", type=click.IntRange(1), help="Use at most N recipes, chosen by hash."
)
@click.option(
    "--train", metavar="N", type=click.IntRange(1), help="At most N recipes for training."
)
@click.option(
    "--next",
    "prepared",
    metavar="PREPARED",
    type=Path,
    help="Prepare for next-step generators, from what npn prepare wrote to PREPARED.",
)
@click.option("--embeddings/--no-embeddings", default=True, help="Train skip-gram embeddings.")
@click.option(
    "--lexicon", metavar="DIR", type=Path, help="Use this lexicon in place of the shipped one."
)
@click.option(
    "--processes",
    metavar="N",
    type=click.IntRange(1, 256),
    help="As many as there are processors, unless told.",
)
def command(
    corpora: tuple[Path, ...],
    folder: Path,
    words: int,
    entities: int,
    development: float,
    test: float,
    limit: int | None,
    train: int | None,
    prepared: Path | None,
    embeddings: bool,
    lexicon: Path | None,
    processes: int | None,
) -> None:
    """Turn a corpus into training data: clean it, drop near-duplicates, label every sentence,
    split it by a hash of the recipe, and write arrays, vocabularies and embeddings to DIR.

    A CORPUS is anything that `npn corpus track` reads: files, folders, archives, Parquet; JSON
    Lines (.jsonl, .jsonl.gz) may be of any size. The same corpora give the same bytes. A run that
    was stopped goes on when it is started again.

    \b
    Example:
      npn prepare recipes.jsonl.gz archive.mmf -o prepared
      npn prepare recipes.jsonl.gz archive.mmf --next prepared -o prepared-next
    """
    import os

    from rich.console import Console

    from npn.commands.files import standard_output
    from npn.training.data.prepare import PrepareOptions, prepare
    from npn.training.data.shards import Shares

    processes = processes or os.cpu_count() or 1
    if prepared is not None:
        from npn.models import load_tracker
        from npn.training.generator.prepare import RECIPES, prepare_generation

        recipes = train or RECIPES
        with Screen() as screen:
            counts = prepare_generation(
                corpora, prepared, folder, recipes, screen, load_tracker, processes=processes
            )
        click.echo(", ".join(f"{name} {count:,}" for name, count in counts.items()))
        return
    options = PrepareOptions(
        Shares(development, test, limit or 0, train or 0), words, entities, embeddings
    )
    with Screen() as screen:
        summary = prepare(corpora, folder, options, screen, lexicon=lexicon, processes=processes)
    show(summary, Console(file=standard_output()))


class Screen:
    """A line on the terminal that says how far it is, and nothing where there is no terminal.
    Notes go to standard error in any case."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        self.console = Console(stderr=True, soft_wrap=True)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[recipes]:,} recipes"),
            Remaining(),
            console=self.console,
            disable=not self.console.is_terminal,
        )
        self.task = self.progress.add_task("Reading", total=1.0, recipes=0)
        self.recipes = self.notes = 0

    def __enter__(self) -> Screen:
        self.progress.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        self.progress.stop()
        if isinstance(error, KeyboardInterrupt):
            error.add_note("the same command goes on with what is done")
        if self.notes > NOTES:
            click.echo(f"npn: {self.notes - NOTES:,} more such remarks", err=True)

    def begin_part(self, name: str) -> None:
        self.progress.update(self.task, description=name)

    def advance(self, recipes: int, progress: float) -> None:
        self.recipes += recipes
        self.progress.update(self.task, completed=progress, recipes=self.recipes)

    def note(self, message: str) -> None:
        self.notes += 1
        if self.notes <= NOTES:
            self.console.print(f"npn: {message}", markup=False, highlight=False)


def show(summary: Summary, console: Console) -> None:
    """The summary as tables."""
    from rich.table import Table

    cleaning = summary.cleaning
    recipes = Table("", "recipes", title="What became of the corpus", title_justify="left")
    rows = [
        ("could not be read", cleaning.problems),
        ("read", cleaning.read),
        *((f"dropped: {why}", count) for why, count in cleaning.dropped.items()),
        ("dropped: near-duplicate of another", cleaning.duplicates),
        ("not used, beyond --limit or --train", cleaning.unused),
    ]
    for name, count in rows:
        recipes.add_row(name, f"{count:,}")
    console.print(recipes)
    if cleaning.removed:
        lines = Table("removed from the recipes kept and dropped", "lines")
        for name, count in cleaning.removed.items():
            lines.add_row(name, f"{count:,}")
        console.print(lines)
    console.print(splits_table(summary))
    console.print(
        f"vocabulary: {summary.words - 2:,} words, {summary.entities - 2:,} entities, "
        f"{summary.actions - 1:,} actions"
    )


def splits_table(summary: Summary) -> Table:
    from rich.table import Table

    table = Table("", *summary.splits)
    for column in table.columns[1:]:
        column.justify = "right"
    parts = summary.splits.values()
    table.add_row("recipes", *(f"{one.recipes:,}" for one in parts))
    table.add_row("sentences", *(f"{one.sentences:,}" for one in parts))
    table.add_row("words", *(f"{one.words:,}" for one in parts))
    ratios = {
        "sentences a recipe": [(one.sentences, one.recipes) for one in parts],
        "words a sentence": [(one.words, one.sentences) for one in parts],
        "ingredients a recipe": [(one.ingredients, one.recipes) for one in parts],
        "actions a sentence": [(one.actions, one.sentences) for one in parts],
    }
    for name, pairs in ratios.items():
        table.add_row(name, *(f"{a / b:.2f}" if b else "-" for a, b in pairs))
    shares = {
        "unknown words": [(one.unknown_words, one.words) for one in parts],
        "unknown ingredients": [(one.unknown_ingredients, one.ingredients) for one in parts],
        "sentences without action": [
            (one.sentences_without_action, one.sentences) for one in parts
        ],
        "sentences that name no ingredient": [
            (one.sentences_naming_no_ingredient, one.sentences) for one in parts
        ],
        "sentences that select none": [
            (one.sentences_by_evidence["none"], one.sentences) for one in parts
        ],
    }
    for name, pairs in shares.items():
        table.add_row(name, *(f"{a / b:.1%}" if b else "-" for a, b in pairs))
    for type in next(iter(parts)).changes:
        table.add_row(f"changes of {type}", *(f"{one.changes[type]:,}" for one in parts))
    return table
