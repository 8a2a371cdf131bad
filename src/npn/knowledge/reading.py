"""A sentence and what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.knowledge.places import Place
from npn.knowledge.references import Reference
from npn.language.matching import Mention


@dataclass(frozen=True, slots=True)
class Reading:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]
