"""Train a next-step generator with no more than PyTorch, NumPy and safetensors:

    python -m npn.training.generator mixtures --data DIR --out RUN --seed 1 --device cuda
    python -m npn.training.generator npn --tracker RUN --data DIR --out RUN

and have it say the next step after every context of the test part.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from npn.errors import NpnError
from npn.networks.generator.config import KINDS, GeneratorConfig
from npn.training.checkpoint import write_bytes
from npn.training.generator.data import GenerationData, Part
from npn.training.generator.outputs import DECODINGS, generate
from npn.training.generator.pairs import Pairs
from npn.training.generator.profile import profile
from npn.training.generator.states import FrozenTracker
from npn.training.generator.trainer import Schedule, Trainer, begin

DEVELOPMENT = 2_000  # pairs of the development part that are said, to choose a decoding by


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        _run(given)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _run(given: argparse.Namespace) -> None:
    torch.set_float32_matmul_precision("high")
    torch.set_flush_denormal(True)  # gradients of far words fade to what a processor is slow with
    device = torch.device(given.device)
    data = GenerationData(given.data)
    parts = {
        name: data.part(name, given.recipes if name == "train" else 0)
        for name in ("train", "development", "test")
    }
    if (given.tracker is None) == (given.kind in ("entnet", "npn")):
        raise NpnError(
            f'the generator "{given.kind}" needs --tracker'
            if given.tracker is None
            else f'the generator "{given.kind}" reads no states of a tracker'
        )
    tracker = FrozenTracker.load(given.tracker, data, device) if given.tracker else None
    pairs = {name: _pairs(name, part, tracker, device) for name, part in parts.items()}
    config = GeneratorConfig(
        given.kind,
        len(data.words) + 2,
        tracker.size if tracker else 0,
        data.features.sizes if given.kind == "mixtures" else (),
        hidden_size=given.hidden,
    )
    model = begin(config, torch.from_numpy(data.embeddings()), given.seed).to(device)
    schedule = Schedule(
        epochs=given.epochs,
        batch=given.batch,
        learning_rate=given.learning_rate,
        halve_every=given.halve_every,
        seconds=max(given.until - time.time(), 0.1) if given.until else given.seconds,
    )
    origin = {"vocabulary": data.source, "recipes": parts["train"].recipes}
    trainer = Trainer(
        given.out, model, pairs["train"], pairs["development"], schedule, given.seed, origin
    )
    if given.profile:
        found = profile(trainer, pairs["train"], given.profile)
        write_bytes(given.out / "profile.json", json.dumps(found).encode())
        print(json.dumps(found), flush=True)
        return
    trainer.train(resume=given.resume)
    model.eval()
    for name, most in (
        ("test", given.most),
        ("development", min(DEVELOPMENT, given.most or DEVELOPMENT)),
    ):
        record = {
            "kind": given.kind,
            "seed": given.seed,
            "part": name,
            "decoding": {},
            "pairs": pairs[name].pairs[: most or None].tolist(),
        }
        for decoding in DECODINGS:
            said, told = generate(model.stepper(), pairs[name], data, decoding, most)
            record[decoding] = said
            record["decoding"][decoding] = told
            print(f"{given.out.name} {name} {told}", flush=True)
            write_bytes(given.out / f"{name}.json", json.dumps(record).encode())


def _pairs(name: str, part: Part, tracker: FrozenTracker | None, device: torch.device) -> Pairs:
    """All pairs to learn from; of the test part those with a context."""
    states = tracker.states(part, device) if tracker else None
    return Pairs(part, device, states=states, first=0 if name == "train" else 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m npn.training.generator", description="Train a next-step generator."
    )
    usual = Schedule()
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--data", required=True, type=Path, help="made by ….generation.prepare")
    parser.add_argument("--out", required=True, type=Path, help="the folder of this run")
    parser.add_argument("--tracker", type=Path, help="run of npn train, for entnet and npn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--epochs", type=int, default=usual.epochs)
    parser.add_argument("--batch", type=int, default=usual.batch)
    parser.add_argument("--learning-rate", type=float, default=usual.learning_rate)
    parser.add_argument("--halve-every", type=int, default=usual.halve_every, metavar="EPOCHS")
    parser.add_argument("--hidden", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.0, help="most for training (0: any)")
    parser.add_argument("--until", type=float, default=0.0, help="when to end (seconds since 1970)")
    parser.add_argument("--recipes", type=int, default=0, help="most for training (0: all)")
    parser.add_argument("--most", type=int, default=0, help="pairs to say of each part (0: all)")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument(
        "--profile", type=int, default=0, metavar="STEPS", help="measure so many steps, and end"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
