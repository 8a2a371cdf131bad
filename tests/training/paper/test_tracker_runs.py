"""The schedule: what is learned, what stays frozen, when it slows down and stops."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from prepared_folder import ToyRecipe, toy_recipes, write_prepared
from runs import small, some_data, trainer
from safetensors.torch import load_file

from npn.errors import NpnError


def test_a_tiny_network_learns_eight_recipes_by_heart(tmp_path: Path) -> None:
    recipes = [one for one in toy_recipes(40, seed=5) if distinct(one)][:8]
    assert len(recipes) == 8
    data = write_prepared(tmp_path / "data", recipes, recipes, word_size=24, memory_size=16)
    experiment = small(
        "network.word_size=24",
        "network.hidden_size=48",
        "network.memory_size=16",
        "network.dropout=0",
        "losses.coverage=0",
        "training.batch_size=8",
        "training.learning_rate=0.02",
        "training.pretrain_epochs=30",
        "training.epochs=90",
        "training.stop_after=300",
        "training.decay_after=300",
        "training.checkpoint_steps=0",
    )
    run = trainer(experiment, data, tmp_path / "run")
    run.loop._save = lambda: None  # type: ignore[method-assign]  # files are not what is tested here
    run.run()
    run.network.eval()
    eight = run.train.batch(np.arange(8))
    batch, labels = eight.inputs, eight.labels
    with torch.no_grad():
        said = run.network(batch)
    steps = batch.steps
    assert torch.equal((said.action_logits > 0)[steps], (labels.actions > 0)[steps])
    labelled = labels.labelled
    assert torch.equal((said.attention > 0.5)[labelled], (labels.selected > 0)[labelled])
    for logits, wanted in zip(said.end_states, labels.end_states, strict=True):
        right = wanted.gather(-1, logits.argmax(-1, keepdim=True))[..., 0] > 0
        assert bool(right[steps].all())


def distinct(recipe: ToyRecipe) -> bool:
    """No two sentences of a recipe read alike, so that what they do can be told apart."""
    return len({s.words for s in recipe.sentences}) == len(recipe.sentences) and all(
        s.words for s in recipe.sentences
    )


def test_frozen_action_embeddings_stay_the_skipgram_vectors(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    vectors = load_file(data / "embeddings.safetensors")["actions"]
    found = {}
    for name in ("frozen_action_embeddings", "action_embeddings"):
        run = trainer(small(experiment=name), data, tmp_path / name)
        found[name] = load_file(run.run())["action_selector.F"]
    assert torch.equal(found["frozen_action_embeddings"], vectors)
    assert not torch.equal(found["action_embeddings"], vectors)


def test_a_network_begins_with_skipgram_vectors(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    vectors = load_file(data / "embeddings.safetensors")
    found = trainer(small(), data, tmp_path / "run").network.state_dict()
    assert torch.equal(found["words"], vectors["words"])
    assert torch.equal(found["entity_memory.E"], vectors["entities"])
    assert not torch.equal(found["action_selector.F"], vectors["actions"])


def test_pretraining_moves_the_action_selector_alone(tmp_path: Path) -> None:
    run = trainer(small("training.epochs=0"), some_data(tmp_path / "data"), tmp_path / "run")
    before = {name: value.clone() for name, value in run.network.state_dict().items()}
    run.run()
    moved = {n for n, value in run.network.state_dict().items() if not value.equal(before[n])}
    assert {name.split(".")[0] for name in moved} == {
        "words",
        "action_encoder",
        "action_selector",
    }
    assert "action_selector.F" not in moved


def test_without_pretraining_there_is_one_phase(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    run = trainer(small(experiment="no_pretraining"), data, tmp_path / "run")
    run.run()
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").open()]
    assert [(line["phase"], line["epoch"]) for line in log] == [("network", 1), ("network", 2)]


def test_the_rate_falls_after_three_stale_epochs_and_five_end_it(tmp_path: Path) -> None:
    settings = ("training.epochs=50", "training.pretrain_actions=false")
    run = trainer(small(*settings), some_data(tmp_path / "data"), tmp_path / "run")
    losses = iter([5.0, 4.0, 4.1, 4.2, 4.3, 4.4, 4.5, 1.0])
    run.loop.evaluate = lambda: {"all": next(losses)}  # type: ignore[method-assign]
    run.run()
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").open()]
    assert [line["learning_rate"] for line in log] == pytest.approx([0.001] * 5 + [0.0001] * 2)


def test_the_best_weights_are_kept(tmp_path: Path) -> None:
    settings = ("training.epochs=3", "training.pretrain_actions=false")
    run = trainer(small(*settings), some_data(tmp_path / "data"), tmp_path / "run")
    seen = []

    def evaluate() -> dict[str, float]:
        seen.append(run.network.words.detach().clone())
        return {"all": [3.0, 1.0, 2.0][len(seen) - 1]}

    run.loop.evaluate = evaluate  # type: ignore[method-assign]
    assert torch.equal(load_file(run.run())["words"], seen[1])


def test_a_loss_that_is_no_number_ends_the_run_in_one_sentence(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    run = trainer(small("training.pretrain_actions=false"), data, tmp_path / "run")
    with torch.no_grad():
        run.network.words.fill_(float("nan"))
    with pytest.raises(NpnError, match=r"no longer a number in network epoch 1"):
        run.run()


def test_seeds_differ_and_repeat(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    first, again, other = (
        trainer(small(seed=seed), data, tmp_path / name).run().read_bytes()
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first == again
    assert first != other


def test_tensorboard_is_written_where_it_is_switched_on(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    data = some_data(tmp_path / "data")
    settings = ("training.tensorboard=true", "training.epochs=1", "training.pretrain_actions=false")
    trainer(small(*settings), data, tmp_path / "run").run()
    assert list((tmp_path / "run" / "tensorboard").glob("events*"))


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    trainer(small(), data, tmp_path / "run").run()
    with pytest.raises(NpnError, match="already holds a run"):
        trainer(small(), data, tmp_path / "run")
