"""Base forms of nouns, so that "tomatoes" in a sentence finds "tomato" in a list.

English plurals follow a few rules, and kitchens use few exceptions: both stand here. Only a word
whose ending the rules cannot decide goes to simplemma, whose dictionary takes 0.4 s to load.
Verbs are not reduced here: "chopped" stays.
"""

from __future__ import annotations

_SINGULARS = {
    # f and v
    "leaves": "leaf", "halves": "half", "knives": "knife", "loaves": "loaf", "calves": "calf",
    "shelves": "shelf", "lives": "life", "wives": "wife", "wolves": "wolf", "hooves": "hoof",
    "scarves": "scarf", "selves": "self", "themselves": "themselves", "cloverleaves": "cloverleaf",
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
    "gyros": "gyro", "waltzes": "waltz", "bonuses": "bonus",
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
    las does goes dregs haas vegas dallas whereas canvas atlas madras sans tapas
"""
_UNCHANGED = frozenset(_UNCHANGED_WORDS.split())

# Words in -ses, -ves and -zes that only lose their s; others cost a look into simplemma.
_DROP_S_WORDS = """
    cheeses roses cases bases houses purses uses hoses noses rinses nurses horses pulses causes
    raises rises closes doses chooses releases increases decreases greases courses phases bruises
    eases pauses purchases exercises promises licenses expenses senses responses
    chives olives cloves endives gloves stoves sieves caves waves natives alternatives additives
    preservatives curves serves dives gives loves moves removes dissolves archives relatives drives
    arrives receives sleeves grooves reserves preserves conserves involves improves saves
    sizes glazes prizes freezes squeezes bronzes caramelizes loses purposes infuses creases
"""
_DROP_S = frozenset(_DROP_S_WORDS.split())

_known: dict[str, str] = {}


def lemma(word: str) -> str:
    """The lower-case singular of a noun; any other word in lower case."""
    found = _known.get(word)
    if found is None:
        found = _singular(word.lower())
        if len(_known) > 50_000:  # words are endless, memory is not
            _known.clear()
        if len(word) < 40:
            _known[word] = found
    return found


def _singular(word: str) -> str:
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
    if word in _DROP_S:
        return word[:-1]
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("shes", "ches", "sses", "xes", "oes")):
        return word[:-2]
    if word.endswith(("ves", "ses", "zes")):
        return _from_dictionary(word)
    return word[:-1]


def _from_dictionary(word: str) -> str:
    import simplemma

    found = simplemma.lemmatize(word, lang="en")
    return str(found).lower()
