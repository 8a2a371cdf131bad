"""Tandoor: a step has rows of ingredients, each with its part of the amount."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from npn.errors import NpnError
from npn.formats.tandoor import in_order, is_heading, read_recipe
from npn.formats.tandoor_lines import PLACES, Lines, TandoorLine, has_templates, read_row, share
from npn.linking.manager import PAGE, Data, Manager, Parts, Steps
from npn.recipe import Recipe


class Tandoor(Manager):
    title = "Tandoor"
    profile = "Settings, API"
    list_path = "/api/recipe/"
    # Its own order is by name, in which recipes of one name could be on two pages or on none.
    list_query = f"page_size={PAGE}&sort_order=created_at"
    list_entries = "results"
    list_key = "id"
    recipe_path = "/api/recipe/{}/"
    steps_name = "steps"

    def recipe(self, data: Data) -> Recipe:
        recipe = read_recipe(data).check()
        if any(has_templates(str(step.get("instruction"))) for step in data["steps"]):
            raise NpnError("its text names ingredients by their place ({{ ingredients[0] }})")
        return recipe

    def steps(self, data: Data) -> Steps:
        return [
            {**step, "ingredients": [dict(row) for row in in_order(step["ingredients"])]}
            for step in in_order(data["steps"])
        ]

    def is_linked(self, data: Data) -> bool:
        """Tandoor's import leaves all ingredients in the first step, or in a step that is only a
        heading: elsewhere somebody has put them."""
        steps = self.steps(data)
        first = next((n for n, step in enumerate(steps) if not is_heading(step)), 0)
        having = [n for n, step in enumerate(steps) if step["ingredients"]]
        return len(having) > 1 or any(n > first for n in having)

    def linked(self, data: Data, parts: Parts) -> Steps:
        return move_rows(self.steps(data), parts)

    def signature(self, steps: Steps) -> object:
        return [
            [step.get("instruction") or "", sorted(_content(row) for row in step["ingredients"])]
            for step in steps
        ]

    def is_steps(self, value: object) -> bool:
        return isinstance(value, list) and all(
            isinstance(step, dict)
            and isinstance(step.get("ingredients"), list)
            and all(isinstance(row, dict) for row in step["ingredients"])
            for step in value
        )


def _content(row: Row) -> list[str]:
    """A row without its id, which a new one gets from the server."""
    food, amount = row.get("food"), row.get("amount")
    name = food.get("name") if isinstance(food, dict) else food
    number = f"{amount:.3f}" if isinstance(amount, int | float) else ""
    return [str(name or ""), number, str(row.get("note") or "")]


# -- Rows of ingredients moved to the steps that take them.
#
# A row that moves keeps its id. Where several steps take of a line, the first has the row with its
# part of the amount, and each other a new row with its own. What no step takes stays where it is,
# and a header goes with the first of its rows.

Row = dict[str, Any]


def move_rows(steps: Steps, parts: Parts) -> Steps:
    """The steps with their rows where `parts` has them, which counts only steps that are no
    headings."""
    lines = Lines()
    first_rows: list[tuple[int, Row]] = []  # of each line, with the step where it stands
    headers: dict[str | None, tuple[int, Row]] = {}  # by section
    for number, step in enumerate(steps):
        read = [read_row(row) for row in step["ingredients"]]
        taken = lines.take(number, read)
        for row, one, line in zip(step["ingredients"], read, taken, strict=True):
            if line is not None and line.place == len(first_rows):
                first_rows.append((number, row))
            elif one.is_header:
                headers.setdefault(one.heading or "", (number, row))
    takers: list[list[tuple[int, float | None]]] = [[] for _ in first_rows]
    numbers = [number for number, step in enumerate(steps) if not is_heading(step)]
    for number, step_parts in zip(numbers, parts, strict=True):
        for part in step_parts:
            takers[part.ingredient].append((number, part.fraction))
    moved: list[list[tuple[Row, str | None]]] = [[] for _ in steps]  # with their sections
    for line, (home, row), taking in zip(lines.found, first_rows, takers, strict=True):
        taking = taking or [(home, None)]
        for (number, _), part_row in zip(taking, _split(row, line, taking), strict=True):
            moved[number].append((part_row, line.section))
    return _with_headers(steps, moved, headers)


def _split(row: Row, line: TandoorLine, takers: Sequence[tuple[int, float | None]]) -> list[Row]:
    """A row for each step that takes of a line. The last that has an amount takes what is left."""
    if len(takers) == 1:
        return [row if len(line.rows) == 1 else {**row, "amount": line.amount}]
    left = line.amount
    last = max((n for n, (_, fraction) in enumerate(takers) if fraction), default=0)
    rows = []
    for n, (_, fraction) in enumerate(takers):
        amount = left if n == last else share(line.amount, fraction or 0.0)
        left = round(left - amount, PLACES)
        one = {**row, "amount": amount, "no_amount": not amount}
        if n:
            one.pop("id", None)
        rows.append(one)
    return rows


def _with_headers(
    steps: Steps,
    moved: list[list[tuple[Row, str | None]]],
    headers: dict[str | None, tuple[int, Row]],
) -> Steps:
    """The steps with their new rows in order, each header above the first rows of its section."""
    ordered: list[list[Row]] = []
    for rows in moved:
        sections = dict.fromkeys(section for _, section in rows if section in headers)
        ordered.append([row for row, section in rows if section not in sections])
        for section in sections:
            ordered[-1].append(headers.pop(section)[1])
            ordered[-1] += [row for row, one in rows if one == section]
    for home, header in headers.values():  # of rows that are no ingredients
        ordered[home].append(header)
    return [
        {**step, "ingredients": [{**row, "order": n} for n, row in enumerate(rows)]}
        for step, rows in zip(steps, ordered, strict=True)
    ]
