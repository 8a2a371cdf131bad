"""How far labels that were made without sight of the gold agree with it:

python labels/agreement.py --gold DIR

Worlds are scored by the metrics of `npn evaluate`, as if a tracker had said them. States are scored
twice: strictly, where every end state of a step must be found, and by the metrics of
`npn evaluate`, for which any one of several end states of a type will do. The recipes of the files
labels/held_out_*.jsonl were read twice; how far these readings agree is printed where DIR has them
joined with their text.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from label_lines import read_label_lines
from state_labels import StateLabel, StateLabelStep
from world_labels import WorldLabel, WorldLabelStep

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe, GoldStep, read_gold
from npn.evaluation.tracking import FIVE_TYPES, count_recipes, tracking_scores
from npn.evaluation.world_metrics import count_world, world_scores
from npn.trace import Pile, Portion, SelectedAction, StateChange, StepTrace, Trace, Use

HERE = Path(__file__).parent
L = TypeVar("L", WorldLabel, StateLabel)
WORLD_METRICS = "uses_f1 linked_recipes acts_f1 together_f1 fractions places worlds".split()
BLIND_STATES = "blind_states.jsonl"
BLIND_SENTENCES = "blind_sentences.jsonl"  # read later, under the convention of states_train alone
# What is held out, and the file with its second reading.
HELD_OUT_WORLDS = "held_out_worlds"
HELD_OUT = {"held_out_sentences": BLIND_SENTENCES, "held_out_states": BLIND_STATES}
STATE_METRICS = ["entity_f1", "action_f1", *(f"state_f1/{type}" for type in FIVE_TYPES)]


def world_agreement(folder: Path, source: str = "world_train") -> dict[str, float]:
    """The metrics of `npn evaluate` for the blind labels of the worlds of one gold file."""
    labels = read_label_lines(HERE / "blind_worlds.jsonl", WorldLabel.from_dict)
    labels = [label for label in labels if label.source == source]
    rows = [
        count_world(gold.world or (), _trace(gold, list(map(_world_step, label.steps))))
        for label, gold in _with_gold(labels, folder / f"{source}.jsonl")
    ]
    scores = world_scores(sum(rows[1:], rows[0]))
    return {name: float(scores[name]) for name in WORLD_METRICS}


def state_agreement(folder: Path, source: str, file: str = BLIND_STATES) -> dict[str, float]:
    """F1 of the blind labels in `file` of the states of one gold file: of (step, ingredient),
    (step, action), (step, end state) for each type, and (step, type, end state, ingredient) for the
    types together."""
    right: Counter[str] = Counter()
    either: Counter[str] = Counter()
    for label, gold in _with_gold(_blind_states(file, source), folder / f"{source}.jsonl"):
        for read, true in zip(map(_state_step, label.steps), gold.steps, strict=True):
            for metric, ours, theirs in _state_sets(read, true):
                right[metric] += len(ours & theirs)
                either[metric] += len(ours) + len(theirs)
    return {metric: 2 * right[metric] / either[metric] for metric in either}


def state_scores(folder: Path, source: str, file: str = BLIND_STATES) -> dict[str, float]:
    """The metrics of `npn evaluate` for the same labels."""
    pairs = list(_with_gold(_blind_states(file, source), folder / f"{source}.jsonl"))
    traces = [_trace(gold, list(map(_state_step, label.steps))) for label, gold in pairs]
    scores = tracking_scores(count_recipes([gold for _, gold in pairs], traces).sum(axis=0))
    return {name: float(scores[name]) for name in [*STATE_METRICS, "ingredient_f1/five"]}


def _state_sets(
    read: StepTrace, true: GoldStep
) -> Iterator[tuple[str, frozenset[object], frozenset[object]]]:
    """For each metric what was read in a step and what is right."""
    yield "entities", frozenset(read.entities), frozenset(true.entities)
    actions = frozenset(action.name for action in read.actions)
    yield "actions", actions, frozenset(true.actions or ())
    for type in FIVE_TYPES:
        if type not in true.disputed:
            ours = [(c.end_state, c.ingredients) for c in read.changes if c.type == type]
            theirs = [(c.end_state, c.ingredients) for c in true.changes or () if c.type == type]
            yield type, frozenset(end for end, _ in ours), frozenset(end for end, _ in theirs)
            yield (
                "per ingredient",
                frozenset((end, i) for end, who in ours for i in who),
                frozenset((end, i) for end, who in theirs for i in who),
            )


def _blind_states(file: str, source: str) -> list[StateLabel]:
    labels = read_label_lines(HERE / file, StateLabel.from_dict)
    return [label for label in labels if label.source == source]


def _with_gold(labels: Sequence[L], path: Path) -> Iterator[tuple[L, GoldRecipe]]:
    gold = {one.id: one for one in read_gold(path)}
    for label in labels:
        if label.id not in gold:
            raise NpnError(f"{path}: lacks {label.id}, which is labelled; name another folder")
        yield label, gold[label.id]


def _trace(gold: GoldRecipe, steps: Sequence[StepTrace]) -> Trace:
    return Trace(gold.recipe.title, "blind labels", gold.recipe.ingredients, tuple(steps))


def _world_step(step: WorldLabelStep) -> StepTrace:
    return StepTrace(
        "",
        entities=step.acts,
        uses=tuple(Use(use.ingredient, use.fraction) for use in step.uses),
        piles=tuple(Pile(tuple(map(_portion, pile.of)), pile.place) for pile in step.piles),
    )


def _portion(member: str) -> Portion:
    if member.isdecimal():
        return Portion(int(member))
    return Portion(int(member[:-1]), ord(member[-1]) - ord("a"))


def _state_step(step: StateLabelStep) -> StepTrace:
    return StepTrace(
        "",
        actions=tuple(SelectedAction(name, 1.0) for name in step.actions),
        entities=step.entities,
        changes=tuple(StateChange(c.type, c.end_state, 1.0, c.ingredients) for c in step.changes),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python labels/agreement.py")
    parser.add_argument("--gold", type=Path, required=True, help="folder of GOLD.jsonl")
    folder = parser.parse_args(arguments).gold
    try:
        tables = {"world_train": world_agreement(folder)}
        if (folder / f"{HELD_OUT_WORLDS}.jsonl").is_file():
            tables[HELD_OUT_WORLDS] = world_agreement(folder, HELD_OUT_WORLDS)
        compared = [
            (BLIND_STATES, "states_modern_train"),
            (BLIND_STATES, "states_train"),
            (BLIND_SENTENCES, "states_train"),
        ]
        compared += [
            (file, source)
            for source, file in HELD_OUT.items()
            if (folder / f"{source}.jsonl").is_file()
        ]
        for file, source in compared:
            name = f"{file}, {source}"
            tables[f"{name}, strictly"] = state_agreement(folder, source, file)
            tables[f"{name}, as npn evaluate"] = state_scores(folder, source, file)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for name, scores in tables.items():
        print(f"{name}:", ", ".join(f"{metric} {score:.3f}" for metric, score in scores.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
