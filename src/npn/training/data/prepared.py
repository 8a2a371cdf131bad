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
from npn.trace import STATE_TYPES
from npn.training.data.piecework import FORMAT, MANIFEST, VOCABULARY, file_hash
from npn.training.data.ragged import LABELS, TEXT, Array, read_arrays
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
        """The arrays of one split, each id known to the vocabulary, with our labels or the
        paper's."""
        path = self.folder / f"{name}.safetensors"
        arrays = self.read(path.name)
        if labels == "paper":
            arrays = _with_paper_labels(path, arrays)
        _check_arrays(path, arrays, self.sizes)
        return arrays

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
    hashes = manifest.get("hashes")
    if not isinstance(hashes, dict):
        raise NpnError(f'{folder / MANIFEST} has no "hashes": prepare the data again')
    _check_hash(folder / VOCABULARY, hashes)
    return Prepared(folder, read_vocabulary(folder), hashes)


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
    if path.name not in hashes:
        raise NpnError(
            f"the manifest of {path.parent} names no {path.name}: prepare the data again"
        )
    if file_hash(path) != hashes[path.name]:
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


def _check_arrays(path: Path, arrays: Mapping[str, Array], sizes: VocabularySizes) -> None:
    """Refuse arrays that do not fit together, and ids that the vocabulary does not have."""

    def check(right: bool, problem: str) -> None:
        if not right:
            raise NpnError(f"{path}: {problem}; prepare the data again")

    lists = TEXT | LABELS
    for name in (*lists, *lists.values()):
        check(name in arrays, f'the array "{name}" is missing')
    recipes, sentences = len(arrays["recipe_sentences"]) - 1, len(arrays["evidence"])
    owners = {"recipe": recipes, "sentence": sentences, "ingredient": len(arrays["ingredients"])}
    for items, offsets in lists.items():
        ends, owner = arrays[offsets], offsets.partition("_")[0]
        grows = ends.dtype == np.int64 and len(ends) > 0 and bool((ends[1:] >= ends[:-1]).all())
        check(grows, f'"{offsets}" is not a list of growing offsets')
        fits = ends[0] == 0 and ends[-1] == len(arrays[items])
        check(fits, f'"{offsets}" does not fit "{items}"')
        each = len(ends) == owners[owner] + 1
        check(each, f'"{offsets}" does not hold a list for each {owner}')
    changes = arrays["changes"]
    check(changes.shape[1:] == (3,), '"changes" does not have three columns')
    for name, ids, size in (
        ("tokens", arrays["tokens"], sizes.words),
        ("ingredient_tokens", arrays["ingredient_tokens"], sizes.words),
        ("ingredients", arrays["ingredients"], sizes.entities),
        ("actions", arrays["actions"], sizes.actions),
        ("changes", changes[:, 0], len(STATE_TYPES)),
    ):
        known = _are_within(ids, size)
        check(known, f'"{name}" was made with another vocabulary than the one beside it')
    known = _are_within(changes[:, 1], np.array(sizes.end_states)[changes[:, 0]])
    check(known, '"changes" was made with another vocabulary than the one beside it')
    ingredients = np.diff(arrays["recipe_ingredients"])
    per_sentence = np.repeat(ingredients, np.diff(arrays["recipe_sentences"]))
    most = np.repeat(per_sentence, np.diff(arrays["sentence_selected"]))
    there = _are_within(arrays["selected"], most)
    check(there, '"selected" names an ingredient that its recipe does not have')


def _are_within(ids: Array, size: int | Array) -> bool:
    return bool(((ids >= 0) & (ids < size)).all())
