"""Gradients written by hand are those that PyTorch finds through the equations."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from npn.networks.paper import equations, walk
from npn.networks.paper.recurrence import recurrent_attention, with_gradient

B, T, N, E = 3, 5, 4, 6  # N ingredients
Work = Callable[[], tuple[Tensor, ...]]


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64)


def same_gradients(by_hand: Work, automatic: Work, leaves: list[Tensor]) -> None:
    found, expected = by_hand(), automatic()
    weights = [torch.randn_like(one) for one in found]
    gradients = [torch.autograd.grad(outputs, leaves, weights) for outputs in (found, expected)]
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(found, expected)


def test_the_walk() -> None:
    torch.manual_seed(3)
    leaves = [numbers(B, T, N).sigmoid(), numbers(B, T, E, E), numbers(B, N, E), numbers(E)]
    leaves = [leaf.requires_grad_() for leaf in leaves]
    a, operators, memory, b_4 = leaves

    def by_hand() -> tuple[Tensor, ...]:
        return walk.simulate(a, operators, memory, b_4, epsilon=1e-8)

    def automatic() -> tuple[Tensor, ...]:
        return equations.simulate(a, operators, memory, b_4, epsilon=1e-8)

    same_gradients(by_hand, automatic, leaves)
    same_gradients(lambda: by_hand()[:1], lambda: automatic()[:1], leaves)
    same_gradients(lambda: by_hand()[1:], lambda: automatic()[1:], leaves)


def test_recurrent_attention() -> None:
    torch.manual_seed(4)
    d = numbers(B, T, N).sigmoid().requires_grad_()
    c = numbers(B, T, 3).softmax(-1).requires_grad_()
    first = torch.full((B, N), 0.5, dtype=torch.float64)
    same_gradients(
        lambda: (recurrent_attention(d, c, first),),
        lambda: (equations.recurrent_attention(d, c, first),),
        [d, c],
    )


def test_recurrent_attention_of_which_some_steps_are_given() -> None:
    torch.manual_seed(5)
    d = numbers(B, T, N).sigmoid().requires_grad_()
    c = numbers(B, T, 3).softmax(-1).requires_grad_()
    first = torch.full((B, N), 0.5, dtype=torch.float64)
    given = torch.rand(B, T) < 0.5

    def automatic() -> tuple[Tensor, ...]:
        previous, attention = first, []
        for t in range(T):
            previous = c[:, t, 0:1] * d[:, t] + c[:, t, 1:2] * previous
            previous = torch.where(given[:, t, None], previous.detach(), previous)
            attention.append(previous)
        return (torch.stack(attention, 1),)

    attention = equations.recurrent_attention(d, c, first).detach()
    same_gradients(
        lambda: (with_gradient(attention, d, c, first, given),),
        automatic,
        [d, c],
    )
