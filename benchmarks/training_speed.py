"""How fast training is: steps a second beside a plain loop over recipes and steps, and an epoch.

    python benchmarks/training_speed.py                          # the plain loop beside ours
    python benchmarks/training_speed.py --device cuda --epoch    # 65,816 recipes, where time goes
    python benchmarks/training_speed.py --device cuda --epoch --data PREPARED

Without --data, recipes are random numbers as many and as long as those of the paper's corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn

from npn.networks.paper.batch import PAD, Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.losses import Labels
from npn.networks.paper.network import NeuralProcessNetwork
from npn.trace import STATE_TYPES
from npn.training.config import read_network_experiment
from npn.training.data.prepared import Prepared, read_prepared
from npn.training.paper.batching import shuffled
from npn.training.paper.beginning import initialise
from npn.training.paper.dataset import Dataset
from npn.training.paper.objectives import JointTraining
from npn.training.paper.run import TrackerRun
from npn.training.processes import Processes

RECIPES = 65_816
PLAIN_STEPS = 2  # the plain loop is slow
WORDS, ENTITIES, ACTIONS, END_STATES = 7_358, 2_996, 385, (270, 3, 4, 3, 5, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--data", type=Path, help="a folder that npn prepare wrote")
    parser.add_argument("--epoch", action="store_true", help="train whole epochs, no plain loop")
    parser.add_argument("--epochs", type=int, default=2, help="of the network, with --epoch")
    parser.add_argument("--steps", type=int, default=10, help="of ours that are timed")
    parser.add_argument("--recipes", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(1)
    device = torch.device(given.device)
    with tempfile.TemporaryDirectory() as scratch:
        recipes = given.recipes or (RECIPES if given.epoch else 2_000)
        folder = given.data or write_random(Path(scratch) / "data", recipes)
        prepared = read_prepared(folder)
        experiment = read_network_experiment("paper")
        print(f"PyTorch {torch.__version__}, {_name(device)}, {torch.get_num_threads()} threads")
        dataset = Dataset(prepared, "train", device)
        network = NeuralProcessNetwork(NetworkConfig(prepared.sizes, experiment.network))
        initialise(network, experiment, prepared)
        network.to(device)
        objective = JointTraining(network, experiment.losses)
        batches = shuffled(dataset.sentences, 64, (1, 0))
        if given.epoch:
            where_time_goes(dataset, objective, batches, 50)
            run = whole_epochs(prepared, Path(scratch) / "run", device, given.epochs)
            if device.type == "cuda":
                where_device_time_goes(run, 100)
        else:
            beside_plain_loop(dataset, network, objective, batches, given.steps)


def beside_plain_loop(
    dataset: Dataset,
    network: NeuralProcessNetwork,
    objective: JointTraining,
    batches: Sequence[NDArray[np.int64]],
    steps: int,
) -> None:
    first = dataset.batch(batches[0])
    batch, labels = first.inputs, first.labels
    network.eval()
    with torch.no_grad():
        ours = _whole(objective(batch, labels))
        plain = sum(plain_losses(network, batch, labels), torch.zeros(()))
    print(f"loss of the same batch: ours {float(ours):.5f}, plain loop {float(plain):.5f}")
    if not torch.allclose(ours, plain, rtol=1e-4):
        raise SystemExit("the plain loop is not the same network")
    network.train()
    optimiser = torch.optim.Adam(network.parameters(), fused=True)

    def fast(number: int) -> None:
        batch = dataset.batch(batches[number])
        torch.autograd.backward(_whole(objective(batch.inputs, batch.labels)))
        update()

    def run(step: Callable[[int], None], numbers: list[int]) -> None:
        for number in numbers:
            step(number)

    def slow(number: int) -> None:
        batch = dataset.batch(batches[number])
        for loss in plain_losses(network, batch.inputs, batch.labels):
            torch.autograd.backward(loss)
        update()

    def update() -> None:
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)

    sizes = np.array([dataset.sentences[recipes].sum() for recipes in batches])
    usual = np.argsort(np.abs(sizes - sizes.mean()))[:PLAIN_STEPS].tolist()
    run(fast, usual)  # warm
    rounds = max(steps // len(usual), 1)
    seconds = _timed(lambda: run(fast, usual * rounds), dataset.device) / (rounds * len(usual))
    seconds_plain = _timed(lambda: run(slow, usual), dataset.device) / len(usual)
    print(f"ours        {1 / seconds:8.2f} steps/s of 64 recipes ({64 / seconds:,.0f} recipes/s)")
    print(f"plain loop  {1 / seconds_plain:8.2f} steps/s of 64 recipes")
    print(f"ratio       {seconds_plain / seconds:8.1f}")


def plain_losses(network: NeuralProcessNetwork, batch: Batch, labels: Labels) -> Iterator[Tensor]:
    """Each recipe's share of the loss, by the same network and losses as one would first write
    them: a loop over recipes, in it a loop over their sentences."""
    sentences = _sentences(batch)
    steps = batch.steps.sum()
    labelled = (labels.labelled & batch.steps).sum().clamp(min=1)
    selector, chooser = network.action_selector, network.entity_selector
    memory_of, applicator = network.entity_memory, network.applicator
    drop, linear = network.dropout, nn.functional.linear
    eps = network.config.options.epsilon
    for r in range(len(batch.steps)):
        many = int(batch.present[r].sum())
        names = batch.names[r, :many]
        spelled = (names != 0).float()
        words = nn.functional.embedding(names, network.words) * spelled[..., None]
        named = words.sum(1) / spelled.sum(1, keepdim=True).clamp(min=1) @ memory_of.W_name.T
        entities = batch.entities[r, :many]
        known = nn.functional.embedding(entities, memory_of.E)
        memory = first = torch.where((entities == 1)[:, None], named, known)
        a = covered = coverage = torch.zeros(many)
        loss = torch.zeros(())
        read = [sentences[row] for row in batch.rows[r][batch.steps[r]].tolist()]
        spelled_out = torch.tensor([word for sentence in read for word in sentence])
        vectors = nn.functional.embedding(spelled_out, network.words)
        for t, sentence in enumerate(torch.split(vectors, [len(sentence) for sentence in read])):
            h_action = network.action_encoder.gru(sentence[:, None])[1][0, 0]
            h = network.entity_encoder.gru(sentence[:, None])[1][0, 0]
            hidden = torch.relu(linear(drop(h_action), selector.W_h, selector.b_h))
            logits = linear(drop(hidden), selector.W_p, selector.b_p)
            w_p = torch.sigmoid(logits)
            f = (w_p / (w_p.sum() + eps)) @ selector.F
            summary = torch.relu(linear(drop(h), chooser.W_1, chooser.b_1))
            d = torch.sigmoid(first @ (chooser.W_2 @ drop(torch.cat([summary, w_p]))))
            c = torch.softmax(linear(drop(summary), chooser.W_3, chooser.b_3), 0)
            a = c[0] * d + c[1] * a
            selected = (a / (a.sum() + eps)) @ memory
            operator = (f @ applicator.W_4.flatten(1)).view(len(f), len(f))
            k = torch.relu(operator @ selected + applicator.b_4)
            memory = a[:, None] * k + (1 - a[:, None]) * memory
            heads = zip(network.state_predictors.W_s, network.state_predictors.b_s, strict=True)
            for s, (weight, bias) in enumerate(heads):
                seen = torch.cat([k, h]) if s == 0 else k
                scores = torch.log_softmax(linear(drop(seen), weight, bias), 0)
                loss = loss - (labels.end_states[s][r, t] * scores).sum() / steps
            loss = loss + (
                nn.functional.binary_cross_entropy_with_logits(
                    logits, labels.actions[r, t], reduction="sum"
                )
                / steps
            )
            covered = c[0] * d + c[1] * covered
            if labels.labelled[r, t]:
                wanted = labels.selected[r, t, :many]
                paid = nn.functional.binary_cross_entropy(a.clamp(0, 1), wanted, reduction="sum")
                loss = loss + paid / labelled
                covered = covered.detach()
            coverage = coverage + covered
        yield loss - coverage.clamp(1e-8, 1).log().mean() / len(batch.steps)


def _sentences(batch: Batch) -> list[list[int]]:
    """The words of each row of the batch, unpacked."""
    counts = batch.counts.tolist()
    sentences: list[list[int]] = [[] for _ in range(counts[0])]
    start = 0
    for count in counts:
        for row, word in enumerate(batch.words[start : start + count].tolist()):
            sentences[row].append(word)
        start += count
    return sentences


def where_time_goes(
    dataset: Dataset,
    objective: JointTraining,
    batches: Sequence[NDArray[np.int64]],
    steps: int,
) -> None:
    """Each part alone, the device waited for after it: together more than a step really takes."""
    optimiser = torch.optim.Adam(objective.parameters(), fused=True)
    spent = dict.fromkeys(("gather", "forward", "backward", "clip and Adam"), 0.0)
    state: dict[str, Any] = {}

    def gather(number: int) -> None:
        state["batch"] = dataset.batch(batches[number])

    def forward(_: int) -> None:
        batch = state["batch"]
        state["loss"] = _whole(objective(batch.inputs, batch.labels))

    def backward(_: int) -> None:
        optimiser.zero_grad(set_to_none=True)
        state["loss"].backward()

    def update(_: int) -> None:
        nn.utils.clip_grad_norm_(objective.parameters(), 5.0)
        optimiser.step()

    parts = zip(spent, (gather, forward, backward, update), strict=True)
    timed = list(parts)
    for number in range(min(steps, len(batches))):
        for name, part in timed:
            seconds = _timed(lambda p=part, n=number: p(n), dataset.device)  # type: ignore[misc]
            spent[name] += seconds if number >= 5 else 0.0  # the first are warming up
    measured = max(min(steps, len(batches)) - 5, 1)
    for name, seconds in spent.items():
        print(f"{name:14} {1000 * seconds / measured:7.2f} ms a step")
    seconds = _timed(lambda: dataset.usual_shapes(64), dataset.device)
    print(f"{'usual shapes':14} {seconds:7.2f} s, once")


def where_device_time_goes(run: TrackerRun, steps: int) -> None:
    """What the device does in recorded steps, by kind of kernel."""
    from torch.profiler import ProfilerActivity, profile

    size = run.experiment.training.batch_size
    shapes = run.train.usual_shapes(size)
    epoch = shuffled(run.train.sentences, size, (1, 2))
    batches = [run.train.batch(recipes, shapes) for recipes in epoch]
    played = [number for number, batch in enumerate(batches) if batch.shape is not None]
    print(
        f"{len({batches[n].shape for n in played})} forms; {len(played) / len(batches):.1%} of the "
        f"steps are played, with {_words([batches[n].inputs for n in played]):.2f} times their "
        "words"
    )
    run.loop.begin_phase()
    for number in played[: 8 * steps]:  # until the forms are recorded
        run.loop.step(number, batches[number])
    chosen = played[:steps]

    def play() -> None:
        for number in chosen:
            run.loop.step(number, batches[number])

    seconds = _timed(play, run.loop.device)
    print(f"{'a played step':24} {1000 * seconds / len(chosen):7.3f} ms")
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        play()
        torch.cuda.synchronize()
    spent: dict[str, float] = {}
    calls = 0
    for event in profiled.key_averages():
        if event.self_device_time_total:
            kind = _kind(event.key)
            spent[kind] = spent.get(kind, 0.0) + event.self_device_time_total
            calls += event.count
    for kind, microseconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {kind:22} {microseconds / 1000 / len(chosen):7.3f} ms of kernels a step")
    print(f"  {calls / len(chosen):.0f} kernels and copies a step")


def _kind(kernel: str) -> str:
    name = kernel.lower()
    kinds = {
        "recurrent (cuDNN)": ("rnn", "gru", "persist"),
        "matrix products": ("gemm", "gemv", "cutlass", "cublas", "dot_kernel", "splitk"),
        "word and entity tables": ("embedding", "indexselect", "index_select", "sort", "radix"),
        "Adam, clipping": ("adam", "multi_tensor", "norm"),
        "copies and filling": ("memcpy", "memset", "copy", "fill", "cat"),
        "dropout": ("dropout",),
    }
    for kind, marks in kinds.items():
        if any(mark in name for mark in marks):
            return kind
    return "elementwise and sums"


def _words(batches: Sequence[Batch]) -> float:
    filled = sum(len(batch.words) for batch in batches)
    return filled / max(sum(int((batch.words != PAD).sum()) for batch in batches), 1)


def whole_epochs(prepared: Prepared, folder: Path, device: torch.device, epochs: int) -> TrackerRun:
    settings = [f"training.epochs={epochs}", "training.pretrain_epochs=1"]
    experiment = read_network_experiment("paper", settings)
    run = TrackerRun(experiment, prepared, folder, Processes(0, 1, device))
    run.run()
    for line in (folder / "log.jsonl").read_text().splitlines():
        record = json.loads(line)
        seconds = record["seconds"]
        print(f"{record['phase']} epoch {record['epoch']}: {seconds:.2f} s, development included")
    return run


def write_random(folder: Path, recipes: int) -> Path:
    """A prepared folder of random numbers, as long as recipes are."""
    folder.mkdir()
    random = np.random.default_rng(1)
    vocabulary = {
        "words": [str(i) for i in range(WORDS)],
        "entities": [str(i) for i in range(ENTITIES)],
        "actions": [str(i) for i in range(ACTIONS)],
        "end_states": {
            kind: [str(i) for i in range(size)]
            for kind, size in zip(STATE_TYPES, END_STATES, strict=True)
        },
    }
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary))
    embeddings = {
        "words": random.normal(0, 0.3, (WORDS, 100)),
        "entities": random.normal(0, 0.3, (ENTITIES, 30)),
        "actions": random.normal(0, 0.3, (ACTIONS, 30)),
    }
    save_file(
        {name: array.astype(np.float32) for name, array in embeddings.items()},
        folder / "embeddings.safetensors",
    )
    for split, count in (("train", recipes), ("development", 175), ("test", 1)):
        save_file(_random_split(random, count), folder / f"{split}.safetensors")
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "hashes": hashes}))
    return folder


def _random_split(random: np.random.Generator, recipes: int) -> dict[str, NDArray[Any]]:
    sentences = 2 + random.negative_binomial(4, 4 / 13, recipes)  # about 11
    ingredients = 3 + random.poisson(7, recipes)
    total, things = int(sentences.sum()), int(ingredients.sum())
    words = np.clip(random.gamma(3, 14 / 3, total).astype(np.int64), 1, 80)
    names = random.integers(1, 4, things)
    evidence = (random.random(total) < 0.6).astype(np.uint8)
    actions = random.poisson(1.5, total)
    changes = random.poisson(2, total)
    chosen = evidence.astype(np.int64) * (1 + random.poisson(1, total))
    most = np.repeat(ingredients, sentences)
    kinds = random.integers(0, 6, int(changes.sum()))
    ends = 1 + (random.random(len(kinds)) * (np.array(END_STATES)[kinds] - 1)).astype(np.int64)
    zipf = (WORDS - 2) ** random.random(int(words.sum()))  # common words are common
    return {
        "tokens": (1 + zipf).astype(np.uint16),
        "sentence_tokens": _offsets(words),
        "recipe_sentences": _offsets(sentences),
        "ingredients": random.integers(1, ENTITIES, things).astype(np.int32),
        "recipe_ingredients": _offsets(ingredients),
        "ingredient_tokens": random.integers(2, WORDS, int(names.sum())).astype(np.int32),
        "ingredient_token_offsets": _offsets(names),
        "actions": random.integers(1, ACTIONS, int(actions.sum())).astype(np.int16),
        "sentence_actions": _offsets(actions),
        "evidence": evidence,
        "selected": (random.random(int(chosen.sum())) * np.repeat(most, chosen)).astype(np.int16),
        "sentence_selected": _offsets(chosen),
        "changes": np.stack([kinds, ends, np.full_like(kinds, -1)], 1).astype(np.int16),
        "sentence_changes": _offsets(changes),
    }


def _offsets(lengths: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _whole(losses: tuple[Tensor, Tensor]) -> Tensor:
    totals, counts = losses
    return (totals / counts.clamp(min=1)).sum()


def _timed(work: Callable[[], Any], device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize()
    began = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began


def _name(device: torch.device) -> str:
    return torch.cuda.get_device_name() if device.type == "cuda" else "CPU"


if __name__ == "__main__":
    main()
