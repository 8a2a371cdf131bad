"""What a network in training says of gold recipes, and how good that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_batches import RecipeSigns, collate
from npn.runtime.mixtures_decoding import Decoder, Probabilities
from npn.runtime.mixtures_settings import MixtureSettings
from npn.trace import Trace
from npn.training.mixtures.examples import GoldExample
from npn.training.mixtures.learning import Hiding, hide, to_floats

Floats = NDArray[np.float32]
SHOWN = Hiding(structure=0, decision=0, name=0, mention=0, word=0)
HIDDEN = replace(SHOWN, decision=1)
BLIND = replace(HIDDEN, structure=1)
BATCH = 64


@dataclass(frozen=True, slots=True)
class Prediction:
    """Probabilities for one recipe."""

    attention: Floats  # (T, I)
    together: Floats  # (T, I, I)
    end_states: tuple[Floats, ...]  # (T, I, ends)
    places: Floats  # (T, I, 1 + K)

    @staticmethod
    def mean(several: Sequence[Prediction]) -> Prediction:
        return Prediction(
            np.mean([one.attention for one in several], axis=0),
            np.mean([one.together for one in several], axis=0),
            tuple(
                np.mean(ends, axis=0) for ends in zip(*(p.end_states for p in several), strict=True)
            ),
            np.mean([one.places for one in several], axis=0),
        )


@torch.no_grad()
def predict(
    network: MixtureNetwork, recipes: Sequence[RecipeSigns], hiding: Hiding, serving: float | None
) -> list[Prediction]:
    """`serving` in place of the recipes' own, if it is given."""
    network.eval()
    device = next(network.parameters()).device
    found = []
    for start in range(0, len(recipes), BATCH):
        some = recipes[start : start + BATCH]
        if serving is not None:
            some = [replace(one, serving=serving) for one in some]
        batch = collate(some).map(lambda a: torch.from_numpy(a).to(device))
        out = network(hide(to_floats(batch), hiding))
        attention, together = out.attention.cpu().numpy(), out.together.cpu().numpy()
        ends = [one.softmax(-1).cpu().numpy() for one in out.end_states]
        places = out.places.softmax(-1).cpu().numpy()
        for b, one in enumerate(some):
            T, n = len(one.sentences), len(one.names)
            K = max((len(s.places) for s in one.sentences), default=0)
            found.append(
                Prediction(
                    attention[b, :T, :n],
                    together[b, :T, :n, :n],
                    tuple(e[b, :T, :n] for e in ends),
                    places[b, :T, :n, : 1 + K],
                )
            )
    return found


def trace_of(example: GoldExample, prediction: Prediction, settings: MixtureSettings) -> Trace:
    recipe, signs = example.gold.recipe, example.example.signs
    states = [dict(state) for state in signs.states]
    decoder = Decoder(
        Probabilities(
            np.ones_like(prediction.attention, bool),
            prediction.attention,
            prediction.together,
            prediction.end_states,
            prediction.places,
        ),
        settings,
    )
    steps = tuple(
        decoder.step(t, text, one.rules, [place.name for place in one.places], states)
        for t, (text, one) in enumerate(zip(recipe.steps, signs.sentences, strict=True))
    )
    return Trace(recipe.title, "", recipe.ingredients, steps)


METRICS = (
    "entity_f1",
    "uncombined_recall",
    "combined_recall",
    "state_f1/five",
    "state_f1/location",
    "state_f1/shape",
    "ingredient_f1/five",
)


def scores(
    examples: Sequence[GoldExample], predictions: Sequence[Prediction], settings: MixtureSettings
) -> dict[str, dict[str, float]]:
    """By gold file and metric."""
    return score_traces(
        examples,
        [trace_of(e, p, settings) for e, p in zip(examples, predictions, strict=True)],
    )


def score_traces(
    examples: Sequence[GoldExample], traces: Sequence[Trace]
) -> dict[str, dict[str, float]]:
    found = {}
    for source in dict.fromkeys(e.source for e in examples):
        pairs = [(e.gold, t) for e, t in zip(examples, traces, strict=True) if e.source == source]
        counts = count_recipes([g for g, _ in pairs], [t for _, t in pairs]).sum(axis=0)
        all = tracking_scores(counts)
        found[source] = {m: round(float(all[m]), 4) for m in METRICS if not np.isnan(all[m])}
    return found


def rule_traces(examples: Sequence[GoldExample]) -> list[Trace]:
    """What the rules say of the same recipes."""
    return [
        Trace(
            e.gold.recipe.title,
            "",
            e.gold.recipe.ingredients,
            tuple(s.rules for s in e.example.signs.sentences),
        )
        for e in examples
    ]
