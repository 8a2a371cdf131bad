"""Steps of training recorded by the device once for each shape and replayed from then on: the
network's walk through a recipe is thousands of launches of next to nothing each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


class Replayed:
    """`step` of a tensor of one shape, which must leave its results in tensors that exist before
    it. The first call runs it as it is, the second records it. Steps that share a pool share
    memory, so they must run one after the other."""

    def __init__(self, step: Callable[[Tensor], None], pool: Any) -> None:
        self._step = step
        self._pool = pool
        self._graph: torch.cuda.CUDAGraph | None = None
        self._given: Tensor | None = None

    def __call__(self, given: Tensor) -> None:
        if self._given is None:
            self._given = given.clone()
            self._warm_up(given)
            return
        self._given.copy_(given)
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, pool=self._pool):
                self._step(self._given)
        self._graph.replay()

    def _warm_up(self, given: Tensor) -> None:
        """Libraries set themselves up on first use, which cannot be recorded."""
        main, side = torch.cuda.current_stream(), torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(main)
        with torch.cuda.stream(side):
            self._step(given)
        main.wait_stream(side)
