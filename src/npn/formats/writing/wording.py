"""A trace in words: what the table and the Markdown page both say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from npn.trace import STATE_TYPES, StepTrace, Trace

# What a terminal would obey instead of show: control characters, and marks that turn the writing
# direction of what follows.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
MANY = 3  # ingredients from which on a mixture is called by the step that made it


def plain(text: str) -> str:
    """`text` on one line, with nothing in it that a terminal would obey."""
    return UNSEEN.sub("\ufffd", " ".join(text.split()))


def title(trace: Trace) -> str:
    return plain(trace.title) or "Untitled recipe"


def summary(trace: Trace) -> str:
    return (
        f"{count(len(trace.ingredients), 'ingredient')}, {count(len(trace.steps), 'step')}, "
        f"tracked by {plain(trace.model)}"
    )


def count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def ingredient_names(trace: Trace) -> list[str]:
    """A short name for each ingredient, no two alike: the second sugar is "sugar (2)"."""
    seen: Counter[str] = Counter()
    names = []
    for one in trace.ingredients:
        name = plain(one.name) or plain(one.text) or "?"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def acted_on(trace: Trace, names: list[str]) -> list[str]:
    """For each step the ingredients it acts on. What an earlier step has put together, or acted on
    just so, is called by that step instead of repeated in full."""
    told = []
    before: tuple[tuple[int, ...], ...] = ()
    made: dict[tuple[int, ...], int] = {}  # a mixture -> the step that made it
    same: dict[tuple[int, ...], int] = {}  # ingredients -> the first step that acts on just these
    for number, step in enumerate(trace.steps, 1):
        parts, rest = [], list(step.entities)
        for mixture in before:
            if len(mixture) >= MANY and set(mixture) <= set(rest):
                parts.append(f"step {made[mixture]} mixture")
                rest = [i for i in rest if i not in mixture]
        if not parts and len(rest) > MANY and step.entities in same:
            told.append(f"as in step {same[step.entities]}")
        else:
            told.append(", ".join([*parts, *(names[i] for i in rest)]))
        same.setdefault(step.entities, number)
        made = {mixture: made.get(mixture, number) for mixture in step.mixtures}
        before = step.mixtures
    return told


def changes(step: StepTrace, names: list[str]) -> list[str]:
    """A phrase for each group of ingredients that changed alike; who is left out where it is
    everyone the step acts on."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for change in sorted(step.changes, key=lambda change: change.type != "location"):
        arrow = "→ " if change.type == "location" else ""
        phrase = arrow + end_state(change.type, change.end_state)
        groups.setdefault(change.ingredients, []).append(phrase)
    return [
        ", ".join(phrases)
        if sorted(who) == sorted(step.entities)
        else f"{', '.join(names[i] for i in who)}: {', '.join(phrases)}"
        for who, phrases in groups.items()
    ]


def end_state(type: str, end: str) -> str:
    return "room temperature" if (type, end) == ("temperature", "room") else plain(end)


def never_acted_on(trace: Trace, names: list[str]) -> str:
    """The ingredients that no step touches, as a sentence; empty where there are none."""
    touched = {i for step in trace.steps for i in step.entities}
    left = [name for i, name in enumerate(names) if i not in touched]
    return f"Never acted on: {', '.join(left)}." if left else ""


def unlisted(trace: Trace) -> str:
    """The food that the list lacks, as a sentence; empty where there is none."""
    return f"Not in the list: {', '.join(map(plain, trace.unlisted))}." if trace.unlisted else ""


def final_states(trace: Trace, names: list[str]) -> list[tuple[str, str]]:
    """(ingredients, what they are in the end). A mixture has a line for what all of it is, and
    below it one for each part that is something more; ingredients on their own that ended alike
    share a line. Empty where nothing is known of any."""
    states = [in_order(state) for state in trace.states]
    mixture_of = {i: mixture for mixture in trace.mixtures() for i in mixture}
    if not mixture_of and not any(states):
        return []
    lines = []
    for who in grouped({i: mixture_of.get(i) or ("alone", *states[i]) for i in range(len(names))}):
        shared = [state for state in states[who[0]] if all(state in states[i] for i in who)]
        join = " + " if who[0] in mixture_of else ", "
        lines.append((join.join(names[i] for i in who), ", ".join(shared) or "nothing known"))
        more = {i: tuple(state for state in states[i] if state not in shared) for i in who}
        for part in grouped(more):
            if more[part[0]]:
                lines.append(
                    (f"· {', '.join(names[i] for i in part)}", f"· {', '.join(more[part[0]])}")
                )
    return lines


def in_order(state: dict[str, str]) -> list[str]:
    types = [*STATE_TYPES, *(type for type in state if type not in STATE_TYPES)]
    return [end_state(type, state[type]) for type in types if type in state]


def grouped(keys: Mapping[int, tuple[object, ...]]) -> list[list[int]]:
    """The ingredients of each key, in the order of their first."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, key in keys.items():
        groups.setdefault(key, []).append(i)
    return list(groups.values())
