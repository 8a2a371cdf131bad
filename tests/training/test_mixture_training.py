"""The mixture network, from corpora and gold to a model file that tracks without PyTorch."""

import json
import lzma
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import npn
from npn.errors import NpnError
from npn.language.vocabulary import Vocabulary
from npn.training.mixtures import ablations, choices, errors, export, reliability
from npn.training.mixtures.__main__ import main
from npn.training.mixtures.calibration import calibration_error, fit
from npn.training.mixtures.calibration import reliability as bins_of
from npn.training.mixtures.examples import GOLD_FILES

RECIPES = Path(__file__).with_name("own_recipes.jsonl")
MELTED = {"type": "shape", "end_state": "deformed", "entities": [0]}
GOLD = [
    {
        "id": f"{name}-{number}",
        "title": "Roux",
        "ingredients": ["1 tb butter", "2 tb flour", "1 c milk"],
        "steps": ["Melt the butter in a pan.", "Stir in the flour.", "Add milk.", "Simmer."],
        "gold": [
            {"entities": [0], "changes": [MELTED]},
            {"entities": [0, 1], "changes": []},
            {"entities": [0, 1, 2], "changes": []},
            {"entities": [0, 1, 2], "changes": [], "disputed": ["cookedness"]},
        ],
    }
    for name in GOLD_FILES
    for number in range(2)
]  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "corpus").mkdir()
    (folder / "gold").mkdir()
    with lzma.open(folder / "corpus" / "own.jsonl.xz", "wb") as file:
        file.write(RECIPES.read_bytes())
    for name in GOLD_FILES:
        lines = [json.dumps(one) for one in GOLD if str(one["id"]).startswith(name)]
        (folder / "gold" / f"{name}.jsonl").write_text("\n".join(lines))
    (folder / "gold" / "held_out.json").write_text('["curd_train-1"]')
    return folder


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    given = ["--data", str(data), "--out", str(out), "--processes", "1", "--folds", "2"]
    given += ["--epochs", "2", "--gold-epochs", "2", "--words", "500", "--batch", "4"]
    given += ["--gold", "gold", "gold-joined"]
    assert main(["untaught:0", "no-memory:0", *given]) == 0
    teacher = str(out / "weights-untaught-0.safetensors")
    assert main(["full:0", "full:0:0", "full:0:1", *given, "--teacher", teacher]) == 0
    names = [f"{name}-0.safetensors" for name in ("full", "no-memory", "untaught")]
    for kind in ("weights", "folds"):
        found = sorted(path.name for path in out.glob(f"{kind}-*"))
        assert found == [f"{kind}-{name}" for name in names]
        found = [path.name for path in (out / "gold-joined").glob(f"{kind}-*")]
        assert found == [f"{kind}-{names[0]}"]
    return out


def test_what_was_trained_tracks_from_one_small_file(data: Path, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    assert export.main([str(run), "--data", str(data), "-o", str(file)]) == 0
    assert file.stat().st_size < 10_000_000
    tracker = npn.load(str(file))
    trace = tracker.track(npn.Recipe.from_lists("", ["butter"], ["Melt the butter.", "Cool it."]))
    assert trace.model == tracker.name
    assert all(0 <= a <= 1 for step in trace.steps for a in step.attention)


def test_reliability_is_drawn_the_same_every_time(data: Path, run: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        reliability.main([str(run), "--data", str(data), "-o", str(file)])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_ablations_are_a_table_of_all_that_was_run(
    data: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ablations.main(
        [str(run), "--data", str(data), "--report", str(data / "gold" / "states_train.jsonl")]
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| the rules alone",
        "| all of it",
        "| labels by rules, not by teachers",
        "| not seeing the rules, no composition memory",
        "| before gold labels: labels by rules, not by teachers",
    ]
    assert {line.count("|") for line in lines} == {9}


def test_choices_are_scored_on_recipes_held_out(
    data: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choices.main([str(run), "--data", str(data)])
    lines = capsys.readouterr().out.splitlines()
    names = [line.split(" | ")[0] for line in lines[2:]]
    assert names[0] == "| the rules"
    assert {"| gold, not seen, changes own", "| gold-joined, both, changes by rules"} < set(names)
    assert {"| gold, seed 0", "| gold-joined, seed 0"} < set(names)
    assert {line.count("|") for line in lines} == {11}


def test_errors_are_listed_with_what_gold_says(
    data: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    errors.main([str(run), "--data", str(data), "--count", "2"])
    listed = capsys.readouterr().out
    assert [line[:2] for line in listed.splitlines() if line[:1].isdigit()] == ["1.", "2."]
    assert listed.count(">> ") == listed.count("missed: ") == 2


def test_pretraining_ends_by_the_clock(data: Path, tmp_path: Path) -> None:
    given = ["--data", str(data), "--out", str(tmp_path), "--silver", str(tmp_path / "silver")]
    assert main([*given, "--label-only", "--processes", "1"]) == 0
    assert not list(tmp_path.glob("weights-*"))
    short = ["--epochs", "1000000", "--until", "5", "--gold-epochs", "1", "--folds", "0"]
    assert main(["untaught:0", *given, *short]) == 0
    assert (tmp_path / "weights-untaught-0.safetensors").exists()


def test_teachers_must_be_named(data: Path, run: Path, tmp_path: Path) -> None:
    given = ["full:0", "--data", str(data), "--out", str(tmp_path), "--silver", str(tmp_path / "s")]
    assert main([*given, "--label-only", "--processes", "1"]) == 0
    with pytest.raises(NpnError, match="full:0 learns from teachers"):
        main(given)
    teacher = run / "weights-untaught-0.safetensors"
    other = Vocabulary.from_counts(Counter({"stir": 1}), 1)
    (tmp_path / "s" / "vocabulary.json").write_text(json.dumps(other.to_dict()))
    with pytest.raises(NpnError, match="other words"):
        main([*given, "--teacher", str(teacher)])


@pytest.mark.parametrize("run", ["ful:0", "full:x", "full:0:1:2"])
def test_a_run_that_is_none_is_named(run: str, data: Path, tmp_path: Path) -> None:
    with pytest.raises(NpnError, match=f"^{run} is no run: "):
        main([run, "--data", str(data), "--out", str(tmp_path)])


def test_folders_that_cannot_be_used_are_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="has no folder corpus"):
        main(["--data", str(tmp_path), "--out", str(tmp_path)])
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(NpnError, match="cannot be a folder"):
        main(["--data", str(data), "--out", str(file)])


def test_calibration_undoes_a_network_that_is_too_sure() -> None:
    random = np.random.default_rng(0)
    logits = random.normal(size=20_000) * 2
    happened = (random.random(20_000) < 1 / (1 + np.exp(-logits))).astype(float)
    too_sure = 1 / (1 + np.exp(-(2 * logits + 1)))
    found = fit(too_sure, happened)
    assert found.scale == pytest.approx(0.5, abs=0.03)
    assert found.shift == pytest.approx(-0.5, abs=0.05)
    assert calibration_error(bins_of(too_sure, happened)) > 0.05
