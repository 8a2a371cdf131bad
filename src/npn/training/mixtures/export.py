"""From trained weights to the model that ships:

python -m npn.training.mixtures.export RUN... --seed 0 --data DIR -o mixtures.safetensors

RUN is what `python -m npn.training.mixtures` wrote; of several ways to learn from gold (its
folders), the weights are averaged. How sure the model says it is comes from the recipes that its
folds held out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from npn.language.vocabulary import Vocabulary
from npn.runtime.mixtures import MixtureTracker
from npn.runtime.mixtures_settings import MixtureConfig, MixtureSettings, sizes_for, vocabulary_of
from npn.runtime.model_file import Model, write_model
from npn.runtime.tensor_file import TensorFile, read_tensors
from npn.training.mixtures.calibration import fit
from npn.training.mixtures.examples import GoldExample
from npn.training.mixtures.held_out import read_held_out
from npn.training.mixtures.outcomes import attention_outcomes, change_outcomes
from npn.training.mixtures.prediction import Prediction
from npn.training.mixtures.unaided import without_decisions
from npn.training.mixtures.variants import FULL

NAME = "npn-mixtures-3"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.export")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folds", type=int, help="the seed whose folds calibrate, if not its own")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--name", default=NAME)
    given = parser.parse_args(arguments)
    files = [read_tensors(run / f"weights-{FULL}-{given.seed}.safetensors") for run in given.runs]
    vocabulary = Vocabulary.from_dict(files[0].header["vocabulary"])
    folds = given.seed if given.folds is None else given.folds
    examples, held_out = read_held_out(given.runs, folds, given.data)
    settings = calibrated(examples, held_out, MixtureSettings())
    model = Model(
        given.name,
        "mixtures",
        asdict(MixtureConfig(sizes_for(len(vocabulary)), settings)),
        vocabulary_of(vocabulary.words),
        {
            name: tensor.astype(np.float16)
            for name, tensor in without_decisions(averaged(files)).items()
        },
    )
    MixtureTracker(model, given.output)  # what cannot be run is not written
    write_model(given.output, model)
    print(f"{given.output}: {given.output.stat().st_size / 1e6:.1f} MB, {settings}")
    return 0


def averaged(files: Sequence[TensorFile]) -> dict[str, NDArray[np.float32]]:
    """The mean of weights that were learnt from gold in several ways, after one pretraining."""
    groups = [file.group("final.") for file in files]
    return {
        name: np.mean([group[name].astype(np.float32) for group in groups], axis=0)
        for name in groups[0]
    }


def calibrated(
    examples: Sequence[GoldExample], held_out: Sequence[Prediction], settings: MixtureSettings
) -> MixtureSettings:
    return replace(
        settings,
        attention=fit(*attention_outcomes(examples, held_out)),
        change=fit(*change_outcomes(examples, held_out)),
    )


if __name__ == "__main__":
    sys.exit(main())
