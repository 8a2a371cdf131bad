"""What the lexicon calls doubtful, ambiguous and inert is so in the state annotations.

`pytest -s` prints the counts that docs/lexicon.md shows.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from npn.rules.lexicon import Lexicon, load_lexicon

ENOUGH_STEPS = 5
RARE = 0.3
ENOUGH_WORDS = 3
MOSTLY_NO_ACTION = 0.25
# Verbs all the same, though not what is to be done: "until the sauce begins to thicken".
VERBS = {"bring", "release", "soften", "thicken"}
WORD = re.compile(r"[a-z'-]+")

Step = tuple[str, set[str], set[tuple[str, str]]]  # text, actions, (type, end state) changed


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    folder = os.environ.get("NPN_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("the data folder is not here: set NPN_DATA")
    return list(read_steps(Path(folder) / "gold" / "states_train.jsonl"))


def read_steps(path: Path) -> Iterator[Step]:
    for line in path.read_text("utf-8").splitlines():
        recipe = json.loads(line)
        for text, gold in zip(recipe["steps"], recipe["gold"], strict=True):
            changes = {(change["type"], change["end_state"]) for change in gold["changes"]}
            yield text.lower(), set(gold["actions"]), changes


def test_a_change_is_doubtful_where_steps_with_the_action_alone_rarely_show_it(
    lexicon: Lexicon, steps: list[Step]
) -> None:
    seen: Counter[str] = Counter()
    shown: Counter[tuple[str, str]] = Counter()
    for _, actions, changes in steps:
        if len(actions) == 1:
            (name,) = actions
            seen[name] += 1
            shown.update({(name, type) for type, _ in changes})
    for action in lexicon.actions.values():
        for type in action.changes:
            count = f"{action.name} {type} {shown[action.name, type]} of {seen[action.name]}"
            if type in action.doubtful:
                print(count)
            if seen[action.name] >= ENOUGH_STEPS:
                rare = shown[action.name, type] < RARE * seen[action.name]
                assert (type in action.doubtful) == rare, count


def test_a_word_is_ambiguous_where_it_is_mostly_no_action(
    lexicon: Lexicon, steps: list[Step]
) -> None:
    seen: Counter[str] = Counter()
    acted: Counter[str] = Counter()
    for text, actions, _ in steps:
        for word in WORD.findall(text):
            if word in lexicon.actions:
                seen[word] += 1
                acted[word] += word in actions
    for word, count in seen.most_common():
        action = lexicon.actions[word]
        line = f"{word} {acted[word]} of {count}"
        if action.inert:
            assert acted[word] == 0, line
        elif count >= ENOUGH_WORDS and word not in VERBS:
            if action.ambiguous:
                print(line)
            assert action.ambiguous == (acted[word] < MOSTLY_NO_ACTION * count), line


def test_the_end_states_are_those_that_annotators_gave(lexicon: Lexicon, steps: list[Step]) -> None:
    right = told = 0
    for _, actions, changes in steps:
        if len(actions) == 1:
            action = lexicon.expect_action(*actions)
            for type, end in changes:
                ours = action.changes.get(type) or action.defaults.get(type)
                told += bool(ours)
                right += ours == end
    print(f"end states: {right} of {told}")
    assert right >= 0.98 * told
