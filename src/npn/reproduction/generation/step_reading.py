"""What a step says, by itself: its actions, the end states that the lexicon gives them, its foods.

Suggestions and the steps that came are read by the same code, and without their context: as in the
paper, end states are "extracted using the lexicon based on the actions performed in the sentence".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from npn.evaluation.generation import ReadStep
from npn.language.matching import Matcher
from npn.language.names import IngredientNames
from npn.language.words import lemmas, words
from npn.rules.grammar.clauses import Clause, ParsedSentence, find_clauses
from npn.rules.grammar.places import TOOLS, Place, acts_on_tool, find_place
from npn.rules.grammar.references import NAMED_AFTER, PRODUCTS, SEVERAL, STAPLES, find_references
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon.lexicon import Action, Lexicon

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
        taken = {at for m in mentions for at in range(m.start, m.end)}
        places = self._labeller.places.find(text)
        there = frozenset(at for p in places if not p.doubtful for at in range(p.start, p.end))
        clauses = find_clauses(text, self._labeller.actions.find(text, there), there)
        verbs = {clause.verb for clause in clauses}
        references = find_references(text, frozenset(taken | verbs), there, names, ())
        mentioned = {mention.ingredient for mention in mentions}
        reading = ParsedSentence(text, mentions, references, places, mentioned)
        actions: set[str] = set()
        ends: set[tuple[str, str]] = set()
        for clause in clauses:
            action = self._labeller.lexicon.action(clause.action) if clause.action else None
            if action is not None:
                actions.add(action.name)
                if not acts_on_tool(action, clause, reading):
                    ends.update(end_states(action, clause, reading))
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


def end_states(action: Action, clause: Clause, reading: ParsedSentence) -> set[tuple[str, str]]:
    """The end states of an action, as far as the action and its clause tell."""
    ends = {
        (type, end)
        for type, end in action.changes.items()
        if type != "location" and end and type not in action.doubtful
    }
    place: Place | None = None if action.serves else find_place(clause, reading)
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
