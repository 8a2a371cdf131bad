"""One process or several (`torchrun`): who this one is, what they agree on, and with how many
threads each computes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, distributed

from npn.errors import NpnError


@contextmanager
def cpu_threads(count: int) -> Iterator[None]:
    """Compute with `count` threads inside the block, and with as many as before after it."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@dataclass(frozen=True, slots=True)
class Processes:
    rank: int
    world: int
    device: torch.device

    @property
    def first(self) -> bool:
        """True in the one process that writes."""
        return self.rank == 0

    def sum(self, value: Tensor) -> Tensor:
        """`value` summed over all processes."""
        if self.world == 1:
            return value
        value = value.clone()
        distributed.all_reduce(value)
        return value

    def agree(self, value: float) -> float:
        """The first process's `value`, so that all decide alike."""
        if self.world == 1:
            return value
        shared = torch.tensor(value, dtype=torch.float64, device=self.device)
        distributed.broadcast(shared, 0)
        return float(shared)


@contextmanager
def join(device: str) -> Iterator[Processes]:
    """Take part in what `torchrun` started, or be alone."""
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    try:
        place = torch.device(device)
    except RuntimeError as error:
        raise NpnError(f'there is no device "{device}": choose cpu or cuda') from error
    if place.type == "cuda":
        if not torch.cuda.is_available():
            raise NpnError("there is no CUDA device here: choose --device cpu")
        if place.index is None:
            here = int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count()
            place = torch.device("cuda", here)
        torch.cuda.set_device(place)
        # The same sums in the same order every time: two runs of one seed end with the same bits.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    if world > 1:
        distributed.init_process_group("nccl" if place.type == "cuda" else "gloo")
    try:
        yield Processes(rank, world, place)
    finally:
        if world > 1:
            distributed.destroy_process_group()
