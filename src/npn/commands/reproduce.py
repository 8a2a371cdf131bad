"""`npn reproduce`: the paper's tables and figures, from one command."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import click

from npn.commands.reproduce_generation import generation
from npn.errors import NpnError


@click.group("reproduce", no_args_is_help=True)
def command() -> None:
    """Run the paper's experiments and write a report that sets its numbers beside ours.

    \b
    Examples:
      npn reproduce tracking --corpus recipes.jsonl.gz
      npn reproduce generation --corpus recipes.jsonl.gz
    """


command.add_command(generation)


@command.command("tracking")
@click.option(
    "--corpus", "corpora", multiple=True, type=Path, metavar="FILE", help="Recipes to train on."
)
@click.option("--gold", type=Path, metavar="DIR", help="Gold files; $NPN_DATA/gold, unless told.")
@click.option(
    "--work",
    type=Path,
    default=Path("runs/tracking"),
    show_default=True,
    metavar="DIR",
    help="Prepared data and runs; runs that were made elsewhere go to DIR/runs/EXPERIMENT-SEED.",
)
@click.option(
    "-o",
    "--output",
    "out",
    type=Path,
    default=Path("docs/results/tracking"),
    show_default=True,
    metavar="DIR",
    help="For the report, its numbers and figures.",
)
@click.option("--device", default="cpu", show_default=True, help="cpu or cuda.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Runs at once.")
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="Runs a row.")
@click.option("--remarks", type=Path, metavar="FILE", help="Text to stand in the report.")
@click.option("--quick", is_flag=True, help="A small run of the whole chain, in two minutes.")
@click.option("--no-train", is_flag=True, help="Report on the runs that are there.")
def tracking(
    corpora: tuple[Path, ...],
    gold: Path | None,
    work: Path,
    out: Path,
    device: str,
    jobs: int,
    seeds: int,
    remarks: Path | None,
    quick: bool,
    no_train: bool,
) -> None:
    """Tables 2, 3, 4 and 8 and figure 3: train what is missing, evaluate all, write the report.

    A command that was stopped goes on when it is started again.

    \b
    Example:
      npn reproduce tracking --corpus recipes.jsonl.gz --device cuda --jobs 8
    """
    for library in ("torch", "gensim", "matplotlib"):
        if importlib.util.find_spec(library) is None:
            raise NpnError(f"this needs {library}: install it with pip install 'npn[train]'")
    if gold is None:
        data = os.environ.get("NPN_DATA")
        if not data:
            raise NpnError("where is the gold? Name its folder with --gold, or set NPN_DATA")
        gold = Path(data) / "gold"
    from npn.reproduction.reproduce import Settings, reproduce

    settings = Settings(
        corpora, gold, work, out, device, jobs, seeds, quick, remarks, train=not no_train
    )
    words = ["npn reproduce tracking", *(f"--corpus {path.name}" for path in corpora)]
    words += ["--quick"] if quick else []
    words += ["--no-train"] if no_train else []
    report = reproduce(settings, lambda line: click.echo(line, err=True), " ".join(words))
    click.echo(report)
