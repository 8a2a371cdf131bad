"""A recipe becomes numbers: the pieces of its words, and what the rules see in it.

The pieces of title, lines and steps stand one after the other. Each line, heading and step begins
with a piece of its own, whose vector later stands for the whole.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, auto

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.language.words import words as words_of
from npn.networks.world.config import WorldSettings
from npn.networks.world.features import (
    AMOUNT_COLUMNS,
    SECTION_COLUMNS,
    Column,
    Grammar,
    read_grammar,
)
from npn.recipe import Ingredient, Recipe
from npn.rules.labeller import WeakLabeller

# -- Words become pieces of a fixed vocabulary: "shallots" is "shall" and "##ots".
#
# The longest piece that the vocabulary knows comes first, as WordPiece has it; a piece inside a
# word begins with "##". Accents are taken off. A character that is in no piece makes the word
# unknown.

UNKNOWN, FIRST, MASK = "[UNK]", "[CLS]", "[MASK]"
LONGEST_WORD = 40  # characters: a longer one is unknown


class WordPieces:
    """Made once for a vocabulary; words are remembered."""

    def __init__(self, pieces: Sequence[str], remember: int = 50_000) -> None:
        self.pieces = tuple(pieces)
        missing = {UNKNOWN, FIRST, MASK}.difference(pieces)
        if missing:
            raise NpnError(f"the vocabulary lacks {', '.join(sorted(missing))}: train again")
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces), default=0)
        self.unknown, self.first = self._numbers[UNKNOWN], self._numbers[FIRST]
        self.mask = self._numbers[MASK]
        self._known: dict[str, tuple[int, ...]] = {}
        self._remember = remember

    def __call__(self, word: str) -> tuple[int, ...]:
        """The numbers of a lower-case word's pieces, at least one."""
        known = self._known.get(word)
        if known is None:
            known = self._split(without_accents(word))
            if len(self._known) < self._remember:
                self._known[word] = known
        return known

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self.unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                number = self._numbers.get(prefix + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self.unknown,)
        return tuple(found) or (self.unknown,)


def without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")


# -- A recipe in numbers.

MOST_PIECES = 3_000
MOST_PAIRS = 4_000_000  # of an ingredient in a step with another, another step, a word or a place
LONGEST_LINE = 60  # pieces
LONGEST_TITLE = 30
PLACE_FEATURES = 5


class Kind(IntEnum):
    """What a piece is part of."""

    TITLE = 0
    HEADING = auto()
    LINE = auto()
    STEP_HEADING = auto()
    STEP = auto()


@dataclass(frozen=True, slots=True)
class WorldInput:
    """What the network reads of one recipe: T pieces, S steps, I ingredients, C place words,
    V verbs.

    pieces, kinds, orders, sections, positions, marks: [T]; the order is the number of the line or
    the step. line_starts: [I] and step_starts: [S], the first piece of each; step_ends: [S].
    pairs: [S, I, features]; together: [S, I, I] by the rules. mentions: [M, 4], ingredient, step
    and the pieces from and to. place_pieces, place_steps: [C], and place_names beside them;
    place_features: [S, I, C, 5]. verb_pieces, verb_steps, verb_by_rules: [V]. headings: [I], the
    lines that are none of a food, but a heading left in the list: "For the sauce:"."""

    pieces: NDArray[np.int32]
    kinds: NDArray[np.int32]
    orders: NDArray[np.int32]
    sections: NDArray[np.int32]
    positions: NDArray[np.int32]
    marks: NDArray[np.int32]
    line_starts: NDArray[np.int32]
    step_starts: NDArray[np.int32]
    step_ends: NDArray[np.int32]
    pairs: NDArray[np.bool_]
    together: NDArray[np.bool_]
    mentions: NDArray[np.int32]
    place_pieces: NDArray[np.int32]
    place_steps: NDArray[np.int32]
    place_names: tuple[str, ...]
    place_features: NDArray[np.bool_]
    verb_pieces: NDArray[np.int32]
    verb_steps: NDArray[np.int32]
    verb_by_rules: NDArray[np.bool_]
    verb_names: tuple[str, ...]
    headings: NDArray[np.bool_]

    @property
    def steps(self) -> int:
        return len(self.step_starts)

    @property
    def ingredients(self) -> int:
        return len(self.line_starts)


class _Pieces:
    """The growing row of pieces."""

    def __init__(self, wordpieces: WordPieces) -> None:
        self.wordpieces = wordpieces
        self.rows: list[tuple[int, int, int, int, int, int]] = []

    def add(
        self,
        words: Sequence[str],
        kind: Kind,
        order: int,
        section: int,
        marks: Sequence[int] | None = None,
        longest: int = MOST_PIECES,
    ) -> list[int]:
        """Add a segment; where the first piece of each word stands. Words beyond the `longest`
        pieces are left out and stand at the last."""
        self.rows.append((self.wordpieces.first, kind, order, section, 0, 0))
        starts: list[int] = []
        position = 1
        for at, word in enumerate(words):
            pieces = self.wordpieces(word)
            if position + len(pieces) > longest:
                starts += [len(self.rows) - 1] * (len(words) - at)
                break
            starts.append(len(self.rows))
            mark = marks[at] if marks else 0
            for piece in pieces:
                self.rows.append((piece, kind, order, section, position, mark))
                position += 1
        return starts


def check_room(steps: int, count: int, *others: int, what: str = "ingredients") -> None:
    """Refuse a recipe of which the network would look at too many things at once: in every step
    each of its `count` ingredients, or portions of them, with as many `others`."""
    if steps * count * max(others, default=1) > MOST_PAIRS:
        raise NpnError(
            "the recipe is more than the world tracker can keep in mind at once, with its words "
            f"and places ({what}: {count:,}; steps: {steps:,}); shorten it, or take "
            "--model weak-labels"
        )


def read_recipe(
    recipe: Recipe, labeller: WeakLabeller, wordpieces: WordPieces, settings: WorldSettings
) -> tuple[WorldInput, Grammar]:
    """The numbers of a recipe, and the grammar that they were made from."""
    steps, count = len(recipe.steps), len(recipe.ingredients)
    check_room(steps, count, steps, count)
    check_length(sum(len(text.split()) for text in recipe.steps))
    grammar = read_grammar(recipe, labeller)
    pieces = _Pieces(wordpieces)
    pieces.add(words_of(recipe.title), Kind.TITLE, 0, 0, longest=LONGEST_TITLE)
    line_starts = _add_lines(pieces, grammar.ingredients, settings)
    step_starts, step_ends, word_starts = [], [], []
    for number, words in enumerate(grammar.words):
        heading = recipe.section_of(number) if settings.sections else None
        if heading and (not number or heading != recipe.section_of(number - 1)):
            pieces.add(words_of(heading), Kind.STEP_HEADING, number, 0, longest=LONGEST_TITLE)
        step_starts.append(len(pieces.rows))
        marks = grammar.marks[number] if settings.grammar else None
        word_starts.append(pieces.add(words, Kind.STEP, number, 0, marks))
        step_ends.append(len(pieces.rows))
    check_length(len(pieces.rows))
    longest = max(end - start for start, end in zip(step_starts, step_ends, strict=True))
    check_room(steps, count, longest, len(grammar.place_words))
    numbers, kinds, orders, sections, positions, piece_marks = np.array(pieces.rows, np.int32).T
    mentions = [
        (
            span.ingredient,
            span.step,
            word_starts[span.step][span.start],
            _end_of(span.end, word_starts[span.step], step_ends[span.step]),
        )
        for span in grammar.mentions
    ]
    return (
        WorldInput(
            numbers,
            kinds,
            orders,
            sections,
            positions,
            piece_marks,
            np.array(line_starts, np.int32),
            np.array(step_starts, np.int32),
            np.array(step_ends, np.int32),
            _switched(grammar.pairs, settings),
            grammar.together if settings.grammar else np.zeros_like(grammar.together),
            np.array(mentions, np.int32).reshape(-1, 4),
            np.array([word_starts[p.step][p.word] for p in grammar.place_words], np.int32),
            np.array([p.step for p in grammar.place_words], np.int32),
            tuple(p.name for p in grammar.place_words),
            _place_features(grammar, settings),
            np.array([word_starts[verb.step][verb.word] for verb in grammar.verbs], np.int32),
            np.array([verb.step for verb in grammar.verbs], np.int32),
            np.array([verb.by_rules for verb in grammar.verbs], bool),
            tuple(verb.action for verb in grammar.verbs),
            np.array([one.text.rstrip().endswith(":") for one in recipe.ingredients], bool),
        ),
        grammar,
    )


def check_length(pieces: int) -> None:
    """Refuse a recipe that is too long, best before much time is spent on it."""
    if pieces > MOST_PIECES:
        raise NpnError(
            f"the recipe has more than the {MOST_PIECES:,} words and parts of words that the world "
            "tracker reads: shorten it, or take --model weak-labels"
        )


def line_words(one: Ingredient) -> list[str]:
    """The words of a line that say what it is and how it is prepared. Amounts are left out: the
    features compare them with what the steps state."""
    if not one.food:
        return words_of(one.text)
    note = one.amount.note if one.amount else None
    return words_of(f"{one.food} , {note}") if note else words_of(one.food)


def _add_lines(
    pieces: _Pieces, ingredients: Sequence[Ingredient], settings: WorldSettings
) -> list[int]:
    starts = []
    section, number = None, 0
    for order, one in enumerate(ingredients):
        heading = one.section if settings.sections else None
        if heading != section:
            section = heading
            number += 1
            if heading:
                pieces.add(words_of(heading), Kind.HEADING, order, number, longest=LONGEST_TITLE)
        starts.append(len(pieces.rows))
        pieces.add(
            line_words(one), Kind.LINE, order, number if heading else 0, longest=LONGEST_LINE
        )
    return starts


def _end_of(word: int, starts: Sequence[int], end: int) -> int:
    """The piece after the last of the word before `word`."""
    return starts[word] if word < len(starts) else end


def _switched(pairs: NDArray[np.bool_], settings: WorldSettings) -> NDArray[np.bool_]:
    """The features without those that are switched off."""
    pairs = pairs.copy()
    if not settings.sections:
        pairs[:, :, list(SECTION_COLUMNS)] = False
    if not settings.amounts:
        pairs[:, :, list(AMOUNT_COLUMNS)] = False
    if not settings.grammar:  # names alone are known
        pairs[:, :, [c for c in Column if c > Column.NEVER_MENTIONED]] = False
    return pairs


def _place_features(grammar: Grammar, settings: WorldSettings) -> NDArray[np.bool_]:
    """For every step, ingredient and place word: whether the word stands in the step, in the one
    before, or earlier; whether it is the latest of its name; whether the rules have the ingredient
    there."""
    steps, count = grammar.pairs.shape[:2]
    words = grammar.place_words
    features = np.zeros((steps, count, len(words), PLACE_FEATURES), bool)
    for step in range(steps):
        latest = {place.name: c for c, place in enumerate(words) if place.step <= step}
        for c, place in enumerate(words):
            ago = step - place.step
            if ago < 0:
                break
            features[step, :, c, min(ago, 2)] = True
            features[step, :, c, 3] = latest[place.name] == c
            if settings.grammar:
                same = [where == place.name for where in grammar.places[step]]
                features[step, :, c, 4] = same
    return features
