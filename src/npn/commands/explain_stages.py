"""`npn explain --stages`: a recipe's way through the world tracker, step by step.

For each step: what the grammar finds in its words, what the rules make of them, how probable the
network holds what, what is taken from the list, and what lies where in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from npn.commands.files import hanging
from npn.formats.writing.wording import (
    amount_text,
    count,
    end_state,
    ingredient_names,
    plain,
    title,
)
from npn.language.amounts import format_part
from npn.networks.world.config import FRACTIONS, WorldSettings
from npn.networks.world.features import Column, Mark
from npn.networks.world.tracing import WorldReading
from npn.networks.world.tracker import WorldTracker
from npn.trace import StateChange, StepTrace, Trace, Use

if TYPE_CHECKING:
    from npn.recipe import Recipe

STAGE, LABEL = 11, 12  # columns
SURE, UNLIKELY = 0.98, 0.02  # beyond which the exact probability tells nothing
NOTHING = "–"
BETWEEN = " · "
LEGEND = (
    "A question mark stands after what was not chosen; probabilities below 2 % are left out. "
    "Portions of one line are called a, b, c. Changes are of all that the step acts on, unless "
    "it says of whom."
)
KINDS = (*FRACTIONS, "unknowable")


def stage_lines(tracker: WorldTracker, recipe: Recipe) -> Iterator[str]:
    """What `npn explain --stages` prints of a recipe."""
    trace = tracker.track(recipe)
    yield f"{title(trace)}, stage by stage, by {plain(trace.model)}"
    if not trace.ingredients or not trace.steps:
        yield "There is nothing to read: the recipe has no ingredients, or no steps."
        return
    reading = tracker.stages(recipe)
    yield _counts(reading)
    yield from hanging("", "", LEGEND)
    names = ingredient_names(trace)
    yield ""
    yield from _lines_of_the_list(trace, names)
    for number in range(len(trace.steps)):
        yield ""
        yield from _Step(trace, reading, tracker.settings, names, number).lines()


def _counts(reading: WorldReading) -> str:
    one = reading.input
    return (
        f"{count(one.ingredients, 'line')} and {count(one.steps, 'step')}, read as "
        f"{count(len(one.pieces), 'piece')} of words with {count(len(one.mentions), 'mention')}, "
        f"{count(len(one.place_names), 'place word')} and {count(len(one.verb_names), 'verb')}"
    )


def _lines_of_the_list(trace: Trace, names: Sequence[str]) -> Iterator[str]:
    """The ingredients as the network knows them."""
    longest = min(30, max(map(len, names)))
    section: str | None = None
    for ingredient, name in zip(trace.ingredients, names, strict=True):
        if ingredient.section != section:
            section = ingredient.section
            yield f"{plain(section)}:" if section else "Under no heading:"
        amount = amount_text(ingredient.amount)
        note = plain(ingredient.amount.note or "") if ingredient.amount else ""
        known = "; ".join(filter(None, (amount, note)))
        yield f"   {name:<{longest}}  {known or NOTHING}".rstrip()


@dataclass(frozen=True, slots=True)
class _Step:
    """One step of a reading, ready to be printed: each stage as texts by their labels."""

    trace: Trace
    reading: WorldReading
    settings: WorldSettings
    names: Sequence[str]
    number: int

    @property
    def step(self) -> StepTrace:
        return self.trace.steps[self.number]

    def lines(self) -> Iterator[str]:
        under = f"[{plain(self.step.section)}] " if self.step.section else ""
        head = f"Step {self.number + 1}  "
        yield from hanging(head, " " * len(head), under + plain(self.step.text))
        for stage, rows in (
            ("words", self._words().items()),
            ("rules", self._rules().items()),
            ("network", self._network().items()),
            ("portions", [("", self._portions())]),
            ("piles", self._piles()),
        ):
            found = [(label, text) for label, text in rows if text] or [("", NOTHING)]
            for n, (label, row) in enumerate(found):
                first = f"   {stage if n == 0 else '':<{STAGE}}{label:<{LABEL if label else 0}}"
                yield from hanging(first, " " * len(first), row)

    def _words(self) -> dict[str, str]:
        grammar, s = self.reading.grammar, self.number
        words = grammar.words[s]
        verbs = [verb for verb in grammar.verbs if verb.step == s]
        mentions = [
            (" ".join(words[span.start : span.end]), self.names[span.ingredient])
            for span in grammar.mentions
            if span.step == s
        ]
        return {
            "verbs": _arrows((words[v.word], v.action) for v in verbs if v.by_rules),
            "not verbs": _arrows((words[v.word], v.action) for v in verbs if not v.by_rules),
            "mentions": _arrows(mentions),
            "references": self._marked(Mark.REFERENCE),
            "summed up": self._list(grammar.pairs[s, :, Column.SUMMED_UP]),
            "shares": self._marked(Mark.SHARE),
            "places": _arrows((words[p.word], p.name) for p in grammar.place_words if p.step == s),
        }

    def _marked(self, mark: Mark) -> str:
        """The words of the step that have a mark."""
        grammar = self.reading.grammar
        pairs = zip(grammar.words[self.number], grammar.marks[self.number], strict=True)
        return ", ".join(word for word, bits in pairs if bits >> mark & 1)

    def _rules(self) -> dict[str, str]:
        grammar, s = self.reading.grammar, self.number
        pairs = grammar.pairs[s]
        stated = [
            f"{format_part(part) if part < SURE else 'all'} of the {self.names[i]}"
            for i, parts in enumerate(grammar.stated[s])
            for part in parts[~np.isnan(parts)]
        ]
        together = self._together(s)
        same = s and together and together == self._together(s - 1)
        return {
            "act on": self._list(pairs[:, Column.ACTED_ON]),
            "first time": self._list(pairs[:, Column.FIRST_ACTED_ON]),
            "stated": ", ".join(stated),
            "headings": self._list(pairs[:, [Column.HEADING_NAMED, Column.SAME_HEADING]].any(1)),
            "together": "as before" if same else together,
        }

    def _together(self, step: int) -> str:
        """What the rules have together after a step, and where."""
        grammar = self.reading.grammar
        groups: dict[tuple[int, ...], str | None] = {}
        for together, place in zip(grammar.together[step], grammar.places[step], strict=True):
            groups[tuple(np.flatnonzero(together).tolist())] = place
        return BETWEEN.join(
            (f"{plain(place)}: " if place else "") + self._named(who)
            for who, place in groups.items()
            if who
        )

    def _network(self) -> dict[str, str]:
        steps, world, s = self.reading.steps, self.reading.world, self.number
        here = np.flatnonzero(self.reading.input.verb_steps == s)
        verbs = [(self.reading.input.verb_names[v], float(steps.verbs[v])) for v in here]
        return {
            "actions": _chances(verbs, {name for name, chance in verbs if chance > 0.5}),
            "act": self._of_ingredients(steps.act[s], np.flatnonzero(world.acts[s])),
            "against it": ", ".join(self._overruled()),
            "use": self._of_ingredients(
                1 - steps.use[s, :, 0].astype(float), [use.ingredient for use in self.step.uses]
            ),
            "use twice": self._of_ingredients(steps.use[s, :, 2], ()),
            "fraction": self._fractions(),
            "becomes": BETWEEN.join(map(self._change, self.step.changes)),
        }

    def _of_ingredients(self, chances: Iterable[float], chosen: Iterable[int]) -> str:
        named = list(zip(self.names, map(float, chances), strict=True))
        return _chances(named, {self.names[i] for i in chosen})

    def _change(self, change: StateChange) -> str:
        """What becomes of ingredients; of which, where it is not all that the step acts on."""
        arrow = "→ " if change.type == "location" else ""
        text = f"{_percent(change.probability)} {arrow}{end_state(change.type, change.end_state)}"
        if set(change.ingredients) == set(self.step.entities):
            return text
        return f"{text} ({self._named(change.ingredients)})"

    def _overruled(self) -> Iterator[str]:
        """Where decoding went against the probability of acting on an ingredient."""
        acts = self.reading.world.acts[self.number]
        likely = self.reading.steps.act[self.number] > self.settings.act_threshold
        taken = {use.ingredient for use in self.step.uses}
        for i, name in enumerate(self.names):
            if acts[i] and not likely[i]:
                why = "it is taken here" if i in taken else "most of its pile is"
                yield f"{name} is acted on, because {why}"
            elif likely[i] and not acts[i]:
                yield f"{name} is not acted on, because nothing has taken it yet"

    def _fractions(self) -> str:
        """How much of its line each use takes, in the network's kinds."""
        groups: dict[str, list[str]] = {}
        for i in sorted({use.ingredient for use in self.step.uses}):
            chances = self.reading.steps.fraction[self.number, i]
            kinds = [k for k in np.argsort(-chances) if chances[k] > UNLIKELY]
            text = ", ".join(f"{_percent(float(chances[k]))} {KINDS[k]}" for k in kinds)
            groups.setdefault(text, []).append(self.names[i])
        return BETWEEN.join(f"{text} ({', '.join(who)})" for text, who in groups.items())

    def _portions(self) -> str:
        portions = self.reading.world.portions
        here = map(int, np.flatnonzero(portions.step == self.number))
        return ", ".join(
            f"{self._called(use.ingredient, portions.number(e))} ({portion_text(use)})"
            for e, use in zip(here, self.step.uses, strict=True)
        )

    def _piles(self) -> Iterator[tuple[str, str]]:
        for pile in self.step.piles:
            who = ", ".join(self._called(*portion) for portion in pile.of)
            name = f"{plain(pile.name)}: " if pile.name and len(pile.of) > 1 else ""
            yield f"{plain(pile.place or 'no place'):<{LABEL - 1}}", name + who

    def _called(self, ingredient: int, portion: int) -> str:
        """An ingredient, with the letter of a portion where there are several of it."""
        name = self.names[ingredient]
        if np.count_nonzero(self.reading.world.portions.line == ingredient) < 2:
            return name
        return f"{name} {chr(ord('a') + portion) if portion < 26 else portion + 1}"

    def _list(self, mask: NDArray[np.bool_]) -> str:
        return self._named(np.flatnonzero(mask).tolist())

    def _named(self, who: Iterable[int]) -> str:
        return ", ".join(self.names[i] for i in who)


def portion_text(use: Use) -> str:
    """How much of its line a use takes: "half: 1 tablespoon"."""
    if use.fraction is None:
        part = "some"
    else:
        part = "all" if use.fraction >= 1 else format_part(use.fraction)
    amount = amount_text(use.amount)
    return f"{part}: {amount}" if amount else part


def _chances(chances: Sequence[tuple[str, float]], chosen: set[str]) -> str:
    """Probabilities, the highest first, of what was chosen or is in doubt. A question mark stands
    after what was not chosen."""
    groups: dict[str, list[str]] = {}
    for name, chance in sorted(chances, key=lambda one: -min(round(one[1], 2), SURE + 0.01)):
        if name in chosen or chance > UNLIKELY:
            groups.setdefault(_percent(chance), []).append(name if name in chosen else f"{name}?")
    return BETWEEN.join(f"{percent} {', '.join(who)}" for percent, who in groups.items())


def _percent(chance: float) -> str:
    return "over 98 %" if chance > SURE else f"{100 * chance:.0f} %"


def _arrows(words: Iterable[tuple[str, str]]) -> str:
    """Words with their meanings, "oil → olive oil", or alone where they are the meaning."""
    return ", ".join(
        plain(word) if word == meaning else f"{plain(word)} → {meaning}" for word, meaning in words
    )
