"""Words by themselves: those that can be actions, and those that tell whether a verb form beside
them is an action carried out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

STOPS = frozenset(',;:.()!?-–—[]"*/&')
INSIDE = frozenset("-/")  # stops that can stand inside a phrase
JOINERS = frozenset({"and", "then", "or", "but", "also", "either", "plus", "&"})
STOPS_AND_JOINERS = STOPS | JOINERS
CONDITIONS = frozenset(
    """until till when if while as after before once unless because which where whenever since so
    that who although though whether than 'til til""".split()
)
DETERMINERS = frozenset(
    """the a an this that these those each every your some any all both its their another other one
    two three four five six my our no more such same first second third last half""".split()
)
PRONOUNS = frozenset({"it", "them", "everything", "all", "together", "mixture"})
NOUN_AHEAD = DETERMINERS - PRONOUNS  # no verb comes after these
PREPOSITIONS = frozenset(
    """in into on onto over to with from at for of by under through around about between per atop
    without within off against like up inside upon out down across along top""".split()
)
NEGATIONS = frozenset(
    {"without", "not", "don't", "don’t", "dont", "never", "cannot", "can't", "avoid"}
)
ADVERBS = frozenset(
    """well just now next again once twice very still first finally meanwhile always aside often
    please then too only soon quickly slowly lightly thoroughly coarsely finely""".split()
)
MODALS = frozenset("will should may can could would might must is are".split())
IDLE = frozenset({"necessary", "desired", "needed", "possible", "wished", "preferred", "you"})
OPENING = STOPS | IDLE
FRYING = frozenset({"stir", "deep", "pan"})
WITH_GERUND = frozenset("while after before as so that".split())
LETTING = frozenset({"let", "allow", "allowing", "letting", "leave", "leaving", "lets"})
BEGINNING = frozenset(
    """continue start begin finish stop keep continuing starting by while before after and or then
    when""".split()
)
BRINGING = frozenset("bring bringing return come returning reach heat".split())
BROUGHT = frozenset({"boil", "simmer"})
BEFORE_BOIL = frozenset(
    "a the to full rolling gentle slow low good hard bare very rapid brisk quick just".split()
)
INFINITIVES = frozenset("cool drain rest rise stand marinate dry chill".split())
FOODS = frozenset(
    """butter cream flour salt pepper sugar oil water bread juice sauce batter spice honey egg milk
    ice syrup rice broth soup marinade powder corn bacon dressing mustard can""".split()
)
USED_BY_VERB = FOODS - {"cream"}  # who butters bread uses butter; who creams butter, no cream
# Base forms that are things in a list of things: "flour, salt, and butter".
INGREDIENTS = frozenset(
    """butter cream flour salt pepper sugar oil water bread juice sauce batter spice honey egg milk
    ice syrup rice broth soup marinade powder corn garnish bacon dressing zest glaze frost bone
    seed core shell pit skin stem mustard can extract part thin light dry firm squash portion
    peel barbecue dash candy round plank""".split()
)
# Base forms that are things after a noun or an adjective: "pork roast", "a low boil", "hot grill".
THINGS = INGREDIENTS | frozenset(
    """batter beat blend boil box braise break broil brown brush bundle chill chip chop coat coil
    color cook cover crack crisp crumb crust cube cup curl cut dash dice dish dot drain dredge
    dress drip drizzle drop dry dust fill filter fire flake flame flavor flip foil fork form
    freeze fry grate grease grill grind ground half ham heat juice knife knot ladle lace layer
    light line liquid loaf mark mash measure melt microwave mince mix mold mound open paddle pan
    paste pat pickle piece pile pinch pipe place plate poach pop pot pound press process puree
    quarter rack refresh rest ring roast roll rub scale scallop scoop score scramble seal season
    serve set shake shape shred sift simmer skewer slice slit smoke smooth soak spike splash
    split spoon spray spread sprinkle squeeze stalk stand steam steep stew stick stir strain
    strip stuff swirl taste tear test thread tie tin toast top toss trim turn twist warm wash
    wedge whip wrap yield work clean cool fan sheet time use make husk sprout fat salad""".split()
)
# What a gerund names a tool or a food with: "baking sheet", "mixing bowl", "cooking oil".
AFTER_GERUND = frozenset(
    """sheet sheets pan pans dish dishes bowl bowls powder soda tray trays rack racks spoon spoons
    plate plates platter platters tin tins cup cups oil spray board sauce time times temperature
    chips chocolate apples apple knife paper parchment stone chip potatoes potato potatos pot
    pots bag bags cream liquid juices juice water syrup pieces piece size sized skillet
    container tube needle iron thermometer mix onions sugar surface""".split()
)
NOUN_GERUNDS = frozenset(
    """dressing seasoning filling frosting icing stuffing topping coating pudding dumpling serving
    breading lining pickling drippings boiling using being according shortening evening morning
    remaining following making having going doing working leaving keeping creating""".split()
)


@dataclass(frozen=True, slots=True)
class Verb:
    """What there is to know of a word that can be an action, wherever it stands."""

    base: str
    is_base: bool
    is_gerund: bool  # of an action, not of a thing: "dressing"
    is_brought: bool  # "boil", which one brings things to
    brings: bool
    is_plain: bool  # in base form, and neither of these
    of_two_words: bool  # may be "stir" or "fry" in "stir fry"


class Turn(Enum):
    """What is looked at besides verbs: words that open a condition or close it."""

    OPENS = "opens"
    CLOSES = "closes"


OPENS: Final = Turn.OPENS
CLOSES: Final = Turn.CLOSES


def is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4)
