"""Lists of marks in brackets behind a step: "Mix everything. (@salt{1%tsp}, @flour{1%cup})".

We write them so where a step uses what it does not name; they are no words of the step."""

from __future__ import annotations

import re

from npn.formats.cooklang_syntax import CooklangText, IngredientMention, Piece

NOT_USED = "Not used above: "
OPENING = re.compile(rf" ?\((?:{NOT_USED})?$")


def without_list(step: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """A step without the lists behind it; a step that is nothing else stays as it is."""
    shorter = _without_last_list(step)
    while shorter is not None:
        step, shorter = shorter, _without_last_list(shorter)
    return step


def without_unused(step: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """A step without the list of what no step uses: "Serve. (Not used above: @parsley{})"."""
    for n, piece in enumerate(step):
        if isinstance(piece, CooklangText) and piece.value.endswith(f"({NOT_USED}"):
            return step[:n] if _without_last_list(step) is not None else step
    return step


def _without_last_list(step: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
    last = step[-1]
    if not isinstance(last, CooklangText) or last.value.strip() != ")":
        return None
    for n in range(len(step) - 2, 0, -2):
        before = step[n - 1]
        if not isinstance(step[n], IngredientMention) or not isinstance(before, CooklangText):
            return None
        if opening := OPENING.search(before.value):
            text = before.value[: opening.start()]
            left = (*step[: n - 1], *([CooklangText(text)] if text else []))
            return left or None
        if before.value.strip() != ",":
            return None
    return None
