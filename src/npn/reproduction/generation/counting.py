"""From suggestions to counts: what each has in common with the step that came, word by word
(sacrebleu's and rouge-score's own counts) and in what both say; one row for every recipe of the
test part.

Suggestions and the steps that came are read by the same code, and without their context: as in the
paper, end states are "extracted using the lexicon based on the actions performed in the sentence".
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from npn.evaluation.bootstrap import Array
from npn.evaluation.generation import COUNTS, Overlap, ReadStep, count_step
from npn.language.matching import Matcher
from npn.language.names import IngredientNames, name_ingredient
from npn.language.words import lemmas, words
from npn.reproduction.generation.rouge import plain_words
from npn.rules.grammar.clauses import TOOLS, Clause, ParsedSentence, find_clauses
from npn.rules.grammar.places import Place, named_words
from npn.rules.grammar.references import NAMED_AFTER, PRODUCTS, SEVERAL, STAPLES, find_references
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import Action, Lexicon, load_lexicon
from npn.training.generator.data import GenerationData, GenerationPart

COMMON = 1_000  # names of ingredients that count as food; rarer ones are often no food at all
COLD_PLACES = frozenset({"refrigerator", "freezer"})
# Common in ingredient lists, and no food by itself.
NO_FOOD = frozenset(
    """red green black white brown sweet italian chinese equal choice minute calorie protein
    carbohydrate accent vghc follow essence concentrate all-purpose bittersweet semisweet breast
    seed rind chip powder seasoning starter cook serve bake mix v s""".split()
)


class StepReader:
    """`foods` are names of ingredients, the commonest first: what a step may mention besides what
    its recipe lists."""

    def __init__(self, lexicon: Lexicon, foods: Iterable[str]) -> None:
        self._labeller = WeakLabeller(lexicon)
        self._foods = food_names(foods, lexicon)
        self._longest = max((len(name) for name in self._foods), default=0)

    def read(self, step: str, names: Sequence[IngredientNames], matcher: Matcher) -> ReadStep:
        text = words(step)
        mentions = matcher.match(text)
        taken = named_words(mentions)
        places = self._labeller.places.find(text)
        there = named_words(places)
        found = self._labeller.actions.find(text, there)
        verbs = {verb for _, verb in found}
        references = find_references(text, taken | verbs, there, names, ())
        actions: set[str] = set()
        ends: set[tuple[str, str]] = set()
        for clause in find_clauses(ParsedSentence(text, mentions, references, places), found):
            action = self._labeller.lexicon.action(clause.action) if clause.action else None
            if action is not None:
                actions.add(action.name)
                if not clause.acts_on_tool(action):
                    ends.update(end_states(action, clause))
        listed = {m.start for m in mentions} - verbs
        others = self._unlisted(text, taken | verbs | there)
        return ReadStep(frozenset(actions), frozenset(ends), len(listed) + others, len(listed))

    def _unlisted(self, text: Sequence[str], taken: set[int]) -> int:
        """How many foods are named by words that are not `taken`."""
        nouns = lemmas(text)
        found = at = 0
        while at < len(nouns):
            length = self._food_at(nouns, at, taken)
            after = nouns[at + length] if length and at + length < len(nouns) else ""
            found += bool(length) and after not in NAMED_AFTER
            at += max(length, 1)
        return found

    def _food_at(self, nouns: Sequence[str], at: int, taken: set[int]) -> int:
        """The length of the longest food's name that begins `at`, or 0."""
        for length in range(min(self._longest, len(nouns) - at), 0, -1):
            if tuple(nouns[at : at + length]) in self._foods:
                return 0 if taken.intersection(range(at, at + length)) else length
        return 0


def end_states(action: Action, clause: Clause) -> set[tuple[str, str]]:
    """The end states of an action, as far as the action and its clause tell."""
    ends = {
        (type, end)
        for type, end in action.changes.items()
        if type != "location" and end and type not in action.doubtful
    }
    place: Place | None = None if action.serves else clause.goal()
    where = place.name if place else action.changes.get("location") or action.default_location
    if where and not action.serves:
        ends.add(("location", where))
    if place is not None and place.name in COLD_PLACES:
        ends = {one for one in ends if one[0] != "temperature"} | {("temperature", "cold")}
    return ends


def food_names(names: Iterable[str], lexicon: Lexicon) -> frozenset[tuple[str, ...]]:
    """The commonest names that are of food, as lemmas: not those of places and tools, nor what
    cooks call the thing they are making; and the staples."""
    found = []
    for name in names:
        nouns = tuple(lemmas(words(name)))
        single = " ".join(nouns)
        place = lexicon.location(name)
        if not nouns or single in PRODUCTS or single in NO_FOOD or nouns[-1] in TOOLS:
            continue
        if place is None or place.doubtful:
            found.append(nouns)
    staples = [tuple(name.split()) for name in (*STAPLES, *SEVERAL)]
    return frozenset([*found[:COMMON], *staples])


# -- What suggestions have in common with the steps that came.

Pair = tuple[int, int]  # a recipe of a part, and the step that comes
ROUGE_SIGNATURE = "rouge-score rougeL F-measure, no stemming, mean over steps"


class WordOverlap:
    """`sentences` are those of the training recipes. Case does not count: the generators write
    lower case and are capitalised for print."""

    def __init__(self, sentences: Iterable[str]) -> None:
        # Counts of one sentence are all we take, and effective order has no part in them.
        self._bleu = BLEU(lowercase=True, effective_order=True)
        self._rouge = RougeScorer(["rougeL"])
        self._known = frozenset(map(_normal, sentences))

    def __call__(self, candidate: str, reference: str) -> Overlap:
        bleu = self._bleu.sentence_score(candidate, [reference])
        return Overlap(
            tuple(bleu.counts),
            tuple(bleu.totals),
            bleu.sys_len,
            bleu.ref_len,
            self._rouge.score(reference, candidate)["rougeL"].fmeasure,
            _normal(candidate) in self._known,
        )


def _normal(sentence: str) -> str:
    """A sentence as its words alone: marks and case do not make a copy another sentence."""
    return " ".join(plain_words(sentence))


def bleu_signature() -> str:
    """What sacrebleu says of how corpus BLEU is computed."""
    bleu = BLEU(lowercase=True)
    bleu.corpus_score(["a"], [["a"]])
    return str(bleu.get_signature())


class Counter:
    """Counts what suggestions for the steps `pairs` of the test part have in common with these.
    `folder` holds the data that the generators were trained on."""

    def __init__(self, folder: Path, pairs: Sequence[Pair]) -> None:
        data = GenerationData(folder)
        train, test = data.part("train"), data.part("test")
        self._overlap = WordOverlap(
            " ".join(train.sentence(*pair)) for pair in train.pairs.tolist()
        )
        reader = StepReader(load_lexicon(), common_names(train))
        read = {}  # how a step of each recipe is read
        for recipe in dict(pairs):
            names = [name_ingredient(" ".join(name)) for name in test.names(recipe)]
            read[recipe] = partial(reader.read, names=names, matcher=Matcher(names))
        self._rows = {recipe: row for row, recipe in enumerate(read)}
        self._steps = []
        for recipe, step in pairs:
            came = " ".join(test.sentence(recipe, step))
            self._steps.append((self._rows[recipe], read[recipe], came, read[recipe](came)))

    def count(self, suggestions: Sequence[str]) -> Array:
        """A row of counts for each recipe, of a suggestion for each step."""
        counts = np.zeros((len(self._rows), len(COUNTS)))
        for suggestion, (row, read, came, reading) in zip(suggestions, self._steps, strict=True):
            overlap = self._overlap(suggestion, came)
            counts[row] += count_step(overlap, read(suggestion), reading)
        return counts


def common_names(part: GenerationPart) -> list[str]:
    """Names of ingredients, the commonest first."""
    names = (name for recipe in range(part.recipes) for name in part.names(recipe))
    counts = collections.Counter(map(" ".join, names))
    return sorted(counts, key=lambda name: (-counts[name], name))


def count_many(
    folder: Path, pairs: Sequence[Pair], sentences: Sequence[Sequence[str]], jobs: int
) -> list[Array]:
    """The counts of many lists of suggestions, each for all pairs; by several processes."""
    count = partial(_count, folder, tuple(pairs))
    if jobs == 1:
        return list(map(count, sentences))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        return list(pool.map(count, sentences))


def _count(folder: Path, pairs: tuple[Pair, ...], sentences: Sequence[str]) -> Array:
    return _counter(folder, pairs).count(sentences)


_counter = lru_cache(maxsize=1)(Counter)  # a process reads the data once
