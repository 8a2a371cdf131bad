"""The gold of the report, and how a trained network does on it: counts for each recipe, kept beside
the network's weights. So a report needs no network, and runs can be made elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.evaluation.bootstrap import Array
from npn.evaluation.embeddings import cosine_rises
from npn.evaluation.gold import GoldRecipe, read_gold
from npn.evaluation.selections import early_share
from npn.evaluation.tracking import COUNTS, count_recipes
from npn.networks.common.files import TensorFile, read_tensors, write_tensors
from npn.networks.paper.batch import EncodedRecipe, Outcome
from npn.networks.paper.decoding import Decoder, RawDecoder, StepChoice, StepNumbers, choose
from npn.networks.paper.network import NeuralProcessNetwork
from npn.networks.paper.tracker import encode_recipe, name_all, text_encoder
from npn.reproduction.rows import GOLD, TEST
from npn.trace import Trace
from npn.training.trained import Trained, batch_on, load_run

Golds = Mapping[str, Sequence[GoldRecipe]]  # by the name of the set


def read_golds(folder: Path) -> Golds:
    """The gold files of the report that lie in `folder`, by name."""
    golds = {name: read_gold(path) for name, path in _gold_files(folder).items()}
    if not golds:
        raise NpnError(f"{folder} holds no gold: it should have {', '.join(GOLD)} (.jsonl)")
    return golds


def gold_hashes(folder: Path) -> dict[str, str]:
    """Tells the gold of one folder from that of another, set by set."""
    files = _gold_files(folder).items()
    return {name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for name, path in files}


def _gold_files(folder: Path) -> dict[str, Path]:
    found = {name: folder / f"{name}.jsonl" for name in GOLD}
    return {name: path for name, path in found.items() if path.is_file()}


# -- Counting what a network says of the gold.

COUNTED = "counts.safetensors"
BATCH = 64


def record(
    run: Path, gold: Path, device: torch.device | None = None, *, similarity: bool = True
) -> None:
    """Count how the network of `run` does on the gold in a folder, into the folder of the run: by
    gold set, as its traces tell it ("traced/NAME") and straight from its predictors ("raw/NAME");
    and, if `similarity` is asked for and the network has states of ingredients, how much more alike
    these become ("rises/NAME"). All have a row for each recipe."""
    trained = load_run(run, device)
    tensors: dict[str, NDArray[Any]] = {}
    header: dict[str, Any] = {
        "kind": "counts",
        "columns": list(COUNTS),
        "gold": gold_hashes(gold),
        "experiment": trained.header["experiment"],
        "data": trained.header["data"],
        "finished": trained.finished,
    }
    for name, recipes in read_golds(gold).items():
        read = _read(trained, recipes)
        choices = [one.choices for one in read]
        traced = gold_traces(recipes, choices, Decoder)
        raw = gold_traces(recipes, choices, RawDecoder)
        tensors[f"traced/{name}"] = count_recipes(recipes, traced)
        tensors[f"raw/{name}"] = count_recipes(recipes, raw)
        cosines = [one.cosines for one in read if one.cosines is not None]
        if cosines and similarity:
            tensors[f"rises/{name}"] = np.stack(list(map(cosine_rises, recipes, cosines)))
        if name == TEST:
            header["early"] = early_share(recipes, traced)
    if isinstance(trained.network, NeuralProcessNetwork):
        F = trained.network.action_selector.F  # noqa: N806
        tensors["action_embeddings"] = F.detach().cpu().numpy()
    write_tensors(run / COUNTED, tensors, header)


def is_recorded(run: Path, gold: Path) -> bool:
    """Whether `run` has been counted on this very gold."""
    if not (run / COUNTED).is_file():
        return False
    header = read_tensors(run / COUNTED).header
    return (header["gold"], header["columns"]) == (gold_hashes(gold), list(COUNTS))


def recorded_counts(file: TensorFile, kind: str) -> dict[str, Array]:
    """By gold set, a row for each recipe; `kind` is "traced", "raw" or "rises"."""
    found = file.group(f"{kind}/")
    return {name: found[name] for name in GOLD if name in found}


class GoldReading(NamedTuple):
    """What a network says of a recipe: what it selects in each step, and the cosines of the
    ingredients' states (T + 1, I, I) before the first step and after each; None for a network
    without states."""

    choices: list[StepChoice]
    cosines: NDArray[np.float32] | None


def _read(trained: Trained, gold: Sequence[GoldRecipe]) -> list[GoldReading]:
    """Each step is read as one sentence: gold is never split."""
    encoder = text_encoder(trained.vocabulary)
    encoded = [
        encode_recipe(encoder, name_all(one.recipe.ingredients)[1], one.recipe.steps)
        for one in gold
    ]
    return [
        read
        for start in range(0, len(encoded), BATCH)
        for read in _read_batch(trained, encoded[start : start + BATCH])
    ]


def _read_batch(trained: Trained, recipes: Sequence[EncodedRecipe]) -> Iterator[GoldReading]:
    batch = batch_on(recipes, trained.network.words.device)
    with torch.no_grad():
        outcome: Outcome = trained.network(batch)
        first = trained.network.keys(batch)
    actions = torch.sigmoid(outcome.action_logits).cpu().numpy()
    if not actions.shape[-1]:  # of a baseline, which selects none
        actions = np.zeros((*actions.shape[:-1], len(trained.vocabulary.actions)), np.float32)
    attention = outcome.attention.cpu().numpy()
    end_states = [torch.softmax(logits, -1).cpu().numpy() for logits in outcome.end_states]
    for b, recipe in enumerate(recipes):
        steps, count = len(recipe.sentences), len(recipe.entities)
        numbers = StepNumbers(
            actions[b, :steps], attention[b, :steps, :count], [one[b, :steps] for one in end_states]
        )
        cosines = None
        if outcome.memory.shape[-1]:
            memory = torch.cat([first[b, None, :count], outcome.memory[b, :steps, :count]])
            unit = torch.nn.functional.normalize(memory, dim=-1)
            cosines = (unit @ unit.transpose(-1, -2)).cpu().numpy()
        yield GoldReading(list(choose(numbers, trained.vocabulary)), cosines)


def gold_traces(
    gold: Sequence[GoldRecipe],
    choices: Sequence[Sequence[StepChoice]],
    decoding: type[Decoder],
) -> list[Trace]:
    """What a network selects in each step, as traces; as it stands, with `RawDecoder`."""
    found = []
    for one, chosen in zip(gold, choices, strict=True):
        ingredients, _ = name_all(one.recipe.ingredients)
        decoder = decoding(ingredients)
        steps = tuple(map(decoder.trace_step, one.recipe.steps, chosen))
        found.append(Trace(one.recipe.title, "", ingredients, steps))
    return found
