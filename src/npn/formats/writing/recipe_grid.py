"""Recipe Grid: the recipe as nested steps, which the program of that name draws as a table.

Each stage is a step over what goes into it: "sift"({1 "cup"} "flour", "salt"). A pile that goes
several ways has a name, and its parts are fractions of it. The result is a Markdown file with one
block of code, and the steps in words below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TextIO

from npn.formats.writing import Writer, markdown, only_one, shortened, wording
from npn.formats.writing.cooklang_names import exact_number, unit_text
from npn.formats.writing.flow import Flow, can_be_drawn, flow_of, steps_with_piles
from npn.formats.writing.portions import remainders, taken_portions
from npn.language.amounts import format_amount
from npn.recipe import Amount
from npn.trace import Trace

DEEPEST = 40  # steps in steps; what lies deeper gets a name
LONGEST = 60  # letters of a step's text
INDENT = "  "

Lines = list[str]


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for trace in only_one(traces, "recipe-grid"):
        out.write("\n".join(page(trace)) + "\n")


def page(trace: Trace) -> Iterator[str]:
    yield f"# {markdown.escape(wording.title(trace))}"
    yield ""
    if not can_be_drawn(trace):
        yield "This recipe is too large to draw."
        return
    yield from (f"    {line}" for line in statements(trace))
    for number, step in enumerate(trace.steps):
        yield f"\n{number + 1}. {markdown.escape(wording.plain(step.text))}"


def statements(trace: Trace) -> Lines:
    """The recipe in Recipe Grid's language. What no step takes has a statement of its own."""
    names = wording.ingredient_names(trace)
    known = replace(trace, steps=steps_with_piles(trace))
    flow = flow_of(known)
    taken = taken_portions(known)
    amounts = [taken[one.step][one.place].amount for one in flow.portions]
    grid = _Grid(flow, names, amounts, _actions(known), _labels(known, flow))
    lines = grid.statements()
    for left in remainders(known):
        name = names[left.ingredient]
        lines.append(f"{quoted(f'unused {name}')} = {_ingredient(name, left.amount)}")
    return lines


@dataclass(slots=True)
class _Grid:
    """Writes the statements of one flow. `actions` has a phrase for each step, `labels` a name for
    each stage, `amounts` an amount for each portion."""

    flow: Flow
    names: Sequence[str]
    amounts: Sequence[Amount | None]
    actions: Sequence[str]
    labels: Sequence[str]
    references: Counter[str] = field(default_factory=Counter)
    stage_uses: Counter[int] = field(default_factory=Counter)
    portion_uses: Counter[int] = field(default_factory=Counter)

    def statements(self) -> Lines:
        """A statement for whatever has a name, each before those that refer to it."""
        for stage in self.flow.stages:
            self.stage_uses.update(stage.inputs)
            self.portion_uses.update(stage.takes)
        lines = [
            f"{quoted(self.portion_name(n))} = {self.portion(n)}"
            for n, times in sorted(self.portion_uses.items())
            if times > 1
        ]
        expressions: list[Lines] = []
        depths: list[int] = []
        for n, stage in enumerate(self.flow.stages):
            parts: list[Lines] = [[self.taken(one)] for one in stage.takes]
            depth = 1
            for source in stage.inputs:
                if self.stage_uses[source] > 1 or depths[source] >= DEEPEST:
                    parts.append([self.part(self.labels[source], self.stage_uses[source])])
                else:
                    parts.append(expressions[source])
                    depth = max(depth, depths[source] + 1)
            if not parts:  # a pile of what no step has taken from the list
                parts = [[quoted(self.names[i])] for i in stage.pile.ingredients]
            expression = _step(self.actions[stage.step], parts)
            expressions.append(expression)
            depths.append(depth)
            if self.stage_uses[n] != 1 or depth >= DEEPEST:
                lines += [f"{quoted(self.labels[n])} = {expression[0]}", *expression[1:]]
        return lines

    def part(self, name: str, times: int) -> str:
        """All of what has a name, or one of as many equal parts as it goes ways; the last takes
        what is left."""
        self.references[name] += 1
        if times == 1:
            return quoted(name)
        if self.references[name] == times:
            return f"remaining {quoted(name)}"
        return f"1/{times} of {quoted(name)}"

    def taken(self, n: int) -> str:
        times = self.portion_uses[n]
        return self.portion(n) if times == 1 else self.part(self.portion_name(n), times)

    def portion(self, n: int) -> str:
        i = self.flow.portions[n].portion.ingredient
        return _ingredient(self.names[i], self.amounts[n])

    def portion_name(self, n: int) -> str:
        i, portion = self.flow.portions[n].portion
        return f"{self.names[i]}, portion {portion + 1}"


def _step(action: str, parts: Sequence[Lines]) -> Lines:
    """A step over what goes into it, a line each."""
    inner = [f"{INDENT}{line}" for part in parts for line in [*part[:-1], f"{part[-1]},"]]
    return [f"{quoted(action)}(", *inner, ")"]


def _actions(trace: Trace) -> list[str]:
    """For each step what is done: its verbs, or else how its text begins."""
    labels = []
    for number, step in enumerate(trace.steps):
        verbs = ", ".join(wording.plain(action.name) for action in step.actions)
        labels.append(verbs or shortened(wording.plain(step.text), LONGEST) or f"step {number + 1}")
    return labels


def _labels(trace: Trace, flow: Flow) -> list[str]:
    """A name of its own for each stage: that of its pile, with the step where several have it; the
    dish has the name of the recipe."""
    names = []
    ingredients = wording.ingredient_names(trace)
    seen = {name.casefold() for name in ingredients}
    title = wording.title(trace)
    dish = flow.ends[-1:] if title.casefold() not in seen else ()
    seen.add(title.casefold())
    for n, stage in enumerate(flow.stages):
        if n in dish:
            names.append(title)
            continue
        alone = ingredients[stage.pile.of[0].ingredient] if len(stage.pile.of) == 1 else ""
        name = wording.plain(stage.pile.name or "") or alone or f"step {stage.step + 1}"
        if name.casefold() in seen:
            name = f"{name}, step {stage.step + 1}"
        if name.casefold() in seen:
            name = f"{name}, pile {n + 1}"
        seen.add(name.casefold())
        names.append(name)
    return names


def _ingredient(name: str, amount: Amount | None) -> str:
    """`{2 "tbsp"} "butter"`. What is no single number stays in words before the name."""
    if amount is None:
        return quoted(name)
    if amount.quantity is None or amount.most is not None or amount.plus is not None:
        return quoted(f"{format_amount(amount)} {name}".strip())
    unit = unit_text(amount)
    number = exact_number(amount.quantity)
    return f"{{{number} {quoted(unit)}}} {quoted(name)}" if unit else f"{{{number}}} {quoted(name)}"


def quoted(text: str) -> str:
    """`text` as a string of the language."""
    return '"' + wording.plain(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


WRITER = Writer(
    "recipe-grid", "Recipe Grid, for a table of nested steps", ".md", write, one_each=True
)
