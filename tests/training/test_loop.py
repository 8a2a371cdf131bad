"""The training loop, with an objective of one number: how it goes on, what it keeps, when it
ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, StepwiseDecay, TrainingLoop, WarmUpAndCosine
from npn.training.objective import EpochBatches, LabelledBatch, Objective, Seed
from npn.training.processes import Processes
from npn.training.run_folder import Checkpoint

STEPS = 4
SETTINGS = LoopSettings(0.1, StepwiseDecay(1.0, every=1), clip=10.0, checkpoint_steps=1)


@dataclass
class Value:
    number: Tensor


class Guess(Objective):
    """A network of one weight is to guess numbers that differ from seed to seed; its development
    losses are given. After `most` steps in all it is interrupted."""

    names = ("distance",)
    weights = (1.0,)
    network: nn.Linear

    def __init__(self, judged: list[float] | None = None, most: int = 1_000) -> None:
        super().__init__()
        self.network = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(self.network.weight)
        self._judged, self._left = judged, most
        self.seen: list[float] = []

    def forward(self, inputs: Value, labels: Value) -> tuple[Tensor, Tensor]:
        noise = torch.rand(1)  # as of dropout
        return (self.network(inputs.number) - labels.number - noise).abs(), torch.ones(1)

    def epoch(self, seed: Seed) -> EpochBatches:
        def start_at(step: int) -> Iterator[LabelledBatch]:
            for number in range(step, STEPS):
                self._left -= 1
                if self._left < 0:
                    raise KeyboardInterrupt
                wanted = Value(torch.tensor([float(sum(seed) + number)]))
                yield LabelledBatch(Value(torch.ones(1)), wanted, words=1)

        return EpochBatches(STEPS, start_at)

    def judge(self) -> dict[str, float]:
        self.seen.append(float(self.network.weight.detach()))
        return {"all": self._judged[len(self.seen) - 1]} if self._judged else {}


def loop(
    folder: Path, objective: Guess, settings: LoopSettings = SETTINGS, epochs: int = 3
) -> TrainingLoop:
    checkpoint = Checkpoint(folder / "checkpoint.safetensors", folder, {"data": "numbers"})
    alone = Processes(0, 1, torch.device("cpu"))
    phases = [Phase("guessing", objective, epochs)]
    return TrainingLoop(phases, settings, 7, alone, checkpoint, checkpoint.read(), quiet=True)


def run(one: TrainingLoop, folder: Path) -> float:
    """The weight that is kept."""
    one.run(Log(folder, kept=one.state.log_lines))
    return float(one.network.weight.detach())  # type: ignore[operator]


def log(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_the_weights_of_the_lowest_development_loss_are_kept(tmp_path: Path) -> None:
    objective = Guess([3.0, 1.0, 2.0])
    assert run(loop(tmp_path, objective), tmp_path) == objective.seen[1]


def test_where_nothing_is_judged_the_last_weights_are_kept(tmp_path: Path) -> None:
    objective = Guess()
    assert run(loop(tmp_path, objective), tmp_path) == objective.seen[2]


def test_a_mean_lies_between_the_first_weights_and_the_last(tmp_path: Path) -> None:
    objective = Guess()
    mean = run(loop(tmp_path, objective, replace(SETTINGS, averaging=0.9)), tmp_path)
    assert 0 < mean < objective.seen[2]


@pytest.mark.parametrize("averaging", [0.0, 0.9])
@pytest.mark.parametrize("steps", [1, 3, 4, 6, 11])
def test_an_interrupted_run_goes_on_to_the_same_bits(
    tmp_path: Path, steps: int, averaging: float
) -> None:
    settings = replace(
        SETTINGS, averaging=averaging, rates=WarmUpAndCosine(0.3), log_steps=2, checkpoint_steps=3
    )
    (tmp_path / "whole").mkdir()
    whole = run(loop(tmp_path / "whole", Guess(), settings), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(loop(tmp_path, Guess(most=steps), settings), tmp_path)
    assert run(loop(tmp_path, Guess(), settings), tmp_path) == whole
    timed = ("seconds", "words_per_second")
    logs = [
        [{key: value for key, value in line.items() if key not in timed} for line in log(folder)]
        for folder in (tmp_path, tmp_path / "whole")
    ]
    assert logs[0] == logs[1]


def test_a_phase_ends_when_it_brings_nothing_any_more(tmp_path: Path) -> None:
    objective = Guess([1.0, 2.0, 2.0, 0.5])
    run(loop(tmp_path, objective, replace(SETTINGS, stop_after=2), epochs=9), tmp_path)
    assert [line["development_all"] for line in log(tmp_path)] == [1.0, 2.0, 2.0]


def test_out_of_time_ends_cleanly_and_can_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whole").mkdir()
    whole = run(loop(tmp_path / "whole", Guess()), tmp_path / "whole")
    one = loop(tmp_path, Guess())
    answers = iter([False] * 5)  # asked after each step but the last, and after an epoch
    monkeypatch.setattr(TrainingLoop, "out_of_time", property(lambda _: next(answers, True)))
    cut = run(one, tmp_path)
    monkeypatch.undo()
    assert one.stopped
    assert one.state.epoch == 2  # the second was cut short, and is done again
    assert cut != whole
    assert run(loop(tmp_path, Guess()), tmp_path) == whole


def test_a_rate_rises_in_a_line_and_falls_along_a_cosine() -> None:
    rates = WarmUpAndCosine(0.5)
    shares = [rates.within_epoch(done / 4) for done in range(5)]
    assert shares == pytest.approx([0.01, 0.5, 1.0, 0.5, 0.01])


def test_a_rate_falls_after_stale_epochs_or_by_the_calendar() -> None:
    stale, calendar = StepwiseDecay(0.5, after=2), StepwiseDecay(0.5, every=2)
    assert [stale.after_epoch(1.0, 9, n) for n in range(5)] == [1.0, 1.0, 0.5, 1.0, 0.5]
    assert [calendar.after_epoch(1.0, n, 0) for n in (1, 2, 3, 4)] == [1.0, 0.5, 1.0, 0.5]


def test_batches_can_be_asked_for_from_any_step() -> None:
    epoch = Guess().epoch((1, 0, 0))
    every = [batch.labels.number for batch in epoch.start_at(0)]
    assert [batch.labels.number for batch in epoch.start_at(2)] == list(islice(every, 2, None))
