"""A trace as a graph: portions of ingredients flow into stages, stages into stages, to the dish.

A stage is a pile as one step leaves it, where the step made it, moved it or acted on it. A step
that makes two piles has two stages; one that handles no food (heating the oven) has none. All
diagrams are drawn from this graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from npn.formats.writing import wording
from npn.formats.writing.piles import PileNames, at_place
from npn.trace import Pile, Portion, StepTrace, Trace, Use

MOST_CELLS = 40_000  # ingredients times steps: of more, nobody wants to see a diagram


@dataclass(frozen=True, slots=True)
class FlowStage:
    """`takes` are the portions that come from the list, as places in `Flow.portions`; `inputs` the
    earlier stages, as places in `Flow.stages`, whose food goes into this one."""

    step: int
    pile: Pile
    takes: tuple[int, ...]
    inputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakenFromList:
    """A portion of an ingredient that a step takes. `place` is that of its use in the step."""

    step: int
    place: int
    portion: Portion


@dataclass(frozen=True, slots=True)
class Flow:
    """`ends` are the stages whose food goes into no other, the largest pile last: the dish."""

    portions: tuple[TakenFromList, ...]
    stages: tuple[FlowStage, ...]
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Lying:
    """A pile that lies about, and the stage that left it so."""

    pile: Pile
    stage: int


def can_be_drawn(trace: Trace) -> bool:
    """Whether a trace is small enough for a diagram."""
    return len(trace.ingredients) * len(trace.steps) <= MOST_CELLS


def flow_of(trace: Trace) -> Flow:
    """The graph of a trace. Where a tracker knows no piles, what a step acts on is taken to lie
    together from then on; where it knows no uses, an ingredient's first handling is one."""
    portions: list[TakenFromList] = []
    stages: list[FlowStage] = []
    lying: list[_Lying] = []
    seen: Counter[int] = Counter()
    for number, step in enumerate(steps_with_piles(trace)):
        new: dict[Portion, int] = {}
        for place, use in enumerate(step.uses):
            portion = Portion(use.ingredient, seen[use.ingredient])
            seen[use.ingredient] += 1
            new[portion] = len(portions)
            portions.append(TakenFromList(number, place, portion))
        kept, changed = _compare(lying, step)
        held = {portion for pile in step.piles for portion in pile.of}
        loose = tuple(one for one in new if one not in held)
        unmoved = {one.stage for one in kept}
        sources = [one for one in lying if one.stage not in unmoved]
        changed += [Pile(loose)] if loose else []
        continued = _continued(changed, sources)
        going_on = {one.stage for one in continued.values()}
        gone = [one for one in sources if one.stage not in going_on]
        lying = list(kept)
        for n, pile in enumerate(changed):
            inputs = _inputs(pile, continued.get(n), gone, [*continued.values(), *kept])
            takes = tuple(sorted(new[portion] for portion in pile.of if portion in new))
            lying.append(_Lying(pile, len(stages)))
            stages.append(FlowStage(number, pile, takes, inputs))
    return Flow(tuple(portions), tuple(stages), _ends(stages))


def _ends(stages: Sequence[FlowStage]) -> tuple[int, ...]:
    gone = {source for stage in stages for source in stage.inputs}
    ends = [n for n in range(len(stages)) if n not in gone]
    return tuple(sorted(ends, key=lambda n: (len(stages[n].pile.of), n)))


def _compare(lying: Sequence[_Lying], step: StepTrace) -> tuple[list[_Lying], list[Pile]]:
    """Which piles lie as they lay, and which the step made, moved or acted on."""
    before: dict[Pile, list[_Lying]] = defaultdict(list)
    for one in lying:
        before[one.pile].append(one)
    elsewhere = {use.ingredient for use in step.uses}
    elsewhere.update(i for pile in step.piles if not before[pile] for i in pile.ingredients)
    kept, changed = [], []
    for pile in step.piles:
        if before[pile] and not _acted_on(pile, step.entities, elsewhere):
            kept.append(before[pile].pop(0))
        else:
            changed.append(pile)
    return kept, changed


def _acted_on(pile: Pile, entities: Iterable[int], elsewhere: set[int]) -> bool:
    """Whether a step means a pile that stays the same. It does not where all that it means of it
    is `elsewhere` too: newly taken from the list, or in a pile that the step makes or moves."""
    who = pile.ingredients
    meant = set(who) & set(entities)
    return 2 * len(meant) > len(who) and not meant <= elsewhere


def _continued(piles: Sequence[Pile], sources: Sequence[_Lying]) -> dict[int, _Lying]:
    """For each of the changed piles (by place) the pile before the step that it was, if any: one
    that held the same, in the same vessel if possible, or one that held less in the same vessel.
    None is continued twice."""
    found: dict[int, _Lying] = {}
    left = list(sources)
    for n, pile in enumerate(piles):
        same = [one for one in left if one.pile.of == pile.of]
        less = [
            one
            for one in left
            if pile.place and one.pile.place == pile.place and set(one.pile.of) <= set(pile.of)
        ]
        chosen = next((one for one in same if one in less), None) or next(iter(same + less), None)
        if chosen is not None:
            found[n] = chosen
            left.remove(chosen)
    return found


def _inputs(
    pile: Pile, before: _Lying | None, gone: Sequence[_Lying], others: Sequence[_Lying]
) -> tuple[int, ...]:
    """The stages whose food is in a pile: the pile that it was, those that are gone since, and, for
    food of which the rest stays where it was, the `others`."""
    wanted = set(pile.of)
    found = [before] if before is not None else []
    found += [one for one in gone if wanted.intersection(one.pile.of)]
    covered = {portion for one in found for portion in one.pile.of}
    for one in others:
        if (wanted - covered).intersection(one.pile.of):
            found.append(one)
            covered |= set(one.pile.of)
    return tuple(sorted({one.stage for one in found}))


def steps_with_piles(trace: Trace) -> tuple[StepTrace, ...]:
    """The steps, with uses and piles also where the tracker knows none."""
    if any(step.piles for step in trace.steps):
        return trace.steps
    has_uses = any(step.uses for step in trace.steps)
    seen: Counter[int] = Counter()
    piles: list[Pile] = []
    shown = []
    for step in trace.steps:
        uses = step.uses
        if not has_uses:
            uses = tuple(Use(i) for i in step.entities if not seen[i])
        together = []
        for use in uses:
            together.append(Portion(use.ingredient, seen[use.ingredient]))
            seen[use.ingredient] += 1
        meant = set(step.entities) - {use.ingredient for use in uses}
        joined = [pile for pile in piles if meant.intersection(pile.ingredients)]
        piles = [pile for pile in piles if pile not in joined]
        of = tuple(sorted({*together, *(one for pile in joined for one in pile.of)}))
        if of:
            piles.append(Pile(of))
        shown.append(replace(step, uses=uses, piles=tuple(piles)))
    return tuple(shown)


# -- The words of a flow: what each stage takes, says and leaves, and the whole of it as sentences.


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
        name = piles.name(stage.pile) if stage.pile.name else ""
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
    ways = Counter(source for stage in flow.stages for source in stage.inputs)
    for stage, texts in zip(flow.stages, words, strict=True):
        parts = list(texts.takes)
        for source in stage.inputs:
            part = "part of " if ways[source] > 1 else ""
            parts.append(f"{part}what step {flow.stages[source].step + 1} left")
        into = f" give {texts.result}" if texts.result else ""
        sentences.append(f"Step {stage.step + 1}: {', '.join(dict.fromkeys(parts))}{into}.")
    return " ".join(sentences)


# -- Where a flow is drawn: each pile has a lane, a vertical line that goes on while the pile lies
# about, as in a drawing of the branches of a repository.


@dataclass(frozen=True, slots=True)
class Lane:
    """`number` counts lanes from the left; a pile that takes an empty lane gets the next `colour`
    and keeps it."""

    number: int
    colour: int


def lanes_of(flow: Flow) -> tuple[Lane, ...]:
    """The lane of each stage. A stage goes on in the lane of one of its inputs: of the one in the
    same vessel, or else the largest. The lanes of the others are free from then on."""
    uses = Counter(source for stage in flow.stages for source in stage.inputs)
    lanes: list[Lane] = []
    taken: dict[int, int] = {}  # lane -> the stage whose food is in it
    colours = 0
    for n, stage in enumerate(flow.stages):
        uses.subtract(stage.inputs)
        ended = [source for source in stage.inputs if not uses[source]]
        ended = [source for source in ended if taken.get(lanes[source].number) == source]
        if ended:
            lane = lanes[_main(stage, ended, flow.stages)]
            for source in ended:
                taken.pop(lanes[source].number)
        else:
            number = next(free for free in range(len(taken) + 1) if free not in taken)
            lane = Lane(number, colours)
            colours += 1
        lanes.append(lane)
        if uses[n] or n in flow.ends[-1:]:  # the dish keeps its lane to the bottom
            taken[lane.number] = n
    return tuple(lanes)


def _main(stage: FlowStage, inputs: Sequence[int], stages: Sequence[FlowStage]) -> int:
    return max(
        inputs,
        key=lambda n: (
            stages[n].pile.place is not None and stages[n].pile.place == stage.pile.place,
            len(stages[n].pile.of),
            -n,
        ),
    )
