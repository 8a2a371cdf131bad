"""What a simulated sentence tells besides its trace."""

from pathlib import Path

import pytest

import npn
from npn.recipe import Ingredient
from npn.rules.labeller import LabelProcess, WeakLabeller
from npn.rules.lexicon import load_lexicon

LABELLER = WeakLabeller(load_lexicon())
GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.txt"))


def begin(*lines: str) -> LabelProcess:
    return LABELLER.begin([Ingredient(line) for line in lines])


def test_a_sentence_tells_what_each_clause_did_to_whom() -> None:
    process = begin("2 eggs", "1 c milk", "1 c flour")
    done = process.simulate("Beat the eggs, then add milk.")
    assert [(act.action.name, act.members) for act in done.acts] == [("beat", {0}), ("add", {0, 1})]
    assert done.step.entities == (0, 1)


def test_namesakes_are_found_before_one_is_chosen() -> None:
    process = begin("1 c sugar", "2 tb sugar")
    done = process.simulate("Add the sugar.")
    assert [mention.ingredient for mention in done.found] == [0, 1]
    assert [mention.ingredient for mention in done.reading.mentions] == [0]


def test_verbs_that_share_an_object_act_as_one() -> None:
    done = begin("3 apples").simulate("Peel and slice the apples.")
    assert [action.name for action in done.step.actions] == ["peel", "slice"]
    assert len(done.acts) == 1


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_whose_state_is_another_has_changed_or_left(path: Path) -> None:
    recipe = npn.Recipe.from_text(path.read_text(encoding="utf-8"))
    process = LABELLER.begin(recipe.ingredients)
    effects = process.scene.effects
    for step in recipe.steps:
        for sentence in LABELLER.sentences(step):
            before = [dict(state) for state in effects.states]
            done = process.simulate(sentence)
            told = {i for change in done.step.changes for i in change.ingredients}
            for i, (old, new) in enumerate(zip(before, effects.states, strict=True)):
                left = new.get("location", effects.vessel([i])) == effects.vessel([i])
                assert i in told or old == new or (left and _elsewhere(old) == _elsewhere(new))


def _elsewhere(state: dict[str, str]) -> dict[str, str]:
    return state | {"location": ""}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_is_simulated_is_what_is_read(path: Path) -> None:
    recipe = npn.Recipe.from_text(path.read_text(encoding="utf-8"))
    one, other = LABELLER.begin(recipe.ingredients), LABELLER.begin(recipe.ingredients)
    for step in recipe.steps:
        assert one.simulate(step).step == other.read(step)
        one, other = other.copy(), one.copy()
