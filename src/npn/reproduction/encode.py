"""Turn gold files into numbers, for networks that run where there is no text:

python -m npn.reproduction.encode GOLD_FOLDER --data PREPARED --out GOLD.safetensors
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from npn.errors import NpnError
from npn.evaluation.gold import read_gold
from npn.networks.common.model_file import ModelVocabulary
from npn.reproduction.encoded_gold import write_encoded
from npn.reproduction.gold_text import Golds, encode_gold
from npn.reproduction.rows import GOLD


def read_golds(folder: Path) -> Golds:
    """The gold files of the report that lie in `folder`, by name."""
    found = {name: folder / f"{name}.jsonl" for name in GOLD}
    golds = {name: read_gold(path) for name, path in found.items() if path.is_file()}
    if not golds:
        raise NpnError(f"{folder} holds no gold: it should have {', '.join(GOLD)} (.jsonl)")
    return golds


def prepared_vocabulary(folder: Path) -> ModelVocabulary:
    """The vocabulary of the prepared data, or of the run, in `folder`."""
    try:
        return ModelVocabulary.of(json.loads((folder / "vocabulary.json").read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{folder} has no vocabulary: is this what npn prepare wrote?") from error


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.reproduction.encode")
    parser.add_argument("gold", type=Path, help="the folder of gold files")
    parser.add_argument("--data", required=True, type=Path, help="the folder npn prepare wrote")
    parser.add_argument("--out", required=True, type=Path)
    given = parser.parse_args(arguments)
    try:
        golds = read_golds(given.gold)
        write_encoded(given.out, encode_gold(golds, prepared_vocabulary(given.data)))
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
