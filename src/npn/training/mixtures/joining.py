"""Two gold recipes read as one, a long recipe of two parts: what is made in the first is none of
the second's business. Few gold recipes are long, and a network that once takes
everything for one mixture goes on doing so to the end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from npn.evaluation.gold import GoldStep
from npn.knowledge.labeller import WeakLabeller
from npn.language.vocabulary import Vocabulary
from npn.training.mixtures.examples import Example, GoldExample, read_signs
from npn.training.mixtures.targets import SentenceTargets

MOST_SENTENCES = 36
MOST_INGREDIENTS = 30


def join_some(
    examples: Sequence[GoldExample],
    share: float,
    labeller: WeakLabeller,
    vocabulary: Vocabulary,
    seed: int,
) -> list[Example]:
    """Pairs of one annotation that are not too long, as many as this share of the recipes."""
    rng = random.Random(seed)
    pairs = [(a, b) for a in examples for b in examples if a is not b and a.source == b.source]
    rng.shuffle(pairs)
    fitting = islice((pair for pair in pairs if _fits(*pair)), int(share * len(examples)))
    return [joined(a, b, labeller, vocabulary) for a, b in fitting]


def joined(
    first: GoldExample, second: GoldExample, labeller: WeakLabeller, vocabulary: Vocabulary
) -> Example:
    one, other = first.gold.recipe, second.gold.recipe
    signs = read_signs(
        one.ingredients + other.ingredients,
        one.steps + other.steps,
        labeller,
        vocabulary,
        first.example.signs.serving,
    )
    count = len(one.ingredients)
    steps = [*first.gold.steps, *(_moved(step, count) for step in second.gold.steps)]
    return Example(signs, [SentenceTargets.of_gold(step) for step in steps])


def _fits(first: GoldExample, second: GoldExample) -> bool:
    one, other = first.gold.recipe, second.gold.recipe
    return (
        len(one.steps) + len(other.steps) <= MOST_SENTENCES
        and len(one.ingredients) + len(other.ingredients) <= MOST_INGREDIENTS
    )


def _moved(step: GoldStep, by: int) -> GoldStep:
    def moved(who: frozenset[int]) -> frozenset[int]:
        return frozenset(i + by for i in who)

    changes = step.changes
    return replace(
        step,
        entities=moved(step.entities),
        combined=None,
        changes=None
        if changes is None
        else tuple(replace(one, ingredients=moved(one.ingredients)) for one in changes),
    )
