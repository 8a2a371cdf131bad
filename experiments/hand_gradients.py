"""What the gradients written by hand bring, in turns with PyTorch's own (a study made once):

    PYTHONPATH=src:. python experiments/hand_gradients.py --device cpu

`walk`, `attention` and `gru` each have a gradient by hand; in turn, one of them is PyTorch's own.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

from benchmarks.training_speed import write_random
from npn.networks.paper import encoder, equations, losses, network, simulation
from npn.networks.paper.config import NetworkConfig
from npn.training.config import read_experiment
from npn.training.data.prepared import read_prepared
from npn.training.processes import Processes
from npn.training.trainer import Trainer


def plain_with_gradient(attention: Any, d: Any, c: Any, previous: Any, given: Any = None) -> Any:
    chosen, inherited = equations.over_time(c[..., 0:1] * d), equations.over_time(c[..., 1:2])
    stops = [None] * len(chosen) if given is None else list(given.unbind(1))
    found = []
    for own, share, stop in zip(chosen, inherited, stops, strict=True):
        previous = equations.add_product(own, share, previous)
        if stop is not None:
            previous = torch.where(stop[:, None], previous.detach(), previous)
        found.append(previous)
    return torch.stack(found, 1)


def plain_gru(gru: Any, words: Any, counts: Any) -> Any:
    hidden = words.new_zeros(1, int(counts[0]), gru.hidden_size)
    weights = gru.all_weights[0]
    return torch.gru(words, counts, hidden, weights, True, 1, 0.0, gru.training, False)[1][0]


VARIANTS: dict[str, list[Any]] = {
    "as it is": [],
    "walk": [patch.object(simulation.walk, "simulate", equations.simulate)],
    "attention": [
        patch.object(network, "recurrent_attention", equations.recurrent_attention),
        patch.object(losses, "with_gradient", plain_with_gradient),
    ],
    "gru": [patch.object(encoder, "last_hidden", plain_gru)],
}
VARIANTS["all three"] = [one for some in list(VARIANTS.values()) for one in some]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--recipes", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=5)
    given = parser.parse_args()
    device = torch.device(given.device)
    with tempfile.TemporaryDirectory() as scratch:
        prepared = read_prepared(write_random(Path(scratch) / "data", given.recipes))
        experiment = read_experiment("paper", ["training.pretrain_actions=false"])
        best: dict[str, float] = {}
        for turn in range(given.rounds):
            for name, patches in VARIANTS.items():
                for one in patches:
                    one.start()
                out = Path(scratch) / f"{name}-{turn}"
                trainer = Trainer(experiment, prepared, out, Processes(0, 1, device), quiet=True)
                from npn.training.plan import shuffled

                batches = shuffled(trainer.train.sentences, 64, (1, 0))
                epoch = trainer.train.epoch(batches, trainer.forms)
                steps = min(given.steps, len(epoch))
                if device.type == "cuda":  # record first
                    for step in range(len(epoch)):
                        trainer.step(epoch, step)
                    for step in range(len(epoch)):
                        trainer.step(epoch, step)
                    torch.cuda.synchronize()
                    steps = len(epoch)
                else:
                    trainer.step(epoch, 0)
                began = time.perf_counter()
                for step in range(steps):
                    trainer.step(epoch, step)
                if device.type == "cuda":
                    torch.cuda.synchronize()
                took = (time.perf_counter() - began) / steps
                best[name] = min(best.get(name, 1e9), took)
                for one in patches:
                    one.stop()
        for name, took in best.items():
            print(f"{name:10} {1000 * took:8.2f} ms a step of 64 recipes", flush=True)


if __name__ == "__main__":
    main()
