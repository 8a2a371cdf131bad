"""List where the mixture network and people differ on recipes that it held out, to be looked at:

python -m npn.training.mixtures.errors RUN... --data DIR --count 120

Of every recipe that differs one step is drawn: the first at which other ingredients are selected,
or else the first with another change; errors after it mostly follow from it. What is printed is
text of the gold files: it is to be read, not kept.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from npn.evaluation.gold import GoldStep
from npn.runtime.mixtures_settings import MixtureSettings
from npn.trace import StepTrace, Trace
from npn.training.mixtures.examples import GoldExample
from npn.training.mixtures.held_out import read_held_out
from npn.training.mixtures.prediction import trace_of


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.errors")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=120)
    given = parser.parse_args(arguments)
    examples, held_out = read_held_out(given.runs, given.seed, given.data)
    traces = [trace_of(e, p, MixtureSettings()) for e, p in zip(examples, held_out, strict=True)]
    pairs = list(zip(examples, traces, strict=True))
    random.Random(0).shuffle(pairs)
    listed = [text for example, trace in pairs for text in first_error(example, trace)]
    for number, text in enumerate(listed[: given.count], start=1):
        print(f"{number}. {text}\n")
    return 0


def first_error(example: GoldExample, trace: Trace) -> Iterator[str]:
    steps = list(zip(example.gold.steps, trace.steps, strict=True))
    wrong = [t for t, (gold, said) in enumerate(steps) if _misselected(gold, said)]
    wrong += [t for t, (gold, said) in enumerate(steps) if _differing(gold, said)]
    if wrong:
        yield _told(example, trace, wrong[0])


def _misselected(gold: GoldStep, said: StepTrace) -> bool:
    return gold.labelled and gold.entities != frozenset(said.entities)


def _differing(gold: GoldStep, said: StepTrace) -> list[str]:
    """The changes that gold alone names (-), and those that the network alone does (+)."""
    if gold.changes is None:
        return []
    theirs = {(c.type, c.end_state) for c in gold.changes if c.type not in gold.disputed}
    ours = {(c.type, c.end_state) for c in said.changes if c.type not in gold.disputed}
    return [f"- {t} {e}" for t, e in sorted(theirs - ours)] + [
        f"+ {t} {e}" for t, e in sorted(ours - theirs)
    ]


def _told(example: GoldExample, trace: Trace, at: int) -> str:
    gold, said = example.gold.steps[at], trace.steps[at]

    def names(numbers: Sequence[int]) -> str:
        return ", ".join(trace.ingredients[i].text for i in numbers) or "nothing"

    lines = [f"{example.source} {example.gold.id}, step {at + 1}"]
    lines += [
        f"  {step.text} -> {names(sorted(g.entities))}"
        for g, step in zip(
            example.gold.steps[max(0, at - 3) : at], trace.steps[max(0, at - 3) : at], strict=True
        )
    ]
    lines.append(f"  >> {said.text}")
    missed = sorted(gold.entities.difference(said.entities))
    wrong = sorted(set(said.entities).difference(gold.entities))
    lines.append(f"  right: {names(sorted(gold.entities.intersection(said.entities)))}")
    lines.append(f"  missed: {names(missed)}; wrongly: {names(wrong)}")
    lines += [f"  {one}" for one in _differing(gold, said)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
