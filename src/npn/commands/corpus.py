"""`npn corpus`: many recipes, tracked by several processes, as tables."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

import click

from npn.commands.files import StatusLine
from npn.commands.track import takes_model
from npn.formats.writing.wording import count, plain

if TYPE_CHECKING:
    from npn.corpus import CorpusSummary
    from npn.corpus.sharding.folder import Record

SOMETHING_LOST = 1
NOTHING_TRACKED = 2


@click.group("corpus", no_args_is_help=True)
def command() -> None:
    """Track a corpus of recipes, and report on it.

    \b
    npn corpus track recipes/*.jsonl.gz -o tracked --processes 8
    npn corpus stats tracked
    """


@command.command("track", no_args_is_help=True)
@click.argument("inputs", nargs=-1, required=True, metavar="IN...")
@click.option("-o", "--output", required=True, metavar="DIR", help="A folder, or its address.")
@click.option(
    "--processes",
    metavar="N",
    type=click.IntRange(1, 10_000),
    help="As many as there are processors, unless told; with Ray, the number of actors.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    help="This machine, or a Ray cluster.",
)
@click.option("--address", metavar="ADDRESS", help="Of the Ray cluster: auto, or ray://HOST:10001.")
@click.option(
    "--format",
    type=click.Choice(["parquet", "jsonl"]),
    default="parquet",
    help="Tables in Parquet, or traces in JSON Lines.",
)
@takes_model
@click.option(
    "--shard",
    "recipes",
    metavar="N",
    type=click.IntRange(1, 100_000),
    default=1_000,
    help="Recipes a shard.",
)
@click.option("--restart", is_flag=True, help="Throw away what an earlier run has done.")
def track(
    inputs: tuple[str, ...],
    output: str,
    processes: int | None,
    engine: str,
    address: str | None,
    **choices: Any,
) -> None:
    """Track all recipes of files, folders, globs and addresses, and write tables to DIR.

    IN is anything that `npn track` reads, packed with gzip or Zstandard or not; a Parquet file with
    columns title, ingredients and steps; a tar or zip archive of such files; or a folder of them.

    \b
    npn corpus track recipes.jsonl.gz pages/ 'more/*.parquet' -o tracked
    npn corpus track s3://bucket/recipes -o s3://bucket/tracked --engine ray --address auto

    Stopped at any moment and started again, it goes on from the shards that are done, and ends with
    the same bytes. The exit status is 0 when all inputs were read to their end, however many
    recipes in them were refused; 1 when a file or a shard was lost; 2 when nothing was tracked.
    """
    from npn.corpus import CorpusOptions, track_corpus

    if address and engine != "ray":
        raise click.UsageError("--address is that of a Ray cluster: add --engine ray")
    processes = processes or os.cpu_count() or 1
    options = CorpusOptions(processes=processes, engine=engine, address=address, **choices)
    screen = CorpusScreen(sys.stderr)
    try:
        with screen:
            summary = track_corpus(inputs, output, options, screen)
    except KeyboardInterrupt as stop:
        stop.add_note("the same command goes on with what is done")
        raise
    click.echo(f"npn: {in_words(summary)}", err=True)
    if not summary.recipes:
        raise click.exceptions.Exit(NOTHING_TRACKED)
    if summary.refused["file"] or summary.refused["shard"]:
        raise click.exceptions.Exit(SOMETHING_LOST)


@command.command("stats", no_args_is_help=True)
@click.argument("folder", metavar="DIR")
@click.option("-o", "--output", metavar="DIR", help="Where to write; DIR/report unless told.")
def stats(folder: str, output: str | None) -> None:
    """Report on a tracked corpus, finished or not: report.md and report.html with plots.

    \b
    npn corpus stats tracked
    """
    from npn.corpus.report import write_report

    for path in write_report(folder, output or f"{folder.rstrip('/')}/report"):
        click.echo(path)


def in_words(summary: CorpusSummary) -> str:
    """One line about what was done."""
    refused = summary.refused
    lost = [count(number, what) for what, number in refused.items() if number]
    parts = [
        f"{count(summary.recipes, 'recipe')} tracked in {count(summary.shards, 'shard')}",
        f"{summary.kept:,} of them from an earlier run" if summary.kept else "",
        f"refused: {', '.join(lost)} (see the table refused)" if lost else "nothing refused",
        f"{summary.not_english:,} recipes do not look English" if summary.not_english else "",
    ]
    return "; ".join(one for one in parts if one)


# -- How far a corpus is: one line that is written over on a terminal, and now and then a line
# elsewhere, so that a log stays short.

ON_A_TERMINAL, IN_A_LOG = 0.2, 30.0  # seconds between two lines
LISTED = 5  # refusals told one by one; the rest are counted


class CorpusScreen:
    """Told of each shard (`track_corpus`), it says the rate, the time left and the refusals. Time
    is what `clock` says."""

    def __init__(self, out: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.out = out
        self.clock = clock
        self.status = StatusLine(out)
        self.began = self.last = clock()
        self.recipes = self.fresh = self.refused = self.listed = 0
        self.progress = self.kept_progress = 0.0

    def __enter__(self) -> CorpusScreen:
        return self

    def __exit__(self, *_: object) -> None:
        self.status.clear()
        if self.refused > self.listed:
            self._say(f"{self.refused - self.listed:,} more refused")

    def shard(self, record: Record, progress: float, kept: bool) -> None:
        self.recipes += record["recipes"]
        self.refused += sum(record["refused"].values())
        self.progress = max(self.progress, progress)
        if kept:
            self.kept_progress = max(self.kept_progress, progress)
        else:
            self.fresh += record["recipes"]
        for what, path, where, why in record["refusals"]:
            self._tell(what, path, where, why)
        now = self.clock()
        if now - self.last >= (ON_A_TERMINAL if self.status.terminal else IN_A_LOG):
            self.last = now
            show = self.status.show if self.status.terminal else self._say
            show(self.line(now))

    def line(self, now: float) -> str:
        """What there is to say at a moment."""
        seconds = max(now - self.began, 1e-9)
        rate = self.fresh / seconds
        line = f"{self.recipes:,} recipes, {rate:,.0f} a second, {self.progress:.0%}"
        new = self.progress - self.kept_progress
        if new > 0:
            line += f", {_time((1 - self.progress) / new * seconds)} left"
        return line + (f", {self.refused:,} refused" if self.refused else "")

    def _tell(self, what: str, path: str, where: str, why: str) -> None:
        if self.listed >= LISTED and what == "recipe":
            return
        self.listed += 1
        place = f"{path}, {where}" if where else path
        self._say(why if place in why else f"{place}: {why}")

    def _say(self, text: str) -> None:
        self.status.clear()
        if self.out is not None:
            self.out.write(f"npn: {plain(text)}\n")
            self.out.flush()


def _time(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}"
