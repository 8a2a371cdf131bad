"""Mermaid: the flow of ingredients as a text that many wikis and code hosts draw.

A vertex for each portion of an ingredient (round) and for each stage (square), and one for the
dish; an arrow wherever food goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from npn.formats.writing import Writer, only_one, shortened, wording
from npn.formats.writing.flow import can_be_drawn, flow_of, stage_words, taken_phrases
from npn.trace import Trace

PLAIN = frozenset(" .,:()/-+'’½¼¾⅓⅔°")
LONGEST = 90  # letters of a step's text


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for trace in only_one(traces, "mermaid"):
        out.write("\n".join(diagram(trace)) + "\n")


def diagram(trace: Trace) -> Iterator[str]:
    """The lines of a diagram. Portions are p0, p1, …, stages s0, s1, …"""
    title = wording.title(trace)
    yield "flowchart TD"
    yield f"  accTitle: {label(title)}"
    if not can_be_drawn(trace):
        yield f'  dish(("{label(title)}: too large to draw"))'
        return
    flow = flow_of(trace)
    names = wording.ingredient_names(trace)
    for n, phrase in enumerate(taken_phrases(trace, flow, names)):
        yield f'  p{n}(["{label(phrase)}"])'
    for n, (stage, words) in enumerate(
        zip(flow.stages, stage_words(trace, flow, names), strict=True)
    ):
        result = f"<br>{label(words.result)}" if words.result else ""
        yield f'  s{n}["Step {stage.step + 1}: {label(shortened(words.text, LONGEST))}{result}"]'
    yield f'  dish(("{label(title)}"))'
    for n, stage in enumerate(flow.stages):
        for taken in stage.takes:
            yield f"  p{taken} --> s{n}"
        for source in stage.inputs:
            yield f"  s{source} --> s{n}"
    for end in flow.ends[-1:]:
        yield f"  s{end} --> dish"


def label(text: str) -> str:
    """`text` with a code for every character that could mean something to Mermaid."""
    return "".join(
        one if one.isalnum() or one in PLAIN else f"#{ord(one)};" for one in wording.plain(text)
    )


WRITER = Writer("mermaid", "a Mermaid flowchart, for wikis", ".mmd", write, one_each=True)
