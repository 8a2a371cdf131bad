"""What the weak labeller makes of recipes of our own."""

from collections.abc import Sequence

import pytest

import npn
from npn.recipe import Ingredient
from npn.rules.labeller import Label, WeakLabeller
from npn.rules.lexicon import load_lexicon

LABELLER = WeakLabeller(load_lexicon())


def track(ingredients: Sequence[str], *steps: str) -> npn.Trace:
    return LABELLER.track(npn.Recipe.from_lists("", ingredients, steps))


def last_label(ingredients: Sequence[str], *sentences: str) -> Label:
    process = LABELLER.begin([Ingredient(line) for line in ingredients])
    return [process.label(sentence) for sentence in sentences][-1]


BATTER = ["2 eggs", "1 c milk", "1 c flour", "1 tb oil", "2 tb sugar"]


@pytest.mark.parametrize(
    "reference",
    ["Bake 30 minutes.", "Chill it.", "Knead the dough.", "Pour the mixture into a dish."],
)
def test_what_was_mixed_is_meant_by_a_reference_or_by_nothing(reference: str) -> None:
    trace = track(BATTER, "Mix the eggs, milk and flour.", reference)
    assert trace.steps[1].entities == (0, 1, 2)


def test_adding_joins_what_is_under_way() -> None:
    trace = track(BATTER, "Whisk eggs and milk.", "Add the flour.", "Stir in sugar.")
    assert trace.steps[2].entities == (0, 1, 2, 4)
    assert trace.mixtures() == ((0, 1, 2, 4),)


def test_two_mixtures_live_side_by_side() -> None:
    trace = track(
        BATTER,
        "Beat the eggs and milk in a bowl.",
        "In another bowl, mix flour and sugar.",
        "Cover the egg mixture.",
    )
    assert trace.mixtures() == ((0, 1), (2, 4))
    assert trace.steps[2].entities == (0, 1)


def test_one_mixture_goes_over_the_other() -> None:
    trace = track(
        BATTER,
        "Mix the flour and sugar.",
        "Whisk the eggs and milk.",
        "Pour over the flour mixture.",
    )
    assert trace.mixtures() == ((0, 1, 2, 4),)


def test_taking_out_parts_a_mixture() -> None:
    trace = track(
        ["1 bay leaf", "2 c stock", "1 onion"],
        "Simmer the onion and the bay leaf in the stock.",
        "Remove the bay leaf.",
    )
    assert trace.mixtures() == ((1, 2),)
    assert trace.steps[1].entities == (0,)


def test_preheating_and_greasing_touch_no_food() -> None:
    trace = track(BATTER, "Whisk eggs and milk.", "Preheat the oven.", "Grease a pan.")
    assert trace.steps[1].entities == trace.steps[2].entities == ()


def test_remaining_ingredients_are_those_not_used_yet() -> None:
    trace = track(BATTER, "Whisk eggs and milk.", "Add the remaining ingredients.")
    assert trace.steps[1].entities == (0, 1, 2, 3, 4)


def test_the_first_ingredients_by_number() -> None:
    assert track(BATTER, "Mix the first three ingredients.").steps[0].entities == (0, 1, 2)


def test_of_two_with_one_name_the_amount_tells() -> None:
    lines = ["1 c sugar", "2 eggs", "2 tb sugar"]
    trace = track(lines, "Beat eggs with 1 cup sugar.", "Sprinkle with remaining sugar.")
    assert trace.steps[0].entities == (0, 1)
    assert 2 in trace.steps[1].entities


def test_evidence_says_how_entities_are_known() -> None:
    assert last_label(BATTER, "Whisk the eggs.").evidence == "mention"
    assert last_label(BATTER, "Whisk the eggs.", "Chill.").evidence == "reference"
    assert last_label(BATTER, "Preheat the oven.").evidence == "none"


def test_an_ingredient_starts_with_what_its_line_says() -> None:
    trace = track(["melted butter", "cold water", "1 c cooked rice", "1 egg"], "Wait.")
    assert [one.state for one in trace.ingredients] == [
        {"shape": "deformed"},
        {"temperature": "cold"},
        {"cookedness": "cooked"},
        {},
    ]


def test_a_branch_goes_its_own_way() -> None:
    simulation = LABELLER.start(["butter", "flour"])
    simulation.step("Melt the butter in a pan.")
    other = simulation.branch()
    other.step("Add the flour.")
    assert simulation.mixtures() == ()
    assert other.mixtures() == ((0, 1),)
    assert "composition" not in simulation.state("butter")


def test_a_lexicon_of_another_field(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "actions.toml").write_text('[titrate]\nacidity = "neutral"\n')
    (folder / "end_states.toml").write_text("[acidity]\nneutral = []\nacid = []\n")
    tracker = npn.load("weak-labels", lexicon=str(folder))
    trace = tracker.track(npn.Recipe.from_lists("", ["10 ml acid"], ["Titrate the acid."]))
    assert trace.states == ({"acidity": "neutral"},)


def test_all_but_some() -> None:
    lines = ["1 lb beef", "1 onion", "1 egg", "1/2 c ketchup"]
    assert track(lines, "Mix everything except the ketchup.").steps[0].entities == (0, 1, 2)
    combined = track(lines, "Combine all ingredients except ketchup in a bowl.")
    assert combined.mixtures() == ((0, 1, 2),)


def test_everything_is_all_where_nothing_has_been_mixed() -> None:
    lines = ["1 banana", "1 c milk", "1 egg"]
    trace = track(lines, "Peel the banana.", "Put everything in a blender.")
    assert trace.steps[1].entities == (0, 1, 2)
    assert trace.mixtures() == ((0, 1, 2),)


def test_a_verb_made_of_a_food_does_not_use_that_food() -> None:
    lines = ["1 c butter", "1 c sugar", "1 c cream"]
    assert track(lines, "Cream the butter and sugar.").steps[0].entities == (0, 1)


def test_a_food_before_together_is_no_verb() -> None:
    trace = track(["1 c chocolate", "1 c butter"], "Heat the chocolate and butter together.")
    assert [action.name for action in trace.steps[0].actions] == ["heat"]
    assert trace.mixtures() == ((0, 1),)


def test_of_two_with_one_name_the_mixture_is_of_the_used_one() -> None:
    lines = ["1 c butter", "1 c sugar", "2 c flour", "2 tb butter"]
    trace = track(lines, "Cream the butter and sugar.", "Add the flour to the butter mixture.")
    assert trace.mixtures() == ((0, 1, 2),)


def test_a_crust_is_what_it_was_made_of() -> None:
    lines = ["2 c flour", "1 c butter", "3 c cherries"]
    made = "Mix the flour and butter for the crust."
    assert track(lines, made, "Pour the cherries into the crust.").mixtures() == ((0, 1, 2),)


def test_the_rest_goes_on_when_a_leaf_is_taken_out() -> None:
    lines = ["1 bay leaf", "2 c stock", "1 onion", "1 c rice"]
    simmer = "Simmer the onion and the bay leaf in the stock."
    trace = track(lines, simmer, "Remove the bay leaf and stir in the rice.", "Cook 20 minutes.")
    assert trace.steps[2].entities == (1, 2, 3)


@pytest.mark.parametrize(
    ("sentence", "temperature"),
    [
        ("Bring the beans to room temperature.", "room"),
        ("Rinse the beans under cold water.", "cold"),
        ("Place the beans in a bowl of hot water.", "hot"),
        ("Stir the beans over medium heat.", "hot"),
        ("Cover the beans with cold water.", None),
    ],
)
def test_the_temperature_that_is_told(sentence: str, temperature: str | None) -> None:
    assert track(["1 c beans"], sentence).state(0).get("temperature") == temperature


@pytest.mark.parametrize(
    ("line", "sentence", "state"),
    [
        ("1 onion", "Soften the onion in a pan.", {"temperature": "hot", "cookedness": "cooked"}),
        (
            "1 onion",
            "Soften the onion over low heat.",
            {"temperature": "hot", "cookedness": "cooked"},
        ),
        ("1 c butter", "Soften the butter.", {"temperature": "room"}),
        ("1 envelope gelatin", "In a saucepan, soften the gelatin.", {"temperature": "room"}),
    ],
)
def test_what_softens_in_a_pan_is_cooked(line: str, sentence: str, state: dict[str, str]) -> None:
    found = track([line], sentence).state(0)
    assert {t: e for t, e in found.items() if t in ("temperature", "cookedness")} == state


def test_spreading_in_a_pan_puts_nothing_together() -> None:
    trace = track(BATTER, "Whisk eggs and milk.", "Spread the batter in a pan.")
    assert "composition" not in {change.type for change in trace.steps[1].changes}


def test_taking_from_the_heat_takes_all() -> None:
    lines = ["1 c beer", "1 c butter", "1 c sugar"]
    melted = "Melt the butter in the beer."
    for sentence in ("Remove the beer mixture from the heat.", "Remove the butter from the heat."):
        assert track(lines, melted, sentence).mixtures() == ((0, 1),)


def test_what_forms_is_what_was_just_mixed() -> None:
    lines = ["1 c cheese", "1 c chives", "2 c flour", "1/2 c water"]
    trace = track(
        lines,
        "Mix the cheese and chives and set aside.",
        "Stir the flour and water together until a soft dough forms.",
        "Knead the dough.",
    )
    assert trace.steps[2].entities == (2, 3)


def test_food_in_unlisted_water_is_acted_on() -> None:
    trace = track(["3 carrots"], "Slice the carrots.", "Simmer in salted water until tender.")
    assert trace.steps[1].entities == (0,)
    boiling = track(["3 carrots"], "Slice the carrots.", "Bring a pot of water to a boil.")
    assert boiling.steps[1].entities == ()


def test_slicing_and_serving_slices() -> None:
    assert track(["1 ham"], "Bake the ham.", "Slice and serve.").steps[1].entities == (0,)


def test_holes_in_a_cake_put_nothing_into_it() -> None:
    lines = ["2 c flour", "1 c milk", "1 c caramels"]
    trace = track(
        lines,
        "Mix the flour and milk for the cake.",
        "Melt the caramels.",
        "Poke holes into the cake.",
    )
    assert trace.steps[2].entities == (0, 1)


def test_about_so_much_of_a_food_is_that_food() -> None:
    lines = ["8 oz noodles", "1 c ham"]
    trace = track(lines, "Layer the noodles in a dish.", "Top with about half the ham.")
    assert trace.steps[1].entities == (0, 1)


@pytest.mark.parametrize(
    "sentence", ["Batter will be lumpy.", "The cake will keep well.", "Do not boil."]
)
def test_remarks_do_nothing(sentence: str) -> None:
    assert track(BATTER, "Whisk eggs and milk.", sentence).steps[1].actions == ()


def test_a_negation_ends_with_its_clause() -> None:
    trace = track(["1 c cream"], "Whip the cream until stiff but not dry, then fold it over.")
    assert [action.name for action in trace.steps[0].actions] == ["whip", "fold"]


def test_returning_is_no_boiling() -> None:
    trace = track(["1 ham", "1 c broth"], "Return the ham to the pot with the broth, simmer.")
    assert [action.name for action in trace.steps[0].actions] == ["return", "simmer"]


def test_patting_dries_only_where_it_says_so() -> None:
    assert "cleanliness" not in track(["1 fish"], "Pat the fish into a pan.").state(0)
    assert track(["1 fish"], "Pat the fish dry.").state(0)["cleanliness"] == "dry"


def test_a_sentence_that_does_nothing_has_no_acts_but_tells_whom_it_names() -> None:
    process = LABELLER.begin([Ingredient("2 eggs"), Ingredient("1 c milk")])
    done = process.simulate("The eggs should be at room temperature.")
    assert (len(done.acts), done.step.entities, done.step.changes) == (0, (), ())
    assert [mention.ingredient for mention in done.reading.mentions] == [0]
