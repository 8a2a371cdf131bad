"""Steps of training that a device is shown once and then plays by itself.

A step is hundreds of small kernels, and calling them one by one takes longer than they do. A CUDA
graph keeps all the calls of a step, from a batch of one shape to the update of the weights.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from npn.networks.paper.batch import Batch
from npn.networks.paper.losses import Labels

Update = Callable[[Batch, Labels], None]


@dataclass(frozen=True, slots=True)
class Recording:
    batch: Batch
    labels: Labels
    graph: torch.cuda.CUDAGraph

    def play(self, batch: Batch, labels: Labels) -> None:
        for mine, given in zip(
            _tensors(self.batch, self.labels), _tensors(batch, labels), strict=True
        ):
            mine.copy_(given)
        self.graph.replay()


class Recorder:
    """Calls `update` with batches. The first batch of a shape is simply updated with; the second
    is recorded as a CUDA graph, which is replayed from then on. What a replayed update leaves
    behind, it must leave in tensors that were there before. Where a device refuses to record, all
    batches are simply updated with: that is slower, and nothing else."""

    def __init__(self, update: Update) -> None:
        self._update = update
        self._met: set[Hashable] = set()
        self._recordings: dict[Hashable, Recording] = {}
        self._refused = False
        self._memory = torch.cuda.graph_pool_handle()

    def __call__(self, shape: Hashable | None, batch: Batch, labels: Labels) -> None:
        if shape is None or shape not in self._met or self._refused:
            self._met.add(shape)
            self._update(batch, labels)
            return
        if shape not in self._recordings:
            try:
                self._recordings[shape] = self._record(batch, labels)
            except RuntimeError as error:
                self._refused = True
                print(f"steps are not recorded: {error}", file=sys.stderr, flush=True)
                self._update(batch, labels)
                return
        self._recordings[shape].play(batch, labels)

    def _record(self, batch: Batch, labels: Labels) -> Recording:
        own_batch = batch.map(lambda array: array.clone())
        own_labels = Labels(
            labels.actions.clone(),
            labels.labelled.clone(),
            labels.selected.clone(),
            tuple(one.clone() for one in labels.end_states),
        )
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, pool=self._memory):
            self._update(own_batch, own_labels)
        return Recording(own_batch, own_labels, graph)


def _tensors(batch: Batch, labels: Labels) -> list[Tensor]:
    """All that differs from batch to batch of one shape."""
    of_batch = [getattr(batch, field.name) for field in fields(batch) if field.name != "counts"]
    return [*of_batch, labels.actions, labels.labelled, labels.selected, *labels.end_states]
