"""`npn link`: what it asks of a server, what it prints, how it is stopped, resumed and undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from libraries import documented_library, mealie_library, tandoor_library
from stand_in import TOKEN, StandIn, fails, forbids, running, vanishes

from npn.cli import run
from npn.errors import NpnError
from npn.recipe import Recipe
from npn.trace import StepTrace, Trace, Use


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEALIE_TOKEN", TOKEN)
    monkeypatch.setenv("TANDOOR_TOKEN", TOKEN)
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def mealie() -> Iterator[StandIn]:
    with running(StandIn("mealie", mealie_library())) as server:
        yield server


@pytest.fixture
def tandoor() -> Iterator[StandIn]:
    with running(StandIn("tandoor", tandoor_library())) as server:
        yield server


def link(server: StandIn, *options: str) -> int:
    return run(["link", server.kind, "--url", server.url, "--model", "weak-labels", *options])


def references(server: StandIn, key: str) -> list[list[str]]:
    steps = server.recipes[key]["recipeInstructions"]
    return [[one["referenceId"] for one in step["ingredientReferences"]] for step in steps]


def rows(server: StandIn, key: str) -> list[list[tuple[int | None, str, float]]]:
    return [
        [(row.get("id"), row["food"]["name"], row["amount"]) for row in step["ingredients"]]
        for step in server.recipes[key]["steps"]
    ]


def journal_lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_without_yes_it_only_looks_and_says_what_it_would_do(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deepcopy(mealie.recipes)
    assert link(mealie) == 0
    assert mealie.recipes == before
    assert {one.method for one in mealie.asked} == {"GET"}
    assert not list(Path().iterdir())
    assert capsys.readouterr().out == (
        "Mint tea\n"
        "  1. Boil the water.\n"
        "       4 cups water\n"
        "  2. Add the mint.\n"
        "       1 bunch mint\n"
        "\n"
        "Toast\n"
        "  1. Toast the bread.\n"
        "       2 slices bread\n"
        "  2. Spread with the butter.\n"
        "       1 tbsp butter\n"
        "  in no step: 1 lemon\n"
        "\n"
        "2 recipes would be linked\n"
        "1 recipe left alone: somebody has linked them (see --relink)\n"
        "cannot be linked: An idea: the recipe has no ingredients\n"
        "Nothing was changed: add --yes to do it.\n"
    )


def test_the_exact_requests_for_mealie(mealie: StandIn) -> None:
    assert link(mealie, "--yes") == 0
    listing = "/api/recipes?page={}&perPage=100&orderBy=slug&orderDirection=asc"
    assert [(one.method, one.path) for one in mealie.asked] == [
        ("GET", listing.format(1)),
        ("GET", listing.format(2)),
        ("GET", "/api/recipes/mint-tea"),
        ("PATCH", "/api/recipes/mint-tea"),
        ("GET", "/api/recipes/toast"),
        ("PATCH", "/api/recipes/toast"),
        ("GET", "/api/recipes/my-soup"),
        ("GET", "/api/recipes/an-idea"),
    ]
    steps = deepcopy(mealie_library()["mint-tea"]["recipeInstructions"])
    steps[0]["ingredientReferences"] = [{"referenceId": "Mint tea-1"}]
    steps[1]["ingredientReferences"] = [{"referenceId": "Mint tea-0"}]
    assert mealie.patches()[0].body == {"recipeInstructions": steps}


def test_the_exact_requests_for_tandoor(tandoor: StandIn) -> None:
    assert link(tandoor, "--yes") == 0
    assert [(one.method, one.path) for one in tandoor.asked] == [
        ("GET", "/api/recipe/?page=1&page_size=100&sort_order=created_at"),
        ("GET", "/api/recipe/?page=2&page_size=100&sort_order=created_at"),
        ("GET", "/api/recipe/8/"),
        ("PATCH", "/api/recipe/8/"),
        ("GET", "/api/recipe/3/"),
        ("GET", "/api/recipe/9/"),
    ]
    assert list(tandoor.patches()[0].body) == ["steps"]


def test_rows_of_tandoor_move_with_their_ids_and_headers(tandoor: StandIn) -> None:
    assert link(tandoor, "--yes") == 0
    assert rows(tandoor, "8") == [
        [(200, "", 0), (202, "egg", 3), (203, "salt", 0), (204, "chives", 1)],
        [(201, "butter", 2)],
        [],
    ]
    first = tandoor.recipes["8"]["steps"][0]
    assert [row["order"] for row in first["ingredients"]] == [0, 1, 2, 3]
    assert (first["time"], first["instruction"]) == (3, "Beat the eggs with the salt.")


def test_recipes_that_somebody_has_linked_are_left_alone(
    mealie: StandIn, tandoor: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deepcopy((mealie.recipes["my-soup"], tandoor.recipes["3"], tandoor.recipes["9"]))
    assert link(mealie, "--yes") == 0
    assert link(tandoor, "--yes") == 0
    assert (mealie.recipes["my-soup"], tandoor.recipes["3"], tandoor.recipes["9"]) == before
    assert "By places: its text names ingredients by their place" in capsys.readouterr().out


def test_relink_replaces_the_links_of_others(mealie: StandIn) -> None:
    mealie.recipes["my-soup"]["recipeInstructions"][1]["ingredientReferences"] = [
        {"referenceId": "My soup-0"}
    ]
    assert link(mealie, "--yes", "--relink", "--only", "my-soup") == 0
    assert references(mealie, "my-soup") == [["My soup-0"], []]
    assert len(mealie.patches()) == 1


def test_links_of_all_steps_that_touch_an_ingredient(mealie: StandIn) -> None:
    assert link(mealie, "--yes", "--links", "all", "--only", "mint-tea") == 0
    assert references(mealie, "mint-tea") == [["Mint tea-1"], ["Mint tea-0", "Mint tea-1"]]


def test_the_journal_has_what_was_there_before(mealie: StandIn) -> None:
    before = deepcopy(mealie.recipes["toast"]["recipeInstructions"])
    assert link(mealie, "--yes", "--only", "toast") == 0
    head, begun, done = journal_lines("npn-link-mealie.jsonl")
    assert head == {"journal": "npn link", "manager": "mealie", "url": mealie.url}
    assert (begun["begun"], begun["title"]) == ("toast", "Toast")
    assert begun["before"] == before
    assert begun["after"] == mealie.patches()[0].body["recipeInstructions"]
    assert done == {"done": "toast"}


def test_the_token_is_nowhere_but_in_the_requests(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link(mealie, "--yes") == 0
    mealie.faults["GET", "/api/recipes"] = fails
    assert link(mealie, "--yes") == 2
    told = capsys.readouterr()
    assert TOKEN not in told.out + told.err + Path("npn-link-mealie.jsonl").read_text()


@pytest.mark.parametrize("kind", ["mealie", "tandoor"])
def test_undo_puts_everything_back(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    library = mealie_library() if kind == "mealie" else tandoor_library()
    with running(StandIn(kind, deepcopy(library))) as server:
        assert link(server, "--yes", "--journal", "mine.jsonl") == 0
        assert server.recipes != library
        linked = deepcopy(server.recipes)
        assert link(server, "--undo", "mine.jsonl") == 0
        assert server.recipes == linked
        assert "would be put back" in capsys.readouterr().out
        assert link(server, "--undo", "mine.jsonl", "--yes") == 0
        assert server.recipes == library
        asked = len(server.asked)
        assert link(server, "--undo", "mine.jsonl", "--yes") == 0
        assert len(server.asked) == asked
        assert link(server, "--yes", "--journal", "mine.jsonl") == 0
        assert server.recipes == linked


def test_undo_leaves_alone_what_was_changed_since(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link(mealie, "--yes") == 0
    mine = mealie.recipes["toast"]["recipeInstructions"][0]
    mine["ingredientReferences"] = [{"referenceId": "Toast-2"}]
    del mealie.recipes["mint-tea"]
    capsys.readouterr()
    assert link(mealie, "--undo", "npn-link-mealie.jsonl", "--yes") == 0
    assert mine["ingredientReferences"] == [{"referenceId": "Toast-2"}]
    assert capsys.readouterr().out == (
        "0 recipes put back\n"
        "no longer there: Mint tea\n"
        "left alone, since it was changed after the linking: Toast\n"
    )


def test_a_run_that_was_stopped_goes_on_where_it_was(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    mealie.faults["GET", "/api/recipes/toast"] = fails
    assert link(mealie, "--yes") == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "it stopped at Toast (--skip toast leaves that out)" in told
    assert "1 recipe was linked before that" in told
    assert "--undo npn-link-mealie.jsonl" in told
    mealie.faults.clear()
    assert link(mealie, "--yes") == 0
    assert [one.path for one in mealie.patches()] == [
        "/api/recipes/mint-tea",
        "/api/recipes/toast",
    ]
    assert "1 recipe linked before, by the journal" in capsys.readouterr().out


@pytest.mark.parametrize("kept", [True, False], ids=["it was kept", "it was lost"])
def test_a_change_whose_answer_was_lost_is_known_or_done_again(mealie: StandIn, kept: bool) -> None:
    def change_and_vanish(handler: Any) -> None:
        if kept:
            mealie.change("mint-tea", mealie.patches()[-1].body)
        vanishes(handler)

    mealie.faults["PATCH", "/api/recipes/mint-tea"] = change_and_vanish
    assert link(mealie, "--yes", "--only", "mint-tea") == 2
    mealie.faults.clear()
    assert link(mealie, "--yes", "--only", "mint-tea") == 0
    assert references(mealie, "mint-tea") == [["Mint tea-1"], ["Mint tea-0"]]
    assert len(mealie.patches()) == (1 if kept else 2)
    assert journal_lines("npn-link-mealie.jsonl")[-1] == {"done": "mint-tea"}
    assert link(mealie, "--undo", "npn-link-mealie.jsonl", "--yes") == 0
    assert references(mealie, "mint-tea") == [[], []]


def test_a_torn_last_line_of_the_journal_is_cut_off(mealie: StandIn) -> None:
    assert link(mealie, "--yes", "--only", "mint-tea") == 0
    journal = Path("npn-link-mealie.jsonl")
    whole = journal.read_text()
    journal.write_text(whole + '{"begun": "toast", "bef')
    assert link(mealie, "--yes", "--only", "toast") == 0
    assert journal.read_text().startswith(whole)
    assert [next(iter(line)) for line in journal_lines(str(journal))[3:]] == ["begun", "done"]


def test_links_that_a_server_does_not_keep_are_put_back(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    def forget(body: dict[str, Any]) -> None:
        mealie.alter = None
        for step in body["recipeInstructions"]:
            step["ingredientReferences"] = []

    mealie.recipes["mint-tea"]["tags"] = []
    before = deepcopy(mealie.recipes)
    mealie.alter = forget
    assert link(mealie, "--yes") == 2
    assert "did not keep the links of Mint tea" in capsys.readouterr().err
    assert mealie.recipes == before


@pytest.mark.parametrize("agreed", [True, False])
def test_on_a_terminal_it_asks(
    mealie: StandIn, agreed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = []

    def confirm(question: str) -> bool:
        questions.append(question)
        return agreed

    monkeypatch.setattr("npn.commands.link._is_terminal", lambda stream: True)
    monkeypatch.setattr("click.confirm", confirm)
    assert link(mealie, "--dry-run") == 0
    assert not questions
    assert link(mealie) == 0
    assert questions == ["Link 2 recipes?"]
    assert len(mealie.patches()) == (2 if agreed else 0)
    if agreed:
        assert link(mealie, "--undo", "npn-link-mealie.jsonl") == 0
        assert references(mealie, "toast") == [[], []]


def test_what_need_not_change_is_not_changed(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link(mealie, "--yes", "--relink", "--only", "my-soup") == 0
    assert "1 recipe in no need of a change" in capsys.readouterr().out
    assert not mealie.patches()


def test_recipes_whose_ingredients_have_no_ids_are_told(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in mealie.recipes["toast"]["recipeIngredient"]:
        line["referenceId"] = None
    assert link(mealie, "--only", "toast") == 0
    assert "cannot be linked: Toast: its ingredients have no ids" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["mealie", "tandoor"])
def test_the_documentation_shows_what_is_printed(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "recipe-managers.md").read_text(encoding="utf-8")
    commands = {
        "mealie": [[], ["--only", "lemon-loaf", "--yes"], ["--yes"]],
        "tandoor": [["--yes"]],
    }
    with running(StandIn(kind, documented_library(kind))) as server:
        for options in commands[kind]:
            assert link(server, *options) == 0
            assert capsys.readouterr().out.rstrip() in page
        assert link(server, "--undo", f"npn-link-{kind}.jsonl") == 0
        assert kind == "tandoor" or capsys.readouterr().out.rstrip() in page


def test_a_recipe_at_which_a_server_fails_can_be_left_out(mealie: StandIn) -> None:
    mealie.faults["GET", "/api/recipes/mint-tea"] = fails
    assert link(mealie, "--yes", "--skip", "mint-tea") == 0
    assert [one.path for one in mealie.patches()] == ["/api/recipes/toast"]


@pytest.mark.parametrize("kind", ["mealie", "tandoor"])
def test_a_recipe_that_may_not_be_changed_does_not_stop_the_others(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mealie lets nobody but its owner change a locked recipe."""
    library = mealie_library() if kind == "mealie" else tandoor_library()
    first = next(iter(library))
    other = deepcopy(library[first])
    library["99"] = {**other, "id": 99, "slug": "99"}
    with running(StandIn(kind, library)) as server:
        server.faults["PATCH", server.path(first)] = forbids
        assert link(server, "--yes") == 0
        assert f"{other['name']}: {kind.title()} refuses the change (403)" in (
            capsys.readouterr().out
        )
        assert server.recipes[first] == other
        assert server.recipes["99"] != {**other, "id": 99, "slug": "99"}
        del server.faults["PATCH", server.path(first)]
        assert link(server, "--yes") == 0
        assert server.recipes[first] != other
        assert link(server, "--yes", "--undo", f"npn-link-{kind}.jsonl") == 0
        assert "changed after the linking" not in capsys.readouterr().out


def test_several_processes_link_the_same_in_the_same_order(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deepcopy(mealie.recipes)
    assert link(mealie, "--yes") == 0
    linked, told = deepcopy(mealie.recipes), capsys.readouterr().out
    mealie.recipes = before
    assert link(mealie, "--yes", "--processes", "2", "--journal", "other.jsonl") == 0
    assert mealie.recipes == linked
    assert capsys.readouterr().out == told.replace("npn-link-mealie.jsonl", "other.jsonl")


def test_a_recipe_that_cannot_be_tracked_does_not_stop_the_others(
    mealie: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from npn.models import load_tracker

    class NoTea:
        def __init__(self) -> None:
            self.tracker = load_tracker("weak-labels")

        def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
            if recipe.title == "Mint tea":
                raise NpnError("it is too large")
            return self.tracker.track(recipe)

    monkeypatch.setattr("npn.models.load_tracker", lambda name, lexicon: NoTea())
    assert link(mealie, "--yes") == 0
    assert "cannot be linked: Mint tea: it is too large" in capsys.readouterr().out
    assert any(references(mealie, "toast"))


def test_what_was_linked_twice_is_undone_twice(
    mealie: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link(mealie, "--yes", "--only", "mint-tea") == 0
    assert link(mealie, "--yes", "--only", "mint-tea", "--relink", "--links", "all") == 0
    capsys.readouterr()
    assert link(mealie, "--undo", "npn-link-mealie.jsonl") == 0
    assert "left alone" not in capsys.readouterr().out
    assert link(mealie, "--undo", "npn-link-mealie.jsonl", "--yes") == 0
    assert references(mealie, "mint-tea") == [[], []]


class HalfAndHalf:
    """A tracker that takes half of the butter in each of two steps."""

    name = "half-and-half"

    def track(self, recipe: Any, *, split: bool = True) -> Trace:
        from npn.language.parsed_lines import describe_all

        ingredients = describe_all(recipe.ingredients)
        butter = next(i for i, one in enumerate(ingredients) if "butter" in one.text)
        steps = [StepTrace(text) for text in recipe.steps]
        steps[0] = StepTrace(recipe.steps[0], uses=(Use(butter, 0.5),))
        steps[1] = StepTrace(recipe.steps[1], uses=(Use(butter, 0.5),))
        return Trace(recipe.title, self.name, ingredients, tuple(steps))


def test_a_split_row_of_tandoor_is_a_row_in_each_step(
    tandoor: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deepcopy(tandoor.recipes)
    monkeypatch.setattr("npn.models.load_tracker", lambda name, lexicon: HalfAndHalf())
    assert link(tandoor, "--yes", "--only", "8") == 0
    first, second, _ = rows(tandoor, "8")
    assert (201, "butter", 1) in first
    assert second == [(None, "butter", 1)]
    assert "1 tablespoon of the butter" in capsys.readouterr().out
    assert link(tandoor, "--undo", "npn-link-tandoor.jsonl", "--yes") == 0
    assert tandoor.recipes == before
