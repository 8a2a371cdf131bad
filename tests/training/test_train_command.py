"""Ways to start a training."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner
from runs import SMALL, some_data

from npn.commands.train import command

QUICK = [word for setting in (*SMALL, "training.epochs=1") for word in ("--set", setting)]

BARE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[1].split(","):
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
from npn.training.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def test_npn_train_prints_where_the_weights_are(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "run"
    result = CliRunner().invoke(command, ["paper", "--data", str(data), "-o", str(out), *QUICK])
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() == str(out / "weights.safetensors")
    assert (out / "weights.safetensors").exists()


def test_training_needs_no_more_than_torch_numpy_and_safetensors(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "run"
    absent = "click,rich,simplemma,recipe_scrapers,tensorboard,gensim,matplotlib,scipy"
    arguments = ["paper", "--data", str(data), "--out", str(out), "--quiet", *QUICK]
    command = [sys.executable, "-c", BARE, absent, *arguments]
    ended = subprocess.run(command, capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stderr.decode()
    assert (out / "weights.safetensors").exists()


def test_the_settings_of_a_run_make_it_again(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    weights: list[bytes] = []
    for experiment, settings in (("paper", QUICK), (tmp_path / "0" / "settings.toml", [])):
        out = tmp_path / str(len(weights))
        arguments = [str(experiment), "--data", str(data), "-o", str(out), *settings]
        assert CliRunner().invoke(command, arguments).exit_code == 0
        weights.append((out / "weights.safetensors").read_bytes())
    assert weights[0] == weights[1]


def test_the_log_says_how_well_the_development_set_is_read(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "run"
    arguments = ["paper", "--data", str(data), "-o", str(out), *QUICK]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    first, last = (json.loads(line) for line in (out / "log.jsonl").read_text().splitlines())
    assert {name for name in first if name.endswith("_f1")} == {"development_action_f1"}
    for name in ("action", "entity", "state"):
        assert 0 <= last[f"development_{name}_f1"] <= 1
