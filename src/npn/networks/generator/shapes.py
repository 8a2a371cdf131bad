"""The names and shapes of a generator's parameters, known without PyTorch."""

from __future__ import annotations

from npn.networks.generator.config import GeneratorConfig

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
