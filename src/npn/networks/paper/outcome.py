"""What a network says of a batch, in PyTorch and in NumPy."""

from __future__ import annotations

from dataclasses import dataclass

from npn.networks.paper.equations import Array


@dataclass(frozen=True, slots=True)
class Outcome:
    action_logits: Array  # (B, T, V); their sigmoid is w_p
    sentence_attention: Array  # d (B, T, I)
    choice: Array | None  # c (B, T, 3); None without recurrent attention
    attention: Array  # a (B, T, I)
    proposals: Array  # k (B, T, E)
    memory: Array  # (B, T, I, E) after each step
    end_states: tuple[Array, ...]  # logits (B, T, C) for each state type
