"""The gradient of equation 3 by hand: one launch a step, where PyTorch's own takes several."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from npn.networks.paper import equations


def recurrent_attention(d: Tensor, c: Tensor, previous: Tensor) -> Tensor:
    """`equations.recurrent_attention`. No gradient goes to `previous`, which is a constant."""
    with torch.no_grad():
        attention = equations.recurrent_attention(d, c, previous)
    return with_gradient(attention, d, c, previous)


def with_gradient(
    attention: Tensor, d: Tensor, c: Tensor, previous: Tensor, given: Tensor | None = None
) -> Tensor:
    """The `attention` (B, T, I) that equation 3 made of d, c and `previous`, with the gradient that
    it has there; nothing flows back into the steps that are `given` (B, T)."""
    found: Tensor = _RecurrentAttention.apply(attention, d, c, previous, given)  # type: ignore[no-untyped-call]
    return found


class _RecurrentAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        attention: Tensor,
        d: Tensor,
        c: Tensor,
        previous: Tensor,
        given: Tensor | None,
    ) -> Tensor:
        ctx.save_for_backward(attention, d, c, previous)
        ctx.given = given
        return attention.view_as(attention)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        attention, d, c, previous = ctx.saved_tensors
        chosen, inherited = c[..., 0:1], c[..., 1:2]
        arriving, passed_on = gradients[0], inherited[:, 1:]
        if ctx.given is not None:
            arriving = arriving.masked_fill(ctx.given[..., None], 0)
            passed_on = passed_on.masked_fill(ctx.given[:, :-1, None], 0)
        *earlier, whole = arriving.unbind(1)
        found = [whole]
        for here, share in zip(reversed(earlier), reversed(passed_on.unbind(1)), strict=True):
            whole = torch.addcmul(here, share, whole)
            found.append(whole)
        d_a = torch.stack(found[::-1], 1)
        before = torch.cat([previous[:, None], attention[:, :-1]], 1)
        of_choice = torch.stack([(d_a * d).sum(-1), (d_a * before).sum(-1)], -1)
        d_c = torch.nn.functional.pad(of_choice, (0, c.shape[-1] - 2))
        return None, d_a * chosen, d_c, None, None
