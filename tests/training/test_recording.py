"""Steps that a device is shown once: what is left where it refuses."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from npn.training.recording import Recorder


def test_where_a_device_refuses_to_record_every_batch_still_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: None)
    updated: list[Any] = []
    recorder = Recorder(lambda batch, labels: updated.append((batch, labels)))

    def refuse(batch: Any, labels: Any) -> Any:
        raise RuntimeError("not while capturing")

    monkeypatch.setattr(recorder, "_record", refuse)
    batches: list[Any] = ["a", "b", "c", "d"]
    for batch in batches:
        recorder("one shape", batch, batch)
    assert [batch for batch, _ in updated] == batches
    assert capsys.readouterr().err.count("steps are not recorded") == 1
