"""What a sentence names, for lists as recipes have them."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.language.matching import Fit, Matcher
from npn.language.names import name_ingredient
from npn.language.words import words


def matcher(*lines: str) -> Matcher:
    return Matcher([name_ingredient(line) for line in lines])


def named(lines: list[str], sentence: str) -> set[str]:
    found = matcher(*lines).match(words(sentence))
    return {lines[mention.ingredient] for mention in found}


def test_rashers_are_bacon() -> None:
    lines = ["6 rashers streaky bacon", "1 egg"]
    assert named(lines, "Fry the rashers until crisp.") == {lines[0]}
    assert named(lines, "Fry the bacon until crisp.") == {lines[0]}


def test_a_mention_says_where_and_how() -> None:
    sentence = words("Heat the olive oil, add oil.")
    first, second = matcher("2 tb olive oil").match(sentence)
    assert (first.ingredient, sentence[first.start : first.end], first.fit) == (
        0,
        ["olive", "oil"],
        Fit.NAME,
    )
    assert (sentence[second.start : second.end], second.fit) == (["oil"], Fit.HEAD)


@pytest.mark.parametrize(
    ("lines", "sentence", "expected"),
    [
        # the longer name wins
        (["cream", "cream cheese"], "Beat the cream cheese.", {"cream cheese"}),
        (["cream"], "Beat the cream cheese.", set()),
        (["powdered sugar", "baking powder"], "Sift in baking powder.", {"baking powder"}),
        (["chicken", "chicken broth"], "Pour in the chicken broth.", {"chicken broth"}),
        (["chicken breasts", "chicken broth"], "Brown the chicken.", {"chicken breasts"}),
        # the closest fit wins
        (["onion", "green onions"], "Chop the onions.", {"onion"}),
        (["green onions"], "Chop the onions.", {"green onions"}),
        (["brown sugar", "white sugar"], "Add sugar.", {"brown sugar", "white sugar"}),
        (["brown sugar", "sugar"], "Cream the sugars.", {"brown sugar", "sugar"}),
        # the two peppers
        (["black pepper", "green pepper"], "Add salt and pepper.", {"black pepper"}),
        (["black pepper", "green pepper"], "Slice the peppers.", {"green pepper"}),
        (["salt and pepper"], "Dice the green pepper.", set()),
        (["green bell pepper"], "Dice the green pepper.", {"green bell pepper"}),
        # classes, when nothing is so named
        (["ground beef", "onion"], "Brown the meat.", {"ground beef"}),
        (["stew meat", "ground beef"], "Brown the meat.", {"stew meat"}),
        (["walnuts", "flour"], "Fold in the nuts.", {"walnuts"}),
        (["carrots", "celery", "rice"], "Add the vegetables.", {"carrots", "celery"}),
        (["carrots", "oil"], "Heat the vegetable oil.", {"oil"}),
        (["carrots", "oil"], "Add the vegetable mixture.", {"carrots"}),
        (["beef broth", "flour"], "Brown the meat.", set()),
        (["cheddar", "milk"], "Top with cheese.", {"cheddar"}),
        (["penne", "oil"], "Drain the pasta.", {"penne"}),
        # synonyms
        (["scallions"], "Add the green onions.", {"scallions"}),
        (["confectioners' sugar"], "Dust with powdered sugar.", {"confectioners' sugar"}),
        (["garbanzo beans"], "Mash the chickpeas.", {"garbanzo beans"}),
        (["catsup"], "Stir in ketchup.", {"catsup"}),
        (["oleo"], "Melt the margarine.", {"oleo"}),
        (["1 lb ground chuck"], "Crumble the beef.", {"1 lb ground chuck"}),
        # parts
        (["3 eggs"], "Beat the egg whites.", {"3 eggs"}),
        (["3 eggs"], "Whip the whites until stiff.", {"3 eggs"}),
        (["3 eggs"], "Beat until white and fluffy.", set()),
        (["2 eggs", "3 egg whites"], "Beat the egg whites.", {"3 egg whites"}),
        (["1 lemon"], "Grate the lemon peel.", {"1 lemon"}),
        (["1 lemon"], "Peel the potatoes.", set()),
        (["vanilla extract"], "Stir in vanilla.", {"vanilla extract"}),
        # tools and vessels
        (["butter"], "Butter the pan.", {"butter"}),
        (["6 muffins"], "Fill the muffin tins.", set()),
        (["1 pie crust"], "Line a pie plate.", set()),
        (["2 eggs"], "Use an egg beater.", set()),
        (["rice"], "Turn on the rice cooker.", set()),
        (["bread"], "Set the bread machine.", set()),
        (["12 cookies"], "Grease a cookie sheet.", set()),
        (["1 bottle ginger ale"], "Let the ginger ale stand.", {"1 bottle ginger ale"}),
        (["1 can soup"], "Ladle into soup bowls.", set()),
        # spelling
        (["cornstarch"], "Dissolve the corn starch.", {"cornstarch"}),
        (["corn starch"], "Dissolve the cornstarch.", {"corn starch"}),
        (["half-and-half"], "Warm the half and half.", {"half-and-half"}),
        (["half and half"], "Warm the half-and-half.", {"half and half"}),
        (["half and half"], "Pour in half of it.", set()),
        (["all-purpose flour"], "Add all-purpose flour.", {"all-purpose flour"}),
        (["mayonnaise"], "Spread with mayonaise.", {"mayonnaise"}),
        (["turmeric"], "Add the tumeric.", {"turmeric"}),
        (["butter"], "Pour the batter.", set()),
        # what is left out
        (["salt", "butter"], "Omit salt, melt butter.", {"butter"}),
        (["nuts", "salt"], "Mix everything except nuts.", set()),
    ],
)
def test_what_a_sentence_names(lines: list[str], sentence: str, expected: set[str]) -> None:
    assert named(lines, sentence) == expected


def test_two_lines_of_one_name_are_both_meant() -> None:
    assert named(["1 c sugar", "2 tb sugar"], "Add the sugar.") == {"1 c sugar", "2 tb sugar"}


def test_an_amount_tells_two_lines_of_one_name_apart() -> None:
    mentions = matcher("1 c sugar", "2 tb sugar").match(words("Add 2 tablespoons of the sugar."))
    assert [(mention.ingredient, mention.amount) for mention in mentions] == [(1, "2 tablespoon")]


def test_a_line_of_two_names_is_found_by_either() -> None:
    assert named(["Butter or margarine"], "Melt the margarine.") == {"Butter or margarine"}


def test_words_may_be_in_any_case() -> None:
    assert [m.ingredient for m in matcher("1 c flour").match(["SIFT", "FLOUR"])] == [0]


@given(st.lists(st.text(), max_size=5), st.text())
def test_any_sentence_can_be_matched(lines: list[str], sentence: str) -> None:
    tokens = words(sentence)
    for mention in matcher(*lines).match(tokens):
        assert 0 <= mention.ingredient < len(lines)
        assert 0 <= mention.start < mention.end <= len(tokens)


@pytest.mark.parametrize(
    ("gold", "precision", "recall"),
    [("npn_entities_dev", 0.92, 0.87), ("curd_train", 0.92, 0.89)],
)
def test_mentions_find_the_uncombined_ingredients(
    gold: str, precision: float, recall: float
) -> None:
    folder = os.environ.get("NPN_DATA")
    if not folder or not Path(folder, "gold").is_dir():
        pytest.skip("NPN_DATA does not point to the data folder")
    right = found = wanted = met = 0
    for line in Path(folder, "gold", f"{gold}.jsonl").read_text("utf-8").splitlines():
        recipe = json.loads(line)
        asked = matcher(*recipe["ingredients"])
        for step, label in zip(recipe["steps"], recipe["gold"], strict=True):
            if label.get("labelled", True):
                mentioned = {mention.ingredient for mention in asked.match(words(step))}
                entities = set(label["entities"])
                uncombined = entities - set(label["combined"])
                right += len(mentioned & entities)
                found += len(mentioned)
                met += len(mentioned & uncombined)
                wanted += len(uncombined)
    assert right / found >= precision
    assert met / wanted >= recall
