"""`npn explain`, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from npn.cli import run
from npn.commands.explain import command
from npn.models import load_tracker

PANCAKES = str(Path(__file__).parent.parent / "examples" / "pancakes.txt")
STAGES = ("words", "rules", "network", "portions", "piles")
DIVIDED = {
    "title": "Beef",
    "ingredients": ["2 tablespoons olive oil, divided", "1 pound beef", "1 onion"],
    "steps": [
        "Heat 1 tablespoon oil in a pot. Add the beef and brown it. Transfer to a plate.",
        "Add the remaining oil to the pot and cook the onion until soft.",
        "Return the beef to the pot and simmer for an hour.",
    ],
}


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.fixture
def divided(tmp_path: Path) -> str:
    path = tmp_path / "beef.json"
    path.write_text(json.dumps(DIVIDED), encoding="utf-8")
    return str(path)


def test_every_use_and_act_has_its_reason() -> None:
    result = explain(PANCAKES)
    assert result.exit_code == 0
    assert '   takes flour: named as "flour"' in result.output
    assert '"batter" is what the pile is called' in result.output
    assert "since step 3" in result.output


def test_a_part_of_a_line_is_explained_by_its_amount(divided: str) -> None:
    output = " ".join(explain(divided).output.split())
    assert (
        'takes olive oil (half: 1 tablespoon): named as "oil"; "1 tablespoon" is half of the '
        "line's 2 tablespoons"
    ) in output
    assert '"the remaining" is what step 1 left of it' in output


def test_check_marks_the_reasons(divided: str) -> None:
    output = explain(divided, "--check").output
    assert 'takes olive oil (half: 1 tablespoon): named as "oil" (needed)' in output
    assert "(also without it): it would be the same" in " ".join(output.split())


@pytest.mark.parametrize("arguments", [(), ("--check",), ("--stages",)])
def test_lines_fit_a_hundred_columns(divided: str, arguments: tuple[str, ...]) -> None:
    for line in explain(PANCAKES, divided, *arguments).output.splitlines():
        assert len(line) <= 100


def test_stages_are_printed_for_every_step() -> None:
    output = explain(PANCAKES, "--stages").output
    heads = [
        line.split()[0]
        for line in output.splitlines()
        if line.startswith("   ") and line[3:4].isalpha()
    ]
    assert [head for head in heads if head in STAGES] == [*STAGES] * 6
    assert "mentions    flour, baking powder, salt, sugar" in output
    assert "references  mixture" in output
    assert "places      bowl" in output
    assert "use         over 98 % flour, baking powder, salt, sugar" in output
    assert "portions   egg (all: 1), milk (all: 1 1/4 cups), butter (all: 3 tablespoons)" in output


def test_stages_tell_portions_apart(divided: str) -> None:
    output = explain(divided, "--stages").output
    assert "stated      half of the olive oil" in output
    assert "olive oil a (half: 1 tablespoon)" in output
    assert "olive oil b (half: 1 tablespoon)" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--stages", "--model", "weak-labels"),
            'the tracker "weak-labels" has no stages to look at: take --model world',
        ),
        (
            ("--stages", "--check"),
            "--check marks reasons, which --stages does not print: give one of the two",
        ),
    ],
)
def test_what_cannot_be_printed_is_one_sentence_on_standard_error(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", PANCAKES, PANCAKES, *arguments]) == 2
    assert capsys.readouterr() == ("", f"npn: {said}\n")


@pytest.mark.parametrize("arguments", [(), ("--stages",)])
def test_a_recipe_without_steps_is_no_accident(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"title": "", "ingredients": ["1 egg"], "steps": []}))
    result = explain(str(path), *arguments)
    assert result.exit_code in (0, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_nothing_read_is_status_two(tmp_path: Path) -> None:
    assert explain(str(tmp_path / "nowhere.txt")).exit_code == 2


def test_a_terminal_obeys_nothing_in_a_recipe(tmp_path: Path) -> None:
    path = tmp_path / "rude.json"
    data = {
        "title": "\x1b[31m",
        "ingredients": ["1 egg"],
        "steps": ["Boil the egg \x1b[2J in a pot."],
    }
    path.write_text(json.dumps(data))
    for arguments in ((), ("--stages",)):
        assert "\x1b" not in explain(str(path), *arguments).output


def test_the_documentation_shows_what_the_network_that_ships_prints() -> None:
    page = (Path(__file__).parent.parent / "docs" / "explain.md").read_text(encoding="utf-8")
    assert f"stage by stage, by {load_tracker().name}\n" in page
