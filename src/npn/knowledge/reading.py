"""A sentence and what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.knowledge.places import Place
from npn.knowledge.references import Reference
from npn.language.matching import Mention


@dataclass(slots=True)  # not frozen: it would take five times as long to make
class Reading:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]
