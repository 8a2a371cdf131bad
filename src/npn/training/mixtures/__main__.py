"""Train the mixture network, from corpora to weights, with PyTorch, NumPy and safetensors:

python -m npn.training.mixtures --data prepared/mixtures --out RUN --device cuda --seeds 3

The data folder holds corpus/*.jsonl.xz and gold/*.jsonl with gold/held_out.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_settings import MixtureSettings, sizes_for
from npn.training.checkpoint import write_tensors
from npn.training.mixtures import folds
from npn.training.mixtures.examples import GOLD_FILES, GoldExample, gold_examples
from npn.training.mixtures.prediction import (
    HIDDEN,
    SHOWN,
    Prediction,
    predict,
    rule_traces,
    score_traces,
    scores,
)
from npn.training.mixtures.schedule import (
    GOLD,
    PRETRAINING,
    on_device,
    pretrain,
    shorter,
    train_on_gold,
)
from npn.training.mixtures.silver import count_words, read_batches, write_silver

WORDS = 8_000
FOLDS = 5
DROPOUT = 0.15


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures")
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--epochs", type=int, default=PRETRAINING.epochs)
    parser.add_argument("--seconds", type=float, default=0, help="pretrain no longer than this")
    parser.add_argument("--recipes", type=int, default=0, help="of each corpus; 0 for all")
    parser.add_argument("--gold-epochs", type=int, default=GOLD.epochs)
    parser.add_argument("--folds", type=int, default=FOLDS, help="0 for no cross-validation")
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--silver", type=Path, help="the folder of batches, made if absent")
    parser.add_argument("--seed", type=int, help="train this one only, on batches that are there")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    if given.seed is not None:
        train(given)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        silver = given.silver or Path(folder)
        if not (silver / "vocabulary.json").exists():
            prepare(given, silver)
        own = [*(arguments if arguments is not None else sys.argv[1:]), "--silver", str(silver)]
        runs = [
            subprocess.Popen(
                [sys.executable, "-m", "npn.training.mixtures", *own, "--seed", str(s)]
            )
            for s in range(given.seeds)
        ]
        return max([run.wait() for run in runs])


def prepare(given: argparse.Namespace, silver: Path) -> None:
    start = time.perf_counter()
    paths = sorted((given.data / "corpus").glob("*.jsonl.xz"))
    vocabulary = count_words(paths, given.words, given.processes)
    print(f"{len(vocabulary)} words, {time.perf_counter() - start:.0f} s", flush=True)
    count = write_silver(paths, vocabulary, silver, given.processes, given.recipes)
    print(f"{count} recipes labelled, {time.perf_counter() - start:.0f} s", flush=True)


def train(given: argparse.Namespace) -> None:
    start = time.perf_counter()
    seed: int = given.seed
    torch.set_num_threads(4)
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    rng = random.Random(seed)
    device = torch.device(given.device)

    def log(stage: str, epoch: int, loss: float) -> None:
        took = time.perf_counter() - start
        if stage == "pretraining" or epoch % 5 == 0:
            print(f"seed {seed} {stage} {epoch}: loss {loss:.4f}, {took:.0f} s", flush=True)

    vocabulary = Vocabulary.from_dict(json.loads((given.silver / "vocabulary.json").read_text()))
    network = MixtureNetwork(sizes_for(len(vocabulary)), DROPOUT).to(device)
    batches = [on_device(pair, device) for pair in read_batches(given.silver)]
    log("pretraining", -1, 0.0)
    network = pretrain(
        network, batches, shorter(PRETRAINING, given.epochs), rng, log, given.seconds
    )
    pretrained = {name: p.detach().clone() for name, p in network.parameters_by_name().items()}
    del batches
    examples = gold_examples(
        given.data / "gold", GOLD_FILES, WeakLabeller(load_lexicon()), vocabulary
    )
    header = {"vocabulary": vocabulary.to_dict()}
    gold_stage = shorter(GOLD, given.gold_epochs)

    def from_pretrained() -> MixtureNetwork:
        fresh = MixtureNetwork(sizes_for(len(vocabulary)), DROPOUT).to(device)
        fresh.load(pretrained)
        return fresh

    final = train_on_gold(from_pretrained(), [e.example for e in examples], gold_stage, rng, log)
    tensors = {f"pretrained.{name}": p for name, p in pretrained.items()}
    tensors |= {f"final.{name}": p for name, p in final.parameters_by_name().items()}
    write_tensors(given.out / f"weights-{seed}.safetensors", tensors, header)
    if given.folds and seed == 0:  # choices are made, and numbers calibrated, on one seed
        order = list(range(len(examples)))
        random.Random(0).shuffle(order)
        held_out: dict[int, list[Prediction]] = {}
        for k in range(given.folds):
            held = set(order[k :: given.folds])
            tuned = train_on_gold(
                from_pretrained(),
                [e.example for i, e in enumerate(examples) if i not in held],
                gold_stage,
                rng,
                log,
            )
            chosen = sorted(held)
            some = [examples[i].example.signs for i in chosen]
            variants = [
                predict(tuned, some, hiding, serving)
                for hiding in (SHOWN, HIDDEN)
                for serving in (0.0, 1.0)
            ]
            for at, i in enumerate(chosen):
                held_out[i] = [variant[at] for variant in variants]
        report(seed, examples, [held_out[i] for i in range(len(examples))])
        folds.write_folds(given.out / f"folds-{seed}.safetensors", held_out)
    log("done", 0, 0.0)


def report(
    seed: int, examples: Sequence[GoldExample], variants: Sequence[Sequence[Prediction]]
) -> None:
    """Print the scores of held-out folds: rules, and the network with this or that shown."""

    def show(name: str, found: dict[str, dict[str, float]]) -> None:
        for source, values in found.items():
            print(f"seed {seed} {name:24} {source:17} {json.dumps(values)}", flush=True)

    show("rules", score_traces(examples, rule_traces(examples)))
    for name, views in {
        "shown": (folds.SHOWN,),
        "hidden": (folds.HIDDEN,),
        "both": (folds.SHOWN, folds.HIDDEN),
        "both, serving": (folds.SHOWN_SERVING, folds.HIDDEN_SERVING),
        "both, half serving": range(4),
    }.items():
        show(name, scores(examples, folds.mean_views(variants, views), MixtureSettings()))


if __name__ == "__main__":
    sys.exit(main())
