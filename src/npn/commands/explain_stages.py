"""`npn explain --stages`: a recipe's way through the world tracker, step by step.

For each step: what the grammar finds in its words, what the rules make of them, how probable the
network holds what, what is taken from the list, and what lies where in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from npn.commands.files import hanging
from npn.errors import NpnError
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
from npn.trace import StateChange, Trace

if TYPE_CHECKING:
    from npn.recipe import Recipe
    from npn.tracker import Tracker

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


def staged(tracker: Tracker) -> WorldTracker:
    """This tracker, if it has stages to look at."""
    if not isinstance(tracker, WorldTracker):
        raise NpnError(
            f'the tracker "{plain(tracker.name)}" has no stages to look at: take --model world'
        )
    return tracker


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
    """One step of a reading, ready to be printed."""

    trace: Trace
    reading: WorldReading
    settings: WorldSettings
    names: Sequence[str]
    number: int

    def lines(self) -> Iterator[str]:
        text = plain(self.trace.steps[self.number].text)
        section = self.trace.steps[self.number].section
        under = f"[{plain(section)}] " if section else ""
        head = f"Step {self.number + 1}  "
        yield from hanging(head, " " * len(head), under + text)
        for stage, rows in (
            ("words", self._words()),
            ("rules", self._rules()),
            ("network", self._network()),
            ("portions", self._portions()),
            ("piles", self._piles()),
        ):
            found = [(label, text) for label, text in rows if text] or [("", NOTHING)]
            for n, (label, row) in enumerate(found):
                first = f"   {stage if n == 0 else '':<{STAGE}}{label:<{LABEL if label else 0}}"
                yield from hanging(first, " " * len(first), row)

    def _words(self) -> Iterator[tuple[str, str]]:
        grammar, s = self.reading.grammar, self.number
        words = grammar.words[s]
        verbs = [(words[v.word], v.action, v.by_rules) for v in grammar.verbs if v.step == s]
        yield "verbs", _join(_arrow(word, name) for word, name, by_rules in verbs if by_rules)
        yield (
            "not verbs",
            _join(_arrow(word, name) for word, name, by_rules in verbs if not by_rules),
        )
        yield (
            "mentions",
            _join(
                _arrow(" ".join(words[span.start : span.end]), self.names[span.ingredient])
                for span in grammar.mentions
                if span.step == s
            ),
        )
        marked = partial(_marked, words, grammar.marks[s])
        yield "references", _join(marked(Mark.REFERENCE))
        yield "summed up", self._list(grammar.pairs[s, :, Column.SUMMED_UP])
        yield "shares", _join(marked(Mark.SHARE))
        places = [(words[p.word], p.name) for p in grammar.place_words if p.step == s]
        yield "places", _join(_arrow(word, name) for word, name in places)

    def _rules(self) -> Iterator[tuple[str, str]]:
        grammar, s = self.reading.grammar, self.number
        yield "act on", self._list(grammar.pairs[s, :, Column.ACTED_ON])
        yield "first time", self._list(grammar.pairs[s, :, Column.FIRST_ACTED_ON])
        stated = [
            f"{format_part(part) if part < SURE else 'all'} of the {self.names[i]}"
            for i, parts in enumerate(grammar.stated[s])
            for part in parts[~np.isnan(parts)]
        ]
        yield "stated", _join(stated)
        yield (
            "headings",
            self._list(grammar.pairs[s][:, [Column.HEADING_NAMED, Column.SAME_HEADING]].any(1)),
        )
        together = self._together(s)
        same = s and together and together == self._together(s - 1)
        yield "together", "as before" if same else together

    def _together(self, step: int) -> str:
        """What the rules have together after a step, and where."""
        grammar = self.reading.grammar
        groups: dict[tuple[int, ...], str | None] = {}
        for i in range(len(self.names)):
            group = tuple(map(int, np.flatnonzero(grammar.together[step, i])))
            if group:
                groups[group] = grammar.places[step][i]
        return BETWEEN.join(
            f"{plain(place)}: {_join(self.names[i] for i in group)}"
            if place
            else _join(self.names[i] for i in group)
            for group, place in groups.items()
        )

    def _network(self) -> Iterator[tuple[str, str]]:
        steps, world, s = self.reading.steps, self.reading.world, self.number
        here = np.flatnonzero(self.reading.input.verb_steps == s)
        verbs = [(self.reading.input.verb_names[v], float(steps.verbs[v])) for v in here]
        yield "actions", _chances(verbs, {name for name, chance in verbs if chance > 0.5})
        acted = {self.names[int(i)] for i in np.flatnonzero(world.acts[s])}
        yield "act", _chances(list(zip(self.names, map(float, steps.act[s]), strict=True)), acted)
        yield "against it", _join(self._overruled())
        taken = {self.names[use.ingredient] for use in self.trace.steps[s].uses}
        any_use = [1 - float(chance) for chance in steps.use[s, :, 0]]
        yield "use", _chances(list(zip(self.names, any_use, strict=True)), taken)
        twice = list(zip(self.names, map(float, steps.use[s, :, 2]), strict=True))
        yield "use twice", _chances(twice, set())
        yield "fraction", self._fractions()
        yield "becomes", BETWEEN.join(map(self._change, self.trace.steps[s].changes))

    def _change(self, change: StateChange) -> str:
        """What becomes of ingredients; of which, where it is not all that the step acts on."""
        arrow = "→ " if change.type == "location" else ""
        text = f"{_percent(change.probability)} {arrow}{end_state(change.type, change.end_state)}"
        if set(change.ingredients) == set(self.trace.steps[self.number].entities):
            return text
        return f"{text} ({_join(self.names[i] for i in change.ingredients)})"

    def _overruled(self) -> Iterator[str]:
        """Where decoding went against the probability of acting on an ingredient."""
        world, s = self.reading.world, self.number
        taken = {use.ingredient for use in self.trace.steps[s].uses}
        likely = self.reading.steps.act[s] > self.settings.act_threshold
        for i, name in enumerate(self.names):
            if world.acts[s, i] and not likely[i]:
                why = "it is taken here" if i in taken else "most of its pile is"
                yield f"{name} is acted on, because {why}"
            elif likely[i] and not world.acts[s, i]:
                yield f"{name} is not acted on, because nothing has taken it yet"

    def _fractions(self) -> str:
        """How much of its line each use takes, in the network's kinds."""
        groups: dict[str, list[str]] = {}
        for i in sorted({use.ingredient for use in self.trace.steps[self.number].uses}):
            chances = self.reading.steps.fraction[self.number, i]
            kinds = [k for k in np.argsort(-chances) if chances[k] > UNLIKELY]
            text = ", ".join(f"{_percent(float(chances[k]))} {KINDS[k]}" for k in kinds)
            groups.setdefault(text, []).append(self.names[i])
        return BETWEEN.join(f"{text} ({_join(who)})" for text, who in groups.items())

    def _portions(self) -> Iterator[tuple[str, str]]:
        portions, step = self.reading.world.portions, self.trace.steps[self.number]
        here = map(int, np.flatnonzero(portions.step == self.number))
        phrases = []
        for e, use in zip(here, step.uses, strict=True):
            many = int((portions.line == portions.line[e]).sum()) > 1
            part = "some" if use.fraction is None else _part(use.fraction)
            amount = amount_text(use.amount)
            letter = f" {_letter(portions.number(e))}" if many else ""
            phrases.append(
                f"{self.names[use.ingredient]}{letter} ({part}{f': {amount}' if amount else ''})"
            )
        yield "", _join(phrases)

    def _piles(self) -> Iterator[tuple[str, str]]:
        portions = self.reading.world.portions
        for pile in self.trace.steps[self.number].piles:
            who = []
            for i, number in pile.of:
                many = int((portions.line == i).sum()) > 1
                who.append(f"{self.names[i]}{f' {_letter(number)}' if many else ''}")
            name = f"{plain(pile.name)}: " if pile.name and len(pile.of) > 1 else ""
            yield f"{plain(pile.place or 'no place'):<{LABEL - 1}}", name + _join(who)

    def _list(self, mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
        return _join(self.names[int(i)] for i in np.flatnonzero(mask))


def _chances(chances: Sequence[tuple[str, float]], chosen: set[str]) -> str:
    """Probabilities, the highest first, of what was chosen or is in doubt. A question mark stands
    after what was not chosen."""
    groups: dict[str, list[str]] = {}
    for name, chance in sorted(chances, key=lambda one: -min(round(one[1], 2), SURE + 0.01)):
        if name in chosen or chance > UNLIKELY:
            groups.setdefault(_percent(chance), []).append(name if name in chosen else f"{name}?")
    return BETWEEN.join(f"{percent} {_join(who)}" for percent, who in groups.items())


def _percent(chance: float) -> str:
    return "over 98 %" if chance > SURE else f"{100 * chance:.0f} %"


def _part(fraction: float) -> str:
    return "all" if fraction >= 1 else format_part(fraction)


def _marked(words: Sequence[str], marks: Sequence[int], mark: Mark) -> Iterator[str]:
    return (word for word, bits in zip(words, marks, strict=True) if bits >> mark & 1)


def _arrow(word: str, meaning: str) -> str:
    """ "oil → olive oil", or the word alone where it is the meaning."""
    return plain(word) if word == meaning else f"{plain(word)} → {meaning}"


def _letter(number: int) -> str:
    """Portions are called a, b, c."""
    return chr(ord("a") + number) if number < 26 else str(number + 1)


def _join(words: Iterator[str] | Sequence[str]) -> str:
    return ", ".join(words)
