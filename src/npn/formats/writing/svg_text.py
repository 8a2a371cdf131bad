"""Text in a drawing, whose writer cannot ask how wide a letter is: careful guesses, line breaks."""

from __future__ import annotations

import re
import unicodedata
from html import escape

from npn.formats.writing.wording import IN_MIXED_NUMBER, plain

NO_CHARACTERS = re.compile("[\ufffe\uffff]")  # which XML does not know
NARROW = frozenset("iljtfrI.,:;'!|()[] -/")
WIDE = frozenset("mwMW@%&—…½¼¾⅓⅔")
WIDTHS = {"narrow": 0.38, "wide": 0.95, "capital": 0.72, "other": 0.6, "full": 1.05}  # of the size


def text_width(text: str, size: float) -> float:
    """At least as wide as `text` is in the usual sans-serif letters of that size."""
    return size * sum(WIDTHS[_kind(character)] for character in text)


def _kind(character: str) -> str:
    if character in NARROW:
        return "narrow"
    if character in WIDE:
        return "wide"
    if character.isascii():
        return "capital" if character.isupper() else "other"
    return "full" if unicodedata.east_asian_width(character) in "WF" else "capital"


def wrapped(text: str, width: float, size: float, most: int) -> list[str]:
    """`text` in lines that fit `width`, `most` at most; what is left out is an ellipsis."""
    lines: list[str] = []
    rest = plain(text)
    while rest:
        line = _first_line(rest, width, size)
        rest = rest[len(line) :].strip()
        if len(lines) == most - 1 and rest:
            while line and text_width(line + "…", size) > width:
                line = line.rstrip().rpartition(" ")[0] or line[:-1]
            return [*lines, line.rstrip(" ,;.") + "…"]
        lines.append(line.rstrip())
    return lines


def _first_line(text: str, width: float, size: float) -> str:
    """As much of `text` as fits, to the end of a word; a word that is too long is cut."""
    used, space = 0.0, 0
    for n, character in enumerate(text):
        if character == " " and not IN_MIXED_NUMBER.match(text, n):
            space = n + 1
        used += text_width(character, size)
        if used > width and n:
            return text[: space or n]
    return text


def markup(text: str) -> str:
    """`text` as it may stand between tags: never markup itself."""
    return escape(NO_CHARACTERS.sub("\ufffd", plain(text)), quote=False)


def attribute(text: str) -> str:
    """`text` as the value of an attribute, in its quotes."""
    return f'"{escape(NO_CHARACTERS.sub(chr(0xFFFD), plain(text)))}"'


# -- The colours and letters of a flow. A colour has at least 4.5 to 1 against what is written on
# it, in the light scheme and in the dark one.

LIGHT = ("#0b6e99", "#a34700", "#2b7a2f", "#8338a8", "#b3263a", "#5f6400")
DARK = ("#6cc4ee", "#f5a45d", "#86d189", "#d3a0ee", "#f58f9b", "#cdd16a")
COLOURS = len(LIGHT)


def _scheme(colours: tuple[str, ...], paper: str, ink: str, faint: str, number: str) -> str:
    properties = "".join(f"--c{n}:{colour};" for n, colour in enumerate(colours))
    properties += f"--paper:{paper};--ink:{ink};--faint:{faint};--number:{number}"
    return f".npn-flow{{{properties}}}"


_LIGHT = _scheme(LIGHT, "#fff", "#1c1c1c", "#5a5a5a", "#fff")
_DARK = _scheme(DARK, "#16181c", "#ececec", "#a9adb3", "#111")

STYLE = (
    _LIGHT
    + f"@media (prefers-color-scheme:dark){{{_DARK}}}"
    + f"@media print{{{_LIGHT}}}"
    + ".npn-flow{font:14px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}"
    + ".npn-flow text{fill:var(--ink)}"
    + ".npn-flow .h{font-size:18px;font-weight:600}"
    + ".npn-flow .s{font-weight:600;fill:var(--faint);letter-spacing:.02em}"
    + ".npn-flow .t{font-weight:600}"
    + ".npn-flow .p{font-size:13px;fill:var(--faint)}"
    + ".npn-flow .n{font-size:11px;font-weight:700;text-anchor:middle;fill:var(--number)}"
    + ".npn-flow rect.b{fill:var(--paper)}"
    + ".npn-flow path{fill:none}"
    + ".npn-flow .thin path{stroke-width:1.5}"
    + ".npn-flow .thick path{stroke-width:3}"
    + ".npn-flow .halo path{stroke:var(--paper);stroke-width:8}"
    + ".npn-flow .r,.npn-flow .e{fill:var(--paper);stroke-width:2}"
    + "".join(
        f".npn-flow .l{n},.npn-flow .r{n}{{stroke:var(--c{n})}}.npn-flow .d{n}{{fill:var(--c{n})}}"
        for n in range(COLOURS)
    )
)
