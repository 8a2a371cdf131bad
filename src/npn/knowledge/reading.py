"""A sentence and what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npn.knowledge.places import Place
from npn.knowledge.references import Reference
from npn.language.matching import Mention


class Reading(NamedTuple):
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]
