"""The gold files of the report, and the vocabulary that turns them into numbers."""

from __future__ import annotations

import json
from pathlib import Path

from npn.errors import NpnError
from npn.evaluation.gold import read_gold
from npn.networks.common.model_file import ModelVocabulary
from npn.reproduction.gold_text import Golds
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
