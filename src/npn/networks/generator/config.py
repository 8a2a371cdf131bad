"""What a generator is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from npn.networks.common.files import check_range, from_table

Kind = Literal["vanilla", "attentive", "entnet", "npn", "world"]
KINDS: tuple[Kind, ...] = get_args(Kind)
READ_STATES: tuple[Kind, ...] = ("entnet", "npn")  # of the entities, which a tracker has
FORMER_KINDS = {"mixtures": "world"}  # as files of before the world tracker call them


@dataclass(frozen=True, slots=True)
class GeneratorConfig:
    """`words` counts the vocabulary with <start> and <end>, which are its last two. `state_size` is
    that of the entity states that "entnet" and "npn" read. `features` are the sizes of the columns
    of `npn.networks.generator.batch` that "world" reads."""

    kind: Kind
    words: int
    state_size: int = 0
    features: tuple[int, ...] = ()
    word_size: int = 100
    hidden_size: int = 200
    dropout: float = 0.3

    def __post_init__(self) -> None:
        check_range(
            self,
            words=(2, 10_000_000),
            state_size=(0, 10_000),
            word_size=(1, 10_000),
            hidden_size=(1, 10_000),
            dropout=(0, 1),
        )

    @property
    def start(self) -> int:
        return self.words - 2

    @property
    def end(self) -> int:
        return self.words - 1

    @property
    def reads_states(self) -> bool:
        return self.kind in READ_STATES

    @property
    def attends(self) -> bool:
        return self.kind in ("attentive", "world")

    @property
    def copies(self) -> bool:
        return self.kind == "world"


def read_config(table: Mapping[str, Any], where: str) -> GeneratorConfig:
    """The settings in the header of a file, `where` in errors."""
    kind = table.get("kind")
    if isinstance(kind, str):
        table = {**table, "kind": FORMER_KINDS.get(kind, kind)}
    return from_table(GeneratorConfig, table, where)


LONGEST_PROGRESS = 24  # steps so far that are told apart


def parameter_shapes(config: GeneratorConfig) -> dict[str, tuple[int, ...]]:
    V, D, H = config.words, config.word_size, config.hidden_size
    shapes: dict[str, tuple[int, ...]] = {
        "words": (V, D),
        **_gru("context", D, H, both_ways=True),
        **_gru("decoder", D, H, both_ways=False),
        "W_5": (H, 2 * H),
        "W_o": (V, H),
        "b_o": (V,),
    }
    if config.reads_states:
        shapes |= _gru("states", config.state_size, H, both_ways=True)
    if config.attends:
        shapes |= {"W_a": (H, 2 * H), "W_c": (H, 4 * H if config.copies else 3 * H)}
    if config.copies:
        shapes |= {f"features.{c}": (size, D) for c, size in enumerate(config.features)}
        shapes |= {
            "W_u": (H, 2 * D),
            "b_u": (H,),
            "W_k": (H, 2 * D + H),
            "b_k": (H,),
            "W_b": (H, H),
            "W_g": (3, H),
            "b_g": (3,),
            "W_f": (H, 2 * H),
            "progress": (LONGEST_PROGRESS, H),
        }
    return shapes


def _gru(name: str, inputs: int, hidden: int, *, both_ways: bool) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for way in ("", "_reverse") if both_ways else ("",):
        shapes |= {
            f"{name}.weight_ih_l0{way}": (3 * hidden, inputs),
            f"{name}.weight_hh_l0{way}": (3 * hidden, hidden),
            f"{name}.bias_ih_l0{way}": (3 * hidden,),
            f"{name}.bias_hh_l0{way}": (3 * hidden,),
        }
    return shapes
