"""What trackers lose when every ingredient has a made-up name: entity F1 with and without.

python benchmarks/made_up_names.py TRACKER... --gold FILE...
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from npn.evaluation.gold import GoldRecipe, read_gold
from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.models import load_tracker
from npn.tracker import Tracker
from npn.training.data.renaming import rename


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("trackers", nargs="+")
    parser.add_argument("--gold", nargs="+", type=Path, required=True)
    given = parser.parse_args()
    for path in given.gold:
        gold = read_gold(path)
        renamed = [rename(one) for one in gold]
        for name in given.trackers:
            tracker = load_tracker(name)
            as_is, made_up = entity_f1(tracker, gold), entity_f1(tracker, renamed)
            print(
                f"{path.stem:18} {name:16} {as_is:.3f} as it is, {made_up:.3f} renamed, "
                f"{made_up - as_is:+.3f}"
            )


def entity_f1(tracker: Tracker, gold: Sequence[GoldRecipe]) -> float:
    traces = tracker.track_many([one.recipe for one in gold], split=False)
    return float(tracking_scores(count_recipes(gold, traces).sum(axis=0))["entity_f1"])


if __name__ == "__main__":
    main()
