"""Forms of cooking verbs: "fried", "frying" and "fries" are forms of "fry".

General lemmatisers leave some of them alone, and a verb missed is an action missed, so the forms
are made here, from a list of verbs and the rules of English spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

from npn.language.words import Remembered

# -- The verbs of the kitchen, in base form.

REGULAR_VERBS = frozenset(
    """
    absorb accompany accumulate achieve add adhere adjust age agitate air-fry allow alternate anoint
    appear apply arrange assemble attach avoid bake ball bang barbecue barbeque bard bash baste
    bathe batter behead blacken blanch blanket blast blend blind-bake blister blitz bloom blot boil
    bone bottle braai braid braise bread brew brine broil bronze brown bruise brulee brush bubble
    bundle bury butcher butter butterfly can candy cap caramelise caramelize carve center centre
    chafe change char charbroil chargrill check chill chip chop chunk churn clarify clean clear
    close clump coagulate coarsen coat coddle coil cold-smoke collapse collect color colour combine
    compact complete compress concentrate condense confit contain continue cook cool core correct
    cover crack cradle cram cream crease create crimp crinkle crisp crisscross crosshatch crowd
    crown crumb crumble crumple crunch crush crust crystallize cube curdle cure curl dab dampen
    dangle darken dash debeard debone decant decorate decrease deep-fry deepfry defat deflate
    defrost deglaze degrease dehusk dehydrate demold demould descale deseed destem detach devein
    develop devil dice dilute dip dirty discard dish disjoint dislodge dismember display dispose
    dissolve distil distill distribute disturb divide divvy dock dollop dot double double-boil douse
    drag drain drape dredge drench dress dribble drill drip drizzle drop drown dry dry-fry dry-roast
    dry-rub dry-toast dump dunk dust dye ease edge eliminate emboss empty emulsify encase encircle
    enclose enjoy enlarge ensure etch evaporate eviscerate expand expose extend extract face fan
    fasten ferment fetch fill fillet filter fine-tune finish firm fix fizz flake flambe flame flash
    flash-fry flatten flavor flavour flick flip float flood flop flour fluff flush flute foam fold
    follow force form fortify freshen frizzle frost froth fry fuse garnish gather gel gild glaze
    glide glisten glop glue grab granulate grasp grate gratinate grease grill grip guard gut halve
    hammer handle hard-boil hard-cook hardboil harden hash haul heap heat heave hoist hollow
    homogenize hook hot-smoke hull husk ice ignite immerse improvise include incorporate increase
    infuse inject insert inspect intensify interleave invert jell jiggle jostle juice julienne
    kindle knead knock knot label lace ladle lard layer leach leaven lengthen level lift lighten
    line linger liquefy liquidize liquify load look loop loosen lower lubricate macerate maintain
    marble marinade marinate mark mash mask massage measure mellow micro-cook microcook microwave
    mill mince mist mix moisten mold mop mould mound move muddle mull multiply narrow need nestle
    nick notch nudge nuke offer oil omit ooze open oven-bake oven-dry oven-fry oven-roast overbake
    overbrown overcook overfill overheat overlap overmix overprocess overwhip overwork pack package
    pad paint pan-broil pan-fry pan-roast pan-sear panbroil panfry par-bake par-boil par-cook
    parbake parboil parch parcook pare part pass paste pasteurize pat patch pause peel penetrate
    pepper perch perforate perfume pick pickle pierce pile pin pinch pipe pit place plait plan plank
    plate pleat plop pluck plug plump plunge poach poke polish pop portion position pot-roast pound
    pour powder pre-bake pre-boil pre-cook pre-heat pre-measure pre-soak prebake precook prefer
    preheat premix prepare preserve presoak press pressure-cook prevent prick prime proceed process
    prod proof prop protect prune puff pull pulp pulse pulverise pulverize pummel punch puncture
    purchase puree purge push quarter quench quick-fry rack raise rake re-cover re-roll re-season
    reach rearrange reassemble rebake reboil rechill recoat recombine reconstitute recook recover
    redden reduce refill refresh refrigerate reheat rehydrate rejoin reknead release remain remelt
    remember remix remoisten remove render repack repeat replace replenish reposition reroll reseal
    reserve reshape resift rest restir restore retain return reuse reverse rewarm rewet rewhisk
    rework rewrap ridge rim rinse rip ripen roast roll rotate roughen round rub ruffle salt sample
    sandwich saturate saute save savor savour scald scale scallop scatter scoop scoot scorch score
    scour scramble scrap scrape scratch scrub scrunch sculpt seal sear season secure seed select
    separate serrate serve settle sever shallow-fry shape sharpen shatter shell shift shimmy shingle
    shock shower shrivel shuck shuffle sieve sift simmer singe siphon sizzle skewer skim skin skip
    slacken slap slash slather slice slip sliver slow-cook slow-roast sluice slurp smack smash smear
    smoke smooth smother smush snap snip soak soft-boil soften solidify sop sort sour souse space
    spatchcock spatter spear spice spiral spit-roast splash splatter splay splinter sponge spoon
    spot spray sprinkle spritz sprout spruce square squash squeeze squelch squirt squish stab stack
    staple start stash steam steep stem sterilise sterilize stew stiffen stipple stir stir-cook
    stir-fry stirfry stitch stop store straddle straighten strain strap stream stretch strip stripe
    stud stuff submerge substitute suck sugar sun-dry support surround suspend swab swaddle swap
    swathe sweeten swirl swish switch syringe tamp tap taste temper tenderise tenderize tent test
    thaw thicken thin thread thump tie tighten tilt tint tip toast top toss touch toughen tousle
    trace transfer transport trap treat trickle trim triple truss try tuck tug tumble turn tweak
    twirl twist uncoil uncover undercook undermix unfold unfurl unhinge unmold unmould unpack unpeel
    unplug unroll unscrew unstack untangle untie unwrap use vacuum vaporize vary vent wait warm warp
    wash watch water wax wedge weigh whack whip whirl whisk whiten whittle whiz widen wiggle wilt
    winnow wipe work wrap wrinkle zap zest zip
    """.split()
)

# Base form: past, participle. Words parted by a slash are used side by side.
IRREGULAR_VERBS = {
    "beat": ("beat", "beaten/beat"),
    "become": ("became", "become"),
    "begin": ("began", "begun"),
    "bend": ("bent", "bent"),
    "bind": ("bound", "bound"),
    "bite": ("bit", "bitten"),
    "bleed": ("bled", "bled"),
    "blow": ("blew", "blown"),
    "break": ("broke", "broken"),
    "bring": ("brought", "brought"),
    "build": ("built", "built"),
    "burn": ("burned/burnt", "burned/burnt"),
    "burst": ("burst", "burst"),
    "buy": ("bought", "bought"),
    "cast": ("cast", "cast"),
    "catch": ("caught", "caught"),
    "choose": ("chose", "chosen"),
    "cling": ("clung", "clung"),
    "come": ("came", "come"),
    "cut": ("cut", "cut"),
    "dig": ("dug", "dug"),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drink": ("drank", "drunk"),
    "eat": ("ate", "eaten"),
    "fall": ("fell", "fallen"),
    "feed": ("fed", "fed"),
    "feel": ("felt", "felt"),
    "find": ("found", "found"),
    "fit": ("fitted/fit", "fitted/fit"),
    "freeze": ("froze", "frozen"),
    "get": ("got", "got/gotten"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grind": ("ground", "ground"),
    "grow": ("grew", "grown"),
    "hang": ("hung/hanged", "hung/hanged"),
    "hide": ("hid", "hidden"),
    "hit": ("hit", "hit"),
    "hold": ("held", "held"),
    "keep": ("kept", "kept"),
    "knit": ("knitted/knit", "knitted/knit"),
    "lay": ("laid", "laid"),
    "lead": ("led", "led"),
    "leave": ("left", "left"),
    "let": ("let", "let"),
    "lie": ("lay", "lain"),
    "light": ("lit/lighted", "lit/lighted"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "melt": ("melted", "melted/molten"),
    "prove": ("proved", "proved/proven"),
    "put": ("put", "put"),
    "rid": ("rid", "rid"),
    "ring": ("ringed/rang", "ringed/rung"),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "saw": ("sawed", "sawn/sawed"),
    "see": ("saw", "seen"),
    "send": ("sent", "sent"),
    "set": ("set", "set"),
    "sew": ("sewed", "sewn/sewed"),
    "shake": ("shook", "shaken"),
    "shave": ("shaved", "shaved/shaven"),
    "shear": ("sheared", "shorn/sheared"),
    "shed": ("shed", "shed"),
    "shred": ("shredded", "shredded"),
    "shrink": ("shrank/shrunk", "shrunk/shrunken"),
    "shut": ("shut", "shut"),
    "sink": ("sank", "sunk/sunken"),
    "sit": ("sat", "sat"),
    "slide": ("slid", "slid"),
    "slit": ("slit", "slit"),
    "spill": ("spilled/spilt", "spilled/spilt"),
    "spin": ("spun", "spun"),
    "split": ("split", "split"),
    "spoil": ("spoiled/spoilt", "spoiled/spoilt"),
    "spread": ("spread", "spread"),
    "stand": ("stood", "stood"),
    "stick": ("stuck", "stuck"),
    "strew": ("strewed", "strewn/strewed"),
    "strike": ("struck", "struck/stricken"),
    "string": ("strung", "strung"),
    "sweat": ("sweated/sweat", "sweated/sweat"),
    "sweep": ("swept", "swept"),
    "swell": ("swelled", "swollen/swelled"),
    "take": ("took", "taken"),
    "tear": ("tore", "torn"),
    "throw": ("threw", "thrown"),
    "thrust": ("thrust", "thrust"),
    "weave": ("wove/weaved", "woven/weaved"),
    "wet": ("wetted/wet", "wetted/wet"),
    "wind": ("wound", "wound"),
    "withdraw": ("withdrew", "withdrawn"),
    "wring": ("wrung", "wrung"),
    # Of verbs with a prefix.
    "overbeat": ("overbeat", "overbeaten"),
    "precut": ("precut", "precut"),
    "refreeze": ("refroze", "refrozen"),
    "regrind": ("reground", "reground"),
    "reset": ("reset", "reset"),
    "unstick": ("unstuck", "unstuck"),
    "freeze-dry": ("freeze-dried", "freeze-dried"),
}

# What cooks also write, and the form they mean.
OTHER_SPELLINGS = {
    "refridgerate": "refrigerate",
    "refridgerated": "refrigerated",
    "sauted": "sauteed",
    "sautee": "saute",
    "sauting": "sauteing",
    "stiring": "stirring",
    "whizz": "whiz",
    "wisk": "whisk",
}


# -- Their forms.

Form = Literal["base", "third", "gerund", "past", "participle"]

BASE_FORMS = REGULAR_VERBS | frozenset(IRREGULAR_VERBS)
"""Every verb known, in base form."""

CONSONANT_Y = re.compile(r"[^aeiou]y$")
VOWEL_GROUP = re.compile(r"[aeiou]+")
# One vowel letter and one consonant ("stir", "whip", "quiz"), not two ("steam"), nor w, x or y.
DOUBLING_END = re.compile(r"(?:[^aeiou]|qu)[aeiou][^aeiouwxy]$")
# Of two syllables or more the last letter doubles only where the last is stressed.
STRESSED_LAST = frozenset(
    """begin defat destem omit overlap overwhip precut prefer reset restir rewet rewrap transfer
    unplug unwrap""".split()
)
# "-el" and "-al" double in British spelling alone: both are read.
DOUBLED_IN_BRITISH = frozenset(["devil", "label", "level", "pummel", "shrivel", "spiral"])
_NONE: frozenset[Form] = frozenset()
ACCENTED_E = frozenset(["flambe", "saute"])  # the e is sounded, so it stays
KEEPS_E = ACCENTED_E | {"dye", "singe"}


def verb_base(word: str) -> str | None:
    """The base form of the verb that `word`, in any case, is a form of: "beaten" is of "beat".
    None if it is written like no form of any verb we know."""
    found = _known[word]
    return found[0] if found else None


def verb_form(word: str) -> frozenset[Form]:
    """Which forms of its verb `word` can be: "cut" is base, past and participle; no verb, none."""
    found = _known[word]
    return found[1] if found else _NONE


def inflect(base: str) -> Iterator[tuple[str, Form]]:
    """The forms of a verb, each with what it is. A form comes twice if it is two things."""
    yield base, "base"
    yield _third(base), "third"
    yield _gerund(base), "gerund"
    past, participle = IRREGULAR_VERBS.get(base) or (_past(base), _past(base))
    for form in past.split("/"):
        yield form, "past"
    for form in participle.split("/"):
        yield form, "participle"
    if base in DOUBLED_IN_BRITISH:
        doubled = base + base[-1]
        yield doubled + "ing", "gerund"
        yield doubled + "ed", "past"
        yield doubled + "ed", "participle"


def _look_up(word: str) -> tuple[str, frozenset[Form]] | None:
    table = _table()
    found = table.get(word)
    if found is None:
        plain = word.lower()
        if not plain.isascii():  # "sautéed"
            plain = unicodedata.normalize("NFD", plain).encode("ascii", "ignore").decode()
        found = table.get(plain)
    return found


_known = Remembered(_look_up)


@cache
def _table() -> dict[str, tuple[str, frozenset[Form]]]:
    """Every form, with its verb and what it can be. What is the base form of one verb is taken for
    no form of another ("lay", "saw")."""
    forms: dict[tuple[str, str], set[Form]] = {}
    for base in BASE_FORMS:
        for word, form in inflect(base):
            if word == base or word not in BASE_FORMS:
                forms.setdefault((word, base), set()).add(form)
    table = {word: (base, frozenset(what)) for (word, base), what in forms.items()}
    for other, known in OTHER_SPELLINGS.items():
        table[other] = table[known]
    return table


def _third(base: str) -> str:
    if CONSONANT_Y.search(base):
        return base[:-1] + "ies"
    if base.endswith(("s", "x", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("z"):
        return _doubled(base) + "es"
    return base + "s"


def _gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee") and base not in KEEPS_E:
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


def _past(base: str) -> str:
    if base in ACCENTED_E:
        return base + "ed"
    if base.endswith("e"):
        return base + "d"
    if CONSONANT_Y.search(base):
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _doubled(base: str) -> str:
    """The verb with its last letter doubled where an ending asks for it: "stir", "stirr-ing"."""
    last_part = base.rpartition("-")[2]
    stressed = len(VOWEL_GROUP.findall(last_part)) == 1 or last_part in STRESSED_LAST
    return base + base[-1] if stressed and DOUBLING_END.search(last_part) else base
