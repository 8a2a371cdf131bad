"""The gold of the report, as text and as numbers, and what a trained network says of it, kept
beside its weights.

So a report needs no network, and a network no text: runs can be made elsewhere, and come back as
what they said.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe, read_gold
from npn.networks.common.files import ModelVocabulary, TensorFile, read_tensors, write_tensors
from npn.networks.paper.batch import EncodedRecipe, Outcome
from npn.networks.paper.decoding import SELECTED, StepNumbers
from npn.networks.paper.network import NeuralProcessNetwork, RecipeNetwork
from npn.networks.paper.tracker import encode_recipe, name_all, text_encoder
from npn.reproduction.rows import GOLD
from npn.training.trained import Trained, batch_on, load_run

Golds = Mapping[str, Sequence[GoldRecipe]]  # by the name of the set
EncodedGold = dict[str, list[EncodedRecipe]]  # by the name of the set


def encode_gold(golds: Golds, vocabulary: ModelVocabulary) -> EncodedGold:
    """Each step as one sentence: gold is never split."""
    encoder = text_encoder(vocabulary)

    def encode(gold: GoldRecipe) -> EncodedRecipe:
        _, names = name_all(gold.recipe.ingredients)
        return encode_recipe(encoder, names, gold.recipe.steps)

    return {name: [encode(one) for one in recipes] for name, recipes in golds.items()}


def read_golds(folder: Path) -> Golds:
    """The gold files of the report that lie in `folder`, by name."""
    found = {name: folder / f"{name}.jsonl" for name in GOLD}
    golds = {name: read_gold(path) for name, path in found.items() if path.is_file()}
    if not golds:
        raise NpnError(f"{folder} holds no gold: it should have {', '.join(GOLD)} (.jsonl)")
    return golds


def fingerprint(recipes: Sequence[EncodedRecipe]) -> str:
    """Tells one set of recipes, as numbers, from another."""
    content = [[list(map(list, r.sentences)), list(r.entities)] for r in recipes]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


# -- What a network says of the gold.

PREDICTIONS = "said.safetensors"
SIMILARITY = "similarity"
BATCH = 64
Floats = NDArray[np.float32]
Shape = tuple[int, int]  # steps and ingredients of a recipe


@dataclass(frozen=True, slots=True)
class PredictedRecipe:
    """`numbers` have a row a sentence; of actions and end states only what is selected was kept,
    others are 0. `similarity` (T + 1, I, I) holds the cosines of the ingredients' states before the
    first step and after each; None where a network has no states."""

    numbers: StepNumbers
    similarity: Floats | None


def record(
    run: Path,
    gold: EncodedGold,
    device: torch.device | None = None,
    *,
    similarity: bool = True,
) -> Path:
    """Write what the network of `run` says of `gold` into the folder of the run; `similarity` of
    its ingredients' states, which takes the most room, only if it is wanted."""
    trained = load_run(run, device)
    tensors: dict[str, NDArray[Any]] = {}
    for name, recipes in gold.items():
        parts = [
            part
            for start in range(0, len(recipes), BATCH)
            for part in _read(trained.network, recipes[start : start + BATCH])
        ]
        keys = [key for key in parts[0] if similarity or key != SIMILARITY]
        tensors |= {f"{name}/{key}": np.concatenate([p[key] for p in parts]) for key in keys}
    if isinstance(trained.network, NeuralProcessNetwork):
        F = trained.network.action_selector.F  # noqa: N806
        tensors["action_embeddings"] = F.detach().cpu().numpy()
    write_tensors(run / PREDICTIONS, tensors, _header(trained, gold))
    return run / PREDICTIONS


def is_recorded(run: Path, gold: EncodedGold) -> bool:
    """Whether `run` has said what it has to say of this very gold."""
    if not (run / PREDICTIONS).is_file():
        return False
    return read_tensors(run / PREDICTIONS).header.get("gold") == _fingerprints(gold)


def read_predictions(
    file: TensorFile, name: str, shapes: Sequence[Shape], vocabulary: ModelVocabulary
) -> list[PredictedRecipe]:
    """What was said of each recipe of the gold called `name`, given their shapes."""
    tensors = file.group(f"{name}/")
    lengths, sizes = [steps for steps, _ in shapes], [steps * count for steps, count in shapes]
    if len(tensors.get("action_counts", ())) != sum(lengths) or len(tensors["attention"]) != sum(
        sizes
    ):
        raise NpnError(f"{file.path} speaks of another {name} than this: record it again")
    sentences = np.arange(sum(lengths))
    actions = np.zeros((len(sentences), len(vocabulary.actions)), np.float32)
    acting = np.repeat(sentences, tensors["action_counts"])
    actions[acting, tensors["actions"]] = tensors["action_weights"]
    end_states = []
    for type, names in enumerate(vocabulary.end_states.values()):
        chances = np.zeros((len(sentences), len(names)), np.float32)
        chances[sentences, tensors["end_states"][:, type]] = tensors["chances"][:, type]
        end_states.append(_split(chances, lengths))
    paid = [
        one.reshape(shape)
        for one, shape in zip(_split(tensors["attention"], sizes), shapes, strict=True)
    ]
    numbers = map(StepNumbers, _split(actions, lengths), paid, zip(*end_states, strict=True))
    return list(map(PredictedRecipe, numbers, _similarities(tensors, shapes)))


def _similarities(tensors: dict[str, NDArray[Any]], shapes: Sequence[Shape]) -> list[Floats | None]:
    if SIMILARITY not in tensors:
        return [None] * len(shapes)
    lengths = [(steps + 1) * (n * (n - 1) // 2) for steps, n in shapes]
    flat = _split(tensors[SIMILARITY], lengths)
    return [
        _square(part.reshape(steps + 1, -1), n)
        for part, (steps, n) in zip(flat, shapes, strict=True)
    ]


def _split(values: NDArray[Any], counts: Any) -> list[NDArray[Any]]:
    """`values` cut into as many pieces as there are `counts`, each as long as its count says."""
    return np.split(values, np.cumsum(counts)[:-1])


def _header(trained: Trained, gold: EncodedGold) -> dict[str, Any]:
    return {
        "kind": "said",
        "gold": _fingerprints(gold),
        "experiment": trained.header["experiment"],
        "state": trained.header["state"],
        "data": trained.header["data"],
        "finished": trained.finished,
    }


def _fingerprints(gold: EncodedGold) -> dict[str, str]:
    return {name: fingerprint(recipes) for name, recipes in gold.items()}


def _read(
    network: RecipeNetwork, recipes: Sequence[EncodedRecipe]
) -> list[dict[str, NDArray[Any]]]:
    batch = batch_on(recipes, network.words.device)
    with torch.no_grad():
        outcome: Outcome = network(batch)
        first = network.keys(batch)
    return [_numbers(outcome, first, b, recipe) for b, recipe in enumerate(recipes)]


def _numbers(
    outcome: Outcome, first: Tensor, b: int, recipe: EncodedRecipe
) -> dict[str, NDArray[Any]]:
    steps, count = len(recipe.sentences), len(recipe.entities)
    weights = torch.sigmoid(outcome.action_logits[b, :steps]).cpu().numpy()
    selected = weights > SELECTED
    best = [torch.softmax(logits[b, :steps], -1).max(-1) for logits in outcome.end_states]
    numbers: dict[str, NDArray[Any]] = {
        "attention": outcome.attention[b, :steps, :count].reshape(-1).cpu().numpy(),
        "actions": np.nonzero(selected)[1].astype(np.int16),
        "action_weights": weights[selected].astype(np.float16),
        "action_counts": selected.sum(1).astype(np.int16),
        "end_states": torch.stack([one.indices for one in best], -1).cpu().numpy().astype(np.int16),
        "chances": torch.stack([one.values for one in best], -1).cpu().numpy().astype(np.float16),
    }
    if outcome.memory.shape[-1]:
        memory = torch.cat([first[b, None, :count], outcome.memory[b, :steps, :count]])
        unit = torch.nn.functional.normalize(memory, dim=-1)
        cosines = (unit @ unit.transpose(-1, -2)).cpu().numpy()
        upper = np.triu_indices(count, 1)
        numbers[SIMILARITY] = cosines[:, upper[0], upper[1]].reshape(-1).astype(np.float16)
    return numbers


def _square(pairs: NDArray[Any], count: int) -> Floats:
    square = np.ones((len(pairs), count, count), np.float32)
    upper = np.triu_indices(count, 1)
    square[:, upper[0], upper[1]] = pairs
    square[:, upper[1], upper[0]] = pairs
    return square
