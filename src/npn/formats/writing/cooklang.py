"""Cooklang: the steps, with a mark for each ingredient where a step takes it, and how much.

The text of a step stays as it was: "Melt the butter" becomes "Melt the @butter{2%tbsp}". What a
step takes without naming it stands in brackets behind it, "Mix everything. (@salt{1%tsp})", and
what no step takes behind the last: "(Not used above: @parsley{})". The amounts of one ingredient
add up to its line. What a cook should know besides stands with the first mark: "(unsalted)".

With --extended, names may differ from the words of the text (@unsalted butter|butter{}), and marks
say which earlier step made what a step goes on with (@&(~1)dough{}). Not every reader knows these.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from npn.formats.cooklang import NOT_USED, listed_lines, remark
from npn.formats.sections import SectionLine
from npn.formats.writing import Writer, only_one, wording
from npn.formats.writing.cooklang_names import CooklangNames, braces, find_names, result_marks
from npn.formats.writing.portions import TakenPortion, remainders, taken_portions
from npn.language.amounts import SERVINGS, format_yield
from npn.recipe import Amount, Yield
from npn.trace import Trace

MARKERS = re.compile(r"[\\@#~{}|]")
UNSAFE_NAME = re.compile(r"[^\w '’-]")
UNSAFE_NOTE = re.compile(r"[(){}\\@#~]+")
UNSAFE_HEADING = re.compile(r"[\\@#~{}=]+|--+")
SIMPLE_TITLE = re.compile(r"[A-Za-z][A-Za-z',() &-]*[A-Za-z)]")
YAML_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null"))


def write(traces: Iterable[Trace], out: TextIO, extended: bool = False) -> None:
    for trace in only_one(traces, "cooklang"):
        marks = _marks(trace, extended)
        text = "\n\n".join(document(marks)) + "\n"
        remarks = list(_remarks(marks, text))
        out.write(text + ("\n" + "\n".join(remarks) + "\n" if remarks else ""))


def _remarks(marks: _Marks, text: str) -> Iterator[str]:
    """How each line stood in the list."""
    read = {line.name.casefold(): line for line in listed_lines(text)}
    for i, one in enumerate(marks.trace.ingredients):
        line = read.get(marks.name(i).casefold())
        if line is not None:
            section = wording.plain(one.section) if one.section else None
            yield remark(line, SectionLine(wording.plain(one.text), section))


def _marks(trace: Trace, extended: bool) -> _Marks:
    return _Marks(
        trace,
        find_names(trace),
        extended,
        Counter(use.ingredient for step in trace.steps for use in step.uses),
        Counter(one.food for one in trace.ingredients),
    )


def document(marks: _Marks) -> Iterator[str]:
    """The parts of a file, to be set apart by blank lines. A step without words is left out."""
    trace = marks.trace
    made = f"\nservings: {_servings(trace.yields)}" if trace.yields else ""
    yield f"---\ntitle: {_title(wording.title(trace))}{made}\n---"
    taken = taken_portions(trace)
    results = result_marks(trace) if marks.extended else [()] * len(trace.steps)
    steps = [number for number, step in enumerate(trace.steps) if wording.plain(step.text)]
    section: str | None = None
    for number in steps:
        heading = trace.steps[number].section
        if heading != section:
            yield f"== {_heading(heading or '')} ==".replace("  ", " ")
            section = heading
        text = marks.step(number, taken[number], results[number])
        yield text + (marks.not_used() if number == steps[-1] else "")


def _servings(made: Yield) -> str:
    """A number, or with other words than "servings" a text that begins with it."""
    if made.of == SERVINGS and made.most is None:
        return f"{made.quantity:g}"
    return json.dumps(wording.plain(format_yield(made)), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class _Marks:
    """Writes the marks of one trace. The first of several is marked as divided: an amount in
    another section could else be another line of the list."""

    trace: Trace
    names: CooklangNames
    extended: bool
    uses: Counter[int]
    foods: Counter[str]

    def step(self, number: int, taken: tuple[TakenPortion, ...], results: tuple[str, ...]) -> str:
        """A step with its marks in place, and the others behind it."""
        text = wording.plain(self.trace.steps[number].text)
        spans = dict(self.names.spans[number])
        placed, behind = [], []
        for one in taken:
            span = spans.pop(one.portion.ingredient, None)
            if span is None:
                behind.append(self.mark(one, ""))
            else:
                placed.append((span, self.mark(one, text[span.start : span.end])))
            behind += self.second_mark(one.portion.ingredient, one.amount)
        parts, done = [], 0
        for span, mark in sorted(placed, key=lambda pair: pair[0].start):
            parts += [escaped(text[done : span.start], after_mark=bool(done)), mark]
            done = span.end
        parts.append(escaped(text[done:], after_mark=bool(done)))
        behind += results
        return _escaped_start("".join(parts)) + (f" ({', '.join(behind)})" if behind else "")

    def mark(self, taken: TakenPortion, shown: str) -> str:
        i, portion = taken.portion
        notes = [] if portion else self.remarks(i)
        if taken.divided or (portion == 0 and self.uses[i] > 1):
            notes += [] if any("divided" in note for note in notes) else ["divided"]
        return f"@{self.name(i, shown)}{{{braces(taken.amount)}}}{_preparation(notes)}"

    def second_mark(self, i: int, amount: Amount | None) -> list[str]:
        """The mark of what "1 bunch plus 1 cup" has besides: the two are not added up."""
        if amount is None or amount.plus is None or amount.quantity is None:
            return []
        return [f"@{self.name(i)}{{{braces(amount.plus)}}}"]

    def name(self, i: int, shown: str = "") -> str:
        """The name in the list, and for --extended the name in the text where it is another."""
        food = wording.plain(self.trace.ingredients[i].food)
        if not self.extended or not self.listed(food, i):
            return self.names.names[i]
        return f"{food}|{shown}" if shown and food != shown else food

    def listed(self, food: str, i: int) -> bool:
        """Whether a food can be called by what a shopper calls it."""
        alone = self.foods[self.trace.ingredients[i].food] == 1
        return bool(food) and alone and not UNSAFE_NAME.search(food)

    def remarks(self, i: int) -> list[str]:
        """What the name leaves out of what the line says."""
        ingredient = self.trace.ingredients[i]
        name, food = self.names.names[i], wording.plain(ingredient.food)
        notes = []
        if food and not self.extended and name.casefold() != food.casefold():
            whole = food.casefold().endswith(f" {name.casefold()}")
            notes.append(food[: -len(name)].strip() if whole else food)
        if ingredient.amount is not None and ingredient.amount.note:
            notes.append(wording.plain(ingredient.amount.note))
        if ingredient.optional:
            notes.append("optional")
        return notes

    def not_used(self) -> str:
        """The marks of what no step takes; empty where there is nothing."""
        marks = []
        for one in remainders(self.trace):
            i = one.ingredient
            notes = _preparation([] if self.uses[i] else self.remarks(i))
            marks.append(f"@{self.name(i)}{{{braces(one.amount)}}}{notes}")
            marks += self.second_mark(i, one.amount)
        return f" ({NOT_USED}{', '.join(marks)})" if marks else ""


def _preparation(notes: list[str]) -> str:
    words = ", ".join(UNSAFE_NOTE.sub(" ", note).strip() for note in notes)
    words = " ".join(words.replace("--", "-").split())
    return f"({words})" if words else ""


def escaped(text: str, after_mark: bool = False) -> str:
    """`text` with nothing in it that marks. Brackets right after a mark would belong to it."""
    text = MARKERS.sub(lambda found: "\\" + found.group(), text)
    text = text.replace("--", "\\-\\-").replace("[-", "[\\-")
    return f"\\{text}" if after_mark and text.startswith(("(", "{")) else text


def _escaped_start(line: str) -> str:
    """A line that begins no section, note or comment."""
    return f"\\{line}" if line.startswith((">", "=", "-")) else line


def _heading(heading: str) -> str:
    return wording.plain(UNSAFE_HEADING.sub(" ", heading))


def _title(title: str) -> str:
    if SIMPLE_TITLE.fullmatch(title) and title.casefold() not in YAML_WORDS:
        return title
    return json.dumps(title, ensure_ascii=False)


WRITER = Writer(
    "cooklang",
    "Cooklang, with an amount at every use",
    ".cook",
    write,
    ("extended",),
    one_each=True,
)
