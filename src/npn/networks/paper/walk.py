"""The walk through a recipe with its gradient by hand.

A step of the walk is too small to keep a device busy, so what counts is how often it is called.
Everything that does not need the step before is done for all steps at once.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from npn.networks.paper import equations


def simulate(
    a: Tensor, operators: Tensor, memory: Tensor, b_4: Tensor, *, epsilon: float
) -> tuple[Tensor, Tensor]:
    """`equations.simulate`, without its normalisation of the memory."""
    alpha = equations.normalise_attention(a, epsilon)
    found: tuple[Tensor, Tensor] = _Walk.apply(a, alpha, operators, memory, b_4)  # type: ignore[no-untyped-call]
    return found


class _Walk(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, a: Tensor, alpha: Tensor, operators: Tensor, memory: Tensor, b_4: Tensor
    ) -> tuple[Tensor, Tensor]:
        k, memories = equations.walk(a, alpha, operators, memory, b_4)
        ctx.save_for_backward(a, alpha, operators, memory, k, memories)
        ctx.set_materialize_grads(False)
        return k, memories

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        a, alpha, operators, memory, k, memories = ctx.saved_tensors
        d_k, d_memories = gradients
        asked = k.new_zeros(k.shape) if d_k is None else d_k
        before = torch.cat([memory[:, None], memories[:, :-1]], 1)
        # Equations 7, 6 and 5, backwards; k is zero where the relu of equation 6 cut it off.
        stays, passed = (1 - a)[..., None].unbind(1), (k > 0).to(k.dtype)[:, :, None].unbind(1)
        attention, weights = a[:, :, None].unbind(1), alpha[..., None].unbind(1)
        operator, wanted = operators.unbind(1), asked[:, :, None].unbind(1)
        later = None if d_memories is None else d_memories.unbind(1)
        d_e = torch.zeros_like(memory)
        d_after, d_products, d_summaries = [], [], []
        for t in reversed(range(len(operator))):
            if later is not None:
                d_e = d_e + later[t]
            d_after.append(d_e)
            d_product = torch.baddbmm(wanted[t], attention[t], d_e) * passed[t]
            d_summary = torch.bmm(d_product, operator[t])
            d_e = torch.baddbmm(d_e * stays[t], weights[t], d_summary)
            d_products.append(d_product)
            d_summaries.append(d_summary)
        d_then = torch.stack(d_after[::-1], 1)
        d_product = torch.cat(d_products[::-1], 1)
        d_summary = torch.cat(d_summaries[::-1], 1)
        summary = torch.matmul(alpha[:, :, None], before)
        return (
            (d_then * (k[:, :, None] - before)).sum(-1),
            torch.matmul(before, d_summary[..., None])[..., 0],
            d_product[..., None] * summary,
            d_e,
            d_product.sum((0, 1)),
        )
