"""What the words of one step say about ingredients, before anyone decides what is meant.

The words keep their places in the text, so that whoever quotes them quotes what is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from npn.language.matching import Fit, Matcher, Mention
from npn.language.names import IngredientNames
from npn.language.words import Token, lemma, tokenize
from npn.language.words import words as split_words
from npn.recipe import Amount
from npn.rules.grammar.places import Place, named_words
from npn.rules.grammar.references import (
    ALL,
    KINDS,
    NAMED,
    NUMBERS,
    REST,
    Reference,
    Share,
    find_references,
    find_stated_amount,
    heading_words,
)
from npn.rules.grammar.verbs_in_context import USED_BY_VERB
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon
from npn.rules.simulation.referents import LEFT_OVER

# Words that belong to the noun after them: "the first four ingredients".
LEADING = ALL | KINDS | REST | NUMBERS.keys() | {"the", "of", "first", "last", "next", "following"}


class Quote(NamedTuple):
    """Characters `start` to `end` of a step, which read `text`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StepWords:
    """The words of a step: which may name an ingredient, stand for food named earlier, or name a
    place. Mentions, references and places count words of `words`, in lower case; `tokens` are the
    same words as they stand in `text`."""

    text: str
    words: list[str]
    tokens: list[Token]
    mentions: list[Mention]
    references: list[Reference]
    places: list[Place]

    def quote(self, start: int, end: int) -> Quote:
        """Words `start` to `end` as they stand in the text."""
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        return Quote(self.text[first:last], first, last)

    def naming(self, ingredient: int) -> list[Quote]:
        """The words that name an ingredient, each time that they do."""
        return [self.quote(m.start, m.end) for m in self.mentions if m.ingredient == ingredient]

    def namesakes(self, ingredient: int) -> set[int]:
        """The others that the same words name: "sugar" may be the white sugar or the brown."""
        mine = {(m.start, m.end) for m in self.mentions if m.ingredient == ingredient}
        return {m.ingredient for m in self.mentions if (m.start, m.end) in mine} - {ingredient}

    def stated(self, ingredient: int) -> Iterator[tuple[Amount | Share, Quote]]:
        """The amounts and shares that stand before an ingredient's names."""
        for mention in self.mentions:
            if mention.ingredient == ingredient:
                found = find_stated_amount(self.words, mention.start)
                if found is not None:
                    yield found.amount, self.quote(found.start, found.end)

    def saying(self, stems: set[str]) -> Quote | None:
        """The first word whose base form is one of `stems`."""
        found = (at for at, word in enumerate(self.words) if lemma(word) in stems)
        return next((self.quote(at, at + 1) for at in found), None)

    def phrase(self, reference: Reference) -> Quote:
        """A reference with the words that belong to it: "the remaining ingredients"."""
        start = reference.at
        if self.words[start] in NAMED or reference.ingredients:
            while start and self._belongs_to_next(start - 1):
                start -= 1
        return self.quote(start, reference.at + 1)

    def _belongs_to_next(self, at: int) -> bool:
        word = self.words[at]
        return (
            word in LEADING
            or word.isdecimal()
            or (word.isalpha() and at + 1 < len(self.words) and self.words[at + 1] in NAMED)
        )  # "marinade ingredients"


def read_step_words(
    text: str, names: Sequence[IngredientNames], unused: Sequence[int], begun: bool
) -> StepWords:
    """Read a step, sentence by sentence. `unused` are the ingredients that no step before has
    taken: who "the remaining ingredients" are. Where nothing is `begun`, "everything" is these."""
    matcher, labeller = Matcher(names), _labeller()
    read = StepWords(text, [], [], [], [], [])
    start = 0
    for sentence in labeller.sentences(text):
        start = text.index(sentence, start)
        tokens = [Token(t.text, t.start + start, t.end + start) for t in tokenize(sentence)]
        start += len(sentence)
        words = split_words(sentence)
        if len(tokens) != len(words):  # lower case can be longer: "İ"
            continue
        places = labeller.places.find(words)
        there = named_words(places)
        verbs = {at for _, at in labeller.actions.find(words, there)}
        mentions = [m for m in matcher.match(words) if _is_food(m, words, verbs)]
        here = {m.ingredient for m in mentions}
        rest = [i for i in unused if i not in here]
        taken = verbs | named_words(mentions)
        references = find_references(words, taken, there, names, rest, begun)
        n = len(read.words)
        read.words.extend(words)
        read.tokens.extend(tokens)
        read.mentions.extend(m._replace(start=m.start + n, end=m.end + n) for m in mentions)
        read.references.extend(one._replace(at=one.at + n) for one in references)
        read.places.extend(p._replace(start=p.start + n, end=p.end + n) for p in places)
    return read


def under_heading(phrase: str, sections: Sequence[str | None]) -> set[int] | None:
    """The lines whose heading a phrase names ("the marinade ingredients"), or None where it names
    no heading."""
    stems = heading_words(phrase)
    lines = {i for i, section in enumerate(sections) if heading_words(section) & stems}
    return lines or None


def _is_food(mention: Mention, words: Sequence[str], verbs: set[int]) -> bool:
    """Who creams butter uses no cream (but cream cheese is no verb), and "the juices" of a roast
    are no lemon juice."""
    first, alone = words[mention.start], mention.end == mention.start + 1
    if alone and mention.start in verbs and first not in USED_BY_VERB:
        return False
    return mention.fit != Fit.CLASS or first not in LEFT_OVER


@cache
def _labeller() -> WeakLabeller:
    return WeakLabeller(load_lexicon())
