"""What open matching brings, in minutes on a CPU, as a table in Markdown:

python -m npn.training.mixtures.matching WEIGHTS --data DIR --report GOLD...

Two networks that do not see the rules, one of which does not see either which words name whom,
learn from the gold files alone; WEIGHTS, of any run, tells the words that they know.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_settings import MixtureSettings, sizes_for
from npn.runtime.tensor_file import read_tensors
from npn.training.mixtures.examples import GOLD_FILES, gold_examples, read_gold_file
from npn.training.mixtures.prediction import HIDDEN, predict, scores
from npn.training.mixtures.schedule import GOLD_STAGES, run_stage
from npn.training.mixtures.shelves import own_shapes, shelve
from npn.training.mixtures.variants import VARIANTS

STAGE = replace(GOLD_STAGES["gold"], rate=3e-3, dropout=0.15)
SHAPES = 4


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.matching")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--report", type=Path, nargs="+", required=True)
    parser.add_argument("--epochs", type=int, default=12)
    given = parser.parse_args(arguments)
    vocabulary = Vocabulary.from_dict(read_tensors(given.weights).header["vocabulary"])
    labeller = WeakLabeller(load_lexicon())
    gold = gold_examples(given.data / "gold", GOLD_FILES[:3], labeller, vocabulary)
    examples = [one.example for one in gold]
    shelves = shelve(examples, own_shapes(examples, SHAPES)).values()
    reported = [e for path in given.report for e in read_gold_file(path, labeller, vocabulary)]
    names = [path.stem for path in given.report]
    print(f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}", sep="\n")
    for variant in (VARIANTS["no-rules"], VARIANTS["no-matching"]):
        torch.manual_seed(0)
        stage = replace(STAGE, epochs=given.epochs, hiding=variant.seen(STAGE.hiding))
        network = MixtureNetwork(sizes_for(len(vocabulary)), stage.dropout)
        on_device = [shelf.to(torch.device("cpu")) for shelf in shelves]
        network = run_stage(network, on_device, stage, lambda *_: None)
        said = predict(network, [e.example.signs for e in reported], variant.seen(HIDDEN), 0.0)
        found = scores(reported, said, MixtureSettings())
        cells = [f"{found[name]['entity_f1']:.3f}".removeprefix("0") for name in names]
        print(f"| {variant.about} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
