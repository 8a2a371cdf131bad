"""What a model takes no notice of is not looked for, and nothing comes out differently."""

from dataclasses import replace

import numpy as np
import pytest
from mixture_models import RECIPES, make_model

from npn.knowledge.labeller import Simulated
from npn.runtime.mixtures import MixtureTracker
from npn.runtime.mixtures_pairs import find_decision
from npn.runtime.mixtures_signs import DECISION, SIGNS
from npn.runtime.mixtures_unseen import cut_decisions, sees_decisions
from npn.runtime.model_file import Model


def blind() -> Model:
    """A model whose weights for decisions are zero."""
    model = make_model()
    weights = {name: array.copy() for name, array in model.weights.items()}
    for array in weights.values():
        if array.ndim == 2 and array.shape[1] == len(SIGNS):
            array[:, -len(DECISION) :] = 0
    return replace(model, weights=weights)


def test_traces_are_the_same_without_the_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    model = blind()
    spared = [trace.to_json() for trace in MixtureTracker(model, "file").track_many(RECIPES)]
    monkeypatch.setattr("npn.runtime.mixtures.sees_decisions", lambda weights: True)
    whole = [trace.to_json() for trace in MixtureTracker(model, "file").track_many(RECIPES)]
    assert spared == whole


@pytest.mark.parametrize("seen", [True, False])
def test_only_a_model_that_sees_decisions_has_them_looked_for(
    seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Simulated] = []

    def look(done: Simulated) -> int:
        looked.append(done)
        return find_decision(done)

    monkeypatch.setattr("npn.runtime.mixtures_reader.find_decision", look)
    MixtureTracker(make_model() if seen else blind(), "file").track(RECIPES[0])
    assert bool(looked) == seen


def test_one_weight_is_enough_to_see() -> None:
    model = blind()
    assert not sees_decisions(model.weights)
    assert cut_decisions(model.weights)["entity.W_signs"].shape[1] == len(SIGNS) - len(DECISION)
    model.weights["states.W_signs_3"][0, -1] = 1e-6
    assert sees_decisions(model.weights)
    assert np.count_nonzero(model.weights["entity.W_signs"][:, -len(DECISION) :]) == 0
