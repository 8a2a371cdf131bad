"""What a network is made of: the sizes that its vocabulary gives it, the switches of an experiment,
and the names and shapes of the parameters that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from npn.networks.common.files import check_range


@dataclass(frozen=True, slots=True)
class VocabularySizes:
    """How many of each there are. `end_states` follows `npn.trace.STATE_TYPES`, and counts
    "no change", which is class 0 of each type."""

    words: int
    entities: int
    actions: int
    end_states: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """The paper's sizes, its architectural ablations, and our readings of what it leaves open.

    `action_weights` says which action weights the entity selector sees: w_p itself or its
    normalised form. `first_attention` is what stands for the previous attention at the first step.
    `epsilon` keeps the normalised attention finite where nothing is selected.
    """

    word_size: int = 100
    hidden_size: int = 100
    memory_size: int = 30
    dropout: float = 0.3
    recurrent_attention: bool = True
    action_connections: bool = True
    action_weights: Literal["raw", "normalised"] = "raw"
    first_attention: float = 0.0
    normalise_memory: bool = False
    epsilon: float = 1e-8

    def __post_init__(self) -> None:
        sizes = dict.fromkeys(("word_size", "hidden_size", "memory_size"), (1, 10_000))
        check_range(self, **sizes, dropout=(0, 1), first_attention=(0, 1), epsilon=(0, 1))


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    sizes: VocabularySizes
    options: NetworkOptions = field(default_factory=NetworkOptions)


def parameter_shapes(config: NetworkConfig) -> dict[str, tuple[int, ...]]:
    sizes, options = config.sizes, config.options
    D, H, E = options.word_size, options.hidden_size, options.memory_size
    V = sizes.actions
    shapes: dict[str, tuple[int, ...]] = {
        "words": (sizes.words, D),
        "action_selector.W_h": (H, H),
        "action_selector.b_h": (H,),
        "action_selector.W_p": (V, H),
        "action_selector.b_p": (V,),
        "action_selector.F": (V, E),
        "entity_selector.W_1": (H, H),
        "entity_selector.b_1": (H,),
        "entity_selector.W_2": (E, H + V if options.action_connections else H),
        "entity_memory.E": (sizes.entities, E),
        "entity_memory.W_name": (E, D),
        "applicator.W_4": (E, E, E),
        "applicator.b_4": (E,),
    }
    if options.recurrent_attention:
        shapes |= {"entity_selector.W_3": (3, H), "entity_selector.b_3": (3,)}
    for encoder in ("action_encoder", "entity_encoder"):
        shapes |= {
            f"{encoder}.gru.weight_ih_l0": (3 * H, D),
            f"{encoder}.gru.weight_hh_l0": (3 * H, H),
            f"{encoder}.gru.bias_ih_l0": (3 * H,),
            f"{encoder}.gru.bias_hh_l0": (3 * H,),
        }
    for s, count in enumerate(sizes.end_states):
        shapes[f"state_predictors.W_s.{s}"] = (count, E + H if s == 0 else E)
        shapes[f"state_predictors.b_s.{s}"] = (count,)
    return shapes
