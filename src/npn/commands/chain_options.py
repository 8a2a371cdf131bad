"""What every `npn reproduce` command is told, and what it needs."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from npn.errors import NpnError

Command = Callable[..., Any]


def chain_options(
    name: str, *, work: str, out: str, jobs: str, seeds: int
) -> Callable[[Command], Command]:
    """Options of the chain called `name`; the texts say what its folders and jobs are for."""
    options = [
        click.option(
            "--corpus",
            "corpora",
            multiple=True,
            type=Path,
            metavar="FILE",
            help="Recipes to train on.",
        ),
        click.option(
            "--work",
            type=Path,
            default=Path("runs") / name,
            show_default=True,
            metavar="DIR",
            help=work,
        ),
        click.option(
            "-o",
            "--output",
            "out",
            type=Path,
            default=Path("docs/results") / name,
            show_default=True,
            metavar="DIR",
            help=out,
        ),
        click.option("--device", default="cpu", show_default=True, help="cpu or cuda."),
        click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help=jobs),
        click.option(
            "--seeds", type=click.IntRange(1), default=seeds, show_default=True, help="Runs a row."
        ),
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
