"""Amounts in one spelling, so that a line's and a sentence's can be compared."""

from __future__ import annotations

from collections.abc import Sequence

_SPELLINGS = {
    # measures, with Meal-Master's codes
    "cup": "c cup cups cupful", "tablespoon": "tb tbs tbsp tbsps tbl tbls tblsp tblspn tblspns "
    "tablespoon tablespoons tablespoonful", "teaspoon": "t ts tsp tsps tspn teaspoon teaspoons "
    "teaspoonful", "ounce": "oz ozs ounce ounces", "fluid": "fl fluid",
    "pound": "lb lbs pound pounds", "gram": "g gm gms gr grm gram grams gramme grammes",
    "kilogram": "kg kilo kilos kilogram kilograms", "milligram": "mg milligram milligrams",
    "milliliter": "ml cc milliliter milliliters millilitre millilitres", "centiliter": "cl",
    "deciliter": "dl", "liter": "l ltr liter liters litre litres", "quart": "qt qts quart quarts",
    "pint": "pt pts pint pints", "gallon": "ga gal gl gallon gallons", "each": "ea x",
    "dash": "ds dash dashes", "pinch": "pn pinch pinches", "drop": "dr drop drops",
    "smidgen": "smidgen", "splash": "splash", "dollop": "dollop dollops", "drizzle": "drizzle",
    "sprinkle": "sprinkle sprinkling", "squeeze": "squeeze", "squirt": "squirt", "glug": "glug",
    "shot": "shot shots", "jigger": "jigger jiggers", "scoop": "scoop scoops", "pat": "pat pats",
    "shake": "shake shakes", "grind": "grind grinds grinding", "touch": "touch", "hint": "hint",
    "spoonful": "spoon spoonful spoonfuls", "capful": "capful capfuls",
    "handful": "handful handfuls fistful", "inch": "inch inches length thickness",
    "centimeter": "cm", "millimeter": "mm", "degree": "f degree degrees", "dozen": "dozen doz",
    "pair": "pair pairs", "couple": "couple", "few": "few", "several": "several", "lot": "lot lots",
    "heaping": "heaping heaped", "scant": "scant", "level": "level", "rounded": "rounded",
    "generous": "generous", "size": "size", "weight": "weight", "count": "count",
    "amount": "amount", "part": "part parts", "bit": "bit bits", "assortment": "assortment",
    # what food is bought in
    "can": "cn can cans tin tins canister", "package": "pk pkg pkgs pkge pkt pack packs packet "
    "packets package packages pouch sachet sachets", "carton": "ct carton cartons",
    "envelope": "en env envelope envelopes", "jar": "jr jar jars", "box": "bx box boxes",
    "bag": "bg bag bags", "bottle": "bt btl bottle bottles", "container": "container containers",
    "tub": "tub tubs", "tube": "tube tubes", "basket": "basket baskets", "case": "case",
    "crock": "crock", "tray": "tray", "glass": "glass glasses", "bowl": "bowl bowls",
    "batch": "batch batches", "recipe": "recipe recipes", "serving": "serving servings",
    "portion": "portion portions",
    # what food comes apart into
    "clove": "clove cloves", "stalk": "st stalk stalks", "sprig": "sprg sprig sprigs",
    "bunch": "bn bunch bunches bouquet", "head": "head heads", "stick": "stick sticks",
    "rib": "rib ribs", "ear": "ear ears", "bulb": "bulb bulbs", "leaf": "lf leaf leaves",
    "piece": "pc pcs piece pieces", "slice": "sl slc slice slices", "strip": "strip strips",
    "cube": "cube cubes", "chunk": "chunk chunks", "wedge": "wedge wedges", "ring": "ring rings",
    "floret": "floret florets floweret flowerets", "spear": "spear spears",
    "kernel": "kernel kernels", "half": "half halves", "quarter": "quarter quarters",
    "third": "third thirds", "loaf": "loaf loaves", "bar": "bar bars", "log": "log logs",
    "square": "sq square squares", "block": "block blocks", "knob": "knob knobs",
    "slab": "slab slabs", "side": "side", "rack": "rack racks", "link": "link links",
    "round": "rounds", "disk": "disk disks disc discs", "segment": "segment segments",
    "sheet": "sheet sheets", "layer": "layer layers", "roll": "roll rolls", "carcass": "carcass",
    "stem": "stem stems branch branches",
}  # fmt: skip
UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}

FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5",
    "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_NUMBERS = FRACTIONS | {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "a": "1", "an": "1",
}  # fmt: skip


def amount_of(tokens: Sequence[str]) -> str:
    """The amount with which lower-case `tokens` begin ("1 1/2 cup"), or nothing."""
    parts: list[str] = []
    for token in tokens:
        if token[0].isdigit():
            parts.append(token)
        elif token in _NUMBERS:
            parts.append(_NUMBERS[token])
        elif parts and token in ("-", "to"):
            parts.append("-")
        else:
            if parts and token in UNITS:
                parts.append(UNITS[token])
            break
    if parts and parts[-1] == "-":
        parts.pop()
    return " ".join(parts)


def amount_after_number(tokens: Sequence[str]) -> str:
    """How the amount goes on whose number stood before lower-case `tokens`: "cup", "- 2 cup"."""
    return UNITS.get(tokens[0]) or amount_of(["0", *tokens])[2:]
