"""The sizes and the switches of the world network."""

from __future__ import annotations

from dataclasses import dataclass, field

from npn.networks.common.files import check_range

END_STATES = {
    "cookedness": ("cooked", "raw"),
    "temperature": ("hot", "cold", "room"),
    "composition": ("composed", "not composed"),
    "shape": ("separated", "molded", "hit", "deformed"),
    "cleanliness": ("clean", "dry", "dirty"),
}
"""The end states of each state type but location, whose end states are words of the text."""

FRACTIONS = ("whole", "stated", "rest", "half", "third", "quarter", "two thirds", "three quarters")
"""How much of its line a use takes: all of it, an amount that the step states, what earlier uses
have left, or a share. What nobody can know ("to taste") is class len(FRACTIONS)."""


MOST_SIZES = {
    "pieces": 1_000_000, "width": 4_096, "heads": 64, "layers": 64, "inner": 16_384,
    "positions": 10_000, "orders": 10_000, "sections": 10_000, "cell": 4_096, "cell_heads": 64,
    "blocks": 64, "element": 4_096, "pointer": 4_096,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorldSizes:
    """The encoder's sizes are those of MiniLM, so that training can begin with its weights."""

    pieces: int  # of the vocabulary; 0 while nobody has chosen it
    width: int = 384
    heads: int = 12
    layers: int = 6
    inner: int = 1536
    positions: int = 192  # within a line or a step; what follows shares the last
    orders: int = 64  # of lines and of steps; likewise
    sections: int = 16
    cell: int = 192  # the vector of an ingredient in a step
    cell_heads: int = 4
    blocks: int = 3
    element: int = 96  # the vector of a portion after a step
    pointer: int = 64

    def __post_init__(self) -> None:
        for name, most in MOST_SIZES.items():
            check_range(self, **{name: (0 if name == "pieces" else 1, most)})
        if self.width % self.heads or self.cell % self.cell_heads:
            raise ValueError('"width" must be a multiple of "heads", and "cell" of "cell_heads"')


NEARLY = 1e-6  # a chance of 0 or 1 has no logit
THRESHOLDS = {
    **dict.fromkeys(
        ("use_threshold", "further_use_threshold", "further_part_threshold", "act_threshold",
         "second_portion_threshold", "pile_act_threshold"), (0.0, 1.0),
    ),
    **dict.fromkeys(
        ("together_threshold", "kept_together", "present_threshold", "discard_threshold",
         "divided_threshold"),
        (NEARLY, 1 - NEARLY),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """What the network may look at (each can be switched off, to see what it is worth), and the
    thresholds of decoding."""

    sections: bool = True
    amounts: bool = True
    grammar: bool = True
    use_threshold: float = 0.5
    further_use_threshold: float = 0.55  # of an ingredient that another step takes more surely
    further_part_threshold: float = 0.7  # the same where the step speaks of a part of it
    second_portion_threshold: float = 0.5  # of taking two portions in one step
    act_threshold: float = 0.5
    pile_act_threshold: float = 0.5  # the share of a pile from which on all of it is acted on
    together_threshold: float = 0.55
    kept_together: float = 0.1  # the same for portions that were together before the step
    present_threshold: float = 0.3  # of what is acted on
    discard_threshold: float = 0.15  # below it, what nothing else acts on is thrown away
    divided_threshold: float = 0.3  # of lying in several piles, of the surest of a mixture

    def __post_init__(self) -> None:
        for name, (least, most) in THRESHOLDS.items():
            check_range(self, **{name: (least, most)})


@dataclass(frozen=True, slots=True)
class WorldConfig:
    sizes: WorldSizes
    settings: WorldSettings = field(default_factory=WorldSettings)
