"""What a line of a recipe written as text can be: an item with a bullet or a number, an amount and
an ingredient, a heading, a sentence of the directions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

_BULLET = re.compile(r"[-–—*+]\s+(?=\S)|-(?=\d)|[•·‣◦▪●○■□▢☐☑✓✔➢►]\s*|\[[ xX✓]?\]\s*")
_NUMBER = re.compile(r"(?:step\s?)?\(?(\d{1,2})(?:[.):](?=\s|$)|\)\.?(?=\S))\s*", re.IGNORECASE)
_STEP = re.compile(r"step\s?(\d{1,2})(?:\s?[-–:.])?(?:\s+|$)", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?:about |approx\. |approximately |scant |heaping |generous |good |small |large )?"
    r"(?:\d|[½¼¾⅓⅔⅛⅜⅝⅞]|an? |one |two |three |four |five |six |eight |ten |twelve |half |dozen "
    r"|several |few |some |pinch|dash|handful|knob |splash |drizzle |sprig|clove|juice of )",
    re.IGNORECASE,
)
_AMOUNT_BEHIND = re.compile(r"(?<=\s\s)[\d½¼¾⅓⅔][\d½¼¾⅓⅔ ./-]{0,9}[A-Za-z]{0,8}\.?$")
_ENDS = (".", "!", "?", '."', ".)", "!)")
_ABBREVIATIONS = ("tsp.", "tbsp.", "oz.", "lb.", "lbs.", "pkg.", "opt.", "c.", "t.", "g.", "kg.")

INGREDIENTS = frozenset(
    {"ingredients", "ingredient", "ingredient list", "list of ingredients", "the ingredients"}
    | {"you will need", "you'll need", "you need", "what you need", "what you'll need"}
    | {"shopping list", "for the recipe", "what you will need"}
)
DIRECTIONS = frozenset(
    {"directions", "direction", "method", "the method", "instructions", "instruction"}
    | {"preparation", "procedure", "process", "steps", "the steps", "what to do", "to make"}
    | {"how to make it", "how to make", "how to cook it", "make it", "preparation method"}
    | {"cooking method", "cooking directions", "cooking instructions", "to prepare"}
)
ASIDE = frozenset(
    {"notes", "note", "tips", "tip", "cook's notes", "cook's note", "chef's notes", "recipe notes"}
    | {"nutrition", "nutrition facts", "nutritional information", "nutrition information"}
    | {"storage", "variations", "variation", "serving suggestions", "equipment", "tools"}
    | {"special equipment", "comments", "reviews", "description", "about", "introduction"}
)
_DATA = frozenset(
    {"prep time", "preparation time", "cook time", "cooking time", "total time", "time", "yield"}
    | {"yields", "serves", "servings", "serving", "makes", "serving size", "source", "author"}
    | {"category", "categories", "cuisine", "course", "difficulty", "calories", "keywords"}
    | {"tags", "by", "from", "recipe by", "url", "rating", "prep", "cook", "total", "active time"}
)
_CREDITS = (
    *("source:", "from:", "posted by", "typed by", "typed for you by", "shared by", "origin:"),
    *("recipe by", "recipe from:", "formatted by", "submitted by", "from the collection of"),
    *("uploaded by", "converted by", "recipe source:", "created by:", "mm by", "posted to"),
)
# Words that open a sentence of the directions and never an ingredient line.
_OPENERS = frozenset(
    """add adjust allow arrange bake baste beat blend boil bring broil brush carefully chill chop
    coat combine continue cook cool core cover cream cut decorate deep-fry dip dissolve divide
    drain dredge drizzle drop dust first flip fold form freeze fry garnish gently grate gradually
    grease grill grind heat if in keep knead ladle layer leave let lightly line lower make
    marinate mash measure meanwhile melt microwave mix next once peel pinch-off place poach pour
    preheat prepare press process puree put reduce refrigerate remove reserve rinse roast roll
    rub saute sauté scoop scrape sear season separate serve set shake shape sift simmer skim
    slice slowly soak spoon spread sprinkle squeeze steam stir strain stuff take taste then
    thoroughly toast top toss transfer trim turn use using warm wash when whip whisk while
    with wrap""".split()
)
_AMBIGUOUS = frozenset("cream cut slice dip top core coat roast toast pinch".split())


class Heading(Enum):
    INGREDIENTS = "ingredients"
    DIRECTIONS = "directions"
    ASIDE = "aside"  # what follows is neither


@dataclass(frozen=True, slots=True)
class Line:
    """`text` is the line without its bullet or number; `whole` has them."""

    indent: int
    whole: str
    text: str
    bullet: bool = False
    number: int | None = None

    @property
    def blank(self) -> bool:
        return not self.whole


_BLANK = Line(0, "", "")


def parse_line(line: str) -> Line:
    whole = line.strip()
    if not whole:
        return _BLANK
    indent = len(line) - len(line.lstrip())
    if mark := _BULLET.match(whole):
        text = whole[mark.end() :]
        box = _BULLET.match(text) if text.startswith("[") else None  # "- [ ] 2 eggs"
        return Line(indent, whole, text[box.end() :] if box else text, bullet=True)
    if mark := _NUMBER.match(whole) or _STEP.match(whole):
        return Line(indent, whole, whole[mark.end() :], number=int(mark.group(1)))
    return Line(indent, whole, whole)


def has_amount(text: str) -> bool:
    """Whether an amount opens the line, or stands in a column of its own at its end."""
    return bool(_AMOUNT.match(text)) or bool(_AMOUNT_BEHIND.search(text[-24:]))


def heading(text: str) -> tuple[Heading, str] | None:
    """What a heading opens, and what stands behind it on its own line ("Directions: Mix...")."""
    head, colon, rest = text.strip("#*_= ").partition(":")
    name = head.partition("(")[0].strip("#*_=- ").lower()
    rest = rest.strip("*_ ")
    if len(name) > 40 or (rest and not colon):
        return None
    if name in INGREDIENTS or name.startswith("ingredients for "):
        return Heading.INGREDIENTS, rest
    if name in DIRECTIONS:
        return Heading.DIRECTIONS, rest
    if name in ASIDE and (colon or text.startswith(("#", "*")) or text.istitle()):
        return Heading.ASIDE, rest
    return None


def is_data(text: str) -> bool:
    """Whether a line tells a time, a yield or a source: "Serves 4", "Prep time: 10 minutes"."""
    name, colon, _ = text.partition(":")
    if colon and name.strip("*_ ").lower() in _DATA:
        return True
    words = text.lower().split(maxsplit=8)
    return 2 <= len(words) <= 8 and words[0] in ("serves", "makes", "yields", "yield")


def is_credit(text: str) -> bool:
    """Whether a line only says whom the recipe is from: "Typed for you by Ann"."""
    return len(text) < 100 and text.lower().startswith(_CREDITS)


def is_shouted(lines: Sequence[Line]) -> bool:
    """Whether a text is in capitals throughout, so that they mark no heading."""
    return sum(line.text.isupper() for line in lines) * 2 > len(lines)


def is_subheading(text: str, shouted: bool = False) -> bool:
    """Whether a line names a part of the recipe: "For the sauce:", "## Dough", "TOPPING"."""
    if text.startswith("#"):
        return True
    if len(text) > 60 or has_amount(text):
        return False
    words = text.split()
    if text.endswith(":"):
        return len(words) <= 5 or words[0].lower() == "for"
    named = (text.isupper() and not shouted) or text.lower().startswith("for the ")
    return named and len(words) <= 6 and not text.endswith(_ENDS)


def is_rule(text: str) -> bool:
    """Whether a line is drawn, not written: "-----"."""
    return not any(map(str.isalnum, text[:200]))


def ends_sentence(text: str) -> bool:
    return text.endswith(_ENDS) and not text.lower().endswith(_ABBREVIATIONS)


def is_direction(line: Line) -> bool:
    """Whether a line opens the directions rather than going on with the list."""
    if has_amount(line.text):
        return ends_sentence(line.text) and ". " in line.text  # prose that opens with a list
    words = line.text.split(maxsplit=4)
    if not words:
        return line.number is not None
    opener = words[0].lower().strip(",.;:")
    if opener in _AMBIGUOUS:
        return len(words) > 3 and (ends_sentence(line.text) or len(line.text) > 40)
    if opener in _OPENERS:
        return len(words) > 2 or ends_sentence(line.text)
    return len(line.text) > 90 or (len(words) > 4 and ends_sentence(line.text))
