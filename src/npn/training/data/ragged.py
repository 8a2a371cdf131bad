"""Recipes as flat arrays: lists of unequal length, the items one after the other, and the offset at
which each list begins (one more offset than lists, the last being the number of items).

Offsets are called after what has the list: `sentence_tokens` are those of each sentence's tokens,
`recipe_ingredients` those of each recipe's ingredients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from npn.errors import NpnError

Ids: TypeAlias = NDArray[np.int64]
Array: TypeAlias = NDArray[Any]

SPLITS = ("train", "development", "test")
# Each ragged array of prepared data, its type and the offsets of its lists. The last two are the
# paper's labels.
RAGGED = {
    "tokens": (np.int32, "sentence_tokens"),
    "ingredients": (np.int32, "recipe_ingredients"),
    "ingredient_tokens": (np.int32, "ingredient_token_offsets"),
    "actions": (np.int16, "sentence_actions"),
    "mentioned": (np.int16, "sentence_mentioned"),
    "selected": (np.int16, "sentence_selected"),
    "changes": (np.int16, "sentence_changes"),
    "matched": (np.int16, "sentence_matched"),
    "verb_changes": (np.int16, "sentence_verb_changes"),
}
# All lists of prepared data, and their offsets. How a sentence's ingredients are known is one value
# for each sentence of a recipe.
LISTS = {"evidence": "recipe_sentences", **{name: ends for name, (_, ends) in RAGGED.items()}}
# Those of them that a network reads, and those that it learns from.
TEXT = {name: LISTS[name] for name in ("tokens", "ingredients", "ingredient_tokens")}
LABELS = {name: LISTS[name] for name in ("evidence", "actions", "selected", "changes")}
# Some features of each recipe: of a shard, not of what is prepared.
FEATURES = {"features": "recipe_features"}


def read_arrays(path: Path) -> dict[str, Array]:
    """The arrays in a file that was prepared."""
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise NpnError(f"{path} is damaged ({error}): prepare the data again") from error


def offsets_of(lengths: Sequence[int] | Array) -> Ids:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def flatten(lists: Iterable[Sequence[Any]], dtype: type) -> tuple[Array, Ids]:
    """The items of all lists, and the offsets of the lists."""
    lists = list(lists)
    return np.array(list(chain.from_iterable(lists)), dtype), offsets_of([len(x) for x in lists])


def text_arrays(
    sentences: Sequence[Sequence[Sequence[str]]],
    names: Sequence[Sequence[Sequence[str]]],
    number: Callable[[str], int],
) -> dict[str, Array]:
    """What recipes say: the words of each one's sentences and of its ingredients' names, by
    `number`."""
    arrays: dict[str, Array] = {}
    for owner, items, offsets, texts in (
        ("recipe_sentences", "tokens", "sentence_tokens", sentences),
        ("recipe_ingredients", "ingredient_tokens", "ingredient_token_offsets", names),
    ):
        lists, arrays[owner] = chain.from_iterable(texts), offsets_of([len(one) for one in texts])
        arrays[items], arrays[offsets] = flatten([[*map(number, one)] for one in lists], np.int32)
    return arrays


def places_of(offsets: Ids, lists: Ids) -> tuple[Ids, Ids]:
    """Where the items of `lists` lie, in that order, and their own offsets once taken out."""
    starts = offsets[lists]
    taken = offsets_of(offsets[lists + 1] - starts)
    places = np.arange(taken[-1], dtype=np.int64)
    places += np.repeat(starts - taken[:-1], np.diff(taken))
    return places, taken


def take_recipes(
    arrays: Mapping[str, Array], lists: Mapping[str, str], recipes: Ids
) -> dict[str, Array]:
    """The arrays of some recipes, in the order given; `lists` are their names, and their
    offsets'."""
    taken: dict[str, Array] = {}
    owners = {"recipe": recipes}
    for owner in ("sentence", "ingredient"):
        ends = f"recipe_{owner}s"
        owners[owner], taken[ends] = places_of(arrays[ends], recipes)
    for name, offsets in lists.items():
        places, taken[offsets] = places_of(arrays[offsets], owners[offsets.partition("_")[0]])
        taken[name] = arrays[name][places]
    return taken


def join_recipes(parts: Sequence[dict[str, Array]]) -> dict[str, Array]:
    """The arrays of all parts as one. The parts are used up, array by array: this is the most that
    is in memory at once."""
    offsets = {*LISTS.values(), *FEATURES.values()}
    joined = {}
    for name in list(parts[0]) if parts else ():
        pieces = [part.pop(name) for part in parts]
        joined[name] = join_offsets(pieces) if name in offsets else np.concatenate(pieces)
    return joined


def join_offsets(parts: Sequence[Ids]) -> Ids:
    """The offsets of lists that were numbered part by part."""
    return offsets_of(np.concatenate([np.diff(part) for part in parts]))


def keep_items(arrays: dict[str, Array], name: str, kept: Array) -> None:
    """Leave only the items of the lists called `name` that are `kept`, and adapt their offsets."""
    arrays[name] = arrays[name][kept]
    arrays[LISTS[name]] = offsets_of(kept)[arrays[LISTS[name]]]
