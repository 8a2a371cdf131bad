"""Trackers by name."""

import pytest

import npn
from npn.models import TRACKERS


@pytest.mark.parametrize("name", TRACKERS)
def test_every_name_loads_and_tracks(name: str) -> None:
    trace = npn.load(name).track(npn.Recipe.from_lists("", ["1 egg"], ["Boil the egg. Cool it."]))
    assert trace.model == name
    assert trace.steps[0].entities == (0,)


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(npn.NpnError, match="first-mention"):
        npn.load("second-mention")


def test_a_missing_file_says_so() -> None:
    with pytest.raises(npn.NpnError, match=r"nowhere\.safetensors"):
        npn.load("nowhere.safetensors")
