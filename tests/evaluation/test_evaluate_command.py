"""`npn evaluate`, as a person types it."""

import json
from pathlib import Path

import pytest

import npn
from npn.cli import run

RECIPE = {
    "id": "pancakes",
    "title": "Pancakes",
    "ingredients": ["1 c Flour", "2 Eggs", "1 tb Butter"],
    "steps": ["Whisk the eggs.", "Stir in the flour.", "Melt the butter.", "Serve."],
    "gold": [
        {"entities": [1], "combined": []},
        {"entities": [0, 1], "combined": []},
        {"entities": [2], "combined": []},
        {"entities": [0, 1, 2], "combined": [0, 1]},
    ],
}


@pytest.fixture
def gold(tmp_path: Path) -> str:
    path = tmp_path / "pancakes.jsonl"
    path.write_text(json.dumps(RECIPE) + "\n", encoding="utf-8")
    return str(path)


def test_trackers_are_scored_side_by_side(
    gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "scores.json"
    assert run(["evaluate", "mention", "first-mention", "--gold", gold, "--json", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "pancakes.jsonl: 1 recipes, 4 steps" in shown
    assert "each tracker less mention" in shown
    (report,) = json.loads(out.read_text())
    mention, first = report["rows"]
    # Mention says {eggs}, {flour}, {butter}, {}: 3 right of 3, of 7.
    assert mention["scores"]["entity_f1"]["value"] == pytest.approx(6 / 10)
    assert mention["scores"]["combined_recall"]["value"] == 0
    # First mention says {eggs}, {flour, eggs}, all, all: 7 right of 9, of 7.
    assert first["scores"]["entity_f1"]["value"] == pytest.approx(14 / 16)
    assert first["differences"]["entity_f1"]["value"] == pytest.approx(14 / 16 - 6 / 10)


def test_json_on_standard_output_stands_alone(
    gold: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", "mention", "--gold", gold, "--json", "-"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["gold"] == "pancakes.jsonl"


def test_names_stand_whole_however_long_they_are(
    gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shipped = Path(npn.__file__).parent / "networks" / "paper" / "paper.safetensors"
    long = tmp_path / "a-folder-with-quite-a-long-name" / "no_recurrent_attention-1.safetensors"
    long.parent.mkdir()
    long.symlink_to(shipped)
    assert run(["evaluate", "mention", str(long), "--gold", gold]) == 0
    assert capsys.readouterr().out.count(str(long)) >= 2


def test_raw_scores_are_of_what_is_predicted(
    gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hot = {"type": "temperature", "end_state": "hot", "entities": [2]}
    steps = [
        {"entities": [], "changes": []},
        {"entities": [], "changes": []},
        {"entities": [2], "changes": [hot]},
        {"entities": [], "changes": []},
    ]
    path = tmp_path / "states.jsonl"
    path.write_text(json.dumps({**RECIPE, "gold": steps}) + "\n", encoding="utf-8")
    reports = []
    for flags in ([], ["--raw"]):
        assert run(["evaluate", "paper", "--gold", str(path), "--json", "-", *flags]) == 0
        (report,) = json.loads(capsys.readouterr().out)
        reports.append(report["rows"][0]["scores"])
    assert reports[0]["entity_f1"] == reports[1]["entity_f1"]
    assert reports[0].keys() == reports[1].keys()


def test_several_gold_files_after_one_option_are_all_read(
    gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(Path(gold).read_bytes())
    assert run(["evaluate", "mention", "--gold", gold, str(other)]) == 0
    assert run(["evaluate", "mention", "--gold", gold, "--gold", str(other)]) == 0
    first, second = capsys.readouterr().out.split("pancakes.jsonl: ")[1:]
    assert first == second
    assert "other.jsonl: 1 recipes" in first


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["mention", "--gold", "GOLD", "--raw"], "no raw predictions"),
        (["nobody", "--gold", "GOLD"], 'no tracker called "nobody"'),
        (["mention", "--gold", "absent.jsonl"], "absent.jsonl: cannot be read"),
        (["mention", "--gold", "TEXT"], "line 1: is not JSON"),
        (["mention", "--gold", "GOLD", "--json", "GOLD/out.json"], "cannot write"),
        (["mention", "--gold", "GOLD", "--lexicon", "DIR"], "uses no lexicon"),
        (["--gold", "GOLD", "GOLD"], "no tracker to evaluate"),
        (["mention"], "missing option '--gold'"),
    ],
)
def test_a_mistake_is_answered_in_a_sentence(
    arguments: list[str],
    why: str,
    gold: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = tmp_path / "text.jsonl"
    text.write_text("Whisk the eggs.\n")
    places = {"GOLD": gold, "TEXT": str(text), "DIR": str(tmp_path)}
    for name, place in places.items():
        arguments = [argument.replace(name, place) for argument in arguments]
    assert run(["evaluate", *arguments]) == 2
    assert why in capsys.readouterr().err
