"""The generator that runs on NumPy: safe to load, never at a loss, and true to its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from generators import WORDS, small_generator, write_small_generator

from npn.errors import NpnError
from npn.models import load_tracker
from npn.networks.common.files import read_tensors, write_tensors
from npn.networks.generator.batch import collate
from npn.networks.generator.decoding import Hypothesis
from npn.networks.generator.generator import (
    GeneratorFile,
    StepGenerator,
    distinct,
    load_generator,
    nearly_same,
    read_generator,
    write_generator,
)
from npn.recipe import Ingredient
from npn.trace import StepTrace

LINES = ("2 cups flour", "1 cup sugar", "1/2 cup melted butter", "3 quinces")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_generator(tmp_path_factory.mktemp("generator"))


@pytest.fixture(scope="module")
def generator(path: Path) -> StepGenerator:
    return load_generator(path)


def read(
    sentences: list[str], lines: tuple[str, ...] = LINES
) -> tuple[tuple[Ingredient, ...], list[StepTrace]]:
    process = load_tracker().begin([Ingredient(line) for line in lines])
    return process.ingredients, [process.read(sentence) for sentence in sentences]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_suggestions_come_in_any_number_and_none_twice(
    generator: StepGenerator, count: int
) -> None:
    ingredients, steps = read(["Mix the flour and sugar.", "Stir in the butter."][:count])
    for n in (1, 3, 6):
        said = generator.suggest(ingredients, steps, n).suggestions
        assert 1 <= len(said) <= n
        assert len({one.text for one in said}) == len(said)


def test_the_likeliest_does_not_depend_on_how_many_are_asked_for(generator: StepGenerator) -> None:
    ingredients, steps = read(["Mix the flour and sugar."])
    one = generator.suggest(ingredients, steps, 1).suggestions[0]
    assert generator.suggest(ingredients, steps, 5).suggestions[0] == one


def test_only_words_of_the_vocabulary_or_of_the_recipe_are_said() -> None:
    spoken: set[str] = set()
    for seed in range(8):
        generator = StepGenerator(small_generator(seed), "small")
        for one in generator.suggest(*read(["Peel the quinces."]), 6).suggestions:
            spoken |= {word.strip(".,;").lower() for word in one.text.split()}
    assert spoken <= {*WORDS[2:], "quinces", "quince", "peel", "melted", ""}
    assert "<unk>" not in spoken


def test_words_of_one_name_alone_are_said_once_but_not_those_that_link_them() -> None:
    generator = load_generator()
    ingredients, steps = read([], ("1 tsp cream of tartar", "1 cup cream", "2 eggs"))
    one = generator.example(ingredients, steps)
    once = {word for said in generator._once(one).values() for word in said}
    assert {*generator._spell(sorted(once), one)} == {"tartar", "egg", "eggs"}


def test_unknown_words_are_told(generator: StepGenerator) -> None:
    known = generator.suggest(*read(["Mix the flour."]), 1).known
    foreign = generator.suggest(*read(["Zzyx qwop vrbl."], ("fnord", "blarg")), 1)
    assert foreign.known < 0.5 < known
    assert foreign.suggestions


def test_a_recipe_longer_than_any_is_read_from_its_end(generator: StepGenerator) -> None:
    ingredients, (step,) = read(["Mix the flour and sugar in a bowl until done."])
    long = generator.suggest(ingredients, [step] * 900, 3)
    assert long.suggestions
    assert long == generator.suggest(ingredients, [step] * 901, 3)


def test_all_is_done_in_single_precision(generator: StepGenerator) -> None:
    context = collate([generator.example(*read(["Mix the flour and sugar."]))])
    state = generator._stepper.begin(context)
    scores, state = generator._stepper.step(state, np.array([2]))
    assert {state.hidden.dtype, scores.dtype} == {np.dtype(np.float32)}


def test_nothing_known_of_ingredients_is_no_matter(generator: StepGenerator) -> None:
    assert generator.suggest(*read([], ("",)), 2).suggestions


def test_writing_and_reading_keeps_what_half_precision_can(path: Path) -> None:
    file, written = read_generator(path), small_generator()
    assert (file.name, file.words, file.end_states) == (
        written.name,
        written.words,
        written.end_states,
    )
    for name, tensor in written.weights.items():
        np.testing.assert_allclose(file.weights[name], tensor, atol=2e-3)


def test_a_file_of_before_the_world_tracker_says_what_it_said(path: Path, tmp_path: Path) -> None:
    written, former = small_generator(), tmp_path / "former.safetensors"
    write_generator(former, replace(written, config={**written.config, "kind": "mixtures"}))
    context = read(["Mix the flour and sugar."])
    assert load_generator(former).suggest(*context, 2) == load_generator(path).suggest(*context, 2)


def broken(change: str, path: Path) -> None:
    """A file with its hash in order, but otherwise broken."""
    whole = small_generator()
    weights = dict(whole.weights)
    if change == "shape":
        weights["W_o"] = weights["W_o"][:-1]
    elif change == "missing":
        del weights["W_g"]
    elif change == "not finite":
        weights["b_o"] = np.full_like(weights["b_o"], np.nan)
    words = whole.words[:-1] if change == "words" else whole.words
    config = (
        {**whole.config, "kind": "npn", "state_size": 4} if change == "states" else whole.config
    )
    decoding = {"beams": 4} if change == "decoding" else whole.decoding
    told = GeneratorFile(whole.name, config, words, whole.end_states, decoding, weights)
    write_generator(path, told)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("shape", "does not fit its own settings"),
        ("missing", '"W_g" is absent'),
        ("not finite", "not finite"),
        ("words", "does not fit its own vocabulary"),
        ("decoding", 'no setting "beams"'),
        ("states", "does not fit"),
    ],
)
def test_a_file_that_is_not_in_order_is_refused(tmp_path: Path, change: str, said: str) -> None:
    broken(change, tmp_path / "broken.safetensors")
    with pytest.raises(NpnError, match=said):
        load_generator(tmp_path / "broken.safetensors")


def test_a_file_that_was_changed_is_refused(path: Path, tmp_path: Path) -> None:
    file = read_tensors(path)
    tensors = {**file.tensors, "b_g": file.tensors["b_g"] + 1}
    write_tensors(tmp_path / "other.safetensors", tensors, file.header)
    with pytest.raises(NpnError, match="hash differs"):
        load_generator(tmp_path / "other.safetensors")


def test_a_header_without_its_parts_is_refused(path: Path, tmp_path: Path) -> None:
    from npn.networks.common.files import content_hash

    file = read_tensors(path)
    header = {key: value for key, value in file.header.items() if key not in ("words", "hash")}
    header["hash"] = content_hash(header, file.tensors)
    write_tensors(tmp_path / "other.safetensors", file.tensors, header)
    with pytest.raises(NpnError, match="lacks part of its header"):
        load_generator(tmp_path / "other.safetensors")


def test_a_tracker_is_no_generator_and_the_other_way_round(path: Path) -> None:
    from npn.models import SHIPPED

    with pytest.raises(NpnError, match="holds no generator"):
        load_generator(SHIPPED["paper"])
    with pytest.raises(NpnError, match="holds no model"):
        load_tracker(str(path))


def test_sentences_that_begin_alike_or_share_most_words_are_alike() -> None:
    assert nearly_same((5, 6, 7), (5, 1, 2))
    assert nearly_same((4, 6, 7, 8), (8, 7, 6, 4, 9))
    assert not nearly_same((4, 6, 7), (5, 6, 9))


def test_what_is_chosen_begins_with_the_first_and_is_filled_up_with_what_is_alike() -> None:
    first, near, far = (Hypothesis(ids, score) for ids, score in (
        ((5, 6, 7), -0.5), ((5, 6, 8), -0.4), ((9, 1, 2), -0.6),
    ))  # fmt: skip
    assert distinct([first, near, far], 1) == [first]
    assert distinct([first, near, far], 2) == [first, far]
    assert distinct([first, near, far], 3) == [first, far, near]
    assert distinct([first, replace(first)], 3) == [first]
