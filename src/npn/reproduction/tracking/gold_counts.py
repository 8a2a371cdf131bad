"""The gold of the report, and how a trained network does on it: counts for each recipe, kept beside
the network's weights. So a report needs no network, and runs can be made elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.evaluation.bootstrap import Array
from npn.evaluation.embeddings import cosine_rises
from npn.evaluation.gold import GoldRecipe, read_gold
from npn.evaluation.selections import early_share
from npn.evaluation.tracking import COUNTS, count_recipes
from npn.networks.common.files import read_tensors, write_tensors
from npn.networks.paper.batch import EncodedRecipe, Outcome
from npn.networks.paper.decoding import Decoder, RawDecoder, StepChoice, StepNumbers, choose
from npn.networks.paper.network import NeuralProcessNetwork
from npn.networks.paper.tracker import encode_recipe, name_all, text_encoder
from npn.reproduction.rows import COMPARED, GOLD, TEST
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


def record(run: Path, gold: Path, device: torch.device | None = None) -> None:
    """Count how the network of `run` does on the gold in a folder, into the folder of the run: by
    gold set, as its traces tell it ("traced/NAME") and straight from its predictors ("raw/NAME");
    and of a network that figure 3 compares, how much more alike its states of ingredients become
    ("rises/NAME"). All have a row for each recipe."""
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
        choices, cosines = zip(*_read(trained, recipes), strict=True)
        traced = gold_traces(recipes, choices, Decoder)
        raw = gold_traces(recipes, choices, RawDecoder)
        tensors[f"traced/{name}"] = count_recipes(recipes, traced)
        tensors[f"raw/{name}"] = count_recipes(recipes, raw)
        if header["experiment"]["name"] in COMPARED:
            tensors[f"rises/{name}"] = np.stack(list(map(cosine_rises, recipes, cosines)))
        if name == TEST:
            header["early"] = early_share(recipes, traced)
    if isinstance(trained.network, NeuralProcessNetwork):
        F = trained.network.action_selector.F  # noqa: N806
        tensors["action_embeddings"] = F.detach().cpu().numpy()
    write_tensors(run / COUNTED, tensors, header)


Reading = tuple[list[StepChoice], NDArray[np.float32]]


def _read(trained: Trained, gold: Sequence[GoldRecipe]) -> Iterator[Reading]:
    """What a network says of each recipe: what it selects in each step, and the cosines of the
    ingredients' states (T + 1, I, I) before the first step and after each. A step is read as one
    sentence: gold is never split."""
    encoder = text_encoder(trained.vocabulary)
    for start in range(0, len(gold), BATCH):
        recipes = [one.recipe for one in gold[start : start + BATCH]]
        yield from _read_batch(
            trained, [encode_recipe(encoder, name_all(r.ingredients)[1], r.steps) for r in recipes]
        )


def _read_batch(trained: Trained, recipes: Sequence[EncodedRecipe]) -> Iterator[Reading]:
    batch = batch_on(recipes, trained.network.words.device)
    with torch.no_grad():
        outcome: Outcome = trained.network(batch)
        first = trained.network.keys(batch)
    actions = torch.sigmoid(outcome.action_logits).cpu().numpy()
    attention = outcome.attention.cpu().numpy()
    end_states = [torch.softmax(logits, -1).cpu().numpy() for logits in outcome.end_states]
    if not outcome.memory.shape[-1]:  # of a network without states
        first = first[..., :0]
    for b, recipe in enumerate(recipes):
        steps, count = len(recipe.sentences), len(recipe.entities)
        numbers = StepNumbers(
            actions[b, :steps], attention[b, :steps, :count], [one[b, :steps] for one in end_states]
        )
        states = torch.cat([first[b, None, :count], outcome.memory[b, :steps, :count]])
        unit = torch.nn.functional.normalize(states, dim=-1)
        cosines = (unit @ unit.transpose(-1, -2)).cpu().numpy()
        yield list(choose(numbers, trained.vocabulary)), cosines


def gold_traces(
    gold: Sequence[GoldRecipe], choices: Sequence[Sequence[StepChoice]], decoding: type[Decoder]
) -> list[Trace]:
    """What a network selects in each step, as traces; as it stands, with `RawDecoder`."""
    found = []
    for one, chosen in zip(gold, choices, strict=True):
        ingredients, _ = name_all(one.recipe.ingredients)
        decoder = decoding(ingredients)
        steps = tuple(map(decoder.trace_step, one.recipe.steps, chosen))
        found.append(Trace(one.recipe.title, "", ingredients, steps))
    return found


# -- What was recorded.


@dataclass(frozen=True, slots=True)
class CountedRun:
    folder: Path
    header: Mapping[str, Any]
    tensors: Mapping[str, NDArray[Any]]

    def counts(self, kind: str) -> dict[str, Array]:
        """By gold set, a row for each recipe; `kind` is "traced", "raw" or "rises"."""
        names = {name: f"{kind}/{name}" for name in GOLD}
        return {name: self.tensors[key] for name, key in names.items() if key in self.tensors}

    def is_of(self, gold: Path) -> bool:
        """Whether it was counted on this very gold."""
        counted = self.header["gold"], self.header["columns"]
        return counted == (gold_hashes(gold), list(COUNTS))


SeedRuns = Mapping[int, CountedRun]  # by seed
CountedRuns = Mapping[str, SeedRuns]  # by key: the experiment, and its labels if they are not ours


def read_run(folder: Path) -> CountedRun:
    file = read_tensors(folder / COUNTED)
    return CountedRun(folder, file.header, file.tensors)


def is_recorded(run: Path, gold: Path) -> bool:
    return (run / COUNTED).is_file() and read_run(run).is_of(gold)


def read_runs(folder: Path, gold: Path) -> CountedRuns:
    """The runs in a folder that have been counted, which must have been on this gold."""
    found: dict[str, dict[int, CountedRun]] = {}
    for path in sorted(folder.glob(f"*-*/{COUNTED}")):
        key, _, seed = path.parent.name.rpartition("-")
        if not seed.isdigit():
            continue
        run = found.setdefault(key, {})[int(seed)] = read_run(path.parent)
        if not run.is_of(gold):
            raise NpnError(
                f"{run.folder} was counted on another gold than that in {gold}: make it again "
                "where its weights are"
            )
    return found
