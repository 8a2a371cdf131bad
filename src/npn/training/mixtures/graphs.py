"""Steps of training recorded by the device once for each shape and replayed from then on: the
network's walk through a recipe is thousands of launches of next to nothing each."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


class Recorder:
    """Makes `Replayed` steps that share memory, so that they must run one after the other."""

    def __init__(self) -> None:
        self.pool = torch.cuda.graph_pool_handle()
        self.side = torch.cuda.Stream()  # type: ignore[no-untyped-call]

    def __call__(self, step: Callable[[Tensor], None]) -> Replayed:
        return Replayed(step, self)


class Replayed:
    """`step` of a tensor of one shape, which must leave its results in tensors that exist before
    it. The first call runs it as it is, the second records it."""

    def __init__(self, step: Callable[[Tensor], None], recorder: Recorder) -> None:
        self._step = step
        self._recorder = recorder
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
            with torch.cuda.graph(self._graph, pool=self._recorder.pool):
                self._step(self._given)
        self._graph.replay()

    def _warm_up(self, given: Tensor) -> None:
        """Libraries set themselves up on first use, which cannot be recorded. Every stream keeps
        the memory it has once had, so one serves all shapes."""
        main, side = torch.cuda.current_stream(), self._recorder.side
        side.wait_stream(main)
        with torch.cuda.stream(side):
            self._step(given)
        main.wait_stream(side)
