"""`npn prepare`: a corpus of recipes becomes training data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from npn.training.data.prepare import SplitCounts, Summary

NOTES = 5  # problems told one by one; the rest are counted


@click.command("prepare", no_args_is_help=True)
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...", type=Path)
@click.option("-o", "--output", "folder", required=True, metavar="DIR", type=Path)
@click.option("--words", metavar="N", default=7_358, help="Most words.")
@click.option("--entities", metavar="N", default=2_996, help="Most entities.")
@click.option(
    "--development",
    metavar="SHARE",
    type=click.FloatRange(0, 0.5),
    default=0.01,
    help="Share of the recipes for development.",
)
@click.option(
    "--test",
    metavar="SHARE",
    type=click.FloatRange(0, 0.4),
    default=0.01,
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
@click.option(
    "--embeddings/--no-embeddings",
    default=True,
    show_default=False,
    help="Train skip-gram embeddings.",
)
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
        self.console = Console(stderr=True, soft_wrap=True)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[recipes]:,} recipes"),
            TimeRemainingColumn(),
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
    cleaning = summary.cleaning
    recipes = Table("", "recipes", title="What became of the corpus", title_justify="left")
    counts = {
        "could not be read": cleaning.problems,
        "read": cleaning.read,
        **{f"dropped: {why}": count for why, count in cleaning.dropped.items()},
        "dropped: near-duplicate of another": cleaning.duplicates,
        "not used, beyond --limit or --train": cleaning.unused,
    }
    for name, count in counts.items():
        recipes.add_row(name, f"{count:,}")
    console.print(recipes)
    if cleaning.removed:
        lines = Table("removed from the recipes kept and dropped", "lines")
        for name, count in cleaning.removed.items():
            lines.add_row(name, f"{count:,}")
        console.print(lines)
    parts = Table("", *summary.splits)
    for column in parts.columns[1:]:
        column.justify = "right"
    columns = [split_cells(counts) for counts in summary.splits.values()]
    for name in columns[0]:
        parts.add_row(name, *(column[name] for column in columns))
    console.print(parts)
    console.print(
        f"vocabulary: {summary.words - 2:,} words, {summary.entities - 2:,} entities, "
        f"{summary.actions - 1:,} actions"
    )


def split_cells(counts: SplitCounts) -> dict[str, str]:
    """What there is to say of one part of the data."""

    def ratio(a: int, b: int) -> str:
        return f"{a / b:.2f}" if b else "-"

    def share(a: int, b: int) -> str:
        return f"{a / b:.1%}" if b else "-"

    sentences, ingredients = counts.sentences, counts.ingredients
    return {
        "recipes": f"{counts.recipes:,}",
        "sentences": f"{sentences:,}",
        "words": f"{counts.words:,}",
        "sentences a recipe": ratio(sentences, counts.recipes),
        "words a sentence": ratio(counts.words, sentences),
        "ingredients a recipe": ratio(ingredients, counts.recipes),
        "actions a sentence": ratio(counts.actions, sentences),
        "unknown words": share(counts.unknown_words, counts.words),
        "unknown ingredients": share(counts.unknown_ingredients, ingredients),
        "sentences without action": share(counts.sentences_without_action, sentences),
        "sentences that name no ingredient": share(
            counts.sentences_naming_no_ingredient, sentences
        ),
        "sentences that select none": share(counts.sentences_by_evidence["none"], sentences),
        **{f"changes of {type}": f"{number:,}" for type, number in counts.changes.items()},
    }
