from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from runs import some_data
from small_plan import make_plan

from npn.errors import NpnError
from npn.reproduction.string_match import named_only, relabel
from npn.training.data.prepared import read_prepared


def test_a_step_is_labelled_with_what_it_names() -> None:
    arrays = {
        "selected": np.array([0, 1, 2, 0, 1, 2], np.int16),
        "sentence_selected": np.array([0, 3, 6, 6]),
        "evidence": np.array([1, 2, 0], np.uint8),
        "mentioned": np.array([1, 2], np.int16),
        "sentence_mentioned": np.array([0, 1, 1, 2]),
        "tokens": np.array([5, 6]),
    }
    matched = named_only(arrays, Path("train"))
    assert matched["selected"].tolist() == [1, 2]
    assert matched["sentence_selected"].tolist() == [0, 1, 1, 2]
    assert matched["evidence"].tolist() == [1, 0, 1]
    assert matched["tokens"] is arrays["tokens"]


def test_the_data_stays_whole_and_only_entity_labels_change(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    assert plan.string_match is not None
    before, after = (
        read_prepared(folder).split("train") for folder in (plan.data, plan.string_match)
    )
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    assert changed == {"selected", "sentence_selected", "evidence"}
    assert len(after["selected"]) < len(before["selected"])


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    assert plan.string_match is not None
    made = (plan.string_match / "manifest.json").stat().st_mtime_ns
    relabel(plan.data, plan.string_match)
    assert (plan.string_match / "manifest.json").stat().st_mtime_ns == made


def test_data_that_does_not_say_what_is_named_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="what its steps name"):
        relabel(some_data(tmp_path / "data"), tmp_path / "out")
