"""The names and shapes of the mixture network's parameters, known without PyTorch."""

from __future__ import annotations

from npn.network.mixtures.config import MixtureSizes
from npn.network.mixtures.simulation import GROUP_SIGNS, MEMORY_SIGNS


def mixture_shapes(sizes: MixtureSizes) -> dict[str, tuple[int, ...]]:
    D, H, E, L, K = sizes.word, sizes.hidden, sizes.entity, sizes.place, sizes.key
    shapes: dict[str, tuple[int, ...]] = {
        "words": (sizes.vocabulary, D),
        "marks": (sizes.marks, D),
        "encoder.W_near": (5, D, D),
        "encoder.b_near": (D,),
        "encoder.W_far": (3, D, D),
        "encoder.b_far": (D,),
        "action.W": (D, D),
        "action.b": (D,),
        "action.W_signs": (D, sizes.step_signs),
        "action.w_serving": (D,),
        "entity.W_query": (K, sizes.signs),
        "entity.b_query": (K,),
        "entity.W_query_name": (K, D),
        "entity.W_key": (K, D),
        "entity.W_step": (H, 2 * D),
        "entity.W_words": (H, 3 * D),
        "entity.W_signs": (H, sizes.signs),
        "entity.b": (H,),
        "entity.W_name": (H, D),
        "entity.w_first": (1, H),
        "entity.b_first": (1,),
        "entity.W_second": (H, H),
        "entity.b_second": (H,),
        "entity.W_mates": (H, H),
        "entity.W_group": (H, GROUP_SIGNS),
        "entity.W_gates": (3, H),
        "entity.b_gates": (3,),
        "memory.W_name": (E, D),
        "memory.b_name": (E,),
        "memory.W_entity": (H, E),
        "memory.W_recall": (H, MEMORY_SIGNS),
        "memory.W_k": (E, H),
        "memory.b_k": (E,),
        "states.W": (H, H),
        "states.b": (H,),
        "places.W_word": (L, D),
        "places.b": (L,),
        "places.W_signs": (L, sizes.place_signs),
        "places.W_pairs": (L, sizes.place_pair_signs),
        "places.W_h": (L, H),
        "places.w": (1, L),
        "places.b_w": (1,),
        "places.w_pairs": (1, sizes.place_pair_signs),
        "places.w_stay": (1, H),
        "places.b_stay": (1,),
    }
    for s, count in enumerate(sizes.end_states):
        shapes[f"states.W_{s}"] = (count, H)
        shapes[f"states.b_{s}"] = (count,)
        shapes[f"states.W_signs_{s}"] = (count, sizes.signs)
    return shapes
