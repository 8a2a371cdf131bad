"""Files are found and unpacked whatever they are named by and packed with."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import corpora
import pytest

from npn.corpus.sharding.inputs import find_inputs
from npn.corpus.sharding.pieces import Lost, cut, part_items, read_parts
from npn.errors import NpnError
from npn.formats import Found, Item

SOUP = "Carrot soup\n\n2 carrots\n1 cup water\n\n1. Boil the carrots in the water.\n2. Blend.\n"


def items(path: Path) -> list[Item | Lost]:
    return [item for part, _ in read_parts(str(path)) for item in part_items(part)]


def titles(path: Path) -> list[str]:
    return [item.recipe.title for item in items(path) if isinstance(item, Found)]


def test_globs_and_folders_give_files_by_name(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "c.txt", "picture.png", ".hidden.jsonl"):
        (tmp_path / name).write_text("x")
    found = [Path(one.path).name for one in find_inputs([str(tmp_path)])]
    assert found == ["a.jsonl", "b.jsonl", "c.txt"]
    found = [Path(one.path).name for one in find_inputs([str(tmp_path / "*.jsonl")])]
    assert found == ["a.jsonl", "b.jsonl"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "a.jsonl", 1)
    assert len(find_inputs([path, path, str(tmp_path)])) == 1


def test_the_output_is_no_input(tmp_path: Path) -> None:
    corpora.write_lines(tmp_path / "a.jsonl", 1)
    (tmp_path / "out").mkdir()
    corpora.write_lines(tmp_path / "out" / "b.jsonl", 1)
    assert len(find_inputs([str(tmp_path)], str(tmp_path / "out"))) == 1


def test_a_glob_that_matches_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="no file matches"):
        find_inputs([str(tmp_path / "*.jsonl")])


def test_gzip(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(corpora.lines(3)))
    assert titles(tmp_path / "a.jsonl.gz") == ["Dish 0", "Dish 1", "Dish 2"]


def test_zstandard(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    packed = arrow.compress(corpora.lines(3), codec="zstd", asbytes=True)
    (tmp_path / "a.jsonl.zst").write_bytes(packed)
    assert titles(tmp_path / "a.jsonl.zst") == ["Dish 0", "Dish 1", "Dish 2"]
    (tmp_path / "a.jsonl.zst").write_bytes(packed[:-20])
    [*_, last] = items(tmp_path / "a.jsonl.zst")
    assert isinstance(last, Lost)
    assert "not a whole Zstandard file" in last.message


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz"])
def test_a_tar_archive_of_files(tmp_path: Path, name: str) -> None:
    mode = "w" if name.endswith(".tar") else "w:gz"
    with tarfile.open(tmp_path / name, mode) as archive:  # type: ignore[call-overload]
        for member, data in (("x/a.jsonl", corpora.lines(2)), ("x/soup.txt", SOUP.encode())):
            info = tarfile.TarInfo(member)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    assert titles(tmp_path / name) == ["Dish 0", "Dish 1", "Carrot soup"]


def test_a_zip_archive_of_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.jsonl", corpora.lines(2))
        archive.writestr("soup.txt", SOUP)
        archive.writestr("soup.png", b"\x89PNG")
    assert titles(tmp_path / "a.zip") == ["Dish 0", "Dish 1", "Carrot soup"]


def test_parquet(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [corpora.recipe(0), {**corpora.recipe(1), "steps": []}, corpora.recipe(2)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    assert titles(tmp_path / "a.parquet") == ["Dish 0", "Dish 2"]
    assert [getattr(one, "where", "") for one in items(tmp_path / "a.parquet")] == [
        "row 1",
        "row 2",
        "row 3",
    ]


def test_parquet_without_recipes_is_named(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "a.parquet")
    [lost] = items(tmp_path / "a.parquet")
    assert isinstance(lost, Lost)
    assert "needs the columns ingredients and steps" in lost.message


def test_a_large_file_is_read_here_and_keeps_its_places(tmp_path: Path) -> None:
    import json

    many = [corpora.recipe(i) | {"note": "x" * 10_000} for i in range(120)]
    (tmp_path / "a.json").write_text(json.dumps(many))
    found = [item for item in items(tmp_path / "a.json") if isinstance(item, Found)]
    assert len(found) == 120
    assert found[7].where == "recipe 8"
    assert found[7].recipe.ingredients[0].text == corpora.recipe(7)["ingredients"][0]


def test_pieces_are_bounded_and_numbered(tmp_path: Path) -> None:
    one = corpora.write_lines(tmp_path / "a.jsonl", 7)
    two = corpora.write_lines(tmp_path / "b.jsonl", 4)
    pieces = list(cut(find_inputs([one, two]), recipes=5))
    assert [piece.number for piece in pieces] == [0, 1, 2]
    assert [[(part.first, part.data.count(b"\n")) for part in p.parts] for p in pieces] == [
        [(1, 5)],
        [(6, 2), (1, 3)],
        [(4, 1)],
    ]
    assert pieces[-1].progress == 1.0
    assert len({piece.hash for piece in pieces}) == 3
