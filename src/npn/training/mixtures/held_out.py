"""What the full model of a run says of the gold recipes that it held out."""

from __future__ import annotations

from pathlib import Path

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.runtime.tensor_file import read_tensors
from npn.training.mixtures.examples import GOLD_FILES, GoldExample, gold_examples
from npn.training.mixtures.folds import SHIPPED_VIEWS, mean_views, read_folds
from npn.training.mixtures.prediction import Prediction
from npn.training.mixtures.variants import FULL


def read_held_out(run: Path, seed: int, data: Path) -> tuple[list[GoldExample], list[Prediction]]:
    header = read_tensors(run / f"weights-{FULL}-{seed}.safetensors").header
    vocabulary = Vocabulary.from_dict(header["vocabulary"])
    examples = gold_examples(data / "gold", GOLD_FILES, WeakLabeller(load_lexicon()), vocabulary)
    folds = read_folds(run / f"folds-{FULL}-{seed}.safetensors", len(examples))
    return examples, mean_views(folds, SHIPPED_VIEWS)
