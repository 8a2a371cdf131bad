"""What differs between two traces of about the same recipe: then, and in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from npn.formats.writing import wording
from npn.formats.writing.piles import in_the_end
from npn.trace import Trace

Facts = dict[str, None]  # in their order, each once
REWORDED = 0.5  # the share of words above which a step is the same in other words


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What a step does, in words that mean the same in another recipe: by ingredient, not by the
    number of the step that made a mixture."""

    takes: Facts
    acts_on: Facts
    becomes: Facts

    def more_than(self, other: StepFacts) -> list[str]:
        """What this step does and the other one does not."""
        return [
            f"{verb} {', '.join(more)}"
            for verb, mine, theirs in (
                ("takes", self.takes, other.takes),
                ("acts on", self.acts_on, other.acts_on),
                ("makes", self.becomes, other.becomes),
            )
            if (more := [fact for fact in mine if fact not in theirs])
        ]


NOTHING = StepFacts({}, {}, {})


def compare(before: Trace, after: Trace) -> dict[str, Any]:
    """The steps that are new, gone, in other words or do something else, side by side, and what is
    different in the end. Steps are matched by their words; a step is numbered as in its own trace,
    from 0."""
    old, new = _facts(before), _facts(after)
    steps: list[dict[str, Any]] = []
    for a, b in _matched([s.text for s in before.steps], [s.text for s in after.steps]):
        one = NOTHING if a is None else old[a]
        other = NOTHING if b is None else new[b]
        only_before, only_after = one.more_than(other), other.more_than(one)
        same = a is not None and b is not None and before.steps[a].text == after.steps[b].text
        if not same or only_before or only_after:
            steps.append(
                {
                    "before": a,
                    "after": b,
                    "what": "new" if a is None else "gone" if b is None else "other",
                    "texts": [
                        None if a is None else before.steps[a].text,
                        None if b is None else after.steps[b].text,
                    ],
                    "only_before": only_before,
                    "only_after": only_after,
                }
            )
    return {"steps": steps, "end": {"before": _end(before), "after": _end(after)},
            "missing": _missing(before, after), "added": _missing(after, before)}  # fmt: skip


def _facts(trace: Trace) -> list[StepFacts]:
    names = wording.ingredient_names(trace)
    found = []
    for step, takes in zip(trace.steps, wording.taken(trace, names), strict=True):
        becomes = [
            f"{names[i]} {wording.change_text(change)}"
            for change in step.changes
            for i in change.ingredients
        ]
        acts_on = [names[i] for i in step.entities]
        found.append(
            StepFacts(dict.fromkeys(takes), dict.fromkeys(acts_on), dict.fromkeys(becomes))
        )
    return found


def _end(trace: Trace) -> list[str]:
    names = wording.ingredient_names(trace)
    return [f"{what}: {how}" for what, how in in_the_end(trace, names)]


def _missing(one: Trace, other: Trace) -> list[str]:
    """What is in the dishes of one trace at its end, and in none of the other's."""
    mine, theirs = _dishes(one), set(_dishes(other))
    return [name for name in mine if name not in theirs]


def _dishes(trace: Trace) -> list[str]:
    names = wording.ingredient_names(trace)
    return [names[i] for i in sorted({i for pile in trace.piles() for i in pile.ingredients})]


def _matched(old: Sequence[str], new: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Pairs of places in two lists: of the same text, or None beside what only one has. What was
    moved is paired too, so that a step in another place is not called new, and so is what shares
    most of its words."""
    pairs: list[tuple[int | None, int | None]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    lost: list[int] = []
    found: list[int] = []
    for tag, a, a_end, b, b_end in matcher.get_opcodes():
        if tag == "equal":
            pairs += zip(range(a, a_end), range(b, b_end), strict=True)
        else:
            lost += range(a, a_end)
            found += range(b, b_end)
    for b in found:
        moved = next((a for a in lost if old[a] == new[b]), None)
        if moved is None:
            moved = next((a for a in lost if _is_reworded(old[a], new[b])), None)
        if moved is not None:
            lost.remove(moved)
        pairs.append((moved, b))
    pairs += [(a, None) for a in lost]
    return sorted(pairs, key=lambda pair: pair[1] if pair[1] is not None else pair[0] or 0)


def _is_reworded(one: str, other: str) -> bool:
    mine, theirs = one.lower().split(), other.lower().split()
    return SequenceMatcher(None, mine, theirs, autojunk=False).ratio() > REWORDED
