"""Generation metrics: what suggested steps have in common with the steps that came.

- bleu: corpus BLEU of up to four words in a row, smoothed as sacrebleu does by default, from
  sacrebleu's own counts; in percent, as all four of the paper's metrics.
- rouge_l: the mean over steps of the F-measure of the longest common subsequence.
- verb_f1: micro F1 of (step, action), each once a step.
- state_f1: micro F1 of (step, type, end state), each once a step.
- listed: of the foods that the suggestions mention, the share that the recipe lists.
- copies: the share of suggestions that stand word by word among the training sentences.
- words: of a suggestion, in the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from npn.evaluation.bootstrap import Array
from npn.evaluation.counts import by_name, ratio, set_scores

ORDERS = (1, 2, 3, 4)
COUNTS = (
    *(f"ngrams_right_{n}" for n in ORDERS),
    *(f"ngrams_{n}" for n in ORDERS),
    *("candidate_words", "reference_words"),
    *("steps", "rouge_l", "copies"),
    *("verbs_right", "verbs_predicted", "verbs_gold"),
    *("states_right", "states_predicted", "states_gold"),
    *("foods", "foods_listed"),
)
PAPERS = ("bleu", "rouge_l", "verb_f1", "state_f1")  # the columns of table 5
HONEST = ("listed", "copies")


@dataclass(frozen=True, slots=True)
class ReadStep:
    """What a step says: its actions, the (type, end state) pairs they bring about, how many foods
    it mentions and how many of these the recipe lists."""

    actions: frozenset[str]
    end_states: frozenset[tuple[str, str]]
    foods: int = 0
    listed: int = 0


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a suggestion and the step that came have in common, word by word. `right` and `all`
    are n-grams of one to four words; `copy` if the suggestion is a training sentence."""

    right: tuple[int, ...]
    all: tuple[int, ...]
    candidate_words: int
    reference_words: int
    rouge_l: float
    copy: bool = False


def count_step(overlap: Overlap, candidate: ReadStep, reference: ReadStep) -> Array:
    """The counts of one suggestion, in the order of COUNTS."""
    return np.array(
        [
            *overlap.right,
            *overlap.all,
            *(overlap.candidate_words, overlap.reference_words),
            *(1, overlap.rouge_l, overlap.copy),
            *_pairs(candidate.actions, reference.actions),
            *_pairs(candidate.end_states, reference.end_states),
            *(candidate.foods, candidate.listed),
        ],
        np.float64,
    )


def generation_scores(sums: Array) -> dict[str, Array]:
    """Every metric from sums of counts (..., COUNTS), in percent but for `words`; not a number
    where there is nothing to measure."""
    counts = by_name(COUNTS, sums)
    steps = counts["steps"]
    return {
        "bleu": 100 * _bleu(counts),
        "rouge_l": 100 * ratio(counts["rouge_l"], steps),
        "verb_f1": 100 * set_scores(counts, "verbs")["verbs_f1"],
        "state_f1": 100 * set_scores(counts, "states")["states_f1"],
        "listed": 100 * ratio(counts["foods_listed"], counts["foods"]),
        "copies": 100 * ratio(counts["copies"], steps),
        "words": ratio(counts["candidate_words"], steps),
    }


def _pairs(predicted: frozenset[object], gold: frozenset[object]) -> tuple[int, int, int]:
    return len(predicted & gold), len(predicted), len(gold)


def _bleu(counts: Mapping[str, Array]) -> Array:
    """As sacrebleu with its default smoothing: the k-th order without a match counts as if it had
    1 / 2^k; an order without any n-gram makes the whole 0."""
    right = np.stack([counts[f"ngrams_right_{n}"] for n in ORDERS])
    every = np.stack([counts[f"ngrams_{n}"] for n in ORDERS])
    missed = (right == 0).cumsum(axis=0)
    precision = np.where(right > 0, right, 0.5**missed) / np.maximum(every, 1)
    predicted, wanted = counts["candidate_words"], counts["reference_words"]
    brevity = np.exp(np.minimum(0, 1 - wanted / np.maximum(predicted, 1)))
    nothing = (every == 0).any(axis=0) | (right == 0).all(axis=0)
    return np.where(nothing, 0.0, brevity * np.exp(np.log(precision).mean(axis=0)))
