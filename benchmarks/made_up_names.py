"""What trackers lose when every ingredient has a made-up name: entity F1 with and without, and
where the labels have state changes, the mean F1 of five types of them.

python benchmarks/made_up_names.py TRACKER... --gold FILE...
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from npn.evaluation.gold import GoldRecipe, read_gold
from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.models import load_tracker
from npn.tracker import Tracker
from npn.training.world.examples import made_up_words, rename

SCORES = {"entity_f1": "entities", "state_f1/five": "five types"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("trackers", nargs="+")
    parser.add_argument("--gold", nargs="+", type=Path, required=True)
    given = parser.parse_args()
    for path in given.gold:
        gold = read_gold(path)
        renamed = [with_made_up_names(one) for one in gold]
        for name in given.trackers:
            tracker = load_tracker(name)
            as_is, made_up = score(tracker, gold), score(tracker, renamed)
            for what in as_is:
                print(
                    f"{path.stem:18} {name:16} {what:10} {as_is[what]:.3f} as it is, "
                    f"{made_up[what]:.3f} renamed, {made_up[what] - as_is[what]:+.3f}",
                    flush=True,
                )


def with_made_up_names(gold: GoldRecipe) -> GoldRecipe:
    made_up = made_up_words(len(gold.recipe.ingredients), random.Random(f"0 {gold.id}"))
    return replace(gold, recipe=rename(gold.recipe, dict(enumerate(made_up))))


def score(tracker: Tracker, gold: Sequence[GoldRecipe]) -> dict[str, float]:
    """The scores that the labels of `gold` can say something about."""
    traces = tracker.track_many([one.recipe for one in gold], split=False)
    scores = tracking_scores(count_recipes(gold, traces).sum(axis=0))
    has_changes = any(step.changes is not None for one in gold for step in one.steps)
    return {
        words: float(scores[name])
        for name, words in SCORES.items()
        if has_changes or name == "entity_f1"
    }


if __name__ == "__main__":
    main()
