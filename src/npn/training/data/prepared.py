"""The folder that `npn prepare` writes: a vocabulary, embeddings and three splits, checked against
their manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.networks.common.files import ModelVocabulary
from npn.networks.paper.config import VocabularySizes
from npn.training.data.piecework import FORMAT, MANIFEST, VOCABULARY, file_hash
from npn.training.data.ragged import Array, read_arrays
from npn.training.data.shards import EVIDENCE


@dataclass(frozen=True, slots=True)
class Prepared:
    """Word and entity 0 of the vocabulary are padding and 1 is unknown; action 0 and end state 0
    are "no change". `hashes` are those of the files."""

    folder: Path
    vocabulary: ModelVocabulary
    hashes: Mapping[str, str]

    @property
    def sizes(self) -> VocabularySizes:
        return VocabularySizes(*self.vocabulary.sizes)

    def split(self, name: str, labels: str = "ours") -> dict[str, Array]:
        """The arrays of one split, with our labels or the paper's."""
        path = self.folder / f"{name}.safetensors"
        arrays = self.read(path.name)
        return _with_paper_labels(path, arrays) if labels == "paper" else arrays

    def read(self, name: str) -> dict[str, Array]:
        """The arrays of a file."""
        _check_hash(self.folder / name, self.hashes)
        return read_arrays(self.folder / name)


def read_prepared(folder: str | Path) -> Prepared:
    folder = Path(folder)
    manifest = _read_json(folder / MANIFEST)
    if manifest.get("format") != FORMAT:
        raise NpnError(
            f"{folder} was prepared in format {manifest.get('format')!r}, and this program reads "
            f"format {FORMAT}: prepare the data again"
        )
    _check_hash(folder / VOCABULARY, manifest["hashes"])
    return Prepared(folder, read_vocabulary(folder), manifest["hashes"])


def read_vocabulary(folder: Path) -> ModelVocabulary:
    """The vocabulary of the prepared data, or of the run, in a folder."""
    return ModelVocabulary.of(_read_json(folder / VOCABULARY), str(folder / VOCABULARY))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NpnError(
            f"{path} cannot be read ({error.strerror}): is this a folder that npn prepare wrote?"
        ) from error
    except (ValueError, RecursionError) as error:
        raise NpnError(f"{path} is not JSON ({error}): prepare the data again") from error
    if not isinstance(table, dict):
        raise NpnError(f"{path} is not a JSON object: prepare the data again")
    return table


def _check_hash(path: Path, hashes: Mapping[str, str]) -> None:
    if file_hash(path) != hashes.get(path.name):
        raise NpnError(
            f"{path} is not the file that the manifest beside it describes: prepare the data again"
        )


def _with_paper_labels(path: Path, arrays: dict[str, Array]) -> dict[str, Array]:
    """The paper's labels where ours were. A step selects what it names; one that names nothing has
    no entity label. Its end states are its own, nobody's in particular (-1)."""
    if "sentence_matched" not in arrays or "sentence_verb_changes" not in arrays:
        raise NpnError(f"{path} holds no labels as the paper makes them: prepare the data again")
    ends = arrays["sentence_matched"]
    return {
        **arrays,
        "selected": arrays["matched"],
        "sentence_selected": ends,
        "evidence": np.where(np.diff(ends) > 0, EVIDENCE["mention"], EVIDENCE["none"]),
        "changes": np.pad(arrays["verb_changes"], [(0, 0), (0, 1)], constant_values=-1),
        "sentence_changes": arrays["sentence_verb_changes"],
    }
