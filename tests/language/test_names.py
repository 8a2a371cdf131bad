"""Names are what a cook would call the food: varieties and kinds belong to a name ("red onion",
"all-purpose flour"); amounts, sizes, freshness, temperature, brands and preparation do not."""

import gzip
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.language.line_words import PREPARATIONS
from npn.language.names import name_ingredient
from npn.language.parsed_lines import parse_line
from npn.language.quantities import UNITS

LINES = Path(__file__).with_name("ingredient_lines.tsv")
RIGHT_AT_LEAST = 0.97
# Units that are food, too.
FOOD_TOO = {"clove", "rib", "roll", "link", "fat"}


def labelled_lines() -> Iterator[tuple[str, list[str]]]:
    for row in LINES.read_text("utf-8").splitlines():
        line, _, names = row.partition("\t")
        yield line, [name.strip() for name in names.split(";") if name.strip()]


def names_of(line: str) -> list[str]:
    return [name.text for name in name_ingredient(line).names]


def test_lines_labelled_by_hand_are_named_right() -> None:
    labelled = list(labelled_lines())
    wrong = [(line, names_of(line), names) for line, names in labelled if names_of(line) != names]
    assert len(labelled) >= 500
    assert 1 - len(wrong) / len(labelled) >= RIGHT_AT_LEAST, wrong


def test_mince_is_a_food_after_a_meat_and_else_what_is_done_to_one() -> None:
    assert names_of("500 g lean beef mince") == ["beef mince"]
    assert names_of("500g mince") == ["mince"]
    assert names_of("2 cloves garlic, mince") == ["garlic"]
    assert parse_line("400g turkey mince, thawed").food == "turkey mince"


def test_the_shown_name_joins_the_names() -> None:
    assert name_ingredient("Salt and pepper to taste").name == "salt and pepper"
    assert name_ingredient("Butter or margarine").name == "butter or margarine"
    assert name_ingredient("2 c Flour; all-purpose").name == "all-purpose flour"


def test_a_name_has_lemmas_and_a_head() -> None:
    (name,) = name_ingredient("2 lg Red bell peppers, in strips").names
    assert (name.text, name.words, name.head) == (
        "red bell pepper",
        ("red", "bell", "pepper"),
        "pepper",
    )


@pytest.mark.parametrize(
    ("line", "amount"),
    [
        ("1 1/2 c Flour", "1 1/2 cup"),
        ("1 ½ cups flour", "1 1/2 cup"),
        ("2 tb Sugar", "2 tablespoon"),
        ("2 T Sugar", "2 tablespoon"),
        ("2 t Sugar", "2 teaspoon"),
        ("2 to 3 tablespoons sugar", "2 - 3 tablespoon"),
        ("One lemon", "1"),
        ("1 (14 ounce) can beans", "1 can"),
        ("Salt", ""),
    ],
)
def test_amounts_have_one_spelling(line: str, amount: str) -> None:
    assert name_ingredient(line).amount == amount


@pytest.mark.parametrize(
    "line",
    ["For the sauce:", "----TOPPING----", "FILLING", "Peeled, diced", "* Rice should be cold"],
)
def test_a_line_that_names_nothing_is_shown_as_it_stands(line: str) -> None:
    named = name_ingredient(line)
    assert named.names == ()
    assert named.name


@given(st.text())
def test_any_line_can_be_named(line: str) -> None:
    for name in name_ingredient(line).names:
        assert name.text
        assert name.words
        assert name.head in name.words


@pytest.mark.parametrize(
    "part", ["juice of ", ", red", "or ", "of ", "(", "a-", "'", "1/", "half "]
)
def test_a_megabyte_in_one_line_is_no_burden(part: str) -> None:
    name_ingredient(part * (1_000_000 // len(part)))


@pytest.mark.parametrize("corpus", ["mealmaster", "web"])
def test_no_name_in_the_corpora_is_a_unit_a_number_or_a_preparation(corpus: str) -> None:
    folder = os.environ.get("NPN_DATA")
    if not folder or not Path(folder, "corpus").is_dir():
        pytest.skip("NPN_DATA does not point to the data folder")
    not_food = (set(UNITS) | set(UNITS.values()) | PREPARATIONS | {"optional"}) - FOOD_TOO
    lines = random_lines(Path(folder, "corpus", f"{corpus}.jsonl.gz"), 2_000)
    nameless = 0
    for line in lines:
        named = name_ingredient(line)
        assert named.name or not line.strip()
        nameless += not named.names
        for name in named.names:
            assert name.text.strip(), line
            assert not name.text[0].isdigit(), line
            assert name.text not in not_food, line
    assert nameless / len(lines) < 0.03  # headings, and ends of wrapped lines


def random_lines(corpus: Path, count: int) -> list[str]:
    draw = random.Random(20)
    kept: list[str] = []
    seen = 0
    with gzip.open(corpus, "rt", encoding="utf-8") as recipes:
        for recipe in recipes:
            for line in json.loads(recipe)["ingredients"]:
                seen += 1
                if len(kept) < count:
                    kept.append(line)
                elif (place := draw.randrange(seen)) < count:
                    kept[place] = line
    return kept
