"""What the trained generators said, as their runs wrote it down."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.training.config import LOG

OUTPUTS, DEVELOPMENT, EXAMPLES = "test.json", "development.json", "examples.json"
Pair = tuple[int, int]  # a recipe of a part, and the step that comes


@dataclass(frozen=True, slots=True)
class Outputs:
    """By decoding ("greedy", "beam"): a suggestion for each pair, and for each example."""

    path: Path
    kind: str
    seed: int
    decoding: dict[str, Any]
    pairs: tuple[Pair, ...]
    said: dict[str, tuple[str, ...]]
    examples: dict[str, tuple[str, ...]]


def find_outputs(folder: Path, file: str = OUTPUTS) -> dict[str, dict[int, Outputs]]:
    """Of every run in `folder`, by kind and seed, on the test part or on another."""
    found: dict[str, dict[int, Outputs]] = {}
    for path in sorted(folder.glob(f"*-*/{file}")):
        outputs = read_outputs(path)
        found.setdefault(outputs.kind, {})[outputs.seed] = outputs
    return found


def read_outputs(path: Path) -> Outputs:
    try:
        table = json.loads(path.read_bytes())
        decodings = tuple(table["decoding"])
        outputs = Outputs(
            path,
            str(table.get("row", table["kind"])),
            int(table["seed"]),
            dict(table["decoding"]),
            tuple((int(recipe), int(step)) for recipe, step in table["pairs"]),
            {name: tuple(map(str, table[name])) for name in decodings},
            _examples(path.with_name(EXAMPLES)),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NpnError(f"{path} is not what a generator said ({error!r}): run it again") from error
    if any(len(said) != len(outputs.pairs) for said in outputs.said.values()):
        raise NpnError(f"{path} does not say something of every step: run it again")
    return outputs


def _examples(path: Path) -> dict[str, tuple[str, ...]]:
    if not path.is_file():
        return {}
    return {name: tuple(map(str, said)) for name, said in json.loads(path.read_bytes()).items()}


def read_log(run: Path) -> list[dict[str, Any]]:
    """A line for each epoch."""
    try:
        lines = (run / LOG).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise NpnError(f"{run} has no log of its training: {error}") from error
