"""`npn train`: an experiment in, weights out."""

from __future__ import annotations

import importlib.util
from typing import Any

import click

from npn.errors import NpnError


@click.command("train")
@click.argument("experiment")
@click.option(
    "--data", required=True, help="The folder that npn prepare wrote; for world, gold/ and corpus/."
)
@click.option("--out", "-o", required=True, help="The folder of this run.")
@click.option("--seed", type=int, help="Instead of the experiment's own.")
@click.option("--device", default="cpu", help="cpu or cuda.")
@click.option("--resume", is_flag=True, help="Go on with the run in --out.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="training.epochs=3")
@click.option("--tracker", help="The run whose states next_entnet and next_npn read.")
@click.option("--quiet", is_flag=True, help="Say nothing while it runs.")
def command(**arguments: Any) -> None:
    """Train the network of EXPERIMENT: a TOML file, or the name of one that ships.

    A run that was stopped goes on with --resume and ends with the same weights; with more
    training.epochs, one that had ended goes on too. labels=paper learns from the paper's labels
    instead of ours; every setting stands in settings.toml of the run (docs/training.md). For
    several processes, `torchrun -m npn.training`; for several runs at once, `python -m
    npn.training`.

    \b
    npn train paper --data prepared --out runs/paper
    npn train no_coverage --data prepared --out runs/no_coverage --device cuda --seed 2
    npn train gru --data prepared --out runs/gru --set labels=paper --set training.epochs=5
    npn train next --data prepared-next --out runs/next --device cuda
    npn train world --data DATA --out runs/world --device cuda
    """
    if importlib.util.find_spec("torch") is None:
        raise NpnError("training needs PyTorch: install npn[train]")
    from npn.training.run import train

    click.echo(train(**arguments))
