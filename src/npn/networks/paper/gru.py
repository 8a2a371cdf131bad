"""A GRU over packed sentences for processors without cuDNN.

PyTorch's own spends most of its time on the gradients of slices. This one keeps what each word
leaves behind in one buffer, so that all weights get their gradients in one product at the end.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


def last_hidden(gru: nn.GRU, words: Tensor, counts: Tensor) -> Tensor:
    """The hidden vectors (N, H) after each sentence's last word, from the packed vectors (P, D) of
    their words; the first of `counts` is N."""
    W_i, W_h, b_i, b_h = gru.all_weights[0]
    inputs = nn.functional.linear(words, W_i, b_i)
    last: Tensor = _PackedGRU.apply(inputs, W_h, b_h, counts.tolist())  # type: ignore[no-untyped-call]
    return last


class _PackedGRU(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, W: Tensor, b: Tensor, counts: list[int]) -> Tensor:
        P, H = len(x), W.shape[1]
        before, new, recurrent = (x.new_empty(P, H) for _ in range(3))
        gates = x.new_empty(P, 2 * H)  # reset, update
        h = x.new_zeros(counts[0], H)
        start = 0
        for count in counts:
            now = slice(start, start + count)
            before[now] = h[:count]
            g = torch.addmm(b, before[now], W.T)
            recurrent[now] = g[:, 2 * H :]
            torch.add(x[now, : 2 * H], g[:, : 2 * H], out=gates[now]).sigmoid_()
            torch.addcmul(x[now, 2 * H :], gates[now, :H], recurrent[now], out=new[now]).tanh_()
            torch.lerp(new[now], before[now], gates[now, H:], out=h[:count])
            start += count
        ctx.save_for_backward(W, before, new, recurrent, gates)
        ctx.counts = counts
        return h

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        W, before, new, recurrent, gates = ctx.saved_tensors
        P, H = before.shape
        d_h = gradients[0].clone()
        d_g, d_x = before.new_empty(P, 3 * H), before.new_empty(P, 3 * H)
        by_gate = gates * (1 - gates)
        by_new = 1 - new * new
        moved = before - new
        start = P
        for count in reversed(ctx.counts):
            start -= count
            now = slice(start, start + count)
            d, reset, update = d_h[:count], gates[now, :H], gates[now, H:]
            d_new = torch.addcmul(d, d, update, value=-1) * by_new[now]
            torch.mul(d_new, recurrent[now], out=d_g[now, :H])
            torch.mul(d, moved[now], out=d_g[now, H : 2 * H])
            d_g[now, : 2 * H] *= by_gate[now]
            torch.mul(d_new, reset, out=d_g[now, 2 * H :])
            d_x[now, : 2 * H] = d_g[now, : 2 * H]
            d_x[now, 2 * H :] = d_new
            d_h[:count] = torch.addmm(d * update, d_g[now], W)
        return d_x, d_g.T @ before, d_g.sum(0), None
