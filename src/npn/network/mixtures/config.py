"""The sizes of the mixture network."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MixtureSizes:
    """What the text gives (vocabulary, marks, signs, end states) and what the network has."""

    vocabulary: int
    marks: int
    signs: int
    step_signs: int
    place_signs: int
    place_pair_signs: int
    end_states: tuple[int, ...]  # of each type, "no change" included
    word: int = 64
    key: int = 32
    hidden: int = 96
    entity: int = 32
    place: int = 32
