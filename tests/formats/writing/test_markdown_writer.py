from __future__ import annotations

import io
import re
from dataclasses import replace

from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES, long_trace

from npn.formats.writing import writers
from npn.recipe import Ingredient
from npn.trace import StepTrace, Trace

UNESCAPED_BAR = re.compile(r"(?<!\\)\|")


def written(*traces: Trace) -> str:
    out = io.StringIO()
    writers()["markdown"].write(traces, out)
    return out.getvalue()


def test_a_page_says_what_the_table_says() -> None:
    page = written(PANCAKES)
    assert page.startswith("# Pancakes\n\n6 ingredients, 5 steps, tracked by by-hand\n")
    assert "| 4 | Fry in a hot pan. |  | step 3 mixture | fry | → pan, cooked, hot |\n" in page
    assert "| 5 | Serve sprinkled with sugar. | sugar (2) | pancakes | serve |  |\n" in page
    assert "| milk |  | + | >+ | >c^ | • |\n" in page
    assert "Marks: > moved, + composed, c cooked, ^ hot, • acted on\n" in page
    contents = "flour, salt, sugar, milk, butter, sugar (2)"
    assert f"| pancakes: {contents} | in the pan, cooked, hot |\n" in page


def test_sections_and_parts_are_told() -> None:
    page = written(BEEF_WITH_ONIONS)
    assert page.count("| **The onions** |") == 1
    assert "| half of the oil: 1 tablespoon; 1 pound beef; some salt |" in page
    assert "| butter (2nd part) | on the plate |\n" in page


def test_food_that_the_list_lacks_is_named() -> None:
    page = written(replace(PANCAKES, unlisted=("water", "olive oil")))
    assert "\nNot in the list: water, olive oil.\n" in page
    assert "Not in the list" not in written(PANCAKES)


def test_columns_that_would_be_empty_are_left_out() -> None:
    page = written(BY_A_RULE)
    assert "|  | step | acts on |\n" in page
    assert "In the end" not in page


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    for block in written(PANCAKES, BY_A_RULE, long_trace(3, 45)).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(UNESCAPED_BAR.findall(row)) for row in rows}) <= 1


def test_special_characters_are_escaped() -> None:
    text = r"Mix *all* | <b>a_b</b> [x](y) `z` \ ~~c~~ &amp; $1$"
    trace = Trace(text, "by-hand", (Ingredient(text, text),), (StepTrace(text, entities=(0,)),))
    for line in written(trace).splitlines():
        if "Mix" in line:
            assert r"Mix \*all\* \| \<b>a\_b\</b> \[x\](y) \`z\` \\ \~\~c\~\~ \&amp; \$1\$" in line


def test_a_step_of_several_lines_stays_in_its_row() -> None:
    trace = Trace("T", "m", (Ingredient("egg", "egg"),), (StepTrace("Beat.\r\n\n# Fold."),))
    assert "| 1 | Beat. # Fold. |" in written(trace)


def test_recipes_are_set_apart() -> None:
    assert written(PANCAKES, BY_A_RULE).count("\n\n---\n\n# Pancakes\n") == 1
