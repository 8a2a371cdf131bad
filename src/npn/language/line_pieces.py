"""The food words of an ingredient line, name by name: its amounts, descriptions and preparations
left out, names that share a word ("peanut or safflower oil") completed."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.line_words import (
    ADJECTIVE,
    AND,
    ANDS,
    BREAKS,
    FOOD,
    KEEP_AFTER,
    KEEP_BEFORE,
    KINDS,
    NOTE,
    NOTES,
    NUMBER,
    OF,
    PREPARATION,
    SIZE,
    STOP,
    UNIT,
    words_of,
)
from npn.language.words import Remembered, lemma

# -- Names that share a word ("peanut or safflower oil") or stand back to front ("onions, red").

Piece = tuple[str, list[str]]  # a conjunction, and the food words after it

# Made of what follows "of": "juice of a lemon" is lemon juice.
MADE_OF = words_of("juice zest rind peel")
COLOURS = words_of("red green yellow orange white black brown golden purple blue")
# What a word before "and" or "or" can be short for.
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
        "bread": "french italian rye sourdough pita pumpernickel",
        "roll": "french italian kaiser sandwich",
        "chili": "thai serrano poblano anaheim jalapeno",
        "chile": "thai serrano poblano anaheim jalapeno",
        "pepper": "bell cayenne jalapeno serrano poblano anaheim sweet",
        "mushroom": "shiitake button cremini portobello oyster",
        "olive": "kalamata ripe",
        "nectar": "apricot peach mango pear",
        "jam": "raspberry strawberry apricot blackberry",
        "preserve": "raspberry strawberry apricot blackberry peach",
        "extract": "vanilla almond lemon rum maple",
        "cream": "whipping heavy sour double single light vanilla chocolate strawberry",
    }.items()
}
# Names that people write back to front: "Onions, yellow".
_INVERTED = words_of("""
    flour sugar cheese onion pepper oil vinegar rice bean milk cream tomato potato apple bread
    chicken beef pork lamb turkey fish mushroom lettuce cabbage squash nut olive juice wine broth
    stock soup sauce mustard butter chocolate seed chili chile pea noodle pasta cracker syrup salt
    bacon sausage ham steak water yogurt corn egg margarine shortening raisin crumb breadcrumb
    garlic ginger tofu lentil cherry pear peach pineapple berry ginger extract powder bouillon
    yeast cocoa coffee gelatin pickle macaroni spaghetti carrot celery spinach parsley basil
    """)
_CUTS = words_of(
    "breast thigh wing leg chop loin shoulder yolk drumstick fillet meat roast steak chuck "
    "round sirloin brisket rib powder"
)
# After a comma and no amount, a name of its own: "salt, pepper".
STANDS_ALONE = words_of(
    "salt pepper paprika garlic butter sugar cinnamon nutmeg oregano basil thyme parsley cumin "
    "ginger lemon onion celery carrot egg flour milk water oil vinegar mayonnaise ketchup"
)


def add_qualifier(pieces: list[Piece], words: list[str], has_amount: bool) -> None:
    """ "Onions" and then "yellow": "yellow onions". "Salt" and then "pepper": two names."""
    name = pieces[-1][1]
    last = lemma(words[-1])
    if last == "garlic" and lemma(name[0]) == "clove":
        name[:] = words
    elif last in STANDS_ALONE and not has_amount:
        pieces.append(("and", words))
    elif lemma(name[-1]) in _INVERTED and words[-1] != name[-1]:
        if last in _CUTS or (last == "white" and lemma(name[0]) == "egg"):
            name += words
        elif len(name) == 1 or words[0] in COLOURS:
            name[:0] = words


def share_heads(pieces: list[Piece]) -> None:
    """ "Peanut or safflower oil" is peanut oil or safflower oil."""
    for i in range(len(pieces) - 2, -1, -1):
        words, following = pieces[i][1], pieces[i + 1][1]
        if len(following) < 2:
            continue
        if words[-1] in COLOURS:
            words += following[1:]
        elif words[-1] in _KINDS_OF.get(lemma(following[-1]), ()):
            words.append(following[-1])
        elif len(words) == 1 and words[0] in MADE_OF and following[-1] in MADE_OF:
            words[:0] = following[:-1]


# -- The food words of a line.

# The cut stays before "of": "leg of lamb".
_CUT_OF = words_of(
    "leg rack loin saddle shoulder cream heart hearts breast breasts fillet fillets filet"
)
# Kinds that may stand apart from their food: "Beef, ground"; "dried navy beans".
_AFTERWARDS = words_of("ground dry dried stuffed powdered rolled split")
# Codes that begin the next ingredient of two that ran together: "1 c Sugar pn Salt".
_RUN_ON = words_of("pn ds tb ts md sm lg cn pk")
_PARTING = BREAKS | ANDS
_JOINING = frozenset({"or", "and", "&", "plus"})
_ONE_NAME = frozenset(
    {("pork", "beans"), ("macaroni", "cheese"), ("bread", "butter"), ("sweet", "sour")}
)
# A measuring word that is food when nothing else is named.
_FOOD_AFTER_ALL = words_of("clove cloves rib ribs roll rolls link links fat")
_FOOD_IN_LY = words_of("jelly curly belly lily chantilly philly")


def find_pieces(tokens: Sequence[str], has_amount: bool) -> list[Piece]:
    """The food words of each name, with the conjunction before it."""
    if _PARTING.isdisjoint(tokens) and _RUN_ON.isdisjoint(tokens[2:]):
        food = _food_words(tokens)  # one segment, one name: most lines
        return [("and", food)] if food else []
    pieces: list[Piece] = []
    segments = _segments(tokens)
    each = "each" in tokens[:5]  # "1 ts each thyme, basil"
    for number, segment in enumerate(segments):
        first = segment[0]
        if not pieces:
            pieces = _pieces(segment)
        elif first in _JOINING:
            pieces += _pieces(segment)
        elif len(segment) == 2 and segment[1] == "of" and first in MADE_OF:
            pieces[-1][1].append(first)  # "Lemon; juice of"
        elif first in _AFTERWARDS and pieces[-1][1][-1] in KEEP_BEFORE[first]:
            pieces[-1][1].insert(0, first)  # "Beef, ground"
        elif not has_amount and segment[-1] in STANDS_ALONE:
            pieces += _pieces(segment)  # "Kosher salt, freshly ground pepper"
        elif _is_pure(segment):
            more = _pieces(segment)
            if each:
                pieces += more
            elif len(more) > 1:
                pieces += [(more[1][0], more[0][1]), *more[1:]]
            elif more and first not in COLOURS and _joins_later(segments, number):
                pieces.append((segments[-1][0], more[0][1]))  # "Sherry, brandy, or wine"
            elif more:
                add_qualifier(pieces, more[0][1], has_amount)
    return pieces


def _joins_later(segments: Sequence[list[str]], number: int) -> bool:
    return any(segment[0] in ("or", "and") for segment in segments[number + 1 :])


def _segments(tokens: Sequence[str]) -> list[list[str]]:
    """The line between its commas, semicolons and dashes."""
    if tokens and BREAKS.isdisjoint(tokens):
        return [[*tokens]]
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
            if token in MADE_OF:
                parts += 1
            elif not token[0].isalpha() or _is_participle(token) or _is_adverb(token):
                return False
        elif kind == STOP and i and token in ("for", "to"):
            break
        elif kind == OF and i and segment[i - 1] == "cream":
            continue  # "Soup, cream of mushroom"
        elif kind not in (ADJECTIVE, AND) and not (i and token in _FOOD_AFTER_ALL):
            return False
    return not parts or parts < len(segment) - 1


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and word not in _FOOD_IN_LY


def _is_participle(word: str) -> bool:
    return word.endswith("ed") and not word.endswith(("eed", "red"))


def _ends_prepared(word: str) -> bool:
    """ "Cherries-halved"."""
    return KINDS.get(word.rpartition("-")[2]) == PREPARATION


def _pieces(segment: Sequence[str]) -> list[Piece]:
    """A segment between its conjunctions, food words only."""
    pieces: list[Piece] = []
    if ANDS.isdisjoint(segment) and _RUN_ON.isdisjoint(segment[2:]):
        _add_piece(pieces, "and", segment)
        return pieces
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
    for token in tokens:
        role = _roles[token]
        if role == _NAMES:
            food.append(token)
        elif role == _UNCLEAR:
            return _food_words_in_context(tokens)
    return food or _food_words_in_context(tokens)


def _role(token: str) -> int:
    """What a word does in a name, whatever stands around it."""
    kind = KINDS.get(token, FOOD)
    if kind == FOOD:
        unclear = _is_adverb(token) or _is_participle(token) or _ends_prepared(token)
        return _NAMES if token[0].isalpha() and not unclear else _UNCLEAR
    kept = token in KEEP_BEFORE or token in KEEP_AFTER
    return _ADDS_NOTHING if kind in _DESCRIBING and not kept else _UNCLEAR


_NAMES, _ADDS_NOTHING, _UNCLEAR = range(3)
_DESCRIBING = frozenset({UNIT, SIZE, ADJECTIVE, PREPARATION})
_roles = Remembered(_role)


def _food_words_in_context(tokens: Sequence[str]) -> list[str]:
    """The same for words of which some mean this or that by what stands before or after them."""
    food: list[str] = []
    last = len(tokens) - 1
    for i, token in enumerate(tokens):
        kind = KINDS.get(token, FOOD)
        if kind == FOOD:
            if token[0].isdigit():
                if food:
                    break
            elif token[0].isalpha() and (i == last or not _is_adverb(token)):
                if i == last and _ends_prepared(token):
                    token = token.rpartition("-")[0]
                elif i == last and food and _is_participle(token):
                    break
                food.append(token)
        elif kind == OF or (token == "from" and i and tokens[i - 1] in MADE_OF):
            if i and tokens[i - 1] in MADE_OF:
                return [lemma(word) for word in _food_words(tokens[i + 1 :])] + [tokens[i - 1]]
            if i and tokens[i - 1] in _CUT_OF:
                food = [tokens[i - 1], token]
            elif food and not NOTES.isdisjoint(tokens[i:]):
                break
            else:
                food = []
        elif _belongs(tokens, i, last, food):
            food.append(token)
        elif (food and kind in (STOP, NUMBER, NOTE)) or token == "for":
            break
        elif food and kind == AND:
            food.append(token)
    if not food:
        return [token for token in tokens[-1:] if token in _FOOD_AFTER_ALL]
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
