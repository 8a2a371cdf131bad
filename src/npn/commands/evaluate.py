"""`npn evaluate`: trackers side by side on gold labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from npn.errors import NpnError

if TYPE_CHECKING:
    from npn.tracker import Tracker


@click.command("evaluate", no_args_is_help=True)
@click.argument("trackers", nargs=-1, required=True, metavar="TRACKER...")
@click.option(
    "--gold",
    "golds",
    multiple=True,
    required=True,
    metavar="FILE...",
    help="Gold files (.jsonl), or a library that is linked.",
)
@click.option(
    "--json",
    "json_path",
    metavar="OUT",
    help="Write all scores to this file as JSON; - prints nothing else.",
)
@click.option(
    "--raw",
    is_flag=True,
    help="Score what the paper's networks predict, not what their traces tell.",
)
@click.option("--lexicon", metavar="DIR", help="Use this lexicon in place of the shipped one.")
def command(
    trackers: tuple[str, ...],
    golds: tuple[str, ...],
    json_path: str | None,
    raw: bool,
    lexicon: str | None,
) -> None:
    """Score trackers on gold labels, side by side.

    A TRACKER is whatever `npn track --model` takes. Gold is a file of labels, or an export of your
    own library (Mealie, Tandoor) whose steps you have linked to their ingredients. Intervals are
    95 % bootstrap intervals over recipes; with several trackers, each is compared with the first
    on the same resamples. A trace says nothing of states where nobody is selected or nothing
    becomes other than it was; --raw scores the predictors themselves, as the paper does.

    \b
    Example:
      npn evaluate mention first-mention --gold npn_entities_dev.jsonl
      npn evaluate first-mention weak-labels --gold world_dev.jsonl
      npn evaluate world --gold mealie-export.zip
      npn evaluate paper --gold states_dev.jsonl --raw
    """
    import json
    from pathlib import Path

    from rich.console import Console

    from npn.commands.files import RecipeReader, open_output, standard_output
    from npn.evaluation.gold import read_gold
    from npn.evaluation.report import evaluate, evaluate_links, linked_gold
    from npn.evaluation.tables import table_width, tables
    from npn.models import LABELLERS, load_tracker

    # `--gold *.jsonl` leaves all files but the first among the arguments.
    files = [*golds, *(name for name in trackers if name.endswith((".jsonl", ".zip")))]
    names = [name for name in trackers if not name.endswith((".jsonl", ".zip"))]
    if not names:
        raise NpnError("no tracker to evaluate: name one before --gold")
    gold = [
        read_gold(file)
        if file.endswith(".jsonl")
        else linked_gold(RecipeReader([file]).recipes(), file)
        for file in files
    ]
    # Trackers without a lexicon may stand beside one that reads it; alone they refuse it.
    using = [name for name in names if name in LABELLERS] or names
    loaded = [(name, load_tracker(name, lexicon if name in using else None)) for name in names]
    if raw:
        _speak_raw(loaded)
    console = Console(file=standard_output(), quiet=json_path == "-")
    reports = []
    for file, recipes in zip(files, gold, strict=True):
        score = evaluate if file.endswith(".jsonl") else evaluate_links
        reports.append(score(loaded, recipes, Path(file).name))
        for table in tables(reports[-1]):
            console.width = max(console.width, table_width(table))
            console.print(table)
            console.print()
    if json_path is not None:
        with open_output(json_path) as out:
            json.dump([report.to_dict() for report in reports], out, indent=1, allow_nan=False)
            out.write("\n")


def _speak_raw(trackers: Sequence[tuple[str, Tracker]]) -> None:
    """Let networks say all that they predict."""
    from npn.networks.paper.decoding import RawDecoder
    from npn.networks.paper.tracker import NetworkTracker

    for name, tracker in trackers:
        if not isinstance(tracker, NetworkTracker):
            raise NpnError(
                f'"{name}" is not the paper\'s network, an ablation or a baseline: it has no raw '
                "predictions to score"
            )
        tracker.decoder = RawDecoder
