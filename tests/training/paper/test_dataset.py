"""Batches are the recipes that were prepared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from prepared_folder import (
    ACTIONS,
    END_STATES,
    ToyRecipe,
    ToySentence,
    toy_recipes,
    write_manifest,
    write_prepared,
)
from safetensors.numpy import load_file, save_file

from npn.errors import NpnError
from npn.networks.paper.batch import EncodedRecipe, collate
from npn.training.data.prepared import read_prepared
from npn.training.paper.batching import in_order, shuffled
from npn.training.paper.dataset import Dataset

CPU = torch.device("cpu")


@pytest.fixture
def recipes() -> list[ToyRecipe]:
    return toy_recipes(23)


@pytest.fixture
def dataset(tmp_path: Path, recipes: list[ToyRecipe]) -> Dataset:
    return Dataset(read_prepared(write_prepared(tmp_path, recipes, recipes)), "train", CPU)


def encoded(recipe: ToyRecipe) -> EncodedRecipe:
    return EncodedRecipe([s.words for s in recipe.sentences], recipe.entities, recipe.names)


def test_a_batch_is_what_collating_its_recipes_gives(
    dataset: Dataset, recipes: list[ToyRecipe]
) -> None:
    batches = shuffled(dataset.sentences, 5, (1, 0))
    for members in batches:
        expected = collate([encoded(recipes[i]) for i in members])
        found = dataset.batch(members).inputs
        assert found.words.tolist() == expected.words.tolist()
        assert found.counts.tolist() == expected.counts.tolist()
        assert found.rows.tolist() == expected.rows.tolist()
        assert found.steps.tolist() == expected.steps.tolist()
        assert found.entities.tolist() == expected.entities.tolist()
        assert found.names.tolist() == expected.names.tolist()


def test_labels_are_those_of_each_sentence(dataset: Dataset, recipes: list[ToyRecipe]) -> None:
    for members in in_order(dataset.sentences, 7):
        labels = dataset.batch(members).labels
        for row, member in enumerate(members):
            for t, sentence in enumerate(recipes[member].sentences):
                check_actions(labels.actions[row, t], sentence)
                mentioned = sentence.evidence == 1
                assert bool(labels.labelled[row, t]) == mentioned
                chosen = set(sentence.selected) if mentioned else set()
                assert set(labels.selected[row, t].nonzero().flatten().tolist()) == chosen
                check_end_states([one[row, t] for one in labels.end_states], sentence)


def check_actions(marked: torch.Tensor, sentence: ToySentence) -> None:
    assert len(marked) == ACTIONS
    assert set(marked.nonzero().flatten().tolist()) == (set(sentence.actions) or {0})


def check_end_states(mixtures: list[torch.Tensor], sentence: ToySentence) -> None:
    for kind, mixture in enumerate(mixtures):
        assert len(mixture) == END_STATES[kind]
        ends = {end for k, end, _ in sentence.changes if k == kind} or {0}
        expected = [1 / len(ends) if i in ends else 0.0 for i in range(len(mixture))]
        assert mixture.tolist() == pytest.approx(expected)


def test_the_papers_labels_are_names_and_the_verbs_end_states(
    tmp_path: Path, recipes: list[ToyRecipe]
) -> None:
    prepared = read_prepared(write_prepared(tmp_path, recipes, recipes))
    dataset = Dataset(prepared, "train", CPU, labels="paper")
    labels = dataset.batch(np.arange(len(recipes))).labels
    for row, recipe in enumerate(recipes):
        for t, sentence in enumerate(recipe.sentences):
            assert bool(labels.labelled[row, t]) == bool(sentence.matched)
            chosen = labels.selected[row, t].nonzero().flatten().tolist()
            assert tuple(chosen) == sentence.matched
            verbs = replace(sentence, changes=sentence.changes[:1])
            check_end_states([one[row, t] for one in labels.end_states], verbs)


def test_data_without_the_papers_labels_says_so(tmp_path: Path, recipes: list[ToyRecipe]) -> None:
    folder = write_prepared(tmp_path, recipes, recipes)
    path = folder / "train.safetensors"
    kept = {name: one for name, one in load_file(path).items() if "verb" not in name}
    save_file(kept, path)
    write_manifest(folder)
    with pytest.raises(NpnError, match="no labels as the paper makes them"):
        Dataset(read_prepared(folder), "train", CPU, labels="paper")


def test_fewer_recipes_can_be_trained_on(tmp_path: Path, recipes: list[ToyRecipe]) -> None:
    prepared = read_prepared(write_prepared(tmp_path, recipes, recipes))
    assert len(Dataset(prepared, "train", CPU, recipes=4).sentences) == 4
    with pytest.raises(NpnError, match="23 recipes in its train split, and 24 are wanted"):
        Dataset(prepared, "train", CPU, recipes=24)


def test_an_empty_split_says_so(tmp_path: Path, recipes: list[ToyRecipe]) -> None:
    prepared = read_prepared(write_prepared(tmp_path, [], recipes))
    with pytest.raises(NpnError, match="0 recipes in its train split"):
        Dataset(prepared, "train", CPU)


lengths = st.lists(st.integers(1, 30), min_size=2, max_size=300).map(np.array)


@given(lengths, st.integers(1, 9), st.integers(0, 3))
def test_an_epoch_reads_every_recipe_once(sentences: np.ndarray, size: int, epoch: int) -> None:
    batches = shuffled(sentences, size, (1, epoch))
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(sentences)))


@given(lengths, st.integers(1, 5))
def test_two_processes_share_every_batch_of_one(sentences: np.ndarray, size: int) -> None:
    whole = shuffled(sentences, 2 * size, (1, 0))
    shares = [shuffled(sentences, size, (1, 0), rank, 2) for rank in (0, 1)]
    assert len(shares[0]) == len(shares[1])
    assert all(len(batch) > 0 for share in shares for batch in share)
    if len(whole[-1]) > 1 and all(len(batch) > 1 for batch in whole):
        for number, batch in enumerate(whole):
            both = [*shares[0][number].tolist(), *shares[1][number].tolist()]
            assert sorted(both) == sorted(batch.tolist())


def test_the_order_depends_on_seed_and_epoch_alone() -> None:
    sentences = np.arange(1, 100) % 11

    def order(*seed: int) -> list[int]:
        found: list[int] = np.concatenate(shuffled(sentences, 8, seed)).tolist()
        return found

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)
