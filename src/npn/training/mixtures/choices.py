"""What there is to choose from, scored on gold recipes that networks held out, as a table in
Markdown:

python -m npn.training.mixtures.choices RUN --data DIR

Rows are the ways to learn from gold, what of the rules' decisions the network is shown, and who
says the state changes; the mean over seeds, and each seed for what ships.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from npn.runtime.mixtures_settings import MixtureSettings
from npn.training.mixtures import folds
from npn.training.mixtures.examples import GOLD_FILES
from npn.training.mixtures.held_out import read_examples, seeds
from npn.training.mixtures.prediction import rule_traces, score_traces, scores
from npn.training.mixtures.schedule import GOLD_STAGES

VIEWS = {
    "rules' mixtures seen": (folds.HIDDEN,),
    "not seen": (folds.BLIND,),
    "both": (folds.HIDDEN, folds.BLIND),
    "both, serving": (folds.HIDDEN_SERVING, folds.BLIND_SERVING),
}
CHANGES = {"own": ("mixtures",), "by rules": MixtureSettings().by_rules}
STATES = ("state_f1/five", "state_f1/location", "state_f1/shape", "ingredient_f1/five")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.choices")
    parser.add_argument("run", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args(arguments)
    heads = [*GOLD_FILES, "mean", "five types", "location", "shape", "per ingredient"]
    print(f"| | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}", sep="\n")
    for name, figures in rows(given.run, given.data):
        cells = [f"{figure:.4f}".removeprefix("0") for figure in figures]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return 0


def rows(run: Path, data: Path) -> Iterator[tuple[str, list[float]]]:
    examples = read_examples(run, data)
    yield "the rules", _figures(score_traces(examples, rule_traces(examples)))
    for stage in GOLD_STAGES:
        folder = run if stage == "gold" else run / stage
        held_out = {s: folds.read_folds(path, len(examples)) for s, path in seeds(folder).items()}
        if not held_out:
            continue
        for view, numbers in VIEWS.items():
            for said, by_rules in CHANGES.items():
                settings = replace(MixtureSettings(), by_rules=by_rules)
                found = {
                    seed: _figures(scores(examples, folds.mean_views(one, numbers), settings))
                    for seed, one in held_out.items()
                }
                yield f"{stage}, {view}, changes {said}", np.mean(list(found.values()), 0).tolist()
                if numbers == folds.SHIPPED_VIEWS and settings == MixtureSettings():
                    yield from ((f"{stage}, seed {seed}", one) for seed, one in found.items())


def _figures(found: dict[str, dict[str, float]]) -> list[float]:
    entities = [found[name]["entity_f1"] for name in GOLD_FILES]
    states = [found["states_train"].get(metric, np.nan) for metric in STATES]
    return [*entities, float(np.mean(entities)), *states]


if __name__ == "__main__":
    sys.exit(main())
