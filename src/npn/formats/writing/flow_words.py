"""The words of a flow: what each stage takes, says and leaves, and the whole of it as sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from npn.formats.writing import wording
from npn.formats.writing.flow import Flow, steps_with_piles
from npn.formats.writing.piles import PileNames, at_place
from npn.trace import Trace


@dataclass(frozen=True, slots=True)
class StageWords:
    """`takes` has a phrase for each portion ("2 tablespoons sugar"), `text` is the step's, `result`
    what lies where after it ("batter, in the bowl"; empty where nobody knows)."""

    takes: tuple[str, ...]
    text: str
    result: str


def stage_words(trace: Trace, flow: Flow, names: list[str]) -> list[StageWords]:
    """The words of each stage."""
    phrases = taken_phrases(trace, flow, names)
    steps = steps_with_piles(trace)
    piles = PileNames(names)
    stages = Counter(stage.step for stage in flow.stages)
    words, past = [], 0
    for stage in flow.stages:
        while past <= stage.step:
            piles.after(past + 1, steps[past])
            past += 1
        place = at_place(stage.pile.place) if stage.pile.place else ""
        name = wording.plain(stage.pile.name) if stage.pile.name else ""
        again = stages[stage.step] > 1
        result = ", ".join(part for part in (name, place) if part)
        if again and not name:  # two piles of one step are told apart by what is in them
            contents = ", ".join(piles.contents(stage.pile))
            result = f"{place}: {contents}" if place else contents
        takes = tuple(phrases[n] for n in stage.takes)
        words.append(StageWords(takes, wording.plain(steps[stage.step].text), result))
    return words


def taken_phrases(trace: Trace, flow: Flow, names: list[str]) -> list[str]:
    """A phrase for each portion of a flow."""
    taken = wording.taken(replace(trace, steps=steps_with_piles(trace)), names)
    return [taken[one.step][one.place] for one in flow.portions]


def described(trace: Trace, flow: Flow, words: list[StageWords]) -> str:
    """The whole flow as sentences, for who cannot see it."""
    sentences = [wording.summary(trace) + "."]
    for stage, texts in zip(flow.stages, words, strict=True):
        parts = list(texts.takes)
        parts += [f"what step {flow.stages[source].step + 1} left" for source in stage.inputs]
        into = f" give {texts.result}" if texts.result else ""
        sentences.append(f"Step {stage.step + 1}: {', '.join(parts)}{into}.")
    return " ".join(sentences)
