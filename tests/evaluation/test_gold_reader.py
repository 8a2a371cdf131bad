"""Gold files are read as they are meant, and nothing else is taken for one."""

import json
from pathlib import Path

import pytest

from npn.errors import NpnError
from npn.evaluation.gold import GoldStep, read_gold
from npn.recipe import Ingredient
from npn.trace import StateChange


def line(gold: object, **more: object) -> str:
    recipe = {
        "id": "toast",
        "title": "Buttered Toast",
        "ingredients": ["2 slices rye bread", "1 tb butter"],
        "steps": ["Toast the bread.", "Spread with butter."],
        "gold": gold,
    }
    return json.dumps({**recipe, **more})


def write(folder: Path, *lines: str) -> Path:
    path = folder / "toast.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_entity_gold_has_combined_and_labelled(tmp_path: Path) -> None:
    entries = [
        {"entities": [], "combined": [], "labelled": False},
        {"entities": [0, 1], "combined": [0], "labelled": True},
    ]
    (toast,) = read_gold(write(tmp_path, line(entries)))
    assert toast.id == "toast"
    assert toast.recipe.title == "Buttered Toast"
    assert toast.recipe.ingredients == (Ingredient("2 slices rye bread"), Ingredient("1 tb butter"))
    assert toast.recipe.steps == ("Toast the bread.", "Spread with butter.")
    assert toast.steps == (
        GoldStep(frozenset(), frozenset(), labelled=False),
        GoldStep(frozenset({0, 1}), frozenset({0})),
    )


def test_curd_gold_has_actions_and_its_operations_are_ignored(tmp_path: Path) -> None:
    entries = [
        {"actions": ["toast"], "entities": [0], "combined": [], "operations": [{"any": "thing"}]},
        {"actions": ["spread with"], "entities": [0, 1], "combined": []},
    ]
    (toast,) = read_gold(write(tmp_path, line(entries)))
    assert [step.actions for step in toast.steps] == [("toast",), ("spread with",)]
    assert [step.changes for step in toast.steps] == [None, None]


def test_states_gold_has_changes_and_disputed_types(tmp_path: Path) -> None:
    change = {"type": "temperature", "end_state": "hot", "entities": [0]}
    entries = [
        {"actions": ["toast"], "entities": [0], "changes": [change], "disputed": ["location"]},
        {"actions": [], "entities": [0, 1], "changes": [], "disputed": []},
    ]
    (toast,) = read_gold(write(tmp_path, line(entries)))
    first, second = toast.steps
    assert first.changes == (StateChange("temperature", "hot", 1.0, (0,)),)
    assert first.disputed == {"location"}
    assert first.combined is None
    assert first.labelled
    assert second.changes == ()


def test_blank_lines_are_skipped_and_the_order_is_kept(tmp_path: Path) -> None:
    entries: list[dict[str, list[int]]] = [{"entities": []}, {"entities": []}]
    path = write(tmp_path, line(entries, id="a"), "", line(entries, id="b"))
    assert [one.id for one in read_gold(path)] == ["a", "b"]


GOOD = line([{"entities": []}, {"entities": []}])


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("Toast the bread.", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[1, 2]", "must be an object"),
        (json.dumps({"title": "Toast"}), '"ingredients" must be a list'),
        (line(None), '"gold" must be a list'),
        (line([{"entities": []}]), "1 entries for 2 steps"),
        (line([{"entities": []}, 7]), 'an entry of "gold" must be an object'),
        (line([{"entities": []}, {}]), '"entities" must be a list'),
        (line([{"entities": []}, {"entities": [2]}]), "names ingredient 2, but there are 2"),
        (line([{"entities": []}, {"entities": [True]}]), "names ingredient True"),
        (line([{"entities": []}, {"entities": [], "combined": ["x"]}]), "names ingredient 'x'"),
        (line([{"entities": []}, {"entities": [], "labelled": 1}]), '"labelled" must be true or'),
        (line([{"entities": []}, {"entities": [], "actions": [1]}]), '"actions" must be a list of'),
        (line([{"entities": []}, {"entities": [], "changes": [1]}]), '"changes" must be an object'),
        (
            line([{"entities": []}, {"entities": [], "changes": [{"type": "location"}]}]),
            '"end_state" must be a string',
        ),
        (
            line([{"entities": []}, {"entities": [], "disputed": ["colour"]}]),
            '"colour" is not a state change type',
        ),
    ],
)
def test_what_is_no_gold_recipe_is_named_with_its_line(tmp_path: Path, bad: str, why: str) -> None:
    path = write(tmp_path, GOOD, bad)
    with pytest.raises(NpnError) as caught:
        read_gold(path)
    assert f"{path}, line 2: " in str(caught.value)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_gold_are_refused(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty.jsonl", tmp_path / "binary.jsonl"
    empty.write_text("\n\n")
    binary.write_bytes(b"\xff\xfe\x00\x01")
    for path, why in (
        (empty, "holds no recipe"),
        (binary, "is not UTF-8"),
        (tmp_path, "cannot be read"),
        (tmp_path / "absent.jsonl", "cannot be read"),
    ):
        with pytest.raises(NpnError, match=why):
            read_gold(path)
