"""The wheel and the source archive: each builds, installs where nothing else is, and runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
MOST_CODE = 30 << 20  # bytes of the wheel beside the weights
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both, made from the tree as it is."""
    folder = tmp_path_factory.mktemp("dist")
    build = (
        "import hatchling.build as b, sys; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=REPOSITORY, check=True)
    return folder


def test_the_wheel_stays_small(packages: Path) -> None:
    (wheel,) = packages.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        members = archive.infolist()
    weights = sum(one.compress_size for one in members if one.filename.endswith(".safetensors"))
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.1f} MB, of which weights {weights / 1e6:.1f} MB")
    assert size - weights < MOST_CODE


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_it_runs_in_a_clean_environment(packages: Path, kind: str, tmp_path: Path) -> None:
    (package,) = packages.glob(kind)
    venv.create(tmp_path / "clean", with_pip=True)
    bin_folder = tmp_path / "clean" / ("Scripts" if os.name == "nt" else "bin")
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    install = [str(bin_folder / "python"), "-m", "pip", "install", "-qq", str(package)]
    subprocess.run(install, check=True, cwd=tmp_path, env=clean)
    recipe = tmp_path / "soup.txt"
    recipe.write_text("2 leeks\n1 l water\n\nBoil the leeks in the water.\n")
    for command in (["track", "soup.txt", "--to", "json"], ["next", "soup.txt", "--to", "json"]):
        done = subprocess.run(
            [str(bin_folder / "npn"), *command],
            check=True,
            cwd=tmp_path,
            env=clean,
            capture_output=True,
            text=True,
        )
        assert json.loads(done.stdout)
        assert done.stderr == ""
