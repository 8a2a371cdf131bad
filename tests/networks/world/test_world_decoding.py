"""Decoding makes one consistent world of any scores, and the gold world of the scores of gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from own_worlds import SETS, world_recipe
from small_worlds import RECIPES, read

from consistency import problems
from npn.networks.common.operations import NEVER
from npn.networks.world.config import END_STATES, FRACTIONS, WorldSettings
from npn.networks.world.decoding import (
    DecodedWorld,
    act_on_piles,
    choose_fractions,
    decode,
    same_place,
)
from npn.networks.world.given import Given
from npn.networks.world.piles import PlacedPile, cluster
from npn.networks.world.prediction import (
    Floats,
    PortionPrediction,
    PortionTable,
    StepPrediction,
    known_places,
)
from npn.networks.world.reading import WorldInput
from npn.networks.world.targets import WorldTargets, world_targets
from npn.networks.world.tracing import WorldReading, trace_steps
from npn.recipe import Recipe
from npn.trace import Trace
from npn.training.world.teaching import taught_targets

SEEDS = st.integers(0, 10**6)
SHARP = st.sampled_from([0.3, 2.0, 8.0])  # how sure random scores are


def as_steps(world: DecodedWorld, fractions: Sequence[float | None]) -> list[dict[str, Any]]:
    """A world in the form of a trace's steps, as far as it is scored."""
    portions = world.portions
    return [
        {
            "entities": np.flatnonzero(world.acts[s]).tolist(),
            "uses": [
                {"ingredient": int(portions.line[e]), "fraction": fractions[e]}
                for e in map(int, np.flatnonzero(portions.step == s))
            ],
            "piles": [
                {
                    "of": [
                        {"ingredient": int(portions.line[e]), "portion": portions.number(e)}
                        for e in pile.of
                    ],
                    "place": pile.place,
                }
                for pile in piles
            ],
        }
        for s, piles in enumerate(world.piles)
    ]


def softmax(scores: NDArray[Any]) -> Floats:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


def random_places(
    one: WorldInput, count: int, generator: np.random.Generator, sharp: float
) -> Floats:
    """The chances of "nowhere" and of the place words that the text has had: [S, count, 1 + C]."""
    scores = sharp * generator.normal(size=(one.steps, count, 1 + len(one.place_pieces)))
    scores[..., 1:] += NEVER * (1 - known_places(one))[:, None]
    return softmax(scores)


def random_steps(one: WorldInput, generator: np.random.Generator, sharp: float) -> StepPrediction:
    s, i = one.steps, one.ingredients

    def classes(*shape: int) -> Floats:
        return softmax(sharp * generator.normal(size=shape))

    return StepPrediction(
        classes(s, i, 2)[..., 0],
        classes(s, i, 3),
        classes(s, i, len(FRACTIONS) + 1),
        tuple(classes(s, i, 1 + len(ends)) for ends in END_STATES.values()),
        random_places(one, i, generator, sharp),
        classes(len(one.verb_pieces), 2)[..., 0],
    )


def random_portions(
    one: WorldInput, count: int, generator: np.random.Generator, sharp: float
) -> PortionPrediction:
    scores = sharp * generator.normal(size=(one.steps, count, count))
    return PortionPrediction(
        (scores + scores.swapaxes(1, 2)).astype(np.float32),
        (sharp * generator.normal(size=(one.steps, count))).astype(np.float32),
        (sharp * generator.normal(size=(one.steps, count))).astype(np.float32),
        random_places(one, count, generator, sharp),
    )


def random_reading(recipe: Recipe, seed: int, sharp: float) -> WorldReading:
    one, grammar = read(recipe)
    generator = np.random.default_rng(seed)
    steps = random_steps(one, generator, sharp)

    def look_at(portions: PortionTable) -> PortionPrediction:
        return random_portions(one, len(portions.line), generator, sharp)

    return WorldReading(grammar, one, steps, decode(one, steps, look_at, WorldSettings()))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, sharp=SHARP)
def test_any_scores_make_one_world(recipe: Recipe, seed: int, sharp: float) -> None:
    reading = random_reading(recipe, seed, sharp)
    steps = tuple(trace_steps(recipe, reading))
    assert problems(Trace("", "random", reading.grammar.ingredients, steps)) == []


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, sharp=SHARP, number=st.integers(0, len(RECIPES) - 1))
def test_any_scores_decode_to_piles_of_portions_that_were_taken(
    seed: int, sharp: float, number: int
) -> None:
    world = random_reading(RECIPES[number], seed, sharp).world
    portions = world.portions
    for s, piles in enumerate(world.piles):
        assert len({pile.of for pile in piles}) == len(piles)
        assert all(portions.step[e] <= s for pile in piles for e in pile.of)
        taken = portions.line[portions.step == s]
        assert world.acts[s, taken].all()
        before = [i for i in np.flatnonzero(world.acts[s]) if i not in portions.line]
        assert before == []


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, sharp=SHARP, portions=st.integers(0, 8))
def test_fractions_of_a_line_never_add_up_to_more_than_all_of_it(
    seed: int, sharp: float, portions: int
) -> None:
    generator = np.random.default_rng(seed)
    line = generator.integers(0, 3, portions)
    table = PortionTable(line, np.sort(generator.integers(0, 4, portions)), line * 0)
    chances = softmax(sharp * generator.normal(size=(4, 3, len(FRACTIONS) + 1)))
    stated = generator.choice([np.nan, 0.25, 0.5, 1.0, 3.0], (4, 3, 2)).astype(np.float32)
    found = choose_fractions(table, chances, stated)
    used: Counter[int] = Counter()
    for i, fraction in zip(line, found, strict=True):
        assert fraction is None or 0 < fraction <= 1
        used[int(i)] += 0 if fraction is None else round(10_000 * fraction)
    assert max(used.values(), default=0) <= 10_000


def test_what_is_left_after_an_unknown_part_is_unknown() -> None:
    """ "All but 1/4 cup of the coconut milk", of a can, and later "the reserved coconut milk"."""
    table = PortionTable(np.array([0, 0]), np.array([0, 1]), np.array([0, 0]))
    chances = np.zeros((2, 1, len(FRACTIONS) + 1), np.float32)
    chances[0, 0, len(FRACTIONS)] = 1.0
    chances[1, 0, FRACTIONS.index("rest")] = 1.0
    stated = np.full((2, 1, 2), np.nan, np.float32)
    assert choose_fractions(table, chances, stated) == [None, None]
    stated[1] = np.inf  # "the remaining"
    chances[1, 0] = np.eye(len(FRACTIONS) + 1)[FRACTIONS.index("whole")]
    assert choose_fractions(table, chances, stated) == [None, None]
    stated[1] = 0.5  # an amount that the step states is known
    chances[1, 0] = np.eye(len(FRACTIONS) + 1)[FRACTIONS.index("stated")]
    assert choose_fractions(table, chances, stated) == [None, 0.5]


def test_an_ingredient_that_lies_in_two_pots_does_not_say_which_of_them_is_acted_on() -> None:
    """Chicken, thyme and salt are in the tin; the thyme and the salt are with the leeks as well,
    another portion of each. "Turn the chicken" acts on nothing in the pan."""
    chicken, thyme, salt, leek = range(4)
    line = np.array([chicken, thyme, salt, thyme, salt, leek])
    portions = PortionTable(line, np.array([0, 0, 0, 1, 1, 1]), np.zeros(6, np.int64))
    tin, pan = PlacedPile((0, 1, 2), "tin"), PlacedPile((3, 4, 5), "pan")
    acts = np.array([[1, 1, 1, 0], [0, 1, 1, 1], [1, 1, 1, 0]], bool)
    no_words = np.zeros((3, 4), bool)
    given = Given(portions.line, portions.step, no_words, np.zeros((3, 4), np.int8))
    found = act_on_piles(acts, portions, ((tin,), (tin, pan), (tin, pan)), WorldSettings(), given)
    assert not found[2, leek]


@given(seed=SEEDS, count=st.integers(0, 7))
def test_clusters_are_a_partition(seed: int, count: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(count, count)).astype(np.float32)
    groups = cluster(scores + scores.T)
    assert sorted(e for group in groups for e in group) == list(range(count))


# -- Gold: its targets, as scores, give it back


BAY_LEAF: dict[str, Any] = {
    "ingredients": ["4 tablespoons oil", "2 onions", "1 bay leaf"],
    "steps": [
        "Heat half of the oil in a pan and the other half in a pot.",
        "Fry the onions in the pan with the bay leaf.",
        "Discard the bay leaf. Put the onions into the pot.",
    ],
    "world": [
        {
            "uses": [{"i": 0, "fraction": 0.5}, {"i": 0, "fraction": 0.5}],
            "acts_on": [0],
            "piles": [{"of": ["0a"], "where": "pan"}, {"of": ["0b"], "where": "pot"}],
        },
        {
            "uses": [{"i": 1, "fraction": 1}, {"i": 2, "fraction": None}],
            "acts_on": [0, 1, 2],
            "piles": [{"of": ["0a", "1", "2"], "where": "pan"}, {"of": ["0b"], "where": "pot"}],
        },
        {
            "uses": [],
            "acts_on": [0, 1, 2],
            "piles": [{"of": ["0a", "0b", "1"], "where": "pot"}],
        },
    ],
}
WORLDS = [BAY_LEAF, *(world_recipe(number) for number in range(0, len(SETS), 3))]


def sure(labels: NDArray[Any], kinds: int) -> Floats:
    """Probabilities that leave no doubt; even ones where there is no label."""
    chances = np.full((*labels.shape, kinds), 1 / kinds, np.float32)
    known = labels >= 0
    chances[known] = np.eye(kinds, dtype=np.float32)[labels[known]]
    return chances


def steps_of(one: WorldInput, targets: WorldTargets) -> StepPrediction:
    nowhere = np.zeros((one.steps, one.ingredients, 1 + len(one.place_pieces)), np.float32)
    nowhere[..., 0] = 1
    return StepPrediction(
        targets.acts.astype(np.float32),
        sure(targets.uses, 3),
        sure(targets.fractions, len(FRACTIONS) + 1),
        tuple(sure(targets.acts * 0, 1 + len(ends)) for ends in END_STATES.values()),
        nowhere,
        np.zeros(len(one.verb_pieces), np.float32),
    )


def portions_of(targets: WorldTargets, portions: PortionTable) -> PortionPrediction:
    """The labels of the portions, which decoding must have found all."""
    numbers = {tuple(map(int, element)): e for e, element in enumerate(targets.elements)}
    table = zip(portions.line, portions.step, portions.second, strict=True)
    order = [numbers[int(i), int(s), int(second)] for i, s, second in table]
    assert sorted(order) == list(range(len(targets.elements)))
    right = targets.places[:, order].astype(np.float32)
    right[~right.any(-1), 0] = 1
    return PortionPrediction(
        np.where(targets.together[:, order][:, :, order] > 0, 9.0, -9.0).astype(np.float32),
        np.where(targets.present[:, order] > 0, 9.0, -9.0).astype(np.float32),
        np.where(targets.divided[:, order] > 0, 9.0, -9.0).astype(np.float32),
        right / right.sum(-1, keepdims=True),
    )


def decoded(data: dict[str, Any]) -> tuple[WorldInput, WorldTargets, StepPrediction, DecodedWorld]:
    one, grammar = read(Recipe.from_dict(data))
    targets = world_targets(one, data["world"], grammar.stated[:, :, 0])
    steps = steps_of(one, targets)
    world = decode(one, steps, lambda portions: portions_of(targets, portions), WorldSettings())
    return one, targets, steps, world


@pytest.mark.parametrize("data", WORLDS, ids=lambda data: data["ingredients"][0])
def test_the_scores_of_gold_give_the_gold_world_back(data: dict[str, Any]) -> None:
    _, _, steps, world = decoded(data)
    grammar = read(Recipe.from_dict(data))[1]
    fractions = choose_fractions(world.portions, steps.fraction, grammar.stated)
    for told, gold in zip(as_steps(world, fractions), data["world"], strict=True):
        assert told["entities"] == gold["acts_on"]
        assert [(use["ingredient"], use["fraction"]) for use in told["uses"]] == [
            (use["i"], use["fraction"]) for use in gold["uses"]
        ]
        mine = {frozenset(map(portion_name, pile["of"])): pile["place"] for pile in told["piles"]}
        wanted = {frozenset(map(plain, pile["of"])): pile["where"] for pile in gold["piles"]}
        assert mine.keys() == wanted.keys()
        for pile, place in wanted.items():
            assert same_place(str(mine[pile]), place)


def portion_name(portion: dict[str, int]) -> str:
    return f"{portion['ingredient']}{'abc'[portion['portion']]}"


def plain(member: str) -> str:
    return member if member[-1].isalpha() else f"{member}a"


@pytest.mark.parametrize("data", WORLDS, ids=lambda data: data["ingredients"][0])
def test_teachers_who_are_sure_teach_what_they_know(data: dict[str, Any]) -> None:
    one, targets, steps, world = decoded(data)
    taught = taught_targets(one, world, steps)
    for name in ("acts", "uses", "elements", "together", "present", "divided", "places"):
        np.testing.assert_array_equal(getattr(taught, name), getattr(targets, name), err_msg=name)
