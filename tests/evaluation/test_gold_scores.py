"""The rules score on the gold files what others measured with such rules."""

import os
from pathlib import Path

import pytest

from npn import load
from npn.evaluation.gold import read_gold
from npn.evaluation.tracking import count_recipes, tracking_scores

DATA = os.environ.get("NPN_DATA")
pytestmark = pytest.mark.skipif(
    not DATA or not Path(DATA, "gold").is_dir(), reason="NPN_DATA names no folder with gold/"
)

# Entity F1, uncombined recall, combined recall.
MEASURED = {
    "npn_entities_dev": {
        "mention": (0.370, 0.86, 0.05),
        "previous": (0.507, 0.90, 0.22),
        "first-mention": (0.803, 0.96, 0.98),
    },
    "npn_entities_test": {
        "mention": (0.410, 0.90, 0.06),
        "previous": (0.553, 0.92, 0.24),
        "first-mention": (0.837, 0.95, 0.96),
    },
    "curd_train": {
        "mention": (0.368, 0.90, 0.06),
        "previous": (0.527, 0.91, 0.26),
        "first-mention": (0.832, 0.94, 0.95),
    },
    "curd_dev": {
        "mention": (0.375, 0.88, 0.07),
        "previous": (0.542, 0.91, 0.26),
        "first-mention": (0.815, 0.95, 0.95),
    },
}
METRICS = ("entity_f1", "uncombined_recall", "combined_recall")
TOLERANCES = (0.02, 0.03, 0.03)  # the recalls were measured to two digits


@pytest.mark.parametrize("rule", ["mention", "previous", "first-mention"])
@pytest.mark.parametrize("name", MEASURED)
def test_a_rule_scores_within_two_points_or_better(name: str, rule: str) -> None:
    golds = read_gold(Path(DATA or "", "gold", f"{name}.jsonl"))
    traces = load(rule).track_many((one.recipe for one in golds), split=False)
    scores = tracking_scores(count_recipes(golds, traces).sum(axis=0))
    for metric, measured, less in zip(METRICS, MEASURED[name][rule], TOLERANCES, strict=True):
        assert scores[metric] >= measured - less, metric


@pytest.mark.parametrize(
    ("name", "recipes", "steps", "labelled"),
    [
        ("npn_entities_dev", 84, 956, 914),
        ("npn_entities_test", 134, 1_175, 1_059),
        ("curd_train", 126, 1_071, 1_071),
        ("curd_dev", 56, 497, 497),
        ("states_train", 200, 2_142, 2_142),
        ("states_dev", 40, 460, 460),
    ],
)
def test_every_gold_file_is_read_whole(name: str, recipes: int, steps: int, labelled: int) -> None:
    golds = read_gold(Path(DATA or "", "gold", f"{name}.jsonl"))
    assert len(golds) == recipes
    assert sum(len(one.steps) for one in golds) == steps
    assert sum(step.labelled for one in golds for step in one.steps) == labelled
    kinds = {(step.actions is None, step.changes is None) for one in golds for step in one.steps}
    assert kinds == {(name.startswith("npn"), not name.startswith("states"))}
