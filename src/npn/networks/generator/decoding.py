"""From a generator to sentences: greedy, beam search, and the best sentence of each of the
likeliest first words. All go on from the state in which a stepper has read a batch of contexts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import Array
from npn.networks.generator.forward import GeneratorStepper, Ids, Speaking

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Limits:
    """`forbidden` words are never said, and a sentence has at least one word and at most `longest`.
    No `no_repeat` words come twice in the same order (0: they may). Once a word of `once` has been
    said, none of the words that it maps to follows: after "egg" neither "egg" nor "eggs"."""

    start: int
    end: int
    forbidden: tuple[int, ...] = (0, 1)
    longest: int = 40
    no_repeat: int = 0
    once: Mapping[int, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A sentence without <end>, and the mean log-probability of its words, <end> included."""

    ids: tuple[int, ...]
    score: float


def greedy(stepper: GeneratorStepper, state: Speaking, limits: Limits) -> list[Hypothesis]:
    """The likeliest word, again and again."""
    last = np.full(state.rows, limits.start, np.int64)
    return _go_on(stepper, state, limits, last, [()] * state.rows, np.zeros(state.rows))


def branches(
    stepper: GeneratorStepper, state: Speaking, limits: Limits, count: int
) -> list[list[Hypothesis]]:
    """For each of the `count` likeliest first words, what greedily follows; the best first."""
    contexts = state.rows
    last = np.full(contexts, limits.start, np.int64)
    scores, state = stepper.step(state, last)
    values, words = _best(_allowed(scores, [()] * contexts, limits), count)
    count = words.shape[1]
    state = stepper.select(state, np.repeat(np.arange(contexts), count))
    written = [(word,) for word in words.ravel().tolist()]
    found = _go_on(stepper, state, limits, words.ravel(), written, values.ravel())
    grouped = [found[at : at + count] for at in range(0, len(found), count)]
    return [sorted(group, key=lambda one: -one.score) for group in grouped]


def _go_on(
    stepper: GeneratorStepper,
    state: Speaking,
    limits: Limits,
    last: Ids,
    written: Sequence[tuple[int, ...]],
    totals: Floats,
) -> list[Hypothesis]:
    """Each row greedily to its end."""
    words = [list(ids) for ids in written]
    totals = totals.astype(np.float64)
    rows = np.arange(len(words))  # of the state, by sentence
    going = np.ones(len(words), np.bool_)
    while going.any():
        if 2 * going.sum() <= len(going):  # what has ended costs as much as what goes on
            rows, last = rows[going], last[going]
            state = stepper.select(state, np.flatnonzero(going))
            going = going[going]
        scores, state = stepper.step(state, last)
        values, best = _best(_allowed(scores, [words[row] for row in rows], limits), 1)
        last = best[:, 0]
        for at in np.flatnonzero(going).tolist():
            row = rows[at]
            totals[row] += values[at, 0]
            if last[at] == limits.end:
                going[at] = False
                continue
            words[row].append(int(last[at]))
            going[at] = len(words[row]) < limits.longest
    return [
        Hypothesis(tuple(ids), float(total) / (len(ids) + 1))
        for ids, total in zip(words, totals, strict=True)
    ]


def beam(
    stepper: GeneratorStepper, state: Speaking, limits: Limits, size: int
) -> list[list[Hypothesis]]:
    """Up to `size` sentences for each context, the best first by mean log-probability. A sentence
    that ends leaves the beam, and a context is done when `size` have."""
    contexts = state.rows
    state = stepper.select(state, np.repeat(np.arange(contexts), size))
    first_rows = (np.arange(contexts) * size)[:, None]
    totals = np.full((contexts, size), -np.inf)
    totals[:, 0] = 0
    words: list[list[int]] = [[] for _ in range(contexts * size)]
    done: list[list[Hypothesis]] = [[] for _ in range(contexts)]
    last = np.full(contexts * size, limits.start, np.int64)
    for length in range(limits.longest):
        scores, state = stepper.step(state, last)
        values, ids = _best(_allowed(scores, words, limits), size + 1)
        width = values.shape[1]
        flat = (totals[..., None] + values.reshape(contexts, size, width)).reshape(contexts, -1)
        order = np.argsort(-flat, axis=1, kind="stable")
        flat = np.take_along_axis(flat, order, 1)
        ids = np.take_along_axis(ids.reshape(contexts, -1), order, 1)
        source = first_rows + order // width
        ends = ids == limits.end
        for b, rank in np.argwhere(ends[:, :size] & np.isfinite(flat[:, :size])).tolist():
            if len(done[b]) < size:
                score = float(flat[b, rank]) / (length + 1)
                done[b].append(Hypothesis(tuple(words[source[b, rank]]), score))
        kept = np.argsort(ends, axis=1, kind="stable")[:, :size]
        totals = np.take_along_axis(flat, kept, 1)
        last = np.take_along_axis(ids, kept, 1).ravel()
        rows = np.take_along_axis(source, kept, 1).ravel()
        words = [
            [*words[row], word] for row, word in zip(rows.tolist(), last.tolist(), strict=True)
        ]
        if all(len(group) >= size for group in done):
            break
        state = stepper.reorder(state, rows)
    for row, total in enumerate(totals.ravel().tolist()):
        group = done[row // size]
        if len(group) < size and np.isfinite(total):
            group.append(Hypothesis(tuple(words[row]), total / (len(words[row]) + 1)))
    return [sorted(group, key=lambda one: -one.score) for group in done]


def _allowed(scores: Array, written: Sequence[Sequence[int]], limits: Limits) -> Array:
    """The scores with those of what must not follow set to minus infinity."""
    scores[:, [*limits.forbidden, limits.start]] = -np.inf
    if written and not written[0]:
        scores[:, limits.end] = -np.inf
    for row, words in enumerate(written):
        if limits.no_repeat and (again := _repetitions(words, limits.no_repeat)):
            scores[row, again] = -np.inf
        for word in words:
            if word in limits.once:
                scores[row, limits.once[word]] = -np.inf
    return scores


def _repetitions(words: Sequence[int], n: int) -> list[int]:
    """The words that, coming next, would make the last `n` words such as were said before."""
    last = words[len(words) - n + 1 :]
    starts = range(len(words) - n + 1)
    return [words[at + n - 1] for at in starts if words[at : at + n - 1] == last]


def _best(scores: Array, count: int) -> tuple[Floats, Ids]:
    """The highest of each row, in falling order, and where they stand; on the host. Fewer than
    `count`, where there are not as many."""
    count = min(count, scores.shape[1])
    if not isinstance(scores, np.ndarray):
        values, places = scores.topk(count, dim=-1)
        return values.double().cpu().numpy(), places.cpu().numpy()
    if count == 1:
        places = scores.argmax(axis=-1)[:, None]
    else:
        group = np.argpartition(-scores, count - 1, axis=-1)[:, :count]
        order = np.argsort(-np.take_along_axis(scores, group, -1), axis=-1, kind="stable")
        places = np.take_along_axis(group, order, -1)
    return np.take_along_axis(scores, places, -1), places


# -- From words as a generator says them to a sentence fit to print.

TO_THE_LEFT = frozenset(".,;:!?)]%°'’")  # stand close to the word before
TO_THE_RIGHT = frozenset("([$#")
BETWEEN = frozenset("/")  # close to both
DASHES = frozenset("-–")
ENDS = frozenset(".!?")
NUMBER = re.compile(r"\d++(?:[.,/]\d++)*|[½¼¾⅓⅔⅛]")
PROPER = frozenset(
    """american asian brie burgundy cajun camembert chinese cornish creole dijon dutch english
    french german greek gruyere indian irish italian jamaican japanese jello jell-o kahlua
    kirsch madeira marsala mexican monterey parmesan polish romano roquefort russian spanish
    swedish swiss tabasco teflon thai turkish vietnamese worcestershire yorkshire""".split()
)
OPEN, CLOSE = "(", ")"


def to_text(words: Sequence[str]) -> str:
    """A sentence: spaces where they belong, a capital first, brackets in pairs, a full stop last.
    Empty for no words."""
    words = _tidy(words)
    pieces: list[str] = []
    quoted = False
    glued = True  # nothing stands between this piece and the one before
    for n, word in enumerate(words):
        before = words[n - 1] if n else ""
        close = word in TO_THE_LEFT or word in BETWEEN or _in_number(words, n)
        if word == '"' and not quoted and NUMBER.fullmatch(before):
            close = True  # inches
        elif word == '"':
            close, quoted = quoted, not quoted
        pieces.append(_written(word, before) if close or glued else " " + _written(word, before))
        glued = (
            word in TO_THE_RIGHT
            or word in BETWEEN
            or (word in DASHES and _in_number(words, n))
            or (word == '"' and quoted)
            or (word == "°" and n + 1 < len(words) and words[n + 1] in ("f", "c"))
        )
    return _capital("".join(pieces))


def _tidy(words: Sequence[str]) -> list[str]:
    """Without brackets that have no partner, and with an end."""
    kept: list[str] = []
    opened: list[int] = []
    for word in words:
        if word == CLOSE:
            if not opened:
                continue
            opened.pop()
        elif word == OPEN:
            opened.append(len(kept))
        kept.append(word)
    for place in reversed(opened):
        del kept[place]
    while kept and kept[-1] in (",", ";", ":", "-", "–"):
        kept.pop()
    ended = kept[-2:-1] if kept[-1:] in (['"'], [CLOSE]) else kept[-1:]
    if kept and not ENDS.issuperset(ended):
        kept.append(".")
    return kept


def _in_number(words: Sequence[str], n: int) -> bool:
    """Whether a dash joins a number to what follows: "9-inch", "2-3"."""
    return (
        words[n] in DASHES and 0 < n < len(words) - 1 and NUMBER.fullmatch(words[n - 1]) is not None
    )


def _written(word: str, before: str) -> str:
    if word in ("f", "c") and (NUMBER.fullmatch(before) or before in ("°", "degrees")):
        return word.upper()
    return word.capitalize() if word in PROPER else word


def _capital(text: str) -> str:
    for n, letter in enumerate(text):
        if letter.isalpha():
            return text[:n] + letter.upper() + text[n + 1 :]
        if letter.isdigit():
            break
    return text
