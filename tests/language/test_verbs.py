from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from npn.language.verbs import (
    BASE_FORMS,
    IRREGULAR_VERBS,
    REGULAR_VERBS,
    inflect,
    verb_base,
    verb_form,
)

# Base: third person, gerund, past, participle.
FORMS = """
    add: adds adding added added
    bake: bakes baking baked baked
    baste: bastes basting basted basted
    beat: beats beating beat beaten
    begin: begins beginning began begun
    bend: bends bending bent bent
    blanch: blanches blanching blanched blanched
    boil: boils boiling boiled boiled
    bone: bones boning boned boned
    break: breaks breaking broke broken
    bring: brings bringing brought brought
    brown: browns browning browned browned
    butter: butters buttering buttered buttered
    butterfly: butterflies butterflying butterflied butterflied
    can: cans canning canned canned
    caramelize: caramelizes caramelizing caramelized caramelized
    char: chars charring charred charred
    choose: chooses choosing chose chosen
    chop: chops chopping chopped chopped
    clarify: clarifies clarifying clarified clarified
    cover: covers covering covered covered
    cream: creams creaming creamed creamed
    crumble: crumbles crumbling crumbled crumbled
    cut: cuts cutting cut cut
    deep-fry: deep-fries deep-frying deep-fried deep-fried
    dice: dices dicing diced diced
    dip: dips dipping dipped dipped
    draw: draws drawing drew drawn
    dry: dries drying dried dried
    dry-rub: dry-rubs dry-rubbing dry-rubbed dry-rubbed
    dye: dyes dyeing dyed dyed
    eat: eats eating ate eaten
    empty: empties emptying emptied emptied
    feed: feeds feeding fed fed
    fillet: fillets filleting filleted filleted
    fix: fixes fixing fixed fixed
    flambe: flambes flambeing flambeed flambeed
    freeze: freezes freezing froze frozen
    fry: fries frying fried fried
    get: gets getting got gotten
    give: gives giving gave given
    glue: glues gluing glued glued
    grate: grates grating grated grated
    grind: grinds grinding ground ground
    halve: halves halving halved halved
    hang: hangs hanging hung hung
    hold: holds holding held held
    julienne: juliennes julienning julienned julienned
    keep: keeps keeping kept kept
    knead: kneads kneading kneaded kneaded
    lay: lays laying laid laid
    layer: layers layering layered layered
    leave: leaves leaving left left
    let: lets letting let let
    light: lights lighting lit lighted
    make: makes making made made
    mash: mashes mashing mashed mashed
    mix: mixes mixing mixed mixed
    omit: omits omitting omitted omitted
    open: opens opening opened opened
    overlap: overlaps overlapping overlapped overlapped
    pat: pats patting patted patted
    pit: pits pitting pitted pitted
    pour: pours pouring poured poured
    prefer: prefers preferring preferred preferred
    puree: purees pureeing pureed pureed
    put: puts putting put put
    quarter: quarters quartering quartered quartered
    reheat: reheats reheating reheated reheated
    rise: rises rising rose risen
    roll: rolls rolling rolled rolled
    rub: rubs rubbing rubbed rubbed
    run: runs running ran run
    saute: sautes sauteing sauteed sauteed
    scrape: scrapes scraping scraped scraped
    season: seasons seasoning seasoned seasoned
    set: sets setting set set
    shake: shakes shaking shook shaken
    shred: shreds shredding shredded shredded
    shrink: shrinks shrinking shrank shrunk
    simmer: simmers simmering simmered simmered
    singe: singes singeing singed singed
    sit: sits sitting sat sat
    skewer: skewers skewering skewered skewered
    skim: skims skimming skimmed skimmed
    slice: slices slicing sliced sliced
    slide: slides sliding slid slid
    slit: slits slitting slit slit
    split: splits splitting split split
    spread: spreads spreading spread spread
    spritz: spritzes spritzing spritzed spritzed
    squeeze: squeezes squeezing squeezed squeezed
    stand: stands standing stood stood
    steam: steams steaming steamed steamed
    stem: stems stemming stemmed stemmed
    stew: stews stewing stewed stewed
    stick: sticks sticking stuck stuck
    stir: stirs stirring stirred stirred
    stir-fry: stir-fries stir-frying stir-fried stir-fried
    strew: strews strewing strewed strewn
    strip: strips stripping stripped stripped
    take: takes taking took taken
    tear: tears tearing tore torn
    thin: thins thinning thinned thinned
    throw: throws throwing threw thrown
    tie: ties tying tied tied
    toss: tosses tossing tossed tossed
    transfer: transfers transferring transferred transferred
    trim: trims trimming trimmed trimmed
    try: tries trying tried tried
    unwrap: unwraps unwrapping unwrapped unwrapped
    wash: washes washing washed washed
    weave: weaves weaving wove woven
    whip: whips whipping whipped whipped
    whisk: whisks whisking whisked whisked
    whiz: whizzes whizzing whizzed whizzed
    wind: winds winding wound wound
    withdraw: withdraws withdrawing withdrew withdrawn
    wrap: wraps wrapping wrapped wrapped
    wring: wrings wringing wrung wrung
    zest: zests zesting zested zested
"""


@pytest.mark.parametrize("line", FORMS.strip().splitlines())
def test_every_form_leads_to_its_verb_and_says_what_it_is(line: str) -> None:
    base, _, forms = line.strip().partition(": ")
    third, gerund, past, participle = forms.split()
    for word, form in (
        (base, "base"),
        (third, "third"),
        (gerund, "gerund"),
        (past, "past"),
        (participle, "participle"),
    ):
        assert verb_base(word) == base
        assert form in verb_form(word)


def test_a_form_can_be_several_things() -> None:
    assert verb_form("cut") == {"base", "past", "participle"}
    assert verb_form("ground") == {"past", "participle"}
    assert verb_form("frozen") == {"participle"}
    assert verb_form("froze") == {"past"}
    assert verb_form("chopped") == {"past", "participle"}
    assert verb_form("chopping") == {"gerund"}
    assert verb_form("slices") == {"third"}
    assert verb_form("run") == {"base", "participle"}
    assert verb_form("lay") == {"base"}
    assert verb_form("spoon") == {"base"}


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("Chopped", "chop"),
        ("STIR", "stir"),
        ("sautéed", "saute"),
        ("sauté", "saute"),
        ("purée", "puree"),
        ("flambéing", "flambe"),
        ("sauted", "saute"),
        ("stiring", "stir"),
        ("levelled", "level"),
        ("leveled", "level"),
        ("burnt", "burn"),
        ("molten", "melt"),
        ("refrozen", "refreeze"),
        ("lain", "lie"),
    ],
)
def test_case_accents_and_other_spellings_do_not_matter(word: str, base: str) -> None:
    assert verb_base(word) == base
    assert verb_form(word)


@pytest.mark.parametrize(
    "word",
    """the and oven onion skillet pudding dumpling evening during red bed herring thing shortening
    sausage celery tablespoon large until fresh king bakes' bakery chopper stirr choped fryed putted
    beated 350 . é - <unk>""".split(),
)
def test_what_is_no_form_of_a_verb_has_no_base(word: str) -> None:
    assert verb_base(word) is None
    assert verb_form(word) == frozenset()


def test_the_empty_word_is_no_verb() -> None:
    assert verb_base("") is None


def test_there_are_verbs_enough_and_each_once() -> None:
    assert len(BASE_FORMS) >= 450
    assert not REGULAR_VERBS & IRREGULAR_VERBS.keys()


def test_no_form_belongs_to_two_verbs_but_those_that_are_verbs_themselves() -> None:
    owners: dict[str, set[str]] = {}
    for base in BASE_FORMS:
        for word, _ in inflect(base):
            owners.setdefault(word, set()).add(base)
    shared = {word for word, bases in owners.items() if len(bases) > 1}
    assert shared == {"lay", "saw"}  # of "lie" and "see"


MISSPELT = re.compile(r"(.)\1\1|[^aeiou]y(?:s|ed)$|(?:ch|sh|x|z|ss)s$|ieing$|eeed$")


def test_forms_are_spelt_by_the_rules() -> None:
    for base in BASE_FORMS:
        forms = dict[str, list[str]]()
        for word, form in inflect(base):
            assert not MISSPELT.search(word) or word == "dyed", word
            forms.setdefault(form, []).append(word)
            owner = verb_base(word)
            assert owner == base or word in BASE_FORMS, word
        assert forms.keys() == {"base", "third", "gerund", "past", "participle"}
        assert all(word.endswith("s") for word in forms["third"])
        assert all(word.endswith("ing") for word in forms["gerund"])
        assert base in IRREGULAR_VERBS or all(word.endswith("ed") for word in forms["past"])


def test_silent_e_is_dropped_before_ing_but_for_few() -> None:
    kept = {base for base in BASE_FORMS if base.endswith("e") and base + "ing" in _gerunds(base)}
    assert kept == {"brulee", "dye", "flambe", "puree", "saute", "see", "singe"}


def test_the_last_letter_doubles_after_one_short_vowel() -> None:
    short = re.compile(r"(?:^|-)[b-df-hj-np-tv-z]*[aeiou][b-df-hj-np-tvz]$")
    for base in BASE_FORMS:
        doubled = base + base[-1] + "ing" in _gerunds(base)
        if short.search(base):
            assert doubled, base
        elif re.search(r"[aeiou][aeiou][^aeiou]$|[^aeiou][^aeiou]$|[aeiouwxy]$", base):
            assert not doubled, base


def _gerunds(base: str) -> set[str]:
    return {word for word, form in inflect(base) if form == "gerund"}


def test_every_verb_of_the_published_lexicon_is_known() -> None:
    data = os.environ.get("NPN_DATA")
    path = Path(data or "") / "reference" / "npn_verb_state_types.json"
    if not data or not path.exists():
        pytest.skip("NPN_DATA does not hold reference/npn_verb_state_types.json")
    assert {verb for verb in json.loads(path.read_text()) if verb_base(verb) != verb} == set()
