"""`npn lexicon`."""

from __future__ import annotations

from pathlib import Path

import pytest

from npn.cli import run


def test_shows_what_is_known_about_an_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lexicon", "bake"]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "bake",
        "  cookedness   cooked",
        "  temperature  hot",
        "  location     oven, where the sentence names none",
    ]


def test_shows_below_the_entry_how_the_network_sees_the_action(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["lexicon", "baking"]) == 0
    entry, seen = capsys.readouterr().out.split("  as the network sees it: ")
    assert entry.startswith("bake\n")
    assert "that have no other action:\n" in seen
    assert "cookedness   cooked" in seen
    assert seen.rstrip().endswith("for example: Bake the pie in the oven for 40 minutes.")


def test_shows_several_actions_and_remarks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lexicon", "place", "preheat", "reserve"]) == 0
    out = capsys.readouterr().out
    assert "place\n  location  what the sentence names\n" in out
    assert "temperature  hot (rarely in practice)\n  mostly acts on a tool, not on food" in out
    assert "  also: pre-heat" in out
    assert "reserve\n  changes nothing\n" in out


def test_an_action_named_like_a_subcommand_can_be_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["lexicon", "show", "check"]) == 0
    assert capsys.readouterr().out.startswith("check\n")


def test_finds_actions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lexicon", "find", "--type", "temperature", "--end", "cold"]) == 0
    assert {"chill", "freeze", "refrigerate"} <= set(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bakke"], 'npn: the lexicon has no action "bakke"; the nearest are bake'),
        (["find", "--type", "colour"], 'npn: "colour" is not a type of state change: choose from'),
        (["find", "--type", "shape", "--end", "hot"], 'npn: shape has no end state "hot"'),
        (["check", "nowhere.toml"], "npn: nowhere.toml cannot be read: No such file"),
        (["bake", "--lexicon", "nowhere"], "npn: nowhere is not a folder"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lexicon", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(sentence)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "end_states.toml").write_text("[phase]\nsolid = []\nliquid = []\n")
    (tmp_path / "actions.toml").write_text('[fuse]\nphase = "liquid"\n')
    return tmp_path


def test_looks_up_in_a_lexicon_of_ones_own(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lexicon", "fuse", "--lexicon", str(own)]) == 0
    assert run(["lexicon", "--lexicon", str(own), "fuse"]) == 0
    assert run(["lexicon", "find", "--type", "phase", "--lexicon", str(own)]) == 0
    assert capsys.readouterr().out == "fuse\n  phase  liquid\n" * 2 + "fuse\n"
    assert run(["lexicon", "bake", "--lexicon", str(own)]) == 2


def test_checks_a_lexicon_of_ones_own(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (own, own / "actions.toml"):
        assert run(["lexicon", "check", str(file)]) == 0
        out = capsys.readouterr().out
        assert f"{file} is right, checked against {own / 'end_states.toml'}: 1 actions" in out
    assert run(["lexicon", "check", str(own / "end_states.toml")]) == 0
    assert "is right: 2 of phase" in capsys.readouterr().out


def test_checks_against_the_shipped_end_states_or_those_given(
    own: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    lonely = tmp_path_factory.mktemp("lonely") / "mine.toml"
    lonely.write_text('\n[fuse]\nphase = "liquid"\n')
    assert run(["lexicon", "check", str(lonely), "--lexicon", str(own)]) == 0
    assert run(["lexicon", "check", str(lonely)]) == 2
    assert f'npn: {lonely}, line 3: [fuse] has the unknown key "phase"' in capsys.readouterr().err
