"""The folder that `npn prepare` writes: a vocabulary, embeddings and three splits, checked against
their manifest and mapped into memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from npn.errors import NpnError
from npn.networks.common.files import ModelVocabulary
from npn.networks.paper.config import VocabularySizes
from npn.trace import STATE_TYPES
from npn.training.data.piecework import file_hash

FORMAT = 1
VOCABULARY = "vocabulary.json"
MENTION = 1  # of `evidence`: a sentence names some of those that it selects
RAGGED = {  # each ragged array, and its offsets
    "tokens": "sentence_tokens",
    "ingredients": "recipe_ingredients",
    "ingredient_tokens": "ingredient_token_offsets",
    "actions": "sentence_actions",
    "selected": "sentence_selected",
    "changes": "sentence_changes",
}


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

    def embeddings(self, **sizes: int) -> dict[str, Tensor]:
        """The skip-gram vectors of words, entities or actions. `sizes` is the width that is wanted
        of each: vectors of another width are made from the widest that were prepared."""
        if "embeddings.safetensors" not in self.hashes:
            raise NpnError(
                f"{self.folder} was prepared without embeddings: prepare it with them, or set "
                'training.embeddings to "random"'
            )
        tensors = self.read("embeddings.safetensors")
        return {name: self._vectors(tensors, name, width) for name, width in sizes.items()}

    def _vectors(self, tensors: Mapping[str, Tensor], name: str, width: int) -> Tensor:
        prepared = [tensors[key] for key in (name, f"wide_{name}") if key in tensors]
        rows = len(getattr(self.vocabulary, name))
        for one in prepared or [torch.empty(0)]:
            if one.dim() != 2 or len(one) != rows:
                raise NpnError(
                    f'{self.folder / "embeddings.safetensors"} should hold {rows} rows of "{name}" '
                    f"but holds {tuple(one.shape)}: prepare the data again"
                )
        for one in prepared:
            if one.shape[1] == width:
                return one
        return with_width(max(prepared, key=lambda one: one.shape[1]), width)

    def split(self, name: str, labels: str = "ours") -> dict[str, Tensor]:
        """The arrays of one split, each id known to the vocabulary, with our labels or the
        paper's."""
        path = self.folder / f"{name}.safetensors"
        tensors = self.read(path.name)
        if labels == "paper":
            tensors = _with_paper_labels(path, tensors)
        _check_arrays(path, tensors, self.sizes)
        return tensors

    def read(self, name: str) -> dict[str, Tensor]:
        path = self.folder / name
        _check_hash(path, self.hashes.get(name))
        try:
            with safe_open(path, framework="pt") as file:
                return {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        except (OSError, SafetensorError) as error:
            raise NpnError(f"{path} is damaged ({error}): prepare the data again") from error


def read_prepared(folder: str | Path) -> Prepared:
    folder = Path(folder)
    manifest = _read_json(folder / "manifest.json")
    if manifest.get("format") != FORMAT:
        raise NpnError(
            f"{folder} was prepared in format {manifest.get('format')!r}, and this program reads "
            f"format {FORMAT}: prepare the data again"
        )
    hashes = manifest.get("hashes")
    if not isinstance(hashes, dict):
        raise NpnError(f'{folder / "manifest.json"} has no "hashes": prepare the data again')
    _check_hash(folder / VOCABULARY, hashes.get(VOCABULARY))
    return Prepared(folder, read_vocabulary(folder), hashes)


def read_vocabulary(folder: Path) -> ModelVocabulary:
    """The vocabulary of the prepared data, or of the run, in a folder."""
    return ModelVocabulary.of(_read_json(folder / VOCABULARY), str(folder / VOCABULARY))


def _with_paper_labels(path: Path, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The paper's labels where ours were. A step selects what it names; one that names nothing has
    no entity label. Its end states are its own, nobody's in particular (-1)."""
    if "sentence_matched" not in tensors or "sentence_verb_changes" not in tensors:
        raise NpnError(f"{path} holds no labels as the paper makes them: prepare the data again")
    ends, verb_changes = tensors["sentence_matched"], tensors["verb_changes"]
    nobody = torch.full_like(verb_changes[:, :1], -1)
    return {
        **tensors,
        "selected": tensors["matched"],
        "sentence_selected": ends,
        "evidence": (torch.diff(ends) > 0).to(torch.uint8) * MENTION,
        "changes": torch.cat([verb_changes, nobody], 1),
        "sentence_changes": tensors["sentence_verb_changes"],
    }


def _check_hash(path: Path, expected: str | None) -> None:
    if expected is None:
        raise NpnError(
            f"the manifest of {path.parent} names no {path.name}: prepare the data again"
        )
    if file_hash(path) != expected:
        raise NpnError(
            f"{path} is not the file that the manifest beside it describes: prepare the data again"
        )


def _check_arrays(path: Path, tensors: Mapping[str, Tensor], sizes: VocabularySizes) -> None:
    def bad(what: str) -> NpnError:
        return NpnError(f"{path}: {what}; prepare the data again")

    for name in (*RAGGED, *RAGGED.values(), "recipe_sentences", "evidence"):
        if name not in tensors:
            raise bad(f'the array "{name}" is missing')
    for values, offsets in (*RAGGED.items(), ("evidence", "recipe_sentences")):
        ends = tensors[offsets]
        if ends.dtype != torch.int64 or len(ends) < 1 or bool((ends[1:] < ends[:-1]).any()):
            raise bad(f'"{offsets}" is not a list of growing offsets')
        if int(ends[0]) != 0 or int(ends[-1]) != len(tensors[values]):
            raise bad(f'"{offsets}" does not fit "{values}"')
    if len(tensors["recipe_ingredients"]) != len(tensors["recipe_sentences"]):
        raise bad('"recipe_ingredients" and "recipe_sentences" do not hold as many recipes')
    sentences = len(tensors["evidence"])
    for name in ("tokens", "actions", "selected", "changes"):
        if len(tensors[RAGGED[name]]) != sentences + 1:
            raise bad(f'"{RAGGED[name]}" does not fit the {sentences} sentences')
    if len(tensors["ingredient_token_offsets"]) != len(tensors["ingredients"]) + 1:
        raise bad('"ingredient_token_offsets" does not fit "ingredients"')
    changes = tensors["changes"]
    if changes.dim() != 2 or changes.shape[1] != 3:
        raise bad('"changes" does not have three columns')
    limits = [
        ("tokens", tensors["tokens"], sizes.words),
        ("ingredient_tokens", tensors["ingredient_tokens"], sizes.words),
        ("ingredients", tensors["ingredients"], sizes.entities),
        ("actions", tensors["actions"], sizes.actions),
        ("changes", changes[:, 0], len(STATE_TYPES)),
    ]
    for kind, size in enumerate(sizes.end_states):
        limits.append(("changes", changes[changes[:, 0] == kind][:, 1], size))
    for name, ids, size in limits:
        known = ids.numpy()
        if known.size and (int(known.min()) < 0 or int(known.max()) >= size):
            raise bad(f'"{name}" was made with another vocabulary than the one beside it')
    if not _positions_fit(tensors):
        raise bad('"selected" names an ingredient that its recipe does not have')


def _positions_fit(tensors: Mapping[str, Tensor]) -> bool:
    per_recipe = torch.diff(tensors["recipe_ingredients"])
    per_sentence = per_recipe.repeat_interleave(torch.diff(tensors["recipe_sentences"]))
    most = per_sentence.repeat_interleave(torch.diff(tensors["sentence_selected"]))
    selected = tensors["selected"]
    return bool(((selected >= 0) & (selected < most)).all())


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


# -- Vectors of one width from vectors of another, so that sizes of networks are settings.

SEED = 1


def principal_directions(vectors: Tensor, width: int) -> Tensor:
    """The `width` directions (D, width) along which `vectors` (N, D) differ most from zero, the
    first ones first; past the last direction there is, columns of zeros."""
    _, _, directions = torch.linalg.svd(vectors.double(), full_matrices=False)
    chosen = directions[:width].T.to(vectors.dtype)
    missing = vectors.new_zeros(vectors.shape[1], width - chosen.shape[1])
    return torch.cat([chosen, missing], 1)


def with_width(vectors: Tensor, width: int) -> Tensor:
    """`vectors` (N, D) as (N, width): narrower ones keep as much as they can of all dot products,
    wider ones get columns that are random near zero, as skip-gram's vectors begin."""
    rows, size = vectors.shape
    if width <= size:
        narrower: Tensor = vectors @ principal_directions(vectors, width)
        return narrower
    random = torch.rand(rows, width - size, generator=torch.Generator().manual_seed(SEED))
    more = (random - 0.5) / width * (vectors != 0).any(1, keepdim=True)  # padding stays zero
    return torch.cat([vectors, more.to(vectors.dtype)], 1)
