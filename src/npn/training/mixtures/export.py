"""From trained weights to the model that ships:

python -m npn.training.mixtures.export RUN --seed 0 --data prepared/mixtures -o mixtures.safetensors

RUN is what `python -m npn.training.mixtures` wrote. How sure the model says it is comes from the
recipes that its folds held out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from npn.language.vocabulary import Vocabulary
from npn.runtime.mixtures import MixtureTracker
from npn.runtime.mixtures_settings import MixtureConfig, MixtureSettings, sizes_for, vocabulary_of
from npn.runtime.model_file import Model, write_model
from npn.runtime.tensor_file import read_tensors
from npn.training.mixtures.calibration import fit
from npn.training.mixtures.examples import GoldExample
from npn.training.mixtures.held_out import read_held_out
from npn.training.mixtures.outcomes import attention_outcomes, change_outcomes
from npn.training.mixtures.prediction import Prediction
from npn.training.mixtures.unaided import without_decisions
from npn.training.mixtures.variants import FULL

NAME = "npn-mixtures-2"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.export")
    parser.add_argument("run", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folds", type=int, help="the seed whose folds calibrate, if not its own")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--name", default=NAME)
    given = parser.parse_args(arguments)
    file = read_tensors(given.run / f"weights-{FULL}-{given.seed}.safetensors")
    vocabulary = Vocabulary.from_dict(file.header["vocabulary"])
    folds = given.seed if given.folds is None else given.folds
    examples, held_out = read_held_out(given.run, folds, given.data)
    settings = calibrated(examples, held_out, MixtureSettings())
    model = Model(
        given.name,
        "mixtures",
        asdict(MixtureConfig(sizes_for(len(vocabulary)), settings)),
        vocabulary_of(vocabulary.words),
        {
            name: tensor.astype(np.float16)
            for name, tensor in without_decisions(file.group("final.")).items()
        },
    )
    MixtureTracker(model, given.output)  # what cannot be run is not written
    write_model(given.output, model)
    print(f"{given.output}: {given.output.stat().st_size / 1e6:.1f} MB, {settings}")
    return 0


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
