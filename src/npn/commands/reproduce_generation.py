"""`npn reproduce generation`: tables 5 and 6."""

from __future__ import annotations

from pathlib import Path

import click

from npn.commands.chain_options import chain_options, need, spelled


@click.command("generation")
@chain_options(
    "generation",
    work="Prepared data, trackers and runs; runs made elsewhere go to DIR/runs/KIND-SEED.",
    out="For the report and its numbers.",
    jobs="Processes that prepare and score.",
    seeds=2,
)
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
    need("torch", "gensim", "sacrebleu", "rouge_score")
    from npn.reproduction.generation.reproduce import GenerationSettings, reproduce

    settings = GenerationSettings(corpora, work, out, device, jobs, seeds, quick, remarks)
    command = spelled("generation", corpora, quick=quick)
    report = reproduce(settings, lambda line: click.echo(line, err=True), command)
    click.echo(report)
