"""The colours and letters of a flow. A colour has at least 4.5 to 1 against what is written on it,
in the light scheme and in the dark one."""

from __future__ import annotations

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
