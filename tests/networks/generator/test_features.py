"""What a trace says of each ingredient, as numbers."""

from __future__ import annotations

from npn.networks.generator.batch import FeatureNames
from npn.trace import Pile, Portion, StateChange, StepTrace

NAMES = FeatureNames.of(
    {
        "location": ["<no change>", "oven", "bowl"],
        "cookedness": ["<no change>", "cooked", "raw"],
        "temperature": ["<no change>", "hot", "cold", "room"],
        "composition": ["<no change>", "composed", "not composed"],
        "shape": ["<no change>", "molded"],
        "cleanliness": ["<no change>", "clean"],
    }
)


def test_columns_have_as_many_values_as_there_are_names() -> None:
    assert NAMES.sizes == (3, 3, 4, 3, 2, 2, 3, 3)


def test_states_use_and_mixtures_follow_the_steps() -> None:
    mixed = StateChange("composition", "composed", 1.0, (0, 1))
    dough = (Pile((Portion(0), Portion(1))),)
    steps = [
        StepTrace("Mix flour and egg.", entities=(0, 1), changes=(mixed,), piles=dough),
        StepTrace(
            "Boil the rice.",
            entities=(2,),
            changes=(StateChange("temperature", "hot", 1.0, (2,)),),
            piles=dough,
        ),
    ]
    before, first, second = NAMES.tables([{}, {"temperature": "cold"}, {}], steps).tolist()
    assert before == [[0] * 8, [0, 0, 2, 0, 0, 0, 0, 0], [0] * 8]
    assert first == [[0, 0, 0, 1, 0, 0, 2, 2], [0, 0, 2, 1, 0, 0, 2, 2], [0] * 8]
    assert second == [
        [0, 0, 0, 1, 0, 0, 1, 1],
        [0, 0, 2, 1, 0, 0, 1, 1],
        [0, 0, 1, 0, 0, 0, 2, 0],
    ]


def test_a_state_without_a_number_is_not_known() -> None:
    away = StateChange("location", "moon", 1.0, (0,))
    tables = NAMES.tables([{"location": "oven"}], [StepTrace("Fly.", changes=(away,))])
    assert tables[:, 0, 0].tolist() == [1, 0]


def test_a_recipe_without_ingredients_has_empty_tables() -> None:
    assert NAMES.tables([], [StepTrace("Bake.")]).shape == (2, 0, 8)
