"""What a generator is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["vanilla", "attentive", "entnet", "npn", "mixtures"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class GeneratorConfig:
    """`words` counts the vocabulary with <start> and <end>, which are its last two. `state_size` is
    that of the entity states that "entnet" and "npn" read. `features` are the sizes of the columns
    of `npn.networks.generator.features` that "mixtures" reads."""

    kind: Kind
    words: int
    state_size: int = 0
    features: tuple[int, ...] = ()
    word_size: int = 100
    hidden_size: int = 200
    dropout: float = 0.3

    @property
    def start(self) -> int:
        return self.words - 2

    @property
    def end(self) -> int:
        return self.words - 1

    @property
    def reads_states(self) -> bool:
        return self.kind in ("entnet", "npn")

    @property
    def attends(self) -> bool:
        return self.kind in ("attentive", "mixtures")

    @property
    def copies(self) -> bool:
        return self.kind == "mixtures"
