"""Steps of training that a device is shown once and then plays by itself.

A step is hundreds of small kernels, and calling them one by one takes longer than they do. A CUDA
graph keeps all the calls of a step, from a batch of one shape to the update of the weights.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import torch
from torch import Tensor

Update = Callable[[Any, Any], None]


@dataclass(frozen=True, slots=True)
class Recording:
    inputs: Any
    labels: Any
    graph: torch.cuda.CUDAGraph

    def play(self, inputs: Any, labels: Any) -> None:
        recorded, given = _on_device(self.inputs, self.labels), _on_device(inputs, labels)
        for place, tensor in zip(recorded, given, strict=True):
            place.copy_(tensor)
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

    def __call__(self, shape: Hashable | None, inputs: Any, labels: Any) -> None:
        if shape is None or shape not in self._met or self._refused:
            self._met.add(shape)
            self._update(inputs, labels)
            return
        if shape not in self._recordings:
            try:
                self._recordings[shape] = self._record(inputs, labels)
            except RuntimeError as error:
                self._refused = True
                print(f"steps are not recorded: {error}", file=sys.stderr, flush=True)
                self._update(inputs, labels)
                return
        self._recordings[shape].play(inputs, labels)

    def _record(self, inputs: Any, labels: Any) -> Recording:
        inputs, labels = copied(inputs), copied(labels)
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, pool=self._memory):
            self._update(inputs, labels)
        return Recording(inputs, labels, graph)


def copied(value: Any) -> Any:
    """A dataclass of tensors, or of tuples of them, with copies of all that is on a GPU. What is on
    the host is the same for every batch of a shape."""
    if isinstance(value, Tensor):
        return value.clone() if value.is_cuda else value
    if isinstance(value, tuple):
        return tuple(copied(one) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: copied(getattr(value, f.name)) for f in fields(value)})
    return value


def _on_device(*values: Any) -> Iterator[Tensor]:
    """All that differs from batch to batch of one shape."""
    for value in values:
        if isinstance(value, Tensor):
            if value.is_cuda:
                yield value
        elif isinstance(value, tuple):
            yield from _on_device(*value)
        elif is_dataclass(value):
            yield from _on_device(*(getattr(value, f.name) for f in fields(value)))
