"""`npn reproduce`: the reports of the paper, from a corpus to a page."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from npn.errors import NpnError

Command = Callable[..., Any]


def chain_options(
    name: str, *, work: str, out: str, jobs: str, seeds: int
) -> Callable[[Command], Command]:
    """Options of the chain called `name`, by the names of `npn.reproduction.chain.ChainSettings`;
    the texts say what its folders and jobs are for."""
    options = [
        click.option(
            "--corpus",
            "corpora",
            multiple=True,
            type=Path,
            metavar="FILE",
            help="Recipes to train on.",
        ),
        click.option("--work", type=Path, default=Path("runs") / name, metavar="DIR", help=work),
        click.option(
            "-o",
            "--output",
            "out",
            type=Path,
            default=Path("docs/results") / name,
            metavar="DIR",
            help=out,
        ),
        click.option("--device", default="cpu", help="cpu or cuda."),
        click.option("--jobs", type=click.IntRange(1), default=1, help=jobs),
        click.option("--seeds", type=click.IntRange(1), default=seeds, help="Runs a row."),
        click.option("--remarks", type=Path, metavar="FILE", help="Text to stand in the report."),
        click.option(
            "--quick", is_flag=True, help="A small run of the whole chain, in two minutes."
        ),
    ]

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def need(*libraries: str) -> None:
    """Refuse to begin without the libraries that only training installs."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            raise NpnError(f"this needs {library}: install it with pip install 'npn[train]'")


def spelled(name: str, corpora: Sequence[Path], **flags: bool) -> str:
    """The command, as the report names it."""
    words = [f"npn reproduce {name}", *(f"--corpus {path.name}" for path in corpora)]
    return " ".join([*words, *(f"--{flag.replace('_', '-')}" for flag, on in flags.items() if on)])


@click.command("generation")
@chain_options(
    "generation",
    work="Prepared data, trackers and runs; runs made elsewhere go to DIR/runs/KIND-SEED.",
    out="For the report and its numbers.",
    jobs="Processes that prepare and score.",
    seeds=3,
)
def generation(**chain: Any) -> None:
    """Tables 5 and 6: train what is missing, let every generator say the next step of every test
    recipe, score it, write the report.

    A command that was stopped goes on when it is started again. The report in the output folder
    holds no text of a recipe; the same with the contexts lies in the work folder.

    \b
    Examples:
      npn reproduce generation --corpus recipes.jsonl.gz --device cuda
      npn reproduce generation --corpus recipes.jsonl --quick --work quick -o quick/report
    """
    need("torch", "gensim", "sacrebleu", "rouge_score")
    from npn.reproduction.generation.reproduce import GenerationSettings, reproduce

    settings = GenerationSettings(**chain)
    command = spelled("generation", settings.corpora, quick=settings.quick)
    report = reproduce(settings, lambda line: click.echo(line, err=True), command)
    click.echo(report)


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
def tracking(gold: Path | None, no_train: bool, **chain: Any) -> None:
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
    from npn.reproduction.tracking.reproduce import TrackingSettings, reproduce

    settings = TrackingSettings(**chain, gold=gold, train=not no_train)
    command = spelled("tracking", settings.corpora, quick=settings.quick, no_train=no_train)
    report = reproduce(settings, lambda line: click.echo(line, err=True), command)
    click.echo(report)


@command.command("verdicts")
@click.option(
    "--results",
    type=Path,
    default=Path("docs/results"),
    metavar="DIR",
    help="The folder with tracking/numbers.json and generation/numbers.json.",
)
@click.option("-o", "--output", "out", type=Path, default=Path("docs/verdicts.md"), metavar="FILE")
def verdicts(results: Path, out: Path) -> None:
    """One page: a verdict for each table, figure and claim of the paper, from both reports.

    \b
    Example:
      npn reproduce verdicts -o docs/verdicts.md
    """
    import json

    from npn.networks.common.files import write_bytes
    from npn.reproduction.claims import verdict_page

    numbers = []
    for part in ("tracking", "generation"):
        path = results / part / "numbers.json"
        try:
            numbers.append(json.loads(path.read_bytes()))
        except (OSError, ValueError) as error:
            raise NpnError(
                f"{path} holds no numbers: write them with npn reproduce {part}"
            ) from error
    write_bytes(out, verdict_page(*numbers).encode())
    click.echo(out)
