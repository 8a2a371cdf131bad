"""Where a tracker's worlds differ from the golden ones: what only the cook says (-), and what only
the tracker does (+). With -e also after every step.

python tests/golden_worlds_report.py [-e] [TRACKER]
"""

import argparse

from golden_world_cases import WorldCase, differences, pile_differences, read_world_cases
from npn.models import DEFAULT, load_tracker
from npn.trace import Trace


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("tracker", nargs="?", default=DEFAULT)
    parser.add_argument("-e", "--every-step", action="store_true", help="piles after every step")
    chosen = parser.parse_args()
    tracker = load_tracker(chosen.tracker)
    cases = read_world_cases()
    right = []
    for case in cases:
        trace = tracker.track(case.recipe)
        lines = differences(case, trace)
        if not lines:
            right.append(case.name)
        if chosen.every_step:
            lines += _earlier_piles(case, trace)
        print(f"{case.name}: {'right' if case.name in right else 'wrong'}", *lines, sep="\n    ")
    wrong = sorted({case.name for case in cases} - set(right))
    print(f"{chosen.tracker}: {len(right)} of {len(cases)} right")
    print("for KNOWN_TO_FAIL:", " ".join(wrong))


def _earlier_piles(case: WorldCase, trace: Trace) -> list[str]:
    """How the piles differ after the steps before the last, which decide nothing."""
    steps = enumerate(case.world[:-1])
    return [line for number, step in steps for line in pile_differences(trace, number, step.piles)]


if __name__ == "__main__":
    main()
