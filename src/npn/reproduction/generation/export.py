"""Make the file that ships of a generator's run:

python -m npn.reproduction.generation.export RUN --data DIR -o FILE [--name NAME]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.tensor_file import read_tensors
from npn.networks.generator.generator import Generator
from npn.networks.generator.generator_file import GeneratorFile, read_generator, write_generator
from npn.training.generator.data import VOCABULARY, GenerationData
from npn.training.generator.outputs import BEAM

NAME = "npn-next-2"
# No two words come twice in the same order: 29 of 400 sentences for development went round in
# circles without this, none with it.
NO_REPEAT = 2


def export(run: Path, data: Path, out: Path, name: str) -> None:
    """Write the generator of `run`, trained on `data`, in half precision; it is read again to see
    that it is in order."""
    weights = read_tensors(run / "weights.safetensors")
    words = GenerationData(data)
    if weights.header.get("vocabulary") != words.source:
        raise NpnError(f"{run} was trained on other data than that in {data}: name its own")
    end_states = json.loads((data / VOCABULARY).read_bytes())["end_states"]
    write_generator(
        out,
        GeneratorFile(
            name,
            weights.header["config"],
            words.words,
            end_states,
            {"beam": BEAM, "no_repeat": NO_REPEAT},
            weights.tensors,
        ),
    )
    Generator(read_generator(out), out)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.reproduction.generation.export")
    parser.add_argument("run", type=Path, help="the folder of a run of npn.training.generator")
    parser.add_argument("--data", required=True, type=Path, help="what it was trained on")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE")
    parser.add_argument("--name", default=NAME, help="what it calls itself")
    given = parser.parse_args(arguments)
    try:
        export(given.run, given.data, given.output, given.name)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{given.output}: {given.output.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
