"""`npn reproduce`: the paper's tables and figures, from one command."""

from __future__ import annotations

import os
from pathlib import Path

import click

from npn.commands.chain_options import chain_options, need, spelled
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
@chain_options(
    "tracking",
    work="Prepared data and runs; runs that were made elsewhere go to DIR/runs/EXPERIMENT-SEED.",
    out="For the report, its numbers and figures.",
    jobs="Runs at once.",
    seeds=3,
)
@click.option("--gold", type=Path, metavar="DIR", help="Gold files; $NPN_DATA/gold, unless told.")
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
    need("torch", "gensim", "matplotlib")
    if gold is None:
        data = os.environ.get("NPN_DATA")
        if not data:
            raise NpnError("where is the gold? Name its folder with --gold, or set NPN_DATA")
        gold = Path(data) / "gold"
    from npn.reproduction.reproduce import Settings, reproduce

    settings = Settings(
        corpora, gold, work, out, device, jobs, seeds, quick, remarks, train=not no_train
    )
    command = spelled("tracking", corpora, quick=quick, no_train=no_train)
    report = reproduce(settings, lambda line: click.echo(line, err=True), command)
    click.echo(report)
