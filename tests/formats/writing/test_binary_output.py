"""`npn track --to mealie`: an archive goes to a file that is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from npn.cli import run
from npn.formats import Found, read_file
from npn.formats.writing import BINARY, binary_writers

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "pancakes.txt")


def test_the_names_are_those_of_the_writers() -> None:
    assert list(binary_writers()) == list(BINARY)


@pytest.mark.parametrize("form", BINARY)
@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_an_archive_is_not_for_a_terminal(
    form: str, output: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", EXAMPLE, "--to", form, *output]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        f"npn: --to {form} writes a zip archive, not text: name it with -o FILE.zip\n"
    )


@pytest.mark.parametrize("form", BINARY)
def test_a_file_is_written_and_can_be_read(form: str, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    assert run(["track", EXAMPLE, "--model", "weak-labels", "--to", form, "-o", str(out)]) == 0
    (found,) = read_file(str(out))
    assert isinstance(found, Found)
    assert len(found.recipe.ingredients) == 8
    assert any(found.recipe.links)
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("form", BINARY)
def test_nothing_is_written_where_nothing_was_read(form: str, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    assert run(["track", str(tmp_path / "absent.txt"), "--to", form, "-o", str(out)]) == 2
    assert not out.exists()
