"""What each baseline is, and is not. The contract of all networks is in tests/networks/paper."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from runs import small, some_data, trainer

from networks import SIZES, make_baseline, torch_reader
from npn.networks.baselines.network import POSITIONS, MaskEncoder, RecurrentEntityNetwork
from npn.networks.paper.batch import EncodedRecipe, collate
from npn.networks.paper.config import NetworkConfig, NetworkOptions
from npn.training.config import read_network_experiment
from npn.training.data.prepared import read_prepared
from npn.training.trained import ARCHITECTURES, build

EXPERIMENTS: dict[str, tuple[str, ...]] = {
    "entity_recognizer": (),
    "gru": (),
    "entnet": ("network.hidden_size=8", "network.memory_size=8"),
}
SENTENCES = [[5, 6, 7], [8, 9], [10, 11, 12]]
RECIPE = EncodedRecipe(SENTENCES, [3, 4, 5], [[6], [7], [8]])


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_baseline_learns_a_few_recipes_by_heart(name: str, tmp_path: Path) -> None:
    data = some_data(tmp_path / "data", 8)
    settings = [
        *("training.epochs=60", "training.stop_after=60", "training.checkpoint_steps=0"),
        *("training.learning_rate=0.01", "training.decay=1.0", "network.dropout=0.0"),
        *EXPERIMENTS[name],
    ]
    training = trainer(small(*settings, experiment=name), data, tmp_path / "run")
    training.run()
    first, *_, last = losses(tmp_path / "run")
    assert last["train_entity"] < 0.5 * first["train_entity"]
    if name != "entity_recognizer":
        assert last["train_state"] < 0.5 * first["train_state"]


def losses(run: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_baselines_have_the_papers_sizes_and_losses(name: str) -> None:
    experiment = read_network_experiment(name)
    assert (experiment.network.hidden_size, experiment.network.word_size) == (100, 100)
    assert experiment.losses.action == experiment.losses.coverage == 0
    assert experiment.losses.entity == 1
    assert experiment.losses.state == (0 if name == "entity_recognizer" else 1)
    assert not experiment.training.pretrain_actions


def test_every_architecture_an_experiment_can_name_is_built() -> None:
    options = NetworkOptions(word_size=6, hidden_size=6, memory_size=6)
    for name in ARCHITECTURES:
        build(name, NetworkConfig(SIZES, options))


@pytest.mark.parametrize("name", ["entity_recognizer", "gru"])
def test_what_has_no_memory_reads_each_step_alone(name: str) -> None:
    read = torch_reader(make_baseline(name))
    together = read(collate([RECIPE])).attention[0]
    for t, sentence in enumerate(SENTENCES):
        alone = read(collate([EncodedRecipe([sentence], RECIPE.entities, RECIPE.names)]))
        np.testing.assert_allclose(alone.attention[0, 0], together[t], atol=1e-6)


def test_an_entity_network_remembers_earlier_steps() -> None:
    read = torch_reader(make_baseline("entnet"))
    together = read(collate([RECIPE])).attention[0]
    alone = read(collate([EncodedRecipe(SENTENCES[2:], RECIPE.entities, RECIPE.names)]))
    assert np.abs(alone.attention[0, 0] - together[2]).max() > 1e-3


def test_the_entity_recognizer_says_nothing_of_actions_and_states() -> None:
    said = torch_reader(make_baseline("entity_recognizer"))(collate([RECIPE]))
    assert said.action_logits.shape[-1] == 0
    assert [ends.shape[-1] for ends in said.end_states] == [1] * len(SIZES.end_states)


def test_one_step_of_an_entity_network_worked_out_by_hand() -> None:
    network = make_baseline("entnet")
    assert isinstance(network, RecurrentEntityNetwork)
    recipe = EncodedRecipe([[5, 6]], [3], [[6]])
    said = torch_reader(network)(collate([recipe]))
    with torch.no_grad():
        e, key = network.words[[5, 6]], network.entity_memory.E[3]
        asked = (e * network.gate_encoder.masks[:2]).sum(0)
        content = (e * network.content_encoder.masks[:2]).sum(0)
        gate = torch.sigmoid(asked @ key + asked @ key)
        new = network.U @ key + network.V @ key + network.W @ content
        new = torch.where(new > 0, new, network.slope * new)
        cell = key + gate * new
        cell = cell / cell.norm()
    np.testing.assert_allclose(said.attention[0, 0, 0], gate, atol=1e-5)
    np.testing.assert_allclose(said.memory[0, 0, 0], cell, atol=1e-5)
    np.testing.assert_allclose(said.proposals[0, 0], cell, atol=1e-5)


def test_a_mask_encoder_begins_as_a_sum_of_words_and_reads_beyond_its_masks() -> None:
    encoder = MaskEncoder(3, 0.0)
    long = list(range(2, POSITIONS + 12))
    batch = collate([EncodedRecipe([long], [3], [[6]])]).map(torch.from_numpy)
    words = torch.randn(len(long), 3)
    np.testing.assert_allclose(encoder(words, batch)[0, 0].detach(), words.sum(0), atol=1e-4)


def test_an_entity_network_of_several_sizes_is_refused() -> None:
    with pytest.raises(ValueError, match="one size"):
        RecurrentEntityNetwork(NetworkConfig(SIZES, NetworkOptions()))


def test_entities_can_begin_as_their_names(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    network = trainer(
        small(*EXPERIMENTS["entnet"], experiment="entnet"), data, tmp_path / "run"
    ).network
    arrays = read_prepared(data).split("train")
    start, end = arrays["ingredient_token_offsets"][:2].tolist()
    mean = network.words[arrays["ingredient_tokens"][start:end]].mean(0)
    first = int(arrays["ingredients"][0])
    torch.testing.assert_close(network.entity_memory.E[first], mean)
    assert float(network.words.detach().std()) == pytest.approx(0.1, rel=1e-3)


def test_the_rate_of_an_entity_network_falls_by_the_calendar(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    settings = ("training.epochs=5", "training.decay_every=2", *EXPERIMENTS["entnet"])
    trainer(small(*settings, experiment="entnet"), data, tmp_path / "run").run()
    rates = [line["learning_rate"] for line in losses(tmp_path / "run")]
    assert rates == [0.01, 0.01, 0.005, 0.005, 0.0025]
