"""One pass over a sentence finds what each of its readers would find by itself."""

from npn.language.words import words
from npn.recipe import Ingredient
from npn.rules.grammar.clauses import WordKinds, find_clauses
from npn.rules.grammar.references import find_references
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon.lexicon import load_lexicon

LABELLER = WeakLabeller(load_lexicon())
SENTENCES = [
    "",
    "Mix",
    "In a small bowl, beat the eggs until they foam; pour the mixture into the pan.",
    "Do not let it boil (stir it now and then), then add all ingredients in the baking dish.",
]


def test_a_word_may_be_of_several_kinds() -> None:
    kinds = WordKinds(str.isalpha, str.isdigit, str.isalnum)
    assert kinds.find(["bake", "350", ".", "bake"]) == [[0, 3], [1], [0, 1, 3]]


def test_one_pass_finds_what_each_reader_finds() -> None:
    for sentence in SENTENCES:
        text = words(sentence)
        opening, clues, turns, referring = LABELLER.kinds.find(text)
        assert LABELLER.places.find(text, opening) == LABELLER.places.find(text)
        actions = LABELLER.actions.find(text)
        assert LABELLER.actions.find(text, (), clues) == actions
        assert find_clauses(text, actions, (), turns) == find_clauses(text, actions)
        nobody: frozenset[int] = frozenset()
        assert find_references(
            text, nobody, nobody, [], (), referring=referring
        ) == find_references(text, nobody, nobody, [], ())


def test_a_sentence_that_does_nothing_has_no_acts_but_tells_whom_it_names() -> None:
    process = LABELLER.begin([Ingredient("2 eggs"), Ingredient("1 c milk")])
    done = process.simulate("The eggs should be at room temperature.")
    assert (len(done.acts), done.entities, done.changes) == (0, (), ())
    assert [mention.ingredient for mention in done.reading.mentions] == [0]
