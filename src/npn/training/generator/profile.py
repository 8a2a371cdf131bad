"""Where the time of a training step goes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from torch.profiler import ProfilerActivity
from torch.profiler import profile as torch_profile

from npn.training.generator.pairs import Pairs
from npn.training.generator.trainer import Trainer

WARM_UP = 10
# Parts of the names of kernels and operators that multiply matrices.
PRODUCTS = ("gemm", "gemv", "cutlass", "xmma", "::mm", "::addmm", "::bmm", "::baddbmm", "cublas")


def profile(trainer: Trainer, pairs: Pairs, steps: int) -> dict[str, Any]:
    """The pace of `steps` steps, and the share of the device's time in matrix products, over as
    many steps again."""
    batches = iter(pairs.batches(trainer.schedule.batch, np.random.default_rng(0)))
    cuda = pairs.device.type == "cuda"
    trainer.model.train()
    for _ in range(WARM_UP):
        trainer.step(next(batches))
    _wait(cuda)
    begun, words = time.monotonic(), 0
    for _ in range(steps):
        _, read, said = trainer.step(next(batches))
        words += read + said
    _wait(cuda)
    seconds = time.monotonic() - begun
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if cuda else [])]
    with torch_profile(activities=activities) as recorded:
        for _ in range(steps):
            trainer.step(next(batches))
        _wait(cuda)
    spent: dict[str, float] = {}
    for event in recorded.key_averages():
        time_ = event.self_device_time_total if cuda else event.self_cpu_time_total
        if time_ > 0 and (not cuda or not str(event.device_type).endswith("CPU")):
            spent[event.key] = spent.get(event.key, 0.0) + time_
    total = sum(spent.values()) or 1.0
    products = sum(t for key, t in spent.items() if any(part in key.lower() for part in PRODUCTS))
    dearest = sorted(spent.items(), key=lambda one: -one[1])[:15]
    return {
        "kind": trainer.model.config.kind,
        "device": torch.cuda.get_device_name() if cuda else "cpu",
        "batch": trainer.schedule.batch,
        "tokens_per_second": round(words / seconds),
        "steps_per_second": round(steps / seconds, 2),
        "matrix_share": round(products / total, 4),
        "device_busy": round(total / 1e6 / seconds, 4),  # of the time of as many unwatched steps
        "dearest": [[key[:90], round(t / total, 4)] for key, t in dearest],
    }


def _wait(cuda: bool) -> None:
    if cuda:
        torch.cuda.synchronize()
