"""Two gold recipes joined are one long recipe, of which each part is labelled as it was."""

import pytest

from npn.evaluation.gold import GoldChange, GoldRecipe, GoldStep
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.recipe import Recipe
from npn.training.mixtures.examples import Example, GoldExample, read_signs
from npn.training.mixtures.joining import MOST_SENTENCES, join_some, joined
from npn.training.mixtures.targets import SentenceTargets

VOCABULARY = Vocabulary(("<pad>", "<unk>", "melt", "the", "butter"))
STEPS = (
    GoldStep(frozenset({0}), changes=(GoldChange("shape", "deformed", frozenset({0})),)),
    GoldStep(frozenset({0, 1}), frozenset({0}), changes=()),
)


@pytest.fixture(scope="module")
def labeller() -> WeakLabeller:
    return WeakLabeller(load_lexicon())


def example(labeller: WeakLabeller, source: str, times: int = 1) -> GoldExample:
    texts = ["Melt the butter.", "Stir in the flour."] * times
    recipe = Recipe.from_lists("Roux", ["1 tb butter", "2 tb flour"], texts)
    signs = read_signs(recipe.ingredients, recipe.steps, labeller, VOCABULARY, 0.0)
    targets = [SentenceTargets.of_gold(step) for step in STEPS * times]
    return GoldExample(source, GoldRecipe(source, recipe, STEPS * times), Example(signs, targets))


def test_the_second_recipe_acts_on_its_own_ingredients(labeller: WeakLabeller) -> None:
    one = joined(example(labeller, "a"), example(labeller, "a"), labeller, VOCABULARY)
    assert len(one.signs.names) == 4
    assert [sorted(step.entities or ()) for step in one.targets] == [[0], [0, 1], [2], [2, 3]]
    assert one.targets[2].changes == [("shape", "deformed", frozenset({2}))]


def test_only_recipes_of_one_annotation_that_are_short_enough_are_joined(
    labeller: WeakLabeller,
) -> None:
    long = example(labeller, "a", times=MOST_SENTENCES // 2)
    strangers = [example(labeller, "a"), long, example(labeller, "b")]
    assert join_some(strangers, 1.0, labeller, VOCABULARY, 0) == []
    friends = [*strangers, example(labeller, "b")]
    assert len(join_some(friends, 0.5, labeller, VOCABULARY, 0)) == 2
