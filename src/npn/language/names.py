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
    ANDS,
    BREAKS,
    FOOD,
    HEADINGS,
    KEEP_AFTER,
    KEEP_BEFORE,
    KINDS,
    NOTE,
    NOTES,
    NUMBER,
    OF,
    PREPARATION,
    STOP,
    words_of,
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


Piece = tuple[str, list[str]]  # a conjunction, and the food words after it

# Words with inner hyphens and apostrophes, numbers with their fraction, dashes, other signs.
TOKEN = re.compile(
    r"\d+(?:[./]\d+)*|[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]+(?:['-][^\W\d_½⅓⅔¼¾⅛]+)*'?|-{2,}|[^\s\w]|\w"
)

# "lemon juice" from "juice of a lemon"; in the others the part stays before "of".
_MADE_OF = words_of("juice zest rind peel")
_CUT_OF = words_of(
    "leg rack loin saddle shoulder cream heart hearts breast breasts fillet fillets filet"
)
# Kinds that may stand apart from their food: "Beef, ground"; "dried navy beans".
_AFTERWARDS = words_of("ground dry dried stuffed powdered rolled split")
# Codes that begin the next ingredient of two that ran together: "1 c Sugar pn Salt".
_RUN_ON = words_of("pn ds tb ts md sm lg cn pk")
_OR = frozenset({"or", "/", "and/or"})
_JOINING = frozenset({"or", "and", "&", "plus"})
_ONE_NAME = frozenset(
    {("pork", "beans"), ("macaroni", "cheese"), ("bread", "butter"), ("sweet", "sour")}
)
# What a word before "and" or "or" can be short for: "peanut or safflower oil".
_COLOURS = words_of("red green yellow orange white black brown golden purple blue")
_KINDS_OF = {
    head: words_of(kinds)
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
        "olive": "kalamata ripe",
        "extract": "vanilla almond lemon rum maple",
        "cream": "whipping heavy sour double single light",
    }.items()
}
# Names that people write back to front: "Onions, yellow".
_INVERTED = words_of("""
    flour sugar cheese onion pepper oil vinegar rice bean milk cream tomato potato apple bread
    chicken beef pork lamb turkey fish mushroom lettuce cabbage squash nut olive juice wine broth
    stock soup sauce mustard butter chocolate seed chili chile pea noodle pasta cracker syrup salt
    bacon sausage ham steak water yogurt corn egg margarine shortening raisin crumb breadcrumb
    garlic ginger tofu lentil cherry pear peach pineapple berry ginger extract powder bouillon
    yeast cocoa coffee gelatin rice macaroni spaghetti carrot celery spinach parsley basil
    """)
_CUTS = words_of(
    "breast thigh wing leg chop loin shoulder yolk drumstick fillet meat roast steak chuck "
    "round sirloin brisket rib powder"
)
_STANDS_ALONE = words_of(
    "salt pepper paprika garlic butter sugar cinnamon nutmeg oregano basil thyme parsley cumin "
    "ginger lemon onion celery carrot egg flour milk water oil vinegar mayonnaise ketchup"
)
# A measuring word that is food when nothing else is named.
_FOOD_AFTER_ALL = words_of("clove cloves rib ribs roll rolls link links fat")
_FOOD_IN_LY = words_of("jelly curly belly lily chantilly philly royal-jelly")


@lru_cache(maxsize=65_536)
def name_ingredient(line: str) -> IngredientNames:
    """The names in one ingredient line."""
    lower = line.lower().replace("’", "'")
    if "half" in lower:
        lower = lower.replace("half and half", "half-and-half").replace(
            "half & half", "half-and-half"
        )
    tokens = _without_brackets(TOKEN.findall(lower))
    if not _is_heading(lower, tokens):
        amount = amount_of(tokens)
        pieces = _find_pieces(tokens, bool(amount))
        if pieces:
            _share_heads(pieces)
            return _assemble(pieces, amount)
    return IngredientNames(" ".join(lower.strip(" :-*=").split()), ())


def _assemble(pieces: Sequence[Piece], amount: str) -> IngredientNames:
    names: dict[str, Name] = {}
    shown = ""
    for conjunction, words in pieces:
        name = _name(words)
        if name.text not in names:
            names[name.text] = name
            shown += f" {'or' if conjunction in _OR else 'and'} {name.text}" if shown else name.text
    return IngredientNames(shown, tuple(names.values()), amount)


def _name(words: list[str]) -> Name:
    if "-" in "".join(words):
        lemmas = tuple([lemma(part) for word in words for part in word.split("-") if part])
    else:
        lemmas = tuple([lemma(word) for word in words])
    return Name(" ".join([*words[:-1], lemma(words[-1])]), lemmas, lemmas[-1])


def _is_heading(lower: str, tokens: Sequence[str]) -> bool:
    if lower.startswith(("for the ", "--", "==", "~-")) or lower.rstrip().endswith(":"):
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


def _find_pieces(tokens: Sequence[str], has_amount: bool) -> list[Piece]:
    """The food words of each name, with the conjunction before it."""
    pieces: list[Piece] = []
    for segment in _segments(tokens):
        if not pieces:
            pieces = _pieces(segment)
        elif segment[0] in _JOINING:
            pieces += _pieces(segment)
        elif len(segment) == 2 and segment[1] == "of" and segment[0] in _MADE_OF:
            pieces[-1][1].append(segment[0])  # "Lemon; juice of"
        elif segment[0] in _AFTERWARDS and pieces[-1][1][-1] in KEEP_BEFORE[segment[0]]:
            pieces[-1][1].insert(0, segment[0])  # "Beef, ground"
        elif not has_amount and segment[-1] in _STANDS_ALONE:
            pieces += _pieces(segment)  # "Kosher salt, freshly ground pepper"
        elif _is_pure(segment):
            more = _pieces(segment)
            if len(more) > 1:
                pieces += more
            elif more:
                _add_qualifier(pieces, more[0][1], has_amount)
    return pieces


def _segments(tokens: Sequence[str]) -> list[list[str]]:
    """The line between its commas, semicolons and dashes."""
    segments: list[list[str]] = []
    current: list[str] = []
    for token in tokens:
        if token not in BREAKS:
            current.append(token)
        elif current and not (token == "." and (len(current[-1]) < 5 or current[-1][0].isdigit())):
            segments.append(current)
            current = []
    if current:
        segments.append(current)
    return segments


def _is_pure(segment: Sequence[str]) -> bool:
    """Nothing but food words, adjectives and conjunctions, up to "for" or "to taste": such a
    segment goes on naming."""
    parts = 0
    for i, token in enumerate(segment):
        kind = KINDS.get(token, FOOD)
        if kind == FOOD:
            if token in _MADE_OF:
                parts += 1
            elif not token[0].isalpha() or _is_participle(token) or token.endswith("ly"):
                return False
        elif kind == STOP and i and token in ("for", "to"):
            break
        elif kind not in (ADJECTIVE, AND) and not (i and token in _FOOD_AFTER_ALL):
            return False
    return not parts or parts < len(segment) - 1


def _is_participle(word: str) -> bool:
    return word.endswith("ed") and not word.endswith(("eed", "red"))


def _pieces(segment: Sequence[str]) -> list[Piece]:
    """A segment between its conjunctions, food words only."""
    pieces: list[Piece] = []
    start = 0
    conjunction = "and"
    for i, token in enumerate(segment):
        if token in ANDS:
            if _is_inside(segment, i):
                continue
            _add_piece(pieces, conjunction, segment[start:i])
            start, conjunction = i + 1, token
        elif token in _RUN_ON and i - start > 1 and _is_food(segment, i - 1):
            _add_piece(pieces, conjunction, segment[start:i])
            start, conjunction = i + 1, "and"
    _add_piece(pieces, conjunction, segment[start:])
    return pieces


def _is_food(tokens: Sequence[str], i: int) -> bool:
    return tokens[i] not in KINDS and tokens[i][0].isalpha()


def _add_piece(pieces: list[Piece], conjunction: str, tokens: Sequence[str]) -> None:
    food = _food_words(tokens) if tokens else []
    if food:
        pieces.append((conjunction, food))


def _is_inside(segment: Sequence[str], i: int) -> bool:
    """This conjunction joins no two names: "half and half", "50g/2oz"."""
    if not 0 < i < len(segment) - 1:
        return False
    return (segment[i - 1], segment[i + 1]) in _ONE_NAME or (
        segment[i] == "/" and segment[i + 1][0].isdigit()
    )


def _food_words(tokens: Sequence[str]) -> list[str]:
    """The words of one name: without amounts, descriptions, preparations and what follows."""
    food: list[str] = []
    last = len(tokens) - 1
    for i, token in enumerate(tokens):
        kind = KINDS.get(token, FOOD)
        if kind == FOOD:
            if token[0].isdigit():
                if food:
                    break
            elif token[0].isalpha() and not (token.endswith("ly") and token not in _FOOD_IN_LY):
                if food and i == last and _is_participle(token):
                    break
                if i == last and KINDS.get(token.rpartition("-")[2]) == PREPARATION:
                    token = token.rpartition("-")[0]  # "cherries-halved"
                food.append(token)
        elif kind == OF or (token == "from" and i and tokens[i - 1] in _MADE_OF):
            if i and tokens[i - 1] in _MADE_OF:
                return [lemma(word) for word in _food_words(tokens[i + 1 :])] + [tokens[i - 1]]
            if i and tokens[i - 1] in _CUT_OF:
                food = [tokens[i - 1], token]
            elif food and not NOTES.isdisjoint(tokens[i:]):
                break
            else:
                food = []
        elif _belongs(tokens, i, last, food):
            food.append(token)
        elif food and kind in (STOP, NUMBER, NOTE):
            break
        elif food and kind == AND:
            food.append(token)
    if not food:
        return [token for token in tokens if token in _FOOD_AFTER_ALL][-1:]
    if food[-1] == "of":
        food.pop()
    return food


def _belongs(tokens: Sequence[str], i: int, last: int, food: Sequence[str]) -> bool:
    """A word that measures or describes elsewhere is part of this name."""
    token = tokens[i]
    if i < last and token in KEEP_BEFORE:
        names = KEEP_BEFORE[token]
        if tokens[i + 1] in names or (token in _AFTERWARDS and tokens[last] in names):
            return True
    return bool(food) and token in KEEP_AFTER and food[-1] in KEEP_AFTER[token]


def _add_qualifier(pieces: list[Piece], words: list[str], has_amount: bool) -> None:
    """ "Onions" and then "yellow": "yellow onions". "Salt" and then "pepper": two names."""
    name = pieces[-1][1]
    last = lemma(words[-1])
    if last in _STANDS_ALONE and not has_amount:
        pieces.append(("and", words))
    elif lemma(name[-1]) in _INVERTED and words[-1] != name[-1]:
        if last in _CUTS or (last == "white" and lemma(name[0]) == "egg"):
            name += words
        elif len(name) == 1 or words[0] in _COLOURS:
            name[:0] = words


def _share_heads(pieces: list[Piece]) -> None:
    """ "Peanut or safflower oil" is peanut oil or safflower oil."""
    for i in range(len(pieces) - 2, -1, -1):
        words, following = pieces[i][1], pieces[i + 1][1]
        if len(following) < 2:
            continue
        if len(words) == 1 and words[0] in _COLOURS:
            words += following[1:]
        elif words[-1] in _KINDS_OF.get(lemma(following[-1]), ()):
            words.append(following[-1])
        elif len(words) == 1 and words[0] in _MADE_OF and following[-1] in _MADE_OF:
            words[:0] = following[:-1]
