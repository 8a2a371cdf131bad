"""What is known of packed recipes before the walk through them, with NumPy: the names, what each
sentence does, and what it says of the ingredients. The equations are those of `equations`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from npn.network.equations import linear, relu, softmax, times
from npn.network.mixtures.packed import Floats, Integers, PackedBatch
from npn.network.mixtures.signs import bits, for_bits

KEYS = (3, 8)  # most sentences with several words to attend to have no more than three


@dataclass(frozen=True, slots=True)
class Attended:
    """What the words attended to say in `sentences` (S,) that have several of them: `weights`
    (S, I, K) that each ingredient gives to `vectors` (S, K, H)."""

    sentences: Integers
    weights: Floats
    vectors: Floats


@dataclass(frozen=True, slots=True)
class Said:
    """What sentences say of all ingredients alike, `whole` (N, H); of each by its name, `names`
    (I, B, H); of some pairs, `of_pairs` (M, H) for `PackedBatch.named_pairs`; and where several
    words are attended to. `last` is what the last sentences do."""

    whole: Floats
    names: Floats
    of_pairs: Floats
    attended: Sequence[Attended]
    last: Floats


class Listener:
    """Made once for a model: its matrices as they are wanted here."""

    def __init__(self, p: Mapping[str, Floats], sign_bytes: int) -> None:
        self._p = p
        self._W_attended, W_mention, W_verb = np.split(p["entity.W_words"], 3, axis=1)
        self._W_whole = _by_columns([p["entity.W_step"], self._W_attended])
        self._W_said = _by_columns([W_mention, W_verb])
        self._W_query = for_bits(p["entity.W_query"], sign_bytes)

    def name_vectors(self, batch: PackedBatch) -> Floats:
        """(I, B, D): the average of the vectors of the names' words; zero for a name of none."""
        table = self._p["words"]
        recipes, width = batch.present.shape
        vectors = np.zeros((width * recipes, table.shape[1]), np.float32)
        if len(batch.named):
            lengths = batch.name_lengths
            starts = lengths.cumsum() - lengths
            total = np.add.reduceat(table[batch.name_words], starts, axis=0)
            vectors[batch.named] = total / lengths[:, None].astype(np.float32)
        return vectors.reshape(width, recipes, -1)

    def listen(
        self, batch: PackedBatch, context: Floats, summary: Floats, names: Floats, last: Floats
    ) -> Said:
        """To the words in their `context` (P, D), with the sentence summaries (N + 1, D); `last`
        (B, D) is what the sentences before the first do."""
        p = self._p
        steps = self._step_vectors(batch, summary[1:])
        counts = np.count_nonzero(batch.keys, axis=-1)
        alone = np.where(counts == 1, batch.keys.max(axis=-1), 0)
        parts = [steps, _before(batch, steps, last), context[alone]]
        mentions = context[batch.said_words[:, 0]] + context[batch.said_words[:, 1]]
        said = np.concatenate([mentions, context[batch.said_words[:, 2]]], axis=-1)
        of_names = linear(names, p["entity.W_query_name"], p["entity.b_query"])
        bounds = [(counts > low) & (counts <= high) for low, high in pairwise((1, *KEYS))]
        return Said(
            linear(np.concatenate(parts, axis=-1), self._W_whole, p["entity.b"]),
            times(names, p["entity.W_name"]),
            times(said, self._W_said),
            [
                self._attend(batch, context, of_names, np.flatnonzero(those), most)
                for those, most in zip(bounds, KEYS, strict=True)
                if those.any()
            ],
            steps[-batch.counts[-1] :],
        )

    def _step_vectors(self, batch: PackedBatch, summary: Floats) -> Floats:
        p = self._p
        steps = linear(summary, p["action.W"], p["action.b"])
        steps += times(batch.step_signs, p["action.W_signs"])
        if batch.serving.any():
            steps += batch.serving[batch.recipes, None] * p["action.w_serving"]
        return relu(steps)  # type: ignore[no-any-return]

    def _attend(
        self, batch: PackedBatch, context: Floats, of_names: Floats, sentences: Integers, most: int
    ) -> Attended:
        """`of_names` (I, B, ...) is what the names give to the query."""
        p = self._p
        keys = batch.keys[sentences, :most]  # there is no word after the first that is none
        words = context[keys]
        pairs = batch.pairs[sentences]
        query = bits(batch.signs.take(pairs.reshape(-1), axis=1)).T.astype(np.float32)
        query = (query @ self._W_query).reshape(*pairs.shape, -1)
        query += of_names[:, batch.recipes[sentences]].swapaxes(0, 1)
        scores = np.matmul(query, times(words, p["entity.W_key"]).swapaxes(-1, -2))
        scores -= 1e4 * (keys == 0)[:, None].astype(np.float32)
        return Attended(sentences, softmax(scores), times(words, self._W_attended))


def _by_columns(matrices: list[Floats]) -> Floats:
    """Side by side; column by column in memory, as few rows are multiplied fastest."""
    return np.asfortranarray(np.concatenate(matrices, axis=1))


def _before(batch: PackedBatch, steps: Floats, last: Floats) -> Floats:
    """For each sentence, what the one before it does."""
    before = np.empty_like(steps)
    first = batch.counts[0]
    before[:first] = last[:first]  # some recipes may have no sentence
    at = 0
    for n, after in pairwise(batch.counts):
        before[at + n : at + n + after] = steps[at : at + after]
        at += n
    return before
