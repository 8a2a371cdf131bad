"""The mixture network's parameters, for training."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from npn.network.mixtures import equations
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.config import MixtureSizes
from npn.network.mixtures.simulation import GROUP_SIGNS, MEMORY_SIGNS
from npn.network.parameters import bias, table, weight

COMBINE = 1  # of the gates, the one that puts together what is selected
NEVER = -1e4  # as a logit


class MixtureNetwork(nn.Module):
    """Without `memory`, nothing is ever put together: the same network, forgetting."""

    def __init__(self, sizes: MixtureSizes, dropout: float, memory: bool = True) -> None:
        super().__init__()
        self.sizes = sizes
        self.memory = memory
        self.dropout = nn.Dropout(dropout)
        D, H, E, L = sizes.word, sizes.hidden, sizes.entity, sizes.place
        p: dict[str, nn.Parameter] = {
            "words": table(sizes.vocabulary, D),
            "marks": table(sizes.marks, D),
            "encoder.W_near": weight(5, D, D, inputs=5 * D),
            "encoder.b_near": bias(D),
            "encoder.W_far": weight(3, D, D, inputs=3 * D),
            "encoder.b_far": bias(D),
            "action.W": weight(D, D),
            "action.b": bias(D),
            "action.W_signs": weight(D, sizes.step_signs),
            "action.w_serving": bias(D),
            "entity.W_query": weight(sizes.key, sizes.signs),
            "entity.b_query": bias(sizes.key),
            "entity.W_query_name": weight(sizes.key, D),
            "entity.W_key": weight(sizes.key, D),
            "entity.W_step": weight(H, 2 * D),
            "entity.W_words": weight(H, 3 * D),
            "entity.W_signs": weight(H, sizes.signs, inputs=20),
            "entity.b": bias(H),
            "entity.W_name": weight(H, D),
            "entity.w_first": weight(1, H),
            "entity.b_first": bias(1),
            "entity.W_second": weight(H, H),
            "entity.b_second": bias(H),
            "entity.W_mates": weight(H, H),
            "entity.W_group": weight(H, GROUP_SIGNS),
            "entity.W_gates": weight(3, H),
            "entity.b_gates": nn.Parameter(torch.tensor([0.0, 0.0, -3.0])),
            "memory.W_name": weight(E, D),
            "memory.b_name": bias(E),
            "memory.W_entity": weight(H, E),
            "memory.W_recall": weight(H, MEMORY_SIGNS),
            "memory.W_k": weight(E, H),
            "memory.b_k": bias(E),
            "states.W": weight(H, H),
            "states.b": bias(H),
            "places.W_word": weight(L, D),
            "places.b": bias(L),
            "places.W_signs": weight(L, sizes.place_signs, inputs=4),
            "places.W_pairs": weight(L, sizes.place_pair_signs),
            "places.W_h": weight(L, H),
            "places.w": weight(1, L),
            "places.b_w": bias(1),
            "places.w_pairs": weight(1, sizes.place_pair_signs),
            "places.w_stay": weight(1, H),
            "places.b_stay": bias(1),
        }
        for s, count in enumerate(sizes.end_states):
            p[f"states.W_{s}"] = weight(count, H)
            p[f"states.b_{s}"] = bias(count)
            p[f"states.W_signs_{s}"] = nn.Parameter(torch.zeros(count, sizes.signs))
        # PyTorch allows no dots in names of its own; files keep them.
        self.p = nn.ParameterDict({name.replace(".", "/"): one for name, one in p.items()})

    def parameters_by_name(self) -> dict[str, Tensor]:
        return {name.replace("/", "."): one for name, one in self.p.items()}

    def load(self, parameters: Mapping[str, Tensor]) -> None:
        self.load_state_dict(
            {f"p.{name.replace('.', '/')}": one for name, one in parameters.items()}
        )

    def forward(self, batch: MixtureBatch) -> equations.MixtureOutcome:
        parameters = self.parameters_by_name()
        if not self.memory:
            gates = parameters["entity.b_gates"]
            combine = torch.arange(len(gates), device=gates.device) == COMBINE
            parameters["entity.b_gates"] = torch.where(combine, NEVER, gates)
        return equations.forward(
            parameters,
            batch,
            len(self.sizes.end_states),
            segment_max,
            drop=self.dropout,
        )


def segment_max(context: Tensor, batch: MixtureBatch) -> Tensor:
    """The sentence summaries (N + 1, D): the greatest of the words' values; row 0 is zero."""
    count = len(batch.starts) + 1
    index = batch.sentences[:, None].expand_as(context)
    return context.new_zeros(count, context.shape[1]).scatter_reduce(0, index, context, "amax")
