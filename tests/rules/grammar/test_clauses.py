"""Which words are actions, and the part the others play."""

import pytest

from npn.language.words import words
from npn.rules.grammar.clauses import GOAL, OBJECT, WITH, Clause, ParsedSentence, find_clauses
from npn.rules.grammar.places import PlaceFinder, named_words
from npn.rules.grammar.verbs_in_context import ActionFinder
from npn.rules.lexicon import load_lexicon

LEXICON = load_lexicon()
FINDER = ActionFinder(verb for verb, action in LEXICON.verbs.items() if not action.inert)
PLACES = PlaceFinder(LEXICON)


def clauses(text: list[str]) -> list[Clause]:
    places = PLACES.find(text)
    sentence = ParsedSentence(text, (), places=places)
    return find_clauses(sentence, FINDER.find(text, named_words(places)))


def actions(sentence: str) -> list[str]:
    return [clause.action for clause in clauses(words(sentence)) if clause.action]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Bake the potatoes for an hour.", ["bake"]),
        ("Add the baking powder and the ground beef.", ["add"]),
        ("Place the roast on a rack.", ["place"]),
        ("Top with whipped cream.", ["top"]),
        ("Open 1 can of beans.", ["open"]),
        ("Bring to a boil.", ["boil"]),
        ("Bring the milk and the vanilla pod slowly to a simmer.", ["simmer"]),
        ("Stir-fry the peppers.", ["stir-fry"]),
        ("Stir fry the peppers.", ["stir-fry"]),
        ("Let cool.", ["cool"]),
        ("Allow the loaf to rest and cool.", ["rest", "cool"]),
        ("Cook, stirring now and then, until browned.", ["cook", "stir"]),
        ("In a large bowl, cream together butter and sugar.", ["cream"]),
        ("In a small bowl beat the eggs.", ["beat"]),
        ("Peel, core and slice the apples.", ["peel", "core", "slice"]),
        ("Combine flour, salt, and butter.", ["combine"]),
        ("Do not stir.", []),
        ("When the onions brown, add the stock.", ["add"]),
        ("Use a fork to mash the peas.", ["mash"]),
        ("If necessary add a little water.", ["add"]),
        ("Grandmother's favourite supper.", []),
    ],
)
def test_actions_by_their_context(sentence: str, expected: list[str]) -> None:
    assert actions(sentence) == expected


def roles(sentence: str) -> dict[str, str]:
    text = words(sentence)
    (clause,) = clauses(text)
    return {text[i]: clause.role(i) for i in range(clause.start, clause.end)}


def test_prepositions_give_words_their_part() -> None:
    part = roles("Pour the batter into the tin with a ladle.")
    assert (part["batter"], part["tin"], part["ladle"]) == (OBJECT, GOAL, WITH)


def test_in_belongs_to_the_verb_where_no_place_follows() -> None:
    assert roles("Stir in the milk.")["milk"] == OBJECT
    assert roles("Fry in the oil.")["oil"] == GOAL


def test_a_place_ends_where_the_sentence_does() -> None:
    firsts = sorted({form.split()[0] for form in LEXICON.word_forms["location"]})
    for first in firsts:
        for place in PLACES.find(["into", "the", first]):
            assert place.end == 3


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Pour into 4 glasses and chill.", ["glass"]),
        ("Divide the salad between 2 bowls or jars.", ["bowl", "jar"]),
        ("Pour it among 6 cups.", ["cup"]),
        ("Stir the yeast into 2 cups water.", []),
        ("Mash into 1 cup of sugar.", []),
        ("Add 2 glasses of wine.", []),
    ],
)
def test_a_number_before_a_vessel_measures_unless_food_goes_into_it(
    sentence: str, expected: list[str]
) -> None:
    assert [place.name for place in PLACES.find(words(sentence)) if not place.doubtful] == expected
