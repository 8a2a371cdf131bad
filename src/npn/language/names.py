"""From an ingredient line to the names a cook would use for it.

"1 (16 oz.) can whole tomatoes, drained and chopped" is "tomato"; "Butter or margarine" has two
names. A line that names nothing (a heading, or the wrapped end of the line before) has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from npn.language.amounts import amount_of
from npn.language.lemmas import lemma
from npn.language.line_words import (
    ADJECTIVE,
    AND,
    BREAK,
    FOOD,
    HEADINGS,
    KEEP_AFTER,
    KEEP_BEFORE,
    KINDS,
    NOTE,
    NUMBER,
    OF,
    PREPARATION,
    SIZE,
    STOP,
    UNIT,
)


@dataclass(frozen=True, slots=True)
class Name:
    """One name: "cheddar cheese". `words` are the lemmas of its words, `head` that of the word
    that says what it is."""

    text: str
    words: tuple[str, ...]
    head: str


@dataclass(frozen=True, slots=True)
class IngredientNames:
    """`name` is for people, and never empty unless the line is; `names` are for matching; `amount`
    is what stands before the name, in one spelling ("1 1/2 cup")."""

    name: str
    names: tuple[Name, ...]
    amount: str = ""


# Words with inner hyphens and apostrophes, numbers with their fraction, dashes, other signs.
TOKEN = re.compile(
    r"\d+(?:[./]\d+)*|[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]+(?:['’-][^\W\d_½⅓⅔¼¾⅛]+)*'?|-{2,}|[^\s\w]|\w"
)
HEADING = re.compile(r"\s*(?:-{2,}.*|=.*|for\s+the\s.*|.*:\s*)", re.DOTALL)

# "lemon juice" from "juice of a lemon"; in the others the part stays before "of".
_MADE_OF = frozenset("juice zest rind peel".split())
_CUT_OF = frozenset("leg rack loin saddle shoulder cream hearts heart fillet cream haunch".split())
# What a word before "and" or "or" can be short for: "peanut or safflower oil".
_COLOURS = frozenset("red green yellow orange white black brown golden purple blue".split())
_KINDS_OF = {
    head: frozenset(kinds.split())
    for head, kinds in {
        "oil": "peanut safflower canola olive vegetable corn sunflower sesame walnut salad "
        "grapeseed cooking soybean hazelnut almond coconut cottonseed",
        "broth": "chicken beef vegetable turkey veal fish",
        "stock": "chicken beef vegetable turkey veal fish",
        "bouillon": "chicken beef vegetable",
        "vinegar": "cider wine rice balsamic malt sherry distilled raspberry",
        "juice": "lemon lime orange grapefruit pineapple apple cranberry",
        "sugar": "granulated powdered confectioners' confectioner's caster castor",
        "flour": "all-purpose bread cake pastry plain unbleached wheat rye",
        "cheese": "cheddar swiss jack parmesan romano mozzarella provolone monterey american colby "
        "feta ricotta cottage gruyere",
        "seed": "poppy sesame caraway sunflower pumpkin celery fennel cumin mustard",
        "bean": "kidney pinto navy lima black white garbanzo green wax great cannellini",
        "lettuce": "iceberg romaine boston bibb leaf cos butter",
        "mustard": "dijon brown creole whole-grain grainy",
        "sausage": "italian polish smoked kielbasa pork andouille",
        "wine": "port burgundy marsala",
        "salt": "kosher sea table onion garlic celery",
        "bread": "french italian rye sourdough pita",
        "pepper": "bell cayenne jalapeno serrano poblano anaheim sweet",
        "mushroom": "shiitake button cremini portobello oyster",
        "extract": "vanilla almond lemon rum maple",
        "cream": "whipping heavy sour double single light",
    }.items()
}
# Names that people write back to front: "Onions, yellow".
_INVERTED = frozenset(
    """
    flour sugar cheese onion pepper oil vinegar rice bean milk cream tomato potato apple bread
    chicken beef pork lamb turkey fish mushroom lettuce cabbage squash nut olive juice wine broth
    stock soup sauce mustard butter chocolate seed chili chile pea noodle pasta cracker syrup salt
    bacon sausage ham steak water yogurt corn egg margarine shortening raisin crumb breadcrumb
    garlic ginger tofu lentil cherry pear peach pineapple berry ginger extract powder bouillon
    yeast cocoa coffee gelatin rice macaroni spaghetti carrot celery spinach parsley basil
    """.split()
)
_CUTS = frozenset("breast thigh wing leg chop loin shoulder white yolk drumstick fillet".split())
_STANDS_ALONE = frozenset(
    "salt pepper paprika garlic butter sugar cinnamon nutmeg oregano basil thyme parsley cumin "
    "ginger lemon onion celery carrot egg flour milk water oil vinegar mayonnaise ketchup".split()
)
# A measuring word that is food when nothing else is named.
_FOOD_AFTER_ALL = frozenset("clove cloves rib ribs roll rolls link links".split())


@lru_cache(maxsize=65_536)
def name_ingredient(line: str) -> IngredientNames:
    """The names in one ingredient line."""
    tokens = _without_brackets(TOKEN.findall(line.lower().replace("’", "'")))
    if not _is_heading(line, tokens):
        found = _find_names(tokens)
        if found:
            conjunctions, names = found
            shown = names[0].text
            for conjunction, name in zip(conjunctions[1:], names[1:], strict=True):
                shown += f" {conjunction} {name.text}"
            return IngredientNames(shown, names, amount_of(tokens))
    return IngredientNames(" ".join(line.lower().strip(" :-*=").split()), ())


def _is_heading(line: str, tokens: Sequence[str]) -> bool:
    if HEADING.fullmatch(line.lower()):
        return True
    return 0 < len(tokens) < 3 and tokens[-1] in HEADINGS and tokens[0] in HEADINGS


def _without_brackets(tokens: list[str]) -> list[str]:
    if "(" not in tokens:
        return tokens
    kept = []
    depth = 0
    for token in tokens:
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(depth - 1, 0)
        elif not depth:
            kept.append(token)
    return kept


def _find_names(tokens: Sequence[str]) -> tuple[list[str], tuple[Name, ...]] | None:
    """Each name with the conjunction before it."""
    pieces: list[tuple[str, list[str]]] = []
    for number, (segment, pure) in enumerate(_segments(tokens)):
        joined = segment[0] in ("or", "and", "&") if segment else False
        if not pieces:
            for conjunction, words in _pieces(segment):
                food = _food_words(words)
                if food:
                    pieces.append((conjunction, food))
        elif joined or (pure and number):
            new = [(c, f) for c, f in ((c, _food_words(w)) for c, w in _pieces(segment)) if f]
            if not new:
                continue
            if joined or len(new) > 1:
                pieces += [("or" if c == "," else c, f) for c, f in new]
            else:
                _add_qualifier(pieces, new[0][1], bool(amount_of(tokens)))
    if not pieces:
        return None
    _share_heads(pieces)
    names: dict[str, Name] = {}
    conjunctions = []
    for conjunction, words in pieces:
        name = _name(words)
        if name.text not in names:
            names[name.text] = name
            conjunctions.append("or" if conjunction in ("or", "/", "and/or") else "and")
    return conjunctions, tuple(names.values())


def _segments(tokens: Sequence[str]) -> list[tuple[list[str], bool]]:
    """The line between its commas; pure are those of food words and adjectives alone."""
    segments: list[tuple[list[str], bool]] = []
    current: list[str] = []
    pure = True
    for token in tokens:
        kind = KINDS.get(token, FOOD)
        if kind == BREAK:
            if token == "." and current and (len(current[-1]) < 5 or current[-1][0].isdigit()):
                continue
            if current:
                segments.append((current, pure))
            current, pure = [], True
            continue
        current.append(token)
        if kind in (PREPARATION, STOP, NOTE, NUMBER, UNIT) or token[0].isdigit():
            pure = False
    if current:
        segments.append((current, pure))
    return segments


def _pieces(segment: Sequence[str]) -> list[tuple[str, list[str]]]:
    pieces: list[tuple[str, list[str]]] = []
    current: list[str] = []
    conjunction = ","
    for i, token in enumerate(segment):
        if KINDS.get(token) == AND and not (
            i and segment[i - 1] == "half" and i + 1 < len(segment) and segment[i + 1] == "half"
        ):
            if token == "/" and i and segment[i - 1][0].isdigit():
                continue
            if current:
                pieces.append((conjunction, current))
            current, conjunction = [], token
        else:
            current.append(token)
    if current:
        pieces.append((conjunction, current))
    return pieces


def _food_words(tokens: Sequence[str]) -> list[str]:
    """The words of one name: without amounts, descriptions, preparations and what follows."""
    if "half" in tokens and list(tokens[-3:]) in (["half", "and", "half"], ["half", "&", "half"]):
        return ["half-and-half"]
    food: list[str] = []
    last = len(tokens) - 1
    for i, token in enumerate(tokens):
        kind = KINDS.get(token, FOOD)
        if kind == FOOD:
            if token[0].isdigit():
                if food:
                    break
            elif token[0].isalpha() and not (token.endswith("ly") and token in _ADVERBS):
                food.append(token)
        elif kind in (ADJECTIVE, PREPARATION, SIZE):
            if i < last and token in KEEP_BEFORE and tokens[i + 1] in KEEP_BEFORE[token]:
                food.append(token)
        elif kind == UNIT:
            if food and food[-1] in KEEP_AFTER.get(token, ()):
                food.append(token)
            elif i < last and token in KEEP_BEFORE and tokens[i + 1] in KEEP_BEFORE[token]:
                food.append(token)
        elif kind == OF:
            if food:
                if food[-1] in _MADE_OF:
                    return _food_words(tokens[i + 1 :]) + [food[-1]]
                if food[-1] in _CUT_OF:
                    food.append(token)
                else:
                    food = []
        elif food and kind in (STOP, NUMBER, NOTE):
            break
    while food and food[-1] == "of":
        food.pop()
    if not food:
        food = [token for token in tokens if token in _FOOD_AFTER_ALL][-1:]
    return food


_ADVERBS = frozenset(
    "finely coarsely thinly thickly freshly roughly lightly firmly loosely tightly very partially "
    "completely thoroughly evenly slightly fully barely newly newly nicely gently preferably "
    "diagonally vertically horizontally naturally individually separately approximately "
    "generously scantly sparingly heavily highly mildly moderately especially generally usually "
    "possibly commercially properly carefully equally cleanly precisely quickly briefly dry-ly "
    "extremely densely delicately".split()
)


def _add_qualifier(pieces: list[tuple[str, list[str]]], words: list[str], has_amount: bool) -> None:
    """ "Onions" and then "yellow": "yellow onions". "Salt" and then "pepper": two names."""
    conjunction, name = pieces[-1]
    last = lemma(words[-1])
    if last in _STANDS_ALONE and not has_amount:
        pieces.append(("and", words))
    elif len(name) == 1 and lemma(name[0]) in _INVERTED and len(words) < 4:
        if last in _CUTS:
            pieces[-1] = (conjunction, [name[0], *words])
        elif name[0] not in words:
            pieces[-1] = (conjunction, [*words, name[0]])


def _share_heads(pieces: list[tuple[str, list[str]]]) -> None:
    for i in range(len(pieces) - 2, -1, -1):
        conjunction, words = pieces[i]
        following = pieces[i + 1][1]
        if len(following) < 2 or pieces[i + 1][0] == ",":
            continue
        if len(words) == 1 and words[0] in _COLOURS:
            pieces[i] = (conjunction, words + following[1:])
        elif words[-1] in _KINDS_OF.get(lemma(following[-1]), ()):
            pieces[i] = (conjunction, [*words, following[-1]])


def _name(words: list[str]) -> Name:
    lemmas = tuple([lemma(part) for word in words for part in word.split("-")])
    return Name(" ".join([*words[:-1], lemma(words[-1])]), lemmas, lemmas[-1])
