"""What a line of a recipe written as text can be: an item with a bullet or a number, an amount and
an ingredient, a heading of a whole list, a sentence of the directions, or none of the recipe. The
words that tell lie in words.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from npn.language.words import load_word_lists, words_of
from npn.recipe import DIRECTIONS

WORDS: dict[str, str] = load_word_lists("words.toml", Path(__file__).parent)


def _phrases(name: str) -> frozenset[str]:
    """The phrases of a list, which commas set apart."""
    return frozenset(phrase.strip() for phrase in WORDS[name].split(","))


# -- A line, its bullet or number, and the gap above it.

_BULLET = re.compile(r"[-–—*+]\s+(?=\S)|-(?=\d)|[•·‣◦▪●○■□▢☐☑✓✔➢►]\s*|\[[ xX✓]?\]\s*")
_NUMBER = re.compile(r"(?:step\s?)?\(?(\d{1,2})(?:[.):](?=\s|$)|\)\.?(?=\S))\s*", re.IGNORECASE)
_STEP = re.compile(r"step\s?(\d{1,2})(?:\s?[-–:.])?(?:\s+|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that has words. `whole` is all of it, `text` the same without its bullet or number;
    `gap` says that a blank line stands above it, or that it is the first."""

    whole: str
    text: str
    gap: bool = False
    indent: int = 0
    bullet: bool = False
    number: int | None = None


def plain_line(text: str, gap: bool = False) -> Line:
    """A line that came in a list, whose bullets and numbers are part of it."""
    return Line(text, text, gap)


def parse_lines(lines: Iterable[str]) -> list[Line]:
    """The lines that have words. One that is only drawn, "-----", divides as a blank one does."""
    parsed: list[Line] = []
    gap = True
    for line in lines:
        written = any(map(str.isalnum, line.strip()[:200]))
        if written:
            parsed.append(_parse_line(line, gap))
        gap = not written
    return parsed


def _parse_line(line: str, gap: bool) -> Line:
    whole = line.strip()
    indent = len(line) - len(line.lstrip())
    if mark := _BULLET.match(whole):
        text = whole[mark.end() :]
        box = _BULLET.match(text) if text.startswith("[") else None  # "- [ ] 2 eggs"
        return Line(whole, text[box.end() :] if box else text, gap, indent, bullet=True)
    if mark := _NUMBER.match(whole) or _STEP.match(whole):
        return Line(whole, whole[mark.end() :], gap, indent, number=int(mark[1]))
    return Line(whole, whole, gap, indent)


# -- What comes along when a recipe is copied from a page: the buttons and labels of the plug-in
# that shows it. "1x 2x 3x" and "US Customary Metric" are no ingredients, "Cook Mode" is no step.

_SCALES = re.compile(r"(?:(?:\d{1,2}(?:/\d|\.\d)?|[½¼⅓¾])\s?[xX×][\s|/,•·]*){1,6}")
_LABELS = _phrases("labels")
_TAIL = re.compile(
    r"(?<=\S)\s{1,9}(?:us customary|metric|imperial|cook mode|prevent your screen from going dark"
    r"|(?:de)?select all|print|video|(?:\d{1,2}|½)[x×]|[-–|/])$",
    re.IGNORECASE,
)
_RUN_TOGETHER = re.compile(r"(?<=[a-z])\s?(?:[1-9½]x){2,4}$")  # "Ingredients1x2x3x"


def is_plugin_text(line: str) -> bool:
    """Whether a line is the label of a button, not of a recipe."""
    if len(line) > 60:
        return False
    text = " ".join(line.split()).strip(" :|•·▢☐-–—!►▶.*").lower()
    return text in _LABELS or _SCALES.fullmatch(text) is not None


def without_buttons(heading: str) -> str:
    """A heading without the labels that were copied behind it: "Ingredients US Customary Metric
    1x 2x 3x" is "Ingredients"."""
    if len(heading) > 120:
        return heading
    heading = _RUN_TOGETHER.sub("", heading)
    while found := _TAIL.search(heading):
        heading = heading[: found.start()]
    return heading


# -- What a line says.

_AMOUNT = re.compile(
    r"(?:about |approx\. |approximately |scant |heaping |generous |good |small |large )?"
    r"(?:\d|[½¼¾⅓⅔⅛⅜⅝⅞¹²³⁵⁷]|an? |one |two |three |four |five |six |eight |ten |twelve |half "
    r"|dozen |several |few |some |pinch|dash|handful|knob |splash |drizzle |sprig|clove|juice of )",
    re.IGNORECASE,
)
_AMOUNT_BEHIND = re.compile(r"(?<=\s\s)[\d½¼¾⅓⅔][\d½¼¾⅓⅔ ./-]{0,9}[A-Za-z]{0,8}\.?$")
_HANGING = (",", "(", " and", " or", " of", " with", " in", " into", " for", " the", " a", "&")
_ENDS = (".", "!", "?", '."', ".)", "!)")
_ABBREVIATIONS = ("tsp.", "tbsp.", "oz.", "lb.", "lbs.", "pkg.", "opt.", "c.", "t.", "g.", "kg.")
_COUNTED_NAME = re.compile(
    r"(?:[0-9]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty)[- ]"
    r"(?:minute|min|second|hour|day|ingredient|layer|step|pot|pan|skillet|dish|bowl)"
    r"\s+(?!of\b|steaks?\b)\w",
    re.IGNORECASE,
)
_DATA = _phrases("data")
_BETWEEN_DATA = re.compile(r"[|•·]")
LONGEST_DATA = 200  # characters of a line with the times and the servings
_YIELD = ("serves", "makes", "yields", "yield", "servings")
_CREDITS = tuple(_phrases("credits"))
_OPENERS = words_of(WORDS["openers"])
_AMBIGUOUS_OPENERS = words_of(WORDS["ambiguous_openers"])


def has_amount(text: str) -> bool:
    """Whether an amount opens the line, or stands in a column of its own at its end."""
    return bool(_AMOUNT.match(text)) or bool(_AMOUNT_BEHIND.search(text[-24:]))


def is_counted_name(text: str) -> bool:
    """Whether a number belongs to a name: "20-Minute Beef", "5 Ingredient Chili"."""
    return _COUNTED_NAME.match(text) is not None


def is_title_case(text: str) -> bool:
    """Whether every long word begins with a capital, or with a number: "A Stew for Winter"."""
    return all(not word[:1].islower() for word in text.split() if len(word) > 3)


def is_data(text: str) -> bool:
    """Whether a line tells a time, a yield or a source: "Serves 4", "Prep time: 10 minutes"."""
    name, colon, _ = text.partition(":")
    if colon and name.strip("*_ ").lower() in _DATA:
        return True
    return is_yield(text)


def is_yield(text: str) -> bool:
    """Whether a line says how much the recipe makes: "Serves 4", "Yield: 2 loaves"."""
    words = text.lower().strip("*_ ").split(maxsplit=8)
    return 2 <= len(words) <= 8 and words[0].rstrip(":*_") in _YIELD


def yield_in(line: str) -> str:
    """What a line says of how much the recipe makes, also beside its times: "Serves 4" of "Prep 10
    min | Serves 4"; empty where it says nothing of it."""
    pieces = [line] if len(line) > LONGEST_DATA else _BETWEEN_DATA.split(line)
    return next((piece.strip() for piece in pieces if is_yield(piece)), "")


def yield_in_brackets(title: str) -> str:
    """The same of a title: "makes 2" of "Margarita (makes 2)"."""
    _, opened, rest = title.partition("(")
    inside = rest.partition(")")[0]
    return inside if opened and is_yield(inside) else ""


def is_credit(text: str) -> bool:
    """Whether a line only says whom the recipe is from: "Typed for you by Ann"."""
    return len(text) < 100 and text.lower().startswith(_CREDITS)


def is_shouted(texts: Sequence[str]) -> bool:
    """Whether most of the lines are in capitals, so that those mark no heading."""
    return sum(map(str.isupper, texts)) * 2 > len(texts)


def is_unfinished(item: str) -> bool:
    """Whether an item goes on in the next line: "1 cup butter (cut into"."""
    return item.endswith(_HANGING) or item.count("(") > item.count(")")


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
    if opener in _AMBIGUOUS_OPENERS:
        return len(words) > 3 and (ends_sentence(line.text) or len(line.text) > 40)
    if opener in _OPENERS:
        return len(words) > 2 or ends_sentence(line.text)
    return len(line.text) > 90 or (len(words) > 4 and ends_sentence(line.text))


# -- Headings of a whole list, or of lines that belong to neither.

INGREDIENTS = _phrases("ingredients")
HeadingKind = Literal["ingredients", "directions", "aside"]
_KINDS: dict[str, HeadingKind] = {
    **dict.fromkeys(_phrases("asides"), "aside"),
    **dict.fromkeys(DIRECTIONS, "directions"),
    **dict.fromkeys(INGREDIENTS, "ingredients"),
}
# "Ingredients for the icing", "Icing ingredients", "Sauce Directions"
_OF_A_PART = re.compile(
    r"(?P<before>ingredients|directions|instructions|method) (?P<part>for \w.*)"
    r"|(?P<whole>[A-Za-z][\w' ]{0,30}?) (?P<after>ingredients|directions|instructions|method)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ListHeading:
    """`rest` stands behind it on its own line ("Directions: Mix..."); `section` is the part that it
    names ("Ingredients for the icing")."""

    kind: HeadingKind
    rest: str = ""
    section: str | None = None


def list_heading(text: str) -> ListHeading | None:
    """What a heading opens; None for a line that is none."""
    head, colon, rest = without_buttons(text.strip("#*_= ")).partition(":")
    head, rest = head.partition("(")[0].strip("#*_=- "), rest.strip("*_ ")
    if len(head) > 40:
        return None
    kind = _KINDS.get(head.lower())
    if kind and (kind != "aside" or colon or text.startswith(("#", "*")) or text.istitle()):
        return ListHeading(kind, rest)
    part = _OF_A_PART.fullmatch(head)
    if part and not rest:
        listed = (part["before"] or part["after"]).lower() == "ingredients"
        kind = "ingredients" if listed else "directions"
        return ListHeading(kind, section=part["part"] or part["whole"])
    return None


# -- A list of ingredients that runs on in one line.

LONGEST_ITEM = 2_000  # characters of an ingredient: what goes on longer is not one line, wrapped


def pieces_of(text: str) -> list[str]:
    """The ingredients of a list that runs on in one line: "2 eggs, 1 onion, chopped, and salt"."""
    if len(text) > 10 * LONGEST_ITEM:
        return [text]
    mark = ";" if ";" in text else ","
    pieces: list[str] = []
    open_brackets = 0
    for piece in text.split(mark):
        if open_brackets > 0 or (mark == "," and pieces and _belongs_before(piece)):
            pieces[-1] += mark + piece
        else:
            pieces.append(piece.strip())
        open_brackets = max(0, open_brackets + piece.count("(") - piece.count(")"))
    if mark == "," and len(pieces) > 1:
        pieces[-1:] = _last_two(pieces[-1].removeprefix("and "))
    return [piece for piece in pieces if piece]


def _belongs_before(piece: str) -> bool:
    """Whether a piece says how the one before it is prepared: "finely chopped"."""
    words = piece.lower().split()
    if not words or has_amount(piece.strip()):
        return False
    return words[0] in ("or", "to", "plus", "cut") or (len(words) < 4 and words[-1].endswith("ed"))


def _last_two(piece: str) -> list[str]:
    """ "3 eggs and a pinch of salt" ends a list with two."""
    first, conjunction, second = piece.partition(" and ")
    return [first, second] if conjunction and has_amount(second) else [piece]
