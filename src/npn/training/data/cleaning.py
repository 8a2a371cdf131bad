"""From a recipe as archives hold it to one worth learning from: without poster names, notes and
headings, cut into sentences. Each rule has a name, under which what it took away is counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from npn.language.names import name_ingredient
from npn.language.sentences import split_sentences
from npn.language.verbs import verb_base
from npn.language.words import looks_english
from npn.recipe import Ingredient, Recipe

LIMITS = {"ingredients": (2, 30), "sentences": (2, 50)}  # the fewest and the most of a recipe
LONGEST_SENTENCE = 80  # words: beyond are tables and lists run together

# What a sentence about the recipe, not of it, begins with.
NOTE = re.compile(
    r"""[\W_]{0,20}+(?:
    (?:recipe[ ]|taken[ ]|adapted[ ]|reprinted[ ])?(?:by|from|source|origin|subject|date|to)\s?:
    |(?:recipe|adapted|taken|reprinted|typed|posted|submitted|shared|contributed|created|formatted
       |converted|entered|uploaded|brought|found|origin)[ ](?:by|from|to[ ]you|in[ ]mm|for[ ]you)\b
    |(?:mm|mastercook|meal-master|meal[ ]master)\b
    |courtesy\b|copyright\b|isbn\b|(?:food|diabetic)[ ]exchanges?\b|exchanges?\s?:
    |yields?\b\s?(?::|\d|about)|makes[ ](?:about[ ])?\d|serves:?[ ](?:about[ ])?\d
    |servings?\s?:|number[ ]of[ ]servings
    |(?:preparation|prep|cooking|cook|total)[ ]time\b
    |(?:per|each|one|1)[ ]serving\b|nutrition|nutritional|calories\b|approximate\b|amount[ ]per\b
    |(?:cooks?['’]?s?[ ])?notes?\s?[:-]|hints?\s?:|tips?\s?:|variations?\s?:|comments?\s?:
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# What stands in no instruction: an address, a telephone number, a count of calories.
ADDRESS = re.compile(r"\w@\w|https?:|www\.|\(\d{3}\)\s?\d{3}-\d{4}|\d\s?k?cal(?:ories|\b)", re.I)
COLON = re.compile(r"\s{0,20}+:")  # Meal-Master's mark for a remark
CAPITAL_WORD = re.compile(r"[^\W\d_]++(?:['’.-][^\W\d_]++)*")
HAS_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Cleaned:
    ingredients: tuple[Ingredient, ...]
    sentences: tuple[str, ...]


@dataclass(slots=True)
class Cleaner:
    """`dropped` counts whole recipes by the rule that refused them, `removed` what was taken out
    of recipes that stay."""

    dropped: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)

    def clean(self, recipe: Recipe) -> Cleaned | None:
        """The recipe without noise, or None where too little is left of it."""
        if not looks_english(recipe):
            self.dropped["not in English"] += 1
            return None
        ingredients, sentences = self._ingredients(recipe.ingredients), self._sentences(recipe)
        reason = _why_not(ingredients=len(ingredients), sentences=len(sentences))
        if reason is not None:
            self.dropped[reason] += 1
            return None
        return Cleaned(tuple(ingredients), tuple(sentences))

    def _ingredients(self, lines: Sequence[Ingredient]) -> list[Ingredient]:
        spoken = sum(not one.text.isupper() for one in lines) * 2 > len(lines)
        kept: list[Ingredient] = []
        for one in lines:
            text = one.text.strip()
            if text.startswith("-") and not text.startswith("--") and kept:
                kept[-1] = Ingredient(f"{kept[-1].text} {text[1:].lstrip()}", kept[-1].name)
                self.removed["wrapped ingredient lines joined"] += 1
            elif (spoken and text.isupper() and not HAS_DIGIT.search(text)) or not name_ingredient(
                text
            ).names:
                self.removed["headings and names among ingredients"] += 1
            else:
                kept.append(one)
        return kept

    def _sentences(self, recipe: Recipe) -> list[str]:
        kept = []
        for step in recipe.steps:
            announced = False  # by "Note:", which is a sentence of its own
            for sentence in split_sentences(step):
                if announced or _is_note(sentence):
                    self.removed["notes, credits and addresses"] += 1
                    announced = not announced and sentence.endswith(":")
                elif sentence.count(" ") >= LONGEST_SENTENCE:
                    self.removed[f"sentences of more than {LONGEST_SENTENCE} words"] += 1
                else:
                    kept.append(sentence)
        while kept and _is_name(kept[-1]):
            kept.pop()
            self.removed["names at the end"] += 1
        return kept


def _why_not(**counts: int) -> str | None:
    for what, count in counts.items():
        fewest, most = LIMITS[what]
        if count < fewest:
            return f"fewer than {fewest} {what}"
        if count > most:
            return f"more than {most} {what}"
    return None


def _is_note(sentence: str) -> bool:
    return bool(NOTE.match(sentence) or COLON.match(sentence) or ADDRESS.search(sentence))


def _is_name(sentence: str) -> bool:
    """Whether a sentence is a signature: capitals throughout, and no verb of cooking first."""
    words = CAPITAL_WORD.findall(sentence)
    return bool(words) and all(word[0].isupper() for word in words) and not verb_base(words[0])
