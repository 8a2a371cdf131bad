"""`npn reproduce generation`: tables 5 and 6."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from npn.errors import NpnError

LIBRARIES = ("torch", "gensim", "sacrebleu", "rouge_score")


@click.command("generation")
@click.option(
    "--corpus", "corpora", multiple=True, type=Path, metavar="FILE", help="Recipes to train on."
)
@click.option(
    "--work",
    type=Path,
    default=Path("runs/generation"),
    show_default=True,
    metavar="DIR",
    help="Prepared data, trackers and runs; runs made elsewhere go to DIR/runs/KIND-SEED.",
)
@click.option(
    "-o",
    "--output",
    "out",
    type=Path,
    default=Path("docs/results/generation"),
    show_default=True,
    metavar="DIR",
    help="For the report and its numbers.",
)
@click.option("--device", default="cpu", show_default=True, help="cpu or cuda.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that prepare and score.",
)
@click.option("--seeds", type=click.IntRange(1), default=2, show_default=True, help="Runs a row.")
@click.option("--remarks", type=Path, metavar="FILE", help="Text to stand in the report.")
@click.option("--quick", is_flag=True, help="A small run of the whole chain, in two minutes.")
def generation(
    corpora: tuple[Path, ...],
    work: Path,
    out: Path,
    device: str,
    jobs: int,
    seeds: int,
    remarks: Path | None,
    quick: bool,
) -> None:
    """Tables 5 and 6: train what is missing, let every generator say the next step of every test
    recipe, score it, write the report.

    A command that was stopped goes on when it is started again. The report in the output folder
    holds no text of a recipe; the same with the contexts lies in the work folder.

    \b
    Examples:
      npn reproduce generation --corpus recipes.jsonl.gz --device cuda
      npn reproduce generation --corpus recipes.jsonl --quick --work quick -o quick/report
    """
    for library in LIBRARIES:
        if importlib.util.find_spec(library) is None:
            raise NpnError(f"this needs {library}: install it with pip install 'npn[train]'")
    from npn.reproduction.generation.reproduce import Settings, reproduce

    settings = Settings(corpora, work, out, device, jobs, seeds, quick, remarks)
    words = ["npn reproduce generation", *(f"--corpus {path.name}" for path in corpora)]
    words += ["--quick"] if quick else []
    report = reproduce(settings, lambda line: click.echo(line, err=True), " ".join(words))
    click.echo(report)
