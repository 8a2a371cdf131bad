"""Files that are damaged, foreign or of another make: one sentence each."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from prepared_folder import arrays, toy_recipes, write_manifest, write_prepared
from runs import small, some_data, trainer
from safetensors.numpy import save_file

from npn.errors import NpnError
from npn.networks.common.files import read_tensors, write_tensors
from npn.training.data.prepared import read_prepared
from npn.training.run_folder import load_weights


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "weights.safetensors"
    write_tensors(
        path,
        {"weight": np.ones((3, 2), np.float32), "bias": np.zeros(3, np.float32)},
        {"kind": "weights"},
    )
    return path


def one_sentence(error: pytest.ExceptionInfo[NpnError], path: Path) -> None:
    said = str(error.value)
    assert str(path) in said
    assert "\n" not in said
    assert len(said) < 400


def test_weights_come_back_as_they_were(weights: Path) -> None:
    module = torch.nn.Linear(2, 3)
    file = read_tensors(weights)
    load_weights(module, file.tensors, weights)
    assert bool((module.weight == 1).all())
    assert file.header == {"kind": "weights"}


def test_a_checkpoint_of_another_shape(weights: Path) -> None:
    with pytest.raises(NpnError, match=r'"weight" is \(3, 2\) and should be \(3, 5\)') as error:
        load_weights(torch.nn.Linear(5, 3), read_tensors(weights).tensors, weights)
    one_sentence(error, weights)


def test_a_checkpoint_of_other_parts(weights: Path) -> None:
    with pytest.raises(NpnError, match=r'"bias" is .* and should be absent'):
        load_weights(torch.nn.Linear(2, 3, bias=False), read_tensors(weights).tensors, weights)


def test_a_truncated_file(weights: Path) -> None:
    whole = weights.read_bytes()
    for length in (0, 4, 30, len(whole) // 2, len(whole) - 1):
        weights.write_bytes(whole[:length])
        with pytest.raises(NpnError, match="no whole safetensors file") as error:
            read_tensors(weights)
        one_sentence(error, weights)


def test_weights_that_are_not_finite(weights: Path) -> None:
    for value in (float("nan"), float("inf")):
        write_tensors(weights, {"weight": np.array([1.0, value])}, {})
        with pytest.raises(NpnError, match='"weight" holds values that are not finite') as error:
            read_tensors(weights)
        one_sentence(error, weights)


def test_a_pickle_by_another_name(weights: Path) -> None:
    class Hostile:
        def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
            return (Path.touch, (weights.with_name("owned"),))  # type: ignore[return-value]

    weights.write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(NpnError, match="no whole safetensors file") as error:
        read_tensors(weights)
    one_sentence(error, weights)
    assert not weights.with_name("owned").exists()


def test_a_safetensors_file_of_somebody_else(weights: Path) -> None:
    save_file({"weight": np.ones(3, np.float32)}, weights)
    with pytest.raises(NpnError, match="was not written by npn") as error:
        read_tensors(weights)
    one_sentence(error, weights)


def test_a_failed_write_leaves_the_old_file(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = weights.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(NpnError, match="cannot be written: No space left on device"):
        write_tensors(weights, {"weight": np.zeros(9)}, {})
    assert weights.read_bytes() == before
    assert [path.name for path in weights.parent.iterdir()] == [weights.name]


def test_data_of_another_vocabulary_than_the_checkpoint(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "run"
    trainer(small(), data, out).run()
    recipes = toy_recipes(30)
    other = write_prepared(tmp_path / "other", recipes[:24], recipes[24:], first_word="<nothing>")
    with pytest.raises(NpnError, match="was made with another vocabulary than") as error:
        trainer(small(), other, out, resume=True)
    one_sentence(error, other)


def test_a_folder_whose_files_are_not_those_of_its_manifest(tmp_path: Path) -> None:
    data = some_data(tmp_path)
    save_file(arrays(toy_recipes(3)), data / "train.safetensors")
    with pytest.raises(NpnError, match="not the file that the manifest beside it describes"):
        read_prepared(data).split("train")
    (data / "vocabulary.json").write_text("{}")
    with pytest.raises(NpnError, match="not the file that the manifest beside it describes"):
        read_prepared(data)


def test_a_folder_of_another_format_or_of_none(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    (data / "manifest.json").write_text(json.dumps({"format": 99, "hashes": {}}))
    with pytest.raises(NpnError, match="prepared in format 99"):
        read_prepared(data)
    for text in ("[]", "no", "[" * 100_000):
        (data / "manifest.json").write_text(text)
        with pytest.raises(NpnError, match="prepare the data again"):
            read_prepared(data)
    with pytest.raises(NpnError, match="is this a folder that npn prepare wrote"):
        read_prepared(tmp_path)


def test_a_folder_without_embeddings_can_still_begin_at_random(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    (data / "embeddings.safetensors").unlink()
    write_manifest(data)
    with pytest.raises(NpnError, match="prepared without embeddings") as error:
        trainer(small(), data, tmp_path / "run")
    one_sentence(error, data)
    trainer(small("training.embeddings=random"), data, tmp_path / "run").run()
