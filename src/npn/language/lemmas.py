"""Base forms of nouns, so that "tomatoes" in a sentence finds "tomato" in a list.

English plurals follow a few rules, and kitchens use few exceptions: both stand here, as a general
dictionary takes longer to load than hundreds of recipes to read. Verbs are not reduced here:
"chopped" stays.
"""

from __future__ import annotations

from collections.abc import Iterable

from npn.language.remembered import Remembered

_SINGULARS = {
    # f and v
    "leaves": "leaf", "halves": "half", "knives": "knife", "loaves": "loaf", "calves": "calf",
    "shelves": "shelf", "lives": "life", "wives": "wife", "wolves": "wolf", "hooves": "hoof",
    "scarves": "scarf", "selves": "self", "cloverleaves": "cloverleaf", "bayleaves": "bayleaf",
    "grapeleaves": "grapeleaf", "meatloaves": "meatloaf", "housewives": "housewife",
    "thieves": "thief", "elves": "elf",
    # -ie, not -y
    "cookies": "cookie", "brownies": "brownie", "veggies": "veggie", "pies": "pie", "ties": "tie",
    "calories": "calorie", "smoothies": "smoothie", "hoagies": "hoagie", "weenies": "weenie",
    "wienies": "wienie", "movies": "movie", "blondies": "blondie", "birdies": "birdie",
    "potpies": "potpie", "cowpies": "cowpie", "townies": "townie", "lies": "lie", "dies": "die",
    "munchies": "munchie", "quickies": "quickie", "sweeties": "sweetie", "sties": "sty",
    "pierogies": "pierogi", "chilies": "chili", "chillies": "chilli", "chilis": "chili",
    "teriyakies": "teriyaki", "series": "series", "species": "species", "rabbies": "rabbi",
    # -e before -s
    "quiches": "quiche", "brioches": "brioche", "ceviches": "ceviche", "ganaches": "ganache",
    "aches": "ache", "niches": "niche", "mousses": "mousse", "demitasses": "demitasse",
    "axes": "axe", "shoes": "shoe", "toes": "toe", "roes": "roe", "sloes": "sloe",
    "canoes": "canoe", "oboes": "oboe", "aloes": "aloe", "oxtails": "oxtail",
    # -es after s and z
    "buses": "bus", "gases": "gas", "lenses": "lens", "octopuses": "octopus", "quizzes": "quiz",
    "citruses": "citrus", "cactuses": "cactus", "hummuses": "hummus", "crocuses": "crocus",
    "gyros": "gyro", "waltzes": "waltz", "bonuses": "bonus", "blintzes": "blintz",
    "sinuses": "sinus", "minuses": "minus", "thermoses": "thermos", "spritzes": "spritz",
    "klutzes": "klutz", "christmases": "christmas", "parentheses": "parenthesis",
    "theses": "thesis", "analyses": "analysis", "crises": "crisis", "oases": "oasis",
    # no s at all
    "teeth": "tooth", "feet": "foot", "geese": "goose", "mice": "mouse", "children": "child",
    "men": "man", "women": "woman", "oxen": "ox", "fungi": "fungus", "cacti": "cactus",
    "octopi": "octopus",
    # vowels before s
    "kiwis": "kiwi", "zucchinis": "zucchini", "salamis": "salami", "martinis": "martini",
    "raviolis": "ravioli", "menus": "menu", "tofus": "tofu",
}  # fmt: skip

_UNCHANGED_WORDS = """
    molasses greens grits brussels christmas texas kansas arkansas gras cos gas schnapps lens
    pancreas sassafras herbes fines frites verts petits hors mars thermos series species bias news
    as was has yes always perhaps besides towards afterwards upwards downwards sometimes les des los
    las does goes dregs haas vegas dallas whereas canvas atlas madras sans tapas ourselves
    yourselves themselves moses yves maldives reeses
"""
_UNCHANGED = frozenset(_UNCHANGED_WORDS.split())


def lemma(word: str) -> str:
    """The lower-case singular of a noun; any other word in lower case."""
    return _known[word]


def lemmas(words: Iterable[str]) -> list[str]:
    """The lemma of each word."""
    return list(map(_known.__getitem__, words))


def _singular(word: str) -> str:
    word = word.lower()
    if word.endswith(("'s", "’s")):
        word = word[:-2]
    elif word.endswith(("s'", "s’")):
        word = word[:-1]
    if word in _SINGULARS:
        return _SINGULARS[word]
    if not word.endswith("s") or len(word) < 4 or word in _UNCHANGED:
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("shes", "ches", "sses", "zzes", "xes", "oes")):
        return word[:-2]
    return word[:-1]


_known = Remembered(_singular)
