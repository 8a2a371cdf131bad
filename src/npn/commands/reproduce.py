"""`npn reproduce`: the reports of the paper, from a corpus to a page."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from npn.errors import NpnError


@click.group("reproduce", no_args_is_help=True)
def command() -> None:
    """Run the paper's experiments and write a report that sets its numbers beside ours.

    \b
    Examples:
      npn reproduce tracking --corpus recipes.jsonl.gz
      npn reproduce generation --corpus recipes.jsonl.gz
    """


def chain(
    name: str, *, work: str, out: str, jobs: str
) -> Callable[[Callable[..., None]], click.Command]:
    """Makes a function the command of a chain, with options that have the names of
    `npn.reproduction.chain.ChainSettings`. The texts say what its folders and jobs are for."""
    runs, results = Path("runs") / name, Path("docs/results") / name
    many = click.IntRange(1)
    options = [
        click.option(
            "--corpus",
            "corpora",
            multiple=True,
            type=Path,
            metavar="FILE",
            help="Recipes to train on.",
        ),
        click.option("--work", type=Path, default=runs, metavar="DIR", help=work),
        click.option("-o", "--output", "out", type=Path, default=results, metavar="DIR", help=out),
        click.option("--device", default="cpu", help="cpu or cuda."),
        click.option("--jobs", type=many, default=1, help=jobs),
        click.option("--seeds", type=many, default=3, help="Runs a row."),
        click.option("--remarks", type=Path, metavar="FILE", help="Text to stand in the report."),
        click.option(
            "--quick", is_flag=True, help="A small run of the whole chain, in two minutes."
        ),
    ]

    def make(function: Callable[..., None]) -> click.Command:
        for option in reversed(options):
            function = option(function)
        return command.command(name)(function)

    return make


def need(*libraries: str) -> None:
    """Refuse to begin without the libraries that only training installs."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            raise NpnError(f"this needs {library}: install it with pip install 'npn[train]'")


def spelled(name: str, corpora: Sequence[Path], **flags: bool) -> str:
    """The command, as the report names it."""
    words = [f"npn reproduce {name}", *(f"--corpus {path.name}" for path in corpora)]
    return " ".join([*words, *(f"--{flag.replace('_', '-')}" for flag, on in flags.items() if on)])


report_progress = partial(click.echo, err=True)


@chain(
    "generation",
    work="Prepared data, trackers and runs; runs made elsewhere go to DIR/runs/KIND-SEED.",
    out="For the report and its numbers.",
    jobs="Processes that prepare and score.",
)
def generation(**options: Any) -> None:
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

    settings = GenerationSettings(**options)
    words = spelled("generation", settings.corpora, quick=settings.quick)
    click.echo(reproduce(settings, report_progress, words))


@chain(
    "tracking",
    work="Prepared data and runs; runs that were made elsewhere go to DIR/runs/EXPERIMENT-SEED.",
    out="For the report, its numbers and figures.",
    jobs="Runs at once.",
)
@click.option("--gold", type=Path, metavar="DIR", help="Gold files; $NPN_DATA/gold, unless told.")
@click.option("--no-train", is_flag=True, help="Report on the runs that are there.")
def tracking(gold: Path | None, no_train: bool, **options: Any) -> None:
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

    settings = TrackingSettings(**options, gold=gold, train=not no_train)
    words = spelled("tracking", settings.corpora, quick=settings.quick, no_train=no_train)
    click.echo(reproduce(settings, report_progress, words))


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
