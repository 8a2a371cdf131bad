"""Tandoor: a step has rows of ingredients, each with its part of the amount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from npn.formats.tandoor import in_order, is_heading, read_recipe
from npn.formats.tandoor_lines import PLACES, Lines, TandoorLine, has_templates, read_row, share
from npn.linking.manager import PAGE, Data, Listed, Parts, Server, Steps, all_listed
from npn.recipe import Recipe

# -- Rows of ingredients moved to the steps of a Tandoor recipe that take them.
#
# A row that moves keeps its id. Where several steps take of a line, the first has the row with its
# part of the amount, and each other a new row with its own. What no step takes stays where it is,
# and a header goes with the first of its rows.

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Found:
    """The rows of each line with the step of the first, and the header of each section."""

    lines: list[TandoorLine]
    rows: list[Row]
    home: list[int]
    headers: dict[str, tuple[int, Row]]


def move_rows(steps: Steps, parts: Parts) -> Steps:
    """The steps with their rows where `parts` has them, which counts only steps that are no
    headings."""
    found = _find(steps)
    taking = [number for number, step in enumerate(steps) if not is_heading(step)]
    new: list[list[tuple[Row, str | None]]] = [[] for _ in steps]
    takers: list[list[tuple[int, float | None]]] = [[] for _ in found.lines]
    for place, taken in enumerate(parts):
        for part in taken:
            takers[part.ingredient].append((taking[place], part.fraction))
    for i, line in enumerate(found.lines):
        if not takers[i]:
            new[found.home[i]].append((_whole(found.rows[i], line), line.section))
        for row, (number, _) in zip(_split(found.rows[i], line, takers[i]), takers[i], strict=True):
            new[number].append((row, line.section))
    return _with_headers(steps, new, found)


def _find(steps: Steps) -> _Found:
    lines = Lines()
    found = _Found(lines.found, [], [], {})
    for number, step in enumerate(steps):
        rows: list[Row] = step["ingredients"]
        read = [read_row(row) for row in rows]
        for row, one, line in zip(rows, read, lines.take(number, read), strict=True):
            if line is not None and line.place == len(found.rows):
                found.rows.append(row)
                found.home.append(number)
            elif line is None and one.is_header:
                found.headers.setdefault(one.heading or "", (number, row))
    return found


def _whole(row: Row, line: TandoorLine) -> Row:
    return row if len(line.rows) == 1 else {**row, "amount": line.amount}


def _split(row: Row, line: TandoorLine, takers: Sequence[tuple[int, float | None]]) -> list[Row]:
    """A row for each step that takes of a line. The last that has an amount takes what is left."""
    if len(takers) <= 1:
        return [_whole(row, line)] * len(takers)
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


def _with_headers(steps: Steps, new: list[list[tuple[Row, str | None]]], found: _Found) -> Steps:
    waiting = dict(found.headers)
    changed = []
    for step, rows in zip(steps, new, strict=True):
        sections = dict.fromkeys(section for _, section in rows if section in waiting)
        ordered = [row for row, section in rows if section not in sections]
        for section in sections:
            if section is not None:
                ordered.append(waiting.pop(section)[1])
                ordered += [row for row, one in rows if one == section]
        changed.append({**step, "ingredients": ordered})
    for home, header in waiting.values():  # of rows that are no ingredients
        changed[home]["ingredients"].append(header)
    for step in changed:
        step["ingredients"] = [
            {**row, "order": order} for order, row in enumerate(step["ingredients"])
        ]
    return changed


class Tandoor:
    title = "Tandoor"
    variable = "TANDOOR_TOKEN"
    profile = "Settings, API"

    def listed(self, server: Server) -> Iterator[Listed]:
        """By the time they were made: Tandoor's own order is by name, and says nothing of recipes
        with the same name, which could then be on two pages or on none."""
        order = {"sort_order": "created_at"}
        return all_listed(server, "/api/recipe/", "results", "id", page_size=PAGE, **order)

    def fetch(self, server: Server, key: str) -> Data:
        data = server.get(_path(key))
        if not isinstance(data, dict) or not self.is_steps(data.get("steps")):
            raise server.strange()
        return data

    def recipe(self, data: Data) -> Recipe:
        return read_recipe(data).check()

    def steps(self, data: Data) -> Steps:
        return [
            {**step, "ingredients": [dict(row) for row in in_order(step["ingredients"])]}
            for step in in_order(data["steps"])
        ]

    def obstacle(self, data: Data) -> str:
        if any(has_templates(str(step.get("instruction"))) for step in data["steps"]):
            return "its text names ingredients by their place ({{ ingredients[0] }})"
        return ""

    def is_linked(self, data: Data) -> bool:
        """Tandoor's import leaves all ingredients in the first step, or in a step that is only a
        heading: elsewhere somebody has put them."""
        steps = self.steps(data)
        having = [number for number, step in enumerate(steps) if step["ingredients"]]
        first = next((n for n, step in enumerate(steps) if not is_heading(step)), 0)
        return len(having) > 1 or any(n > first for n in having)

    def linked(self, data: Data, recipe: Recipe, parts: Parts) -> Steps:
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

    def replace_steps(self, server: Server, key: str, steps: Steps) -> Steps | None:
        answer = server.patch(_path(key), {"steps": steps})
        found = answer.get("steps") if isinstance(answer, dict) else None
        return self.steps({"steps": found}) if self.is_steps(found) else None


def _content(row: dict[str, Any]) -> list[str]:
    """A row without its id, which a new one gets from the server."""
    food, amount = row.get("food"), row.get("amount")
    name = food.get("name") if isinstance(food, dict) else food
    number = f"{amount:.3f}" if isinstance(amount, int | float) else ""
    return [str(name or ""), number, str(row.get("note") or "")]


def _path(key: str) -> str:
    return f"/api/recipe/{quote(key, safe='')}/"
