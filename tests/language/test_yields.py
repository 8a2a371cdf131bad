"""How much a recipe makes, as recipes say it."""

from __future__ import annotations

import pytest

from npn.language.amounts import format_yield, parse_yield
from npn.recipe import Yield


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("4", Yield(4)),
        ("4 servings", Yield(4)),
        ("Serves 4 to 6", Yield(4, 6)),
        ("Servings: 8", Yield(8)),
        ("**Serves:** 4", Yield(4)),
        ("Serves six people", Yield(6)),
        ("8 servings (1 cup each)", Yield(8)),
        ("24 cookies", Yield(24, of="cookies")),
        ("Makes about 24 small cookies", Yield(24, of="small cookies")),
        ("Yield: 2-3 loaves", Yield(2, 3, "loaves")),
        ("1 loaf, 12 slices", Yield(1, of="loaf")),
        ("Makes 2 dozen", Yield(24, of="pieces")),
        ("half a dozen muffins", Yield(6, of="muffins")),
        ("1 1/2 quarts", Yield(1.5, of="quarts")),
        ("2½ cups", Yield(2.5, of="cups")),
        ("1 (9-inch) pie", Yield(1, of="9-inch pie")),
        ("9-inch pie", Yield(1, of="9-inch pie")),
        ("10 12-inch pizzas", Yield(10, of="12-inch pizzas")),
    ],
)
def test_a_number_and_what_is_counted(text: str, made: Yield) -> None:
    assert parse_yield(text) == made


@pytest.mark.parametrize("text", ["", "0", "serves a crowd", "plenty", "1/0", "9" * 40, "Serves"])
def test_what_names_no_number(text: str) -> None:
    assert parse_yield(text) is None


@pytest.mark.parametrize(
    "made", [Yield(1), Yield(4, 6), Yield(2.5, of="cups"), Yield(1, of="loaf")]
)
def test_what_is_written_is_read_again(made: Yield) -> None:
    assert parse_yield(format_yield(made)) == made
