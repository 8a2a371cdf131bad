"""Greedy and beam search."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import generator_contexts as contexts
import numpy as np
import pytest
import torch
from generator_contexts import END, START, V
from numpy.typing import NDArray

from npn.networks.generator.batch import collate
from npn.networks.generator.config import KINDS, Kind
from npn.networks.generator.decoding import Limits, beam, branches, greedy

LIMITS = Limits(START, END, longest=8)


@dataclass(frozen=True)
class Rows:
    rows: int
    said: tuple[tuple[int, ...], ...]


class Chances:
    """A stepper whose next word depends on the words said so far, by a table at random."""

    def __init__(self, words: int, contexts: int, seed: int) -> None:
        self.words, self.contexts, self.seed = words, contexts, seed

    def begin(self, context: Any) -> Rows:
        return Rows(self.contexts, ((),) * self.contexts)

    def after(self, said: tuple[int, ...]) -> NDArray[np.float64]:
        random = np.random.default_rng([self.seed, *said])
        scores = random.normal(size=self.words) * 2
        chances: NDArray[np.float64] = scores - np.log(np.exp(scores).sum())
        return chances

    def step(self, state: Rows, last: NDArray[np.int64]) -> tuple[Any, Rows]:
        said = tuple((*s, int(w)) for s, w in zip(state.said, last, strict=True))
        return np.stack([self.after(s) for s in said]), Rows(len(said), said)

    def select(self, state: Rows, rows: NDArray[np.int64]) -> Rows:
        return Rows(len(rows), tuple(state.said[r] for r in rows))

    reorder = select

    def score(self, ids: tuple[int, ...], end: int, start: int) -> float:
        said = (start, *ids, end)
        total = sum(self.after(said[:n])[said[n]] for n in range(1, len(said)))
        return float(total) / (len(said) - 1)


def chances(words: int, contexts: int, seed: int) -> Any:
    """Stands in for the stepper of a generator."""
    return Chances(words, contexts, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_beam_of_one_is_greedy(kind: Kind) -> None:
    stepper = contexts.in_numpy(contexts.generator(kind, seed=3))
    context = contexts.batch()
    first = [some[0] for some in beam(stepper, stepper.begin(context), LIMITS, 1)]
    for one, other in zip(greedy(stepper, stepper.begin(context), LIMITS), first, strict=True):
        assert one.ids == other.ids
        assert one.score == pytest.approx(other.score, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_is_decoded_as_its_contexts_alone(kind: Kind) -> None:
    stepper = contexts.in_numpy(contexts.generator(kind, seed=5))
    together = greedy(stepper, stepper.begin(contexts.batch()), LIMITS)
    beams = beam(stepper, stepper.begin(contexts.batch()), LIMITS, 3)
    for n, one in enumerate(contexts.examples()):
        assert greedy(stepper, stepper.begin(collate([one])), LIMITS)[0].ids == together[n].ids
        alone = beam(stepper, stepper.begin(collate([one])), LIMITS, 3)[0]
        assert [h.ids for h in alone] == [h.ids for h in beams[n]]


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_and_torch_decode_alike(kind: Kind) -> None:
    model = contexts.generator(kind, seed=7)
    context = contexts.batch()
    with torch.no_grad():
        theirs = beam(model.stepper(), model.stepper().begin(contexts.to_torch(context)), LIMITS, 3)
    ours = beam(contexts.in_numpy(model), contexts.in_numpy(model).begin(context), LIMITS, 3)
    assert [[h.ids for h in some] for some in ours] == [[h.ids for h in some] for some in theirs]


def test_a_beam_as_wide_as_all_there_is_finds_the_best() -> None:
    """Of all sentences of up to two words over four."""
    start, end = 4, 5
    limits = Limits(start, end, forbidden=(), longest=3)
    for seed in range(5):
        stepper = chances(6, 1, seed)
        every = [ids for length in (1, 2) for ids in product(range(4), repeat=length)]
        best = max(every, key=lambda ids: stepper.score(ids, end, start))
        found = beam(stepper, stepper.begin(None), limits, 64)[0]
        ended = [one for one in found if len(one.ids) < 3]
        assert ended[0].ids == best
        assert ended[0].score == pytest.approx(stepper.score(best, end, start))


def test_scores_fall() -> None:
    for some in beam(
        chances(12, 3, 1), chances(12, 3, 1).begin(None), Limits(10, 11, longest=6), 4
    ):
        assert len(some) == 4
        assert [one.score for one in some] == sorted((one.score for one in some), reverse=True)


def test_forbidden_words_are_never_said() -> None:
    limits = Limits(10, 11, forbidden=(0, 1, 2, 3), longest=6)
    stepper = chances(12, 4, 2)
    for some in (
        *beam(stepper, stepper.begin(None), limits, 5),
        greedy(stepper, stepper.begin(None), limits),
    ):
        for one in some:
            assert one.ids
            assert not set(one.ids) & {0, 1, 2, 3, 10, 11}


def test_what_is_said_once_is_not_said_again() -> None:
    limits = Limits(10, 11, longest=12, once={4: [4, 5], 5: [4, 5], 6: [6]})
    stepper = chances(12, 4, 2)
    free = (*beam(stepper, stepper.begin(None), Limits(10, 11, longest=12), 5),)
    assert any(one.ids.count(6) > 1 for some in free for one in some)
    for some in (
        *beam(stepper, stepper.begin(None), limits, 5),
        greedy(stepper, stepper.begin(None), limits),
    ):
        for one in some:
            assert one.ids.count(4) + one.ids.count(5) <= 1
            assert one.ids.count(6) <= 1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_words_come_twice_in_the_same_order(n: int) -> None:
    limits = Limits(5, 6, forbidden=(), longest=20, no_repeat=n)
    stepper = chances(7, 3, n)
    for some in (
        *beam(stepper, stepper.begin(None), limits, 4),
        greedy(stepper, stepper.begin(None), limits),
    ):
        for one in some:
            runs = [one.ids[at : at + n] for at in range(len(one.ids) - n + 1)]
            assert len(runs) == len(set(runs))


def test_no_sentence_is_longer_than_it_may_be() -> None:
    limits = Limits(10, 11, longest=3)
    stepper = chances(12, 6, 3)
    for some in (
        *beam(stepper, stepper.begin(None), limits, 2),
        greedy(stepper, stepper.begin(None), limits),
    ):
        assert all(len(one.ids) <= 3 for one in some)


def test_branches_begin_with_the_likeliest_words() -> None:
    stepper = contexts.in_numpy(contexts.generator("world", seed=2))
    context = contexts.batch()
    found = branches(stepper, stepper.begin(context), LIMITS, 3)
    assert [len({one.ids[0] for one in some}) for some in found] == [3, 3, 3, 3]
    likeliest = greedy(stepper, stepper.begin(context), LIMITS)
    for some, one in zip(found, likeliest, strict=True):
        assert one.ids in {other.ids for other in some}
        assert [h.score for h in some] == sorted((h.score for h in some), reverse=True)


def test_copied_words_are_fed_back() -> None:
    """A generator that only copies names says words beyond the vocabulary, and goes on."""
    model = contexts.generator("world", seed=1)
    with torch.no_grad():
        model.b_g.copy_(torch.tensor([-50.0, 50.0, -50.0]))
    one = contexts.context_of(3, "mix the quince .", "quince | ghee")
    said = greedy(contexts.in_numpy(model), contexts.in_numpy(model).begin(collate([one])), LIMITS)[
        0
    ]
    assert set(said.ids) <= {V, V + 1}
    assert len(said.ids) == LIMITS.longest
