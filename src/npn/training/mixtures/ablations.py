"""What each part of the mixture network brings, as a table in Markdown:

python -m npn.training.mixtures.ablations RUN --data DIR [--report GOLD...]

RUN is what `python -m npn.training.mixtures` wrote. Scores (entity F1, then state changes, as the
shipped settings say them) are those of gold recipes that networks held out, where a run has folds;
`--report` adds entity F1 on files that nothing was learnt or chosen on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_settings import MixtureSettings, sizes_for
from npn.runtime.tensor_file import read_tensors
from npn.training.mixtures.examples import GOLD_FILES, GoldExample, read_gold_file
from npn.training.mixtures.folds import SHIPPED_VIEWS, mean_views, read_folds
from npn.training.mixtures.held_out import read_examples
from npn.training.mixtures.prediction import HIDDEN, predict, rule_traces, score_traces, scores
from npn.training.mixtures.variants import (
    BY_FIRST_MENTION,
    NO_WEB,
    UNTAUGHT,
    VARIANTS,
    Variant,
)

Table = Mapping[str, Mapping[str, float]]  # by gold file and metric


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    scores: Table
    reported: Table


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.ablations")
    parser.add_argument("run", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--report", type=Path, nargs="*", default=[])
    given = parser.parse_args(arguments)
    heads = [*GOLD_FILES, "state changes, five types", "per ingredient"]
    heads += [path.stem for path in given.report]
    print(f"| | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}", sep="\n")
    for row in rows(given.run, given.data, given.report):
        wanted = [(row.scores, name, "entity_f1") for name in GOLD_FILES]
        wanted += [(row.scores, "states_train", f"{m}/five") for m in ("state_f1", "ingredient_f1")]
        wanted += [(row.reported, path.stem, "entity_f1") for path in given.report]
        figures = [table.get(name, {}).get(metric) for table, name, metric in wanted]
        cells = ["–" if one is None else f"{one:.3f}".removeprefix("0") for one in figures]
        print(f"| {row.name} | {' | '.join(cells)} |", flush=True)
    return 0


def rows(run: Path, data: Path, report: Sequence[Path]) -> Iterator[Row]:
    examples = read_examples(run, data)
    untaught = min(run.glob(f"weights-{UNTAUGHT}-*.safetensors"))
    vocabulary = Vocabulary.from_dict(read_tensors(untaught).header["vocabulary"])
    labeller = WeakLabeller(load_lexicon())
    reported = [e for path in report for e in read_gold_file(path, labeller, vocabulary)]
    yield Row(
        "the rules alone",
        score_traces(examples, rule_traces(examples)),
        score_traces(reported, rule_traces(reported)),
    )
    for name, variant in VARIANTS.items():
        found = []
        for path in sorted(run.glob(f"weights-{name}-[0-9]*.safetensors")):
            folds = path.with_name(path.name.replace("weights", "folds"))
            held_out: Table = {}
            if folds.exists():
                views = mean_views(read_folds(folds, len(examples)), SHIPPED_VIEWS)
                held_out = scores(examples, views, MixtureSettings())
            found.append((held_out, _said(path, "final.", variant, reported)))
        if found:
            seeds = f" (mean of {len(found)} seeds)" if len(found) > 1 else ""
            yield Row(
                variant.about + seeds, _mean([f[0] for f in found]), _mean([f[1] for f in found])
            )
    # Before gold labels nothing was held out, for nothing of them had been seen.
    for name in (UNTAUGHT, NO_WEB, BY_FIRST_MENTION):
        for path in sorted(run.glob(f"weights-{name}-[0-9]*.safetensors")):
            yield Row(
                f"before gold labels: {VARIANTS[name].about}",
                _said(path, "pretrained.", VARIANTS[name], examples),
                _said(path, "pretrained.", VARIANTS[name], reported),
            )


def _said(path: Path, group: str, variant: Variant, examples: Sequence[GoldExample]) -> Table:
    if not examples:
        return {}
    file = read_tensors(path)
    vocabulary = Vocabulary.from_dict(file.header["vocabulary"])
    network = MixtureNetwork(sizes_for(len(vocabulary)), 0.0, variant.memory)
    network.load({n: torch.from_numpy(a.astype(np.float32)) for n, a in file.group(group).items()})
    said = predict(network, [e.example.signs for e in examples], variant.seen(HIDDEN), 0.0)
    return scores(examples, said, MixtureSettings())


def _mean(tables: Sequence[Table]) -> Table:
    """Of those that have scores."""
    scored = [table for table in tables if table]
    return {
        source: {m: float(np.mean([t[source][m] for t in scored])) for m in metrics}
        for source, metrics in (scored[0].items() if scored else ())
    }


if __name__ == "__main__":
    sys.exit(main())
