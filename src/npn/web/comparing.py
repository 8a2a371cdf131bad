"""What differs between two traces of about the same recipe: then, and in the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from npn.formats.writing import wording
from npn.formats.writing.piles import acted_on, changed, in_the_end
from npn.trace import Trace

ASPECTS = ("takes", "acts on", "changes")


def compare(before: Trace, after: Trace) -> dict[str, Any]:
    """The steps that are new, gone or do something else, and what is different in the end. Steps
    are matched by their words; a step is numbered as in its own trace, from 0."""
    old, new = _sentences(before), _sentences(after)
    steps = []
    for a, b in _matched([s.text for s in before.steps], [s.text for s in after.steps]):
        if a is None or b is None:
            text = before.steps[a].text if a is not None else after.steps[b or 0].text
            what = "gone" if b is None else "new"
            now = [] if b is None else [_line(k, v) for k, v in new[b].items() if v]
            steps.append({"what": what, "before": a, "after": b, "text": text, "differs": now})
        elif differs := _differs(old[a], new[b]):
            steps.append({"what": "other", "before": a, "after": b, "text": after.steps[b].text,
                          "differs": differs})  # fmt: skip
    return {"steps": steps, "end": {"before": _end(before), "after": _end(after)}}


def _sentences(trace: Trace) -> list[dict[str, str]]:
    """For each step what it takes, acts on and changes, in words."""
    names = wording.ingredient_names(trace)
    return [
        dict(zip(ASPECTS, (", ".join(takes), acts, "; ".join(changes)), strict=True))
        for takes, acts, changes in zip(
            wording.taken(trace, names),
            acted_on(trace, names),
            changed(trace, names),
            strict=True,
        )
    ]


def _differs(old: dict[str, str], new: dict[str, str]) -> list[str]:
    return [
        f"{aspect}: {new[aspect] or 'nothing'} (before: {old[aspect] or 'nothing'})"
        for aspect in ASPECTS
        if old[aspect] != new[aspect]
    ]


def _line(aspect: str, words: str) -> str:
    return f"{aspect}: {words}"


def _end(trace: Trace) -> list[str]:
    names = wording.ingredient_names(trace)
    return [f"{what}: {how}" for what, how in in_the_end(trace, names)]


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of places in two lists: of the same text, or None beside what only one has. What was
    moved is paired too, so that a step in another place is not called new."""
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
        if moved is not None:
            lost.remove(moved)
        pairs.append((moved, b))
    pairs += [(a, None) for a in lost]
    return iter(sorted(pairs, key=lambda pair: pair[1] if pair[1] is not None else pair[0] or 0))
