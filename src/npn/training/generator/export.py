"""From the run of a generator to the one file that suggests steps without PyTorch."""

from __future__ import annotations

from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.tensor_file import read_tensors
from npn.networks.generator.generator import (
    GeneratorFile,
    StepGenerator,
    read_generator,
    write_generator,
)
from npn.training.config import WEIGHTS
from npn.training.generator.data import GenerationData
from npn.training.generator.outputs import BEAM

# No two words come twice in the same order: 29 of 400 sentences for development went round in
# circles without this, none with it.
NO_REPEAT = 2


def export_generator(run: Path, out: Path, name: str) -> None:
    """Write the generator of `run` in half precision; it is read again to see that it is in
    order."""
    weights = read_tensors(run / WEIGHTS)
    words = GenerationData(run)
    if weights.header.get("vocabulary") != words.source:
        raise NpnError(f"{run} was trained on other data than its vocabulary says: train it again")
    write_generator(
        out,
        GeneratorFile(
            name,
            weights.header["config"],
            words.words,
            {type: tuple(names) for type, names in words.end_states.items()},
            {"beam": BEAM, "no_repeat": NO_REPEAT},
            weights.tensors,
        ),
    )
    StepGenerator(read_generator(out), out)
