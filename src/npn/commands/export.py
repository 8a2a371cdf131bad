"""npn export: a trained network in one file."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("run", type=Path)
@click.option("-o", "--output", type=Path, help="The file to write; RUN.safetensors, unless told.")
@click.option("--name", help="What the model calls itself in traces.")
def command(run: Path, output: Path | None, name: str | None) -> None:
    """Make one model file of the training run in the folder RUN: weights, settings and
    vocabulary. It runs without PyTorch, unless it is one of the paper's baselines.

    \b
    Examples:
      npn export runs/paper
      npn export runs/paper -o mine.safetensors --name npn-mine
      npn track soup.txt --model mine.safetensors
    """
    from npn.training.export import export

    out = output or run.with_name(f"{run.name}.safetensors")
    export(run, out, name or f"npn-{run.name}")
    size = out.stat().st_size / 1e6
    click.echo(f"{out}: {size:.1f} MB; use it: npn track RECIPE --model {out}, or npn next")
