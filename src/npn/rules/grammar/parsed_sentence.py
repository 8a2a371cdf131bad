"""A sentence and what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.language.matching import Mention
from npn.rules.grammar.places import Place
from npn.rules.grammar.references import Reference


@dataclass(slots=True)  # not frozen: it would take five times as long to make
class ParsedSentence:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]
