"""Where a flow is drawn: each pile has a lane, a vertical line that goes on while the pile lies
about, as in a drawing of the branches of a repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from npn.formats.writing.flow import Flow, FlowStage


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
