"""How far trackers agree with the golden recipes, with -d in which steps they differ, and with -w
which recipes they get wrong.

python tests/golden_report.py [-d] [-w] [TRACKER...]
"""

import argparse
import json
from math import floor

from golden_cases import Case, agreement, differences, read_cases
from npn.evaluation.gold import GoldStep
from npn.evaluation.tracking import reduce_action
from npn.models import load_tracker
from npn.trace import StepTrace
from npn.tracker import Tracker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("trackers", nargs="*", default=["first-mention", "weak-labels"])
    parser.add_argument("-d", "--differences", action="store_true", help="list the steps")
    parser.add_argument(
        "-w", "--wrong", action="store_true", help="list the recipes that are wrong"
    )
    chosen = parser.parse_args()
    cases = read_cases()
    print(f"{len(cases)} recipes, {sum(len(case.recipe.steps) for case in cases)} steps")
    for name in chosen.trackers:
        tracker = load_tracker(name)
        figures = agreement(tracker, cases)
        print(name, "  ".join(f"{metric} {value:.3f}" for metric, value in figures.items()))
        floors = {metric: floor(100 * value) / 100 for metric, value in figures.items()}
        print("  for agreement.json:", json.dumps({name: floors}))
        if chosen.wrong:
            wrong = [c.name for c in cases if differences(c, tracker.track(c.recipe))]
            print(f"  for KNOWN_TO_FAIL, {len(wrong)} of {len(cases)}:", *wrong)
        if chosen.differences:
            for case in cases:
                _print_differences(case, tracker)


def _print_differences(case: Case, tracker: Tracker) -> None:
    trace = tracker.track(case.recipe)
    for number, (gold, said) in enumerate(zip(case.expected.steps, trace.steps, strict=True)):
        lines = list(_differences(gold, said))
        if lines:
            print(f"{case.name} {number}: {said.text}", *lines, sep="\n    ")


def _differences(gold: GoldStep, said: StepTrace) -> list[str]:
    """What the person alone says of a step (-), and what the tracker alone does (+)."""
    labels = {("action", reduce_action(name)) for name in gold.actions or ()}
    labels |= {("entity", str(i)) for i in gold.entities}
    labels |= {(c.type, f"{c.end_state} of {i}") for c in gold.changes or () for i in c.ingredients}
    found = {("action", reduce_action(action.name)) for action in said.actions}
    found |= {("entity", str(i)) for i in said.entities}
    found |= {(c.type, f"{c.end_state} of {i}") for c in said.changes for i in c.ingredients}
    return [
        f"{sign} {kind} {', '.join(sorted(what for k, what in these if k == kind))}"
        for sign, these in (("-", labels - found), ("+", found - labels))
        for kind in sorted({kind for kind, _ in these})
    ]


if __name__ == "__main__":
    main()
