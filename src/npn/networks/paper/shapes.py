"""The names and shapes of a network's parameters, known without PyTorch."""

from __future__ import annotations

from npn.networks.paper.config import NetworkConfig


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
