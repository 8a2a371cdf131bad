"""What the full model says of the gold recipes that it held out, of one run or of several ways to
learn from gold whose weights are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.runtime.tensor_file import read_tensors
from npn.training.mixtures.examples import GOLD_FILES, GoldExample, gold_examples
from npn.training.mixtures.folds import SHIPPED_VIEWS, mean_views, read_folds
from npn.training.mixtures.prediction import Prediction
from npn.training.mixtures.variants import FULL


def seeds(run: Path) -> dict[int, Path]:
    """The seeds of the full model in a run, and the files of their folds."""
    paths = sorted(run.glob(f"folds-{FULL}-[0-9]*.safetensors"))
    return {int(path.stem.rpartition("-")[2]): path for path in paths}


def read_examples(run: Path, data: Path) -> list[GoldExample]:
    """The gold recipes, as the networks of a run read them."""
    path = min(run.glob(f"weights-{FULL}-*.safetensors"))
    vocabulary = Vocabulary.from_dict(read_tensors(path).header["vocabulary"])
    return gold_examples(data / "gold", GOLD_FILES, WeakLabeller(load_lexicon()), vocabulary)


def read_held_out(
    runs: Sequence[Path], seed: int, data: Path
) -> tuple[list[GoldExample], list[Prediction]]:
    """The mean of what the networks of all runs say, which averaged weights say nearly."""
    examples = read_examples(runs[0], data)
    said = [mean_views(read_folds(seeds(run)[seed], len(examples)), SHIPPED_VIEWS) for run in runs]
    return examples, [Prediction.mean(several) for several in zip(*said, strict=True)]
