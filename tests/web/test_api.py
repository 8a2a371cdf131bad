"""What the API answers, and that it is what the command line says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
from fastapi.testclient import TestClient
from web_cases import EXAMPLES, track

import npn
from npn.formats.writing import writers
from npn.trace import Trace
from npn.web.app import create_app
from npn.web.downloads import downloads
from npn.web.worker_pool import ServerLimits

RECIPES = sorted(path for path in EXAMPLES.glob("*.*") if path.suffix != ".ipynb")


def test_a_trace_is_that_of_the_command_line(client: TestClient, pancakes: str) -> None:
    answer = client.post("/api/track", content=pancakes)
    assert answer.status_code == 200
    written = StringIO()
    writers()["json"].write([track(pancakes)], written)
    assert answer.text + "\n" == written.getvalue()


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: str(path.name))
def test_any_format_is_read(client: TestClient, path: Path) -> None:
    answer = client.post(
        "/api/track", params={"name": path.name, "which": "1"}, content=path.read_bytes()
    )
    assert answer.status_code == 200, answer.text
    Trace.from_json(answer.text)


def test_a_recipe_may_be_wrapped_in_json(client: TestClient, pancakes: str) -> None:
    plain = client.post("/api/track", content=pancakes).json()
    assert client.post("/api/track", json={"text": pancakes}).json() == plain
    recipe = {
        "title": plain["title"],
        "ingredients": [one["text"] for one in plain["ingredients"]],
        "steps": [step["text"] for step in plain["steps"]],
    }
    assert client.post("/api/track", json={"recipe": recipe}).json() == plain
    assert client.post("/api/track", json=recipe).json() == plain


def test_of_several_recipes_one_must_be_chosen(client: TestClient) -> None:
    drinks = (EXAMPLES / "three-drinks.jsonl").read_bytes()
    answer = client.post("/api/track", content=drinks)
    assert answer.status_code == 422
    assert len(answer.json()["recipes"]) == 3
    second = client.post("/api/track", params={"which": 2}, content=drinks)
    assert second.json()["title"] == answer.json()["recipes"][1]
    assert client.post("/api/track", params={"which": 4}, content=drinks).status_code == 422


def test_the_view_says_what_is_where_after_each_step(client: TestClient, pancakes: str) -> None:
    view = client.post("/api/view", content=pancakes).json()["view"]
    first, third = view["steps"][0], view["steps"][2]
    assert first["takes"][0]["words"] == "1 1/2 cups flour"
    assert [pile["place"] for pile in first["piles"]] == ["bowl"]
    assert {one["name"] for one in first["waiting"]} >= {"egg", "milk", "butter"}
    assert len(third["piles"]) == 1
    assert {"text": "10 minutes", "seconds": 600} in view["steps"][3]["pieces"]


def test_amounts_are_scaled(client: TestClient, pancakes: str) -> None:
    answer = client.post("/api/view", params={"scale": 2}, content=pancakes).json()
    assert answer["view"]["steps"][0]["takes"][0]["words"] == "3 cups flour"
    assert answer["trace"]["ingredients"][0]["amount"]["quantity"] == 1.5


@pytest.mark.parametrize("scale", ["0", "-1", "nan", "many", "1e9"])
def test_a_scale_that_makes_no_sense_is_refused(
    client: TestClient, pancakes: str, scale: str
) -> None:
    answer = client.post("/api/view", params={"scale": scale}, content=pancakes)
    assert answer.status_code == 422
    assert "scale" in answer.json()["error"]


def test_each_step_is_explained(client: TestClient, pancakes: str) -> None:
    steps = client.post("/api/explain", content=pancakes).json()["steps"]
    assert len(steps) == 6
    assert 'named as "flour"' in steps[0]["reasons"][0]["reason"]
    one = client.post("/api/explain", params={"step": 2}, content=pancakes).json()["steps"]
    assert one == steps[2:3]
    assert client.post("/api/explain", params={"step": 9}, content=pancakes).status_code == 422


def test_next_steps_are_suggested_and_simulated(client: TestClient, pancakes: str) -> None:
    found = client.post("/api/next", params={"after": 2, "n": 2}, content=pancakes).json()
    assert found["after"] == 2
    assert len(found["suggestions"]) == 2
    assert {"text", "uses", "piles"} <= found["suggestions"][0].keys()


def test_a_recipe_without_steps_gets_a_first_one(client: TestClient) -> None:
    recipe = {"title": "Eggs", "ingredients": ["2 eggs", "1 tbsp butter"], "steps": []}
    assert client.post("/api/next", json={"recipe": recipe, "n": 1}).status_code == 200


def test_a_question_is_answered_with_its_evidence(client: TestClient, pancakes: str) -> None:
    question = {"text": pancakes, "question": "When is the butter used?"}
    answer = client.post("/api/ask", json=question).json()
    assert "step 2" in answer["answer"]
    assert answer["steps"] == [1]


def test_a_question_about_a_step_that_is_not_there_is_refused(
    client: TestClient, pancakes: str
) -> None:
    question = {"text": pancakes, "question": "Where is the butter now?", "after": 99}
    answer = client.post("/api/ask", json=question)
    assert answer.status_code == 422
    assert answer.json() == {"error": "there is no step 99: the recipe has 6"}


@pytest.mark.parametrize("name", list(downloads()))
def test_every_format_can_be_taken_away(client: TestClient, pancakes: str, name: str) -> None:
    answer = client.post("/api/write", params={"to": name}, content=pancakes)
    assert answer.status_code == 200
    assert answer.content
    file = f'filename="sunday-pancakes{downloads()[name].extension}"'
    assert file in answer.headers["content-disposition"]
    got = client.get("/api/write", params={"to": name, "text": pancakes})
    assert got.headers["content-type"] == answer.headers["content-type"]


def test_a_format_that_is_not_written_is_refused(client: TestClient, pancakes: str) -> None:
    answer = client.post("/api/write", params={"to": "papyrus"}, content=pancakes)
    assert answer.status_code == 422
    assert "papyrus" in answer.json()["error"]


def test_what_differs_is_said_then_and_in_the_end(client: TestClient, pancakes: str) -> None:
    before = client.post("/api/track", content=pancakes).json()
    without = pancakes.replace("- 1 egg\n", "").replace("3. Pour the egg", "3. Pour the milk")
    answer = client.post("/api/compare", json={"before": before, "text": without}).json()
    texts = [step["texts"] for step in answer["steps"]]
    assert any("Pour the egg" in old and "Pour the milk" in new for old, new in texts)
    assert answer["end"]["before"]
    same = client.post("/api/compare", json={"before": before, "trace": before}).json()
    assert same["steps"] == []


def test_corrections_come_back_as_labels_and_in_again(client: TestClient, pancakes: str) -> None:
    trace = client.post("/api/track", content=pancakes).json()
    corrections = [{"step": 0, "place": "basin", "of": [0, 0]}]
    right = client.post("/api/correct", json={"trace": trace, "corrections": corrections}).json()
    assert right["view"]["steps"][0]["piles"][0]["place"] == "basin"
    labels = client.post("/api/labels", json={"trace": right["trace"]}).json()
    assert labels["world"][0]["piles"][0]["where"] == "basin"
    back = client.post("/api/labels", json={"trace": trace, "labels": labels}).json()
    assert back["trace"]["steps"][0]["piles"] == right["trace"]["steps"][0]["piles"]


@pytest.fixture(scope="module")
def world_client() -> Iterator[TestClient]:
    with TestClient(create_app(ServerLimits(workers=1)), base_url="http://localhost") as client:
        yield client


def test_a_recipe_is_simulated_again_with_corrections(
    world_client: TestClient, pancakes: str
) -> None:
    corrections = [{"step": 0, "place": "basin", "of": [0, 0]}, {"step": 2, "leave": 4}]
    body = {"text": pancakes, "corrections": corrections}
    answer = world_client.post("/api/track", json=body)
    recipe, facts = npn.Recipe.from_text(pancakes), npn.Corrections.from_list(corrections)
    assert answer.text == npn.load("world").track_corrected(recipe, facts).to_json()
    plain = world_client.post("/api/track", content=pancakes).json()
    sent = {"trace": plain, "corrections": corrections}
    assert world_client.post("/api/correct", json=sent).json()["trace"] == answer.json()
    wrong = {**body, "corrections": [{"step": 77, "act": 0}]}
    refused = world_client.post("/api/track", json=wrong)
    assert refused.status_code == 422
    assert "there is no step 77" in refused.json()["error"]


def test_other_trackers_carry_corrections_forward(client: TestClient, pancakes: str) -> None:
    corrections = [{"step": 0, "place": "basin", "of": [0, 0]}]
    answer = client.post("/api/track", json={"text": pancakes, "corrections": corrections}).json()
    assert answer["steps"][0]["piles"][0]["place"] == "basin"


def test_formats_and_the_description_of_the_api_are_served(client: TestClient) -> None:
    assert {"reads", "writes", "model"} <= client.get("/api/formats").json().keys()
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/track", "/api/next", "/api/explain", "/api/ask", "/api/write"} <= paths.keys()
    assert client.get("/docs").status_code == 200


def test_how_a_file_was_read_is_noted(client: TestClient) -> None:
    old = "Crème\n\n1 cup crème\n1 egg\n\nBeat the egg into the crème.\n".encode("cp1252")
    answer = client.post("/api/track", content=old)
    assert answer.status_code == 200
    assert "UTF-8" in answer.headers["npn-notes"]


@pytest.mark.parametrize("body", ["", " \n"])
def test_an_empty_body_is_named(client: TestClient, body: str) -> None:
    answer = client.post("/api/track", content=body)
    assert answer.status_code == 422
    assert answer.json() == {"error": "the text is empty: there is no recipe in it"}


def test_the_schema_holds_for_what_is_sent(client: TestClient, pancakes: str) -> None:
    schema = json.loads((Path(npn.__file__).parent / "trace.schema.json").read_text())
    jsonschema.validate(client.post("/api/track", content=pancakes).json(), schema)
