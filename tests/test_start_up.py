"""Starting loads nothing that is not used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PANCAKES = str(Path(__file__).parent.parent / "examples" / "pancakes.txt")
HEAVY = ("torch", "gensim", "matplotlib", "recipe_scrapers", "scipy", "pandas", "bs4", "lxml")


def loaded_by(code: str) -> set[str]:
    """The top-level packages that running `code` in a fresh interpreter loads."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {line.split(".")[0] for line in done.stdout.splitlines()}


def tracking(*options: str) -> str:
    arguments = ["track", PANCAKES, "-o", "-", *options]
    return f"from npn.cli import run; assert run({arguments!r}) == 0"


@pytest.mark.parametrize(
    "code",
    ["import npn; npn.load()", tracking(), tracking("--to", "json")],
    ids=["load", "track", "track to json"],
)
def test_the_default_needs_nothing_heavy(code: str) -> None:
    loaded = loaded_by(code)
    assert "npn" in loaded
    assert not loaded & {*HEAVY}


@pytest.mark.parametrize("model", ["first-mention", "weak-labels"])
def test_rules_do_without_numpy(model: str) -> None:
    assert not loaded_by(tracking("--model", model)) & {*HEAVY, "numpy"}


def test_importing_the_package_loads_no_model() -> None:
    assert not loaded_by("import npn") & {*HEAVY, "numpy", "rich"}


def test_json_needs_no_rich() -> None:
    assert "rich" not in loaded_by(tracking("--to", "json"))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_loads_no_command(arguments: list[str]) -> None:
    loaded = loaded_by(f"from npn.cli import run; assert run({arguments!r}) == 0")
    assert not loaded & {*HEAVY, "numpy", "rich"}


MOST_FILES = 60


def test_tracking_one_recipe_reads_few_of_our_files() -> None:
    """A newcomer who follows a recipe through the package opens no more files than these."""
    code = f"{tracking('--to', 'table')}\nimport sys"
    code += "\nprint(*sorted(one for one in sys.modules if one.split('.')[0] == 'npn'), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    files = [line for line in done.stdout.splitlines() if line.split(".")[0] == "npn"]
    print(f"{len(files)} files:", *files)
    assert 20 < len(files) <= MOST_FILES
