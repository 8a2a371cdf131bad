"""Experiments are read from TOML, and every mistake in one is named."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from runs import small, some_data, trainer
from safetensors.numpy import load_file

from npn.errors import NpnError
from npn.networks.common.files import from_table
from npn.networks.paper.config import NetworkConfig, NetworkOptions, VocabularySizes
from npn.training.config import (
    EXPERIMENTS,
    Experiment,
    LossOptions,
    Schedule,
    read_network_experiment,
)

ABLATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "no_recurrent_attention": ("network", {"recurrent_attention": False}),
    "no_coverage": ("losses", {"coverage": 0.0}),
    "no_action_connections": ("network", {"action_connections": False}),
    "no_pretraining": ("training", {"pretrain_actions": False}),
    "action_embeddings": ("training", {"action_embeddings": "skipgram"}),
    "frozen_action_embeddings": (
        "training",
        {"action_embeddings": "skipgram", "train_action_embeddings": False},
    ),
}


def test_the_paper_is_what_the_defaults_are() -> None:
    paper = read_network_experiment("paper")
    assert (paper.network, paper.losses, paper.training) == (
        NetworkOptions(),
        LossOptions(),
        Schedule(),
    )


def test_the_paper_spells_every_setting_out() -> None:
    text = (EXPERIMENTS / "paper.toml").read_text()
    for options in (NetworkOptions, LossOptions, Schedule):
        for field in dataclasses.fields(options):
            assert f"\n{field.name} = " in text


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_ablation_differs_from_the_paper_in_one_thing(name: str) -> None:
    section, change = ABLATIONS[name]
    paper, ablation = read_network_experiment("paper"), read_network_experiment(name)
    changed = dataclasses.replace(getattr(paper, section), **change)
    same = {section: changed, "name": name, "description": ablation.description}
    assert ablation == dataclasses.replace(paper, **same)


def test_settings_override_a_file(tmp_path: Path) -> None:
    settings = ["training.epochs=3", "labels=paper", 'training.embeddings="random"']
    found = read_network_experiment("paper", settings, seed=9)
    assert (found.seed, found.training.epochs, found.labels) == (9, 3, "paper")
    assert found.training.embeddings == "random"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 'x'\ncolour = 1", r'there is no setting "colour"'),
        ("name = 'x'\n[training]\nepoch = 1", r'there is no setting "training.epoch"'),
        ("name = 'x'\n[training]\nepochs = 'many'", r'"training.epochs" must be a whole number'),
        ("name = 'x'\n[training]\nepochs = true", r'"training.epochs" must be a whole number'),
        ("name = 'x'\nlabels = 'some'", r"must be one of 'ours', 'paper'"),
        ("name = 'x'\ntraining = 3", r'"training" must be a table'),
        ("seed = 3", r'the setting "name" is missing'),
        ("name = ", "cannot be read as an experiment"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(NpnError, match=said) as error:
        read_network_experiment(path)
    assert str(path) in str(error.value)


def test_an_unknown_experiment_lists_those_there_are() -> None:
    with pytest.raises(NpnError, match=r'no experiment "papre": name a TOML file.*no_coverage'):
        read_network_experiment("papre")


@pytest.mark.parametrize("setting", ["epochs", "name.x=1"])
def test_a_setting_that_is_none(setting: str) -> None:
    with pytest.raises(NpnError, match="is no setting"):
        read_network_experiment("paper", [setting])


def test_a_network_is_read_back_from_what_its_file_says() -> None:
    config = NetworkConfig(VocabularySizes(5, 4, 3, (2, 2)), NetworkOptions(dropout=0))
    assert from_table(NetworkConfig, dataclasses.asdict(config), "file") == config
    assert (
        from_table(Experiment, dataclasses.asdict(read_network_experiment("paper")), "file").name
        == "paper"
    )


def test_epochs_that_are_set_bound_pretraining_too() -> None:
    training = read_network_experiment("paper", ["training.epochs=2"]).training
    assert (training.epochs, training.pretrain_epochs) == (2, 2)
    both = ["training.epochs=2", "training.pretrain_epochs=7"]
    assert read_network_experiment("paper", both).training.pretrain_epochs == 7
    assert read_network_experiment("paper").training.pretrain_epochs == 100


@pytest.mark.parametrize("size", [20, 40])
def test_sizes_are_settings_that_work(tmp_path: Path, size: int) -> None:
    data = some_data(tmp_path / "data")
    settings = [f"network.memory_size={size}", f"network.word_size={size}"]
    settings.append("training.action_embeddings=skipgram")
    weights = trainer(small(*settings), data, tmp_path / "run").run()
    assert load_file(weights)["applicator.W_4"].shape == (size, size, size)


def test_keys_can_come_from_names_at_any_size(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    weights = trainer(small(experiment="name_keys"), data, tmp_path / "run").run()
    assert load_file(weights)["entity_memory.W_name"].shape == (6, 8)
