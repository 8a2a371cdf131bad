"""`npn next` and `npn.suggest`: what may come next, and what it would do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from generators import write_small_generator

import npn
from npn import suggestions
from npn.cli import run
from npn.networks.generator.generator import load_generator

EXAMPLES = Path(__file__).parent.parent / "examples"
PANCAKES = str(EXAMPLES / "pancakes.txt")


@pytest.fixture(scope="module", autouse=True)
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A generator that knows few words and little of cooking."""
    path = write_small_generator(tmp_path_factory.mktemp("generator"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suggestions, "_generator", lambda model: load_generator(path))
        yield


def recipe(*steps: str) -> npn.Recipe:
    return npn.Recipe.from_lists("Cake", ["2 cups flour", "1 cup sugar", "butter"], steps)


def test_each_suggestion_is_simulated_on_its_own_branch() -> None:
    cake = recipe("Mix the flour and sugar in a bowl.", "Add the butter.")
    found = npn.suggest(cake, 3)
    assert (found.after, len(found)) == (2, 3)
    for one in found:
        assert one.effect.text == one.text
        assert [step.text for step in one.trace.steps] == [*cake.steps, one.text]
    assert len({one.trace.steps[:2] for one in found}) == 1
    assert found.to_dict()["suggestions"][0]["text"] == found[0].text


def test_the_effect_is_what_the_tracker_says_of_the_whole_recipe() -> None:
    cake = recipe("Mix the flour and sugar in a bowl.", "Add the butter. Stir well.")
    one = npn.suggest(cake, 1)[0]
    whole = npn.Recipe("", cake.ingredients, (*cake.steps, one.text))  # branches have no title
    tracked = npn.load().track(whole)
    assert one.effect.entities == tracked.steps[-1].entities
    assert [c.end_state for c in one.effect.changes] == [
        c.end_state for c in tracked.steps[-1].changes
    ]


def test_after_leaves_the_later_steps_unread() -> None:
    short, long = recipe("Mix the flour."), recipe("Mix the flour.", "Bake it.", "Serve.")
    assert npn.suggest(long, after=1) == npn.suggest(short)
    assert npn.suggest(long, after=0) == npn.suggest(recipe())


@pytest.mark.parametrize(
    ("n", "after", "said"),
    [(0, None, "between 1 and 20"), (99, None, "between 1 and 20"), (3, 7, "no step 7"),
     (3, -1, "no step -1")],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(n: int, after: int | None, said: str) -> None:
    with pytest.raises(npn.NpnError, match=said):
        npn.suggest(recipe("Mix."), n, after=after)


def test_a_recipe_that_would_be_read_too_long_is_refused() -> None:
    long = npn.Recipe.from_lists("", ["1 egg"], ["Beat the egg with a fork."] * 300)
    with pytest.raises(npn.NpnError, match="2,102 words so far, too many to suggest 3 next steps"):
        npn.suggest(long, 3)
    assert len(npn.suggest(long, 3, after=2)) == 3


def test_a_recipe_without_ingredients_is_refused() -> None:
    with pytest.raises(npn.NpnError, match="no ingredients"):
        npn.suggest(npn.Recipe.from_lists("", [], ["Boil."]))


def test_the_table_shows_the_step_and_its_effect(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["next", PANCAKES, "--after", "2", "-n", "2"]) == 0
    said = capsys.readouterr().out
    assert "after step 2" in said
    assert "npn-next-test" in said
    assert "what changes" in said


def test_json_has_one_line_a_recipe(capsys: pytest.CaptureFixture[str]) -> None:
    drinks = str(EXAMPLES / "three-drinks.jsonl")
    assert run(["next", drinks, "-n", "1", "--to", "json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert set(line) == {"title", "model", "tracker", "after", "suggestions"}
        (one,) = line["suggestions"]
        assert {"text", "score", "actions", "entities", "changes", "piles"} <= set(one)


def test_ingredients_alone_ask_for_a_first_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.txt").write_text("2 eggs\n1 tbsp butter\n1 pinch of salt\n")
    assert run(["next", str(tmp_path / "list.txt")]) == 0
    assert "before the first step" in capsys.readouterr().out


def test_few_known_words_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.json").write_text(
        json.dumps({"ingredients": ["fnord", "blarg"], "steps": ["Zzyx qwop vrbl."]})
    )
    assert run(["next", str(tmp_path / "odd.json")]) == 0
    said = capsys.readouterr()
    assert f"{tmp_path / 'odd.json'}, line 1: few words of this recipe are known" in said.err
    assert "next step" in said.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.txt"], "does not exist"),
        ([PANCAKES, "--after", "99"], f"npn: {PANCAKES}: there is no step 99: the recipe has 6"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["next", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    path = str(write_small_generator(tmp_path))
    code = f"""
import sys
from npn.cli import run
assert run(["next", {PANCAKES!r}, "--to", "json", "--model", {path!r}]) == 0
assert not {{"torch", "gensim", "matplotlib", "sacrebleu", "rich"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)
