"""One's own lexicon: another domain works, and each mistake is named with its file and line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.errors import NpnError
from npn.rules.lexicon import SHIPPED_END_STATES, Lexicon, load_lexicon, read_lexicon

CHEMISTRY_STATES = """
[phase]  # comments may stand anywhere
solid = ["frozen"]
liquid = ["molten"]
gas = []

[vessel]
flask = ["round-bottom flask"]
beaker = [
    "glass beaker",
    "small beaker",
]

[doubtful]
phase = ["gas"]
"""
CHEMISTRY_ACTIONS = """
[evaporate]
phase = "gas"
default_vessel = "flask"

[decant]
vessel = ""
separates = true
also = ["pour off"]
"""


def write(folder: Path, actions: str, end_states: str = CHEMISTRY_STATES) -> Path:
    (folder / "actions.toml").write_text(actions, encoding="utf-8")
    (folder / "end_states.toml").write_text(end_states, encoding="utf-8")
    return folder


def mistake(folder: Path) -> str:
    with pytest.raises(NpnError) as raised:
        load_lexicon(folder)
    return str(raised.value)


@pytest.fixture
def chemistry(tmp_path: Path) -> Lexicon:
    return load_lexicon(write(tmp_path, CHEMISTRY_ACTIONS))


def test_another_domain_brings_its_own_types(chemistry: Lexicon) -> None:
    assert chemistry.types == ("phase", "vessel")
    evaporate = chemistry.expect_action("evaporate")
    assert evaporate.changes == {"phase": "gas"}
    assert evaporate.defaults == {"vessel": "flask"}
    assert [action.name for action in chemistry.find("vessel", "flask")] == ["evaporate"]
    assert chemistry.expect_action("pour off").separates


def test_another_domain_has_its_own_words(chemistry: Lexicon) -> None:
    vessel = chemistry.end_state("vessel", "two small beakers")
    assert vessel is not None
    assert vessel.name == "beaker"
    assert chemistry.end_states["phase"]["gas"].doubtful
    with pytest.raises(NpnError, match='"location" is not a type of state change'):
        chemistry.location("flask")


def test_own_actions_may_use_the_end_states_that_ship(tmp_path: Path) -> None:
    path = write(tmp_path, '[brulee]\ncookedness = "cooked"\n') / "actions.toml"
    assert read_lexicon(path, SHIPPED_END_STATES).expect_action("brulee").changes == {
        "cookedness": "cooked"
    }


@pytest.mark.parametrize(
    ("actions", "line", "what"),
    [
        ('[melt]\nphase = "liqid"\n', 2, '[melt] phase = "liqid" is no end state of phase; the'),
        ('[melt]\ncolour = "red"\n', 2, '[melt] has the unknown key "colour"'),
        ("[melt]\n\n# so hot\nphase = true\n", 4, '[melt] phase must be "text" in quotes'),
        ('[melt]\ndefault_vessel = ""\n', 2, 'default_vessel = "" is no end state of vessel'),
        ('[melt]\ncombines = "yes"\n', 2, "[melt] combines must be true or false"),
        ('[melt]\nalso = "fuse"\n', 2, '[melt] also must be ["a", "list"]'),
        ('[melt]\ndoubtful = ["phase"]\n', 2, '[melt] doubts "phase" but does not change it'),
        ('[melt]\nalso = ["boil"]\n\n[boil]\n', 2, '"boil" belongs to [boil] already'),
        ("[melt]\n\n[melt]\n", 3, "is not TOML"),
        ('[melt]\nphase = "gas"\nphase = "solid"\n', 3, "is not TOML"),
        ('phase = "gas"\n', 1, '"phase" stands before the first [table]'),
        ("[melt]\nphase = liquid\n", 2, "is not TOML"),
        ("[melt\n", 1, "is not TOML"),
        ('[melt]\nalso = ["fuse"\n', 3, "is not TOML"),
        ('[melt]\nalso = ["fuse" "smelt"]\n', 2, "is not TOML"),
        ('[melt]\nphase = "gas" "solid"\n', 2, "is not TOML"),
    ],
)
def test_a_mistake_in_the_actions_is_named_with_its_line(
    tmp_path: Path, actions: str, line: int, what: str
) -> None:
    message = mistake(write(tmp_path, actions))
    assert message.startswith(f"{tmp_path / 'actions.toml'}, line {line}: ")
    assert what in message


@pytest.mark.parametrize(
    ("end_states", "line", "what"),
    [
        ('[phase]\ngas = "steam"\n', 2, '[phase] gas must be ["a", "list"]'),
        ('[phase]\ngas = ["gas"]\n', 2, '"gas" is a word for "gas" already'),
        ('[phase]\ngas = ["fume"]\nsolid = ["fume"]\n', 3, '"fume" is a word for "gas" already'),
        ("[phase]\ngas = []\n[phase.kinds]\na = []\n", 1, '[phase] kinds must be ["a", "list"]'),
        ('[phase]\ngas = []\n[doubtful]\nphase = ["fog"]\n', 4, '"fog" is no end state of phase'),
        ("[phase]\ngas = []\n[doubtful]\nmass = []\n", 4, '"mass" is not a type of this file'),
    ],
)
def test_a_mistake_in_the_end_states_is_named_with_its_line(
    tmp_path: Path, end_states: str, line: int, what: str
) -> None:
    message = mistake(write(tmp_path, "[melt]\n", end_states))
    assert message.startswith(f"{tmp_path / 'end_states.toml'}, line {line}: ")
    assert what in message


def test_an_empty_file_is_no_lexicon(tmp_path: Path) -> None:
    assert "holds no action" in mistake(write(tmp_path, "# to do\n"))
    (tmp_path / "other").mkdir()
    empty = write(tmp_path / "other", CHEMISTRY_ACTIONS, "")
    assert "holds no type of state change" in mistake(empty)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "is not a folder" in mistake(tmp_path / "nowhere")
    assert "end_states.toml cannot be read: No such file" in mistake(tmp_path)
    write(tmp_path, CHEMISTRY_ACTIONS)
    (tmp_path / "actions.toml").write_bytes(b"[melt\xff]")
    assert "is not UTF-8 text" in mistake(tmp_path)


@given(text=st.text(alphabet='[]"=,.# \n\\abtruefls'))
def test_no_text_raises_anything_but_our_own_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = write(tmp_path_factory.mktemp("lexicon"), text)
    with suppress(NpnError):
        load_lexicon(folder)
