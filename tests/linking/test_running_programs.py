"""Linking on a running Mealie and a running Tandoor, whose addresses and tokens are in the
environment. What is linked is undone again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npn.cli import run


def needs_program(name: str) -> pytest.MarkDecorator:
    variables = [f"NPN_{name.upper()}_{what}" for what in ("URL", "TOKEN")]
    return pytest.mark.skipif(
        not all(os.environ.get(variable) for variable in variables),
        reason=f"{' and '.join(variables)} name no running {name}",
    )


PROGRAMS = [pytest.param(name, marks=needs_program(name)) for name in ("mealie", "tandoor")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_library_is_linked_and_put_back(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"{name.upper()}_TOKEN", os.environ[f"NPN_{name.upper()}_TOKEN"])
    journal = tmp_path / "journal.jsonl"
    arguments = ["link", name, "--url", os.environ[f"NPN_{name.upper()}_URL"]]
    arguments += ["--model", "weak-labels"]
    assert run([*arguments, "--dry-run"]) == 0
    planned = capsys.readouterr().out
    assert run([*arguments, "--yes", "--journal", str(journal)]) == 0
    try:
        capsys.readouterr()
        assert run([*arguments, "--yes", "--journal", str(journal)]) == 0
        assert "0 recipes linked" in capsys.readouterr().out
    finally:
        if journal.exists():
            assert run([*arguments, "--undo", str(journal), "--yes"]) == 0
    assert "left alone, since it was changed" not in capsys.readouterr().out
    assert run([*arguments, "--dry-run"]) == 0
    assert capsys.readouterr().out == planned
