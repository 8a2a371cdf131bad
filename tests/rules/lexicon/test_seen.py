"""How the network sees the actions: counts that ship, and sentences of our own."""

from __future__ import annotations

from npn.language.sentences import split_sentences
from npn.language.verbs import verb_base
from npn.language.words import words
from npn.rules.lexicon import load_lexicon
from npn.rules.lexicon.seen import SeenAction, describe_seen, load_examples, load_seen
from npn.trace import STATE_TYPES

SALT = SeenAction(40, 30, 2000, 20, {"composition": {"composed": 19, "not composed": 1}})


def test_counts_fit_together() -> None:
    for name, seen in load_seen().items():
        assert 0 < seen.recipes <= min(seen.steps, seen.of_recipes), name
        assert 0 <= seen.alone <= seen.steps, name
        for ends in seen.ends.values():
            assert all(0 < count <= seen.alone for count in ends.values()), name
            assert list(ends.values()) == sorted(ends.values(), reverse=True), name


def test_every_action_is_one_of_the_lexicon_and_every_end_state_has_its_type() -> None:
    lexicon = load_lexicon()
    assert set(load_seen()) <= set(lexicon.actions)
    assert {type for seen in load_seen().values() for type in seen.ends} <= set(STATE_TYPES)


def test_each_example_is_one_sentence_with_its_action() -> None:
    for action, sentence in load_examples().items():
        assert split_sentences(sentence) == [sentence]
        assert action in {verb_base(word) for word in words(sentence)}, sentence
        assert action in load_lexicon().actions


def test_the_commonest_actions_have_an_example() -> None:
    seen = load_seen()
    commonest = sorted(seen, key=lambda name: -seen[name].steps)[:60]
    assert [name for name in commonest if seen[name].example is None] == []


def test_says_how_often_each_end_state_follows() -> None:
    assert describe_seen(SALT).splitlines() == [
        "  as the network sees it: in 40 steps of 30 recipes, of 2,000",
        "  after 20 steps that have no other action:",
        "    composition  composed 95%, not composed 5%",
    ]


def test_says_nothing_of_end_states_after_a_few_steps() -> None:
    rare = SeenAction(4, 3, 2000, 2, {"shape": {"separated": 2}}, "Zest the lime.")
    assert rare.shares() == {}
    assert describe_seen(rare).splitlines() == [
        "  as the network sees it: in 4 steps of 3 recipes, of 2,000",
        "  for example: Zest the lime.",
    ]


def test_says_where_nothing_changes() -> None:
    idle = SeenAction(9, 9, 2000, 6, {})
    assert describe_seen(idle).endswith(
        "after 6 steps that have no other action: no end state three times"
    )
