"""What is in the arrays: every id in range, every offset in order, and the labels as expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_corpus import HALVES, Arrays, run, splits, vocabulary

from npn.rules.lexicon import load_lexicon
from npn.trace import STATE_TYPES
from npn.training.data.prepare import PrepareOptions
from npn.training.data.prepared import read_prepared
from npn.training.data.ragged import SPLITS
from npn.training.paper.beginning import skipgram_vectors

TYPES = {
    "tokens": np.int32, "sentence_tokens": np.int64, "recipe_sentences": np.int64,
    "ingredients": np.int32, "recipe_ingredients": np.int64, "ingredient_tokens": np.int32,
    "ingredient_token_offsets": np.int64, "actions": np.int16, "sentence_actions": np.int64,
    "evidence": np.uint8, "mentioned": np.int16, "sentence_mentioned": np.int64,
    "selected": np.int16, "sentence_selected": np.int64, "changes": np.int16,
    "sentence_changes": np.int64, "matched": np.int16, "sentence_matched": np.int64,
    "verb_changes": np.int16, "sentence_verb_changes": np.int64,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With small vocabularies, so that there are unknown words and entities."""
    folder = tmp_path_factory.mktemp("prepared")
    run(folder, options=PrepareOptions(HALVES, words=120, entities=20))
    return folder


@pytest.fixture(scope="module", params=SPLITS)
def arrays(folder: Path, request: pytest.FixtureRequest) -> Arrays:
    return splits(folder)[request.param]


def sentence_lists(arrays: Arrays, name: str) -> list[list[Any]]:
    bounds = arrays[f"sentence_{name}"]
    return [part.tolist() for part in np.split(arrays[name], bounds[1:-1])]


def test_every_split_has_recipes(folder: Path) -> None:
    for arrays in splits(folder).values():
        assert len(arrays["recipe_sentences"]) > 1


def test_arrays_have_the_promised_types(arrays: Arrays) -> None:
    assert {name: array.dtype for name, array in arrays.items()} == {
        name: np.dtype(type) for name, type in TYPES.items()
    }


@pytest.mark.parametrize(
    ("offsets", "lists", "items"),
    [
        ("recipe_sentences", None, "evidence"),
        ("recipe_ingredients", None, "ingredients"),
        ("ingredient_token_offsets", "ingredients", "ingredient_tokens"),
        *((f"sentence_{name}", "evidence", name) for name in
          ("tokens", "actions", "mentioned", "selected", "changes", "matched", "verb_changes")),
    ],
)  # fmt: skip
def test_offsets_grow_and_fit(arrays: Arrays, offsets: str, lists: str | None, items: str) -> None:
    bounds = arrays[offsets]
    assert bounds[0] == 0
    assert (np.diff(bounds) >= 0).all()
    assert bounds[-1] == len(arrays[items])
    if lists is not None:
        assert len(bounds) == len(arrays[lists]) + 1


def test_ids_are_in_range(folder: Path, arrays: Arrays) -> None:
    known = vocabulary(folder)
    for name, size in (
        ("tokens", len(known["words"])),
        ("ingredient_tokens", len(known["words"])),
        ("ingredients", len(known["entities"])),
    ):
        assert arrays[name].min() >= 1  # never padding
        assert arrays[name].max() < size
    assert arrays["actions"].max() < len(known["actions"])
    assert arrays["evidence"].max() <= 2
    for type, name in enumerate(STATE_TYPES):
        ends = arrays["changes"][arrays["changes"][:, 0] == type, 1]
        assert ((ends >= 1) & (ends < len(known["end_states"][name]))).all()


def test_positions_are_those_of_the_recipes_own_ingredients(arrays: Arrays) -> None:
    counts = np.repeat(np.diff(arrays["recipe_ingredients"]), np.diff(arrays["recipe_sentences"]))
    for name in ("mentioned", "selected", "matched"):
        for count, positions in zip(counts, sentence_lists(arrays, name), strict=True):
            assert all(0 <= position < count for position in positions)
            assert positions == sorted(set(positions))


def test_evidence_says_how_the_selected_are_known(arrays: Arrays) -> None:
    for evidence, selected, mentioned in zip(
        arrays["evidence"],
        sentence_lists(arrays, "selected"),
        sentence_lists(arrays, "mentioned"),
        strict=True,
    ):
        assert (evidence == 0) == (not selected)
        assert (evidence == 1) == bool(set(selected) & set(mentioned))


def test_changes_happen_to_the_selected(arrays: Arrays) -> None:
    for changes, selected in zip(
        sentence_lists(arrays, "changes"), sentence_lists(arrays, "selected"), strict=True
    ):
        assert {ingredient for _, _, ingredient in changes} <= set(selected)


def test_every_sentence_has_an_action_or_the_one_of_no_change(arrays: Arrays) -> None:
    for actions in sentence_lists(arrays, "actions"):
        assert actions == [0] or (actions and 0 not in actions)


def test_actions_and_end_states_are_the_lexicons(folder: Path) -> None:
    known, lexicon = vocabulary(folder), load_lexicon()
    assert known["actions"] == ["<no change>", *lexicon.actions]
    assert tuple(known["end_states"]) == STATE_TYPES
    for type, names in known["end_states"].items():
        assert names == ["<no change>", *lexicon.end_states[type]]


def test_a_sentence_reads_as_it_was_labelled(tmp_path: Path) -> None:
    """Of the recipe for bread: "Knead for 10 minutes" names nothing, and means the dough."""
    run(tmp_path, options=PrepareOptions(HALVES, words=1_000, embeddings=False))
    known = vocabulary(tmp_path)
    for arrays in splits(tmp_path).values():
        recipe_of = np.repeat(
            np.arange(len(arrays["recipe_sentences"]) - 1), np.diff(arrays["recipe_sentences"])
        )
        for number, tokens in enumerate(sentence_lists(arrays, "tokens")):
            # A word known from no training recipe may be unknown: the first is enough to find it.
            if known["actions"].index("knead") in sentence_lists(arrays, "actions")[number]:
                assert arrays["evidence"][number] == 2
                assert sentence_lists(arrays, "mentioned")[number] == []
                first = arrays["recipe_ingredients"][recipe_of[number]]
                selected = sentence_lists(arrays, "selected")[number]
                entities = {known["entities"][arrays["ingredients"][first + i]] for i in selected}
                assert {"bread flour", "yeast"} <= entities or "<unk>" in entities
                assert len(tokens) > 4
                return
    pytest.fail("nobody kneads")


def test_embeddings_are_there_for_every_id(folder: Path) -> None:
    known = vocabulary(folder)
    widths = {"words": 100, "entities": 30, "actions": 30}
    prepared = read_prepared(folder)
    vectors = {name: skipgram_vectors(prepared, name, width) for name, width in widths.items()}
    assert vectors["words"].shape == (len(known["words"]), 100)
    assert vectors["entities"].shape == (len(known["entities"]), 30)
    assert vectors["actions"].shape == (len(known["actions"]), 30)
    assert not vectors["words"][0].any()
    assert not vectors["entities"][0].any()
    for name, array in vectors.items():
        assert array[0 if name == "actions" else 1 :].any(1).all(), name
        assert bool(array.isfinite().all())


def test_embeddings_come_out_alike_twice(folder: Path, tmp_path: Path) -> None:
    run(tmp_path, options=PrepareOptions(HALVES, words=120, entities=20))
    name = "embeddings.safetensors"
    assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_training_reads_what_is_prepared(folder: Path) -> None:
    prepared = read_prepared(folder)
    for name in SPLITS:
        assert prepared.split(name)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["vocabulary"] == prepared.hashes["vocabulary.json"]
