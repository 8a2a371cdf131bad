"""The package that `make fast` makes says what the plain one says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RECIPES = [
    *sorted((ROOT / "tests" / "golden").glob("*.txt")),
    *sorted((ROOT / "examples").iterdir()),
]

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled package."""
    folder = tmp_path_factory.mktemp("compiled")
    sources = folder / "sources"
    leave_out = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(ROOT / "src", sources / "src", ignore=leave_out)
    for name in ("pyproject.toml", "mypyc.ini", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=sources,
        env={**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"},
        check=True,
        capture_output=True,
    )
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "package")
    return folder / "package"


def npn(arguments: list[str], package: Path) -> str:
    return python(["-m", "npn", *arguments], package)


def python(arguments: list[str], package: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(package)},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_it_says_that_it_is_compiled(compiled: Path) -> None:
    plain = npn(["--version"], ROOT / "src")
    assert npn(["--version"], compiled) == plain.replace("\n", ", compiled\n")


@pytest.mark.parametrize("model", ["mixtures", "first-mention", "weak-labels", "paper"])
def test_it_tracks_the_same(compiled: Path, model: str) -> None:
    arguments = ["track", *map(str, RECIPES), "--to", "json", "--model", model]
    assert npn(arguments, compiled) == npn(arguments, ROOT / "src")


def test_it_explains_the_same(compiled: Path) -> None:
    arguments = ["explain", *map(str, RECIPES)]
    assert npn(arguments, compiled) == npn(arguments, ROOT / "src")


BRANCHES = """import npn
for model in (npn.load(), npn.load("weak-labels"), npn.load("first-mention")):
    simulation = model.start(["2 eggs", "1 cup milk", "salt"])
    simulation.step("Beat the eggs with the milk.")
    other = simulation.branch()
    print(other.step("Freeze it."), simulation.step("Cook them in a pan."), simulation.trace)
"""


def test_it_branches_the_same(compiled: Path) -> None:
    assert python(["-c", BRANCHES], compiled) == python(["-c", BRANCHES], ROOT / "src")
