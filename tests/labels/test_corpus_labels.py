"""Labels that are kept without text find their recipes again, and those alone."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from pathlib import Path
from typing import Any

import pytest
from corpus_labels import cleaned_recipe, join, read_labels
from join import main
from label_lines import text_digest

from npn.errors import NpnError
from npn.evaluation.gold import read_gold

COMMITTED = Path(__file__).parents[2] / "labels" / "corpora.jsonl"
CORPUS = Path(os.environ.get("NPN_DATA", ""), "corpus")

PORRIDGE = {
    "id": "own-1",
    "title": "Porridge",
    "ingredients": ["1 c Oats", "2 c Milk", "FOR THE TOP", "1 tb Honey"],
    "steps": ["Stir the oats into the milk. Simmer 10 minutes.", "Drizzle with the honey."],
}
TOAST = {
    "id": "own-2",
    "title": "Cheese toast",
    "ingredients": ["2 slices bread", "50 g cheddar, grated"],
    "steps": ["Toast the bread.", "Cover it with the cheddar and grill until it melts."],
}
SALAD = {
    "id": "own-3",
    "title": "Tomato salad",
    "ingredients": ["4 tomatoes", "1 tablespoon olive oil", "Salt"],
    "steps": ["Slice the tomatoes.", "Dress them with the oil and the salt."],
}


def label(place: str, recipe: dict[str, Any], *steps: list[int], drawn: str = "random") -> Any:
    cleaned = cleaned_recipe(recipe)
    assert cleaned is not None
    digest = text_digest(cleaned["ingredients"], cleaned["steps"])
    return {"recipe": place, "drawn": drawn, "digest": digest, "steps": list(steps)}


TOAST_LABEL = label("web/1", TOAST, [0], [0, 1])
PORRIDGE_LABEL = label("mealmaster/0", PORRIDGE, [0, 1], [0, 1], [0, 1, 2], drawn="unsure")


def write_labels(folder: Path, *labels: Any) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in labels), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpora"
    folder.mkdir()
    for name, recipes in (("mealmaster", [PORRIDGE, TOAST]), ("web", [SALAD, TOAST, PORRIDGE])):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(recipe) + "\n" for recipe in recipes)
    return folder


def run(labels: Path, corpus: Path, out: Path) -> int:
    return main([str(labels), "--corpus", str(corpus), "-o", str(out)])


def refusal(labels: Path, corpus: Path) -> str:
    with pytest.raises(NpnError) as caught:
        join(read_labels(labels), corpus)
    return str(caught.value)


def test_labelled_recipes_become_gold_in_the_order_of_the_labels(
    tmp_path: Path, corpus: Path
) -> None:
    labels = write_labels(tmp_path, TOAST_LABEL, PORRIDGE_LABEL)
    assert run(labels, corpus, tmp_path / "data") == 0
    toast, porridge = read_gold(tmp_path / "data" / "gold" / "corpora.jsonl")
    assert (toast.id, porridge.id) == ("web/1", "mealmaster/0")
    assert toast.recipe.title == "Cheese toast"
    assert [one.text for one in porridge.recipe.ingredients] == [
        "1 c Oats",
        "2 c Milk",
        "1 tb Honey",
    ]
    assert porridge.recipe.steps == (
        "Stir the oats into the milk.",
        "Simmer 10 minutes.",
        "Drizzle with the honey.",
    )
    assert [sorted(step.entities) for step in porridge.steps] == [[0, 1], [0, 1], [0, 1, 2]]


def test_the_corpora_keep_all_other_recipes_without_ids(tmp_path: Path, corpus: Path) -> None:
    run(write_labels(tmp_path, TOAST_LABEL, PORRIDGE_LABEL), corpus, tmp_path / "data")
    kept = {}
    for path in (tmp_path / "data" / "corpus").iterdir():
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            kept[path.name] = [json.loads(line) for line in lines]

    def plain(recipe: dict[str, Any]) -> dict[str, Any]:
        return {key: recipe[key] for key in ("title", "ingredients", "steps")}

    assert kept == {
        "mealmaster.jsonl.xz": [plain(TOAST)],
        "web.jsonl.xz": [plain(SALAD), plain(PORRIDGE)],
    }


def test_a_recipe_that_has_changed_is_refused_and_nothing_written(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = {**TOAST_LABEL, "recipe": "web/0"}
    assert run(write_labels(tmp_path, PORRIDGE_LABEL, moved), corpus, tmp_path / "data") == 2
    assert "web/0 is not the recipe that was labelled" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_a_digest_changes_with_every_ingredient_and_sentence() -> None:
    changed = [
        {**TOAST, "ingredients": ["2 slices bread", "50 g gouda, grated"]},
        {**TOAST, "steps": ["Toast the bread; cover it.", *TOAST["steps"][1:]]},
        {**TOAST, "steps": TOAST["steps"][::-1]},
    ]
    digests = {label("web/1", recipe)["digest"] for recipe in (TOAST, *changed)}
    assert len(digests) == 4


def test_a_missing_corpus_is_named(tmp_path: Path, corpus: Path) -> None:
    (corpus / "web.jsonl.gz").unlink()
    said = refusal(write_labels(tmp_path, TOAST_LABEL), corpus)
    assert "web.jsonl.gz: does not exist" in said


def test_a_line_beyond_the_corpus_is_named(tmp_path: Path, corpus: Path) -> None:
    said = refusal(write_labels(tmp_path, {**TOAST_LABEL, "recipe": "web/3"}), corpus)
    assert "has 3 lines, but web/3 is labelled" in said


def test_a_corpus_cut_short_is_named(tmp_path: Path, corpus: Path) -> None:
    path = corpus / "web.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-12])
    assert "is not a whole gzip file" in refusal(write_labels(tmp_path, TOAST_LABEL), corpus)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([[0]], "has 2 sentences, but labels for 1"),
        ([[0], [0, 2]], "has 2 ingredients, from 0, but its label names number 2"),
        ([[0], [-1]], "its label names number -1"),
    ],
)
def test_a_label_that_does_not_fit_is_refused(
    tmp_path: Path, corpus: Path, steps: list[list[int]], message: str
) -> None:
    assert message in refusal(write_labels(tmp_path, {**TOAST_LABEL, "steps": steps}), corpus)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recipe": "../web/1"}, '"recipe" must be a corpus and a line'),
        ({"recipe": "web"}, '"recipe" must be a corpus and a line'),
        ({"drawn": "shared"}, '"drawn" must be one of'),
        ({"digest": 12}, '"digest" must be a string'),
        ({"steps": [["0"]]}, '"steps" must be a list of lists'),
    ],
)
def test_a_broken_label_is_named_by_its_line(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = write_labels(tmp_path, PORRIDGE_LABEL, {**TOAST_LABEL, **change})
    with pytest.raises(NpnError) as caught:
        read_labels(path)
    assert f"line 2: is not a label: {message}" in str(caught.value)


def test_a_recipe_is_labelled_once(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="line 2: labels web/1 again"):
        read_labels(write_labels(tmp_path, TOAST_LABEL, TOAST_LABEL))


def test_the_committed_labels_hold_no_text() -> None:
    lines = COMMITTED.read_text(encoding="utf-8").splitlines()
    assert len(read_labels(COMMITTED)) == len(lines)  # of numbers and names alone
    assert [json.dumps(json.loads(line), separators=(",", ":")) for line in lines] == lines


@pytest.mark.skipif(not CORPUS.is_dir(), reason="NPN_DATA names no folder with corpus/")
def test_committed_labels_still_find_their_recipes() -> None:
    labels = read_labels(COMMITTED)[:50]
    assert [one["id"] for one in join(labels, CORPUS)] == [one.recipe for one in labels]


@pytest.mark.parametrize(
    ("name", "f1"), [("states_train", 0.992), ("curd_train", 0.947), ("npn_entities_dev", 0.926)]
)
def test_blind_labels_agree_with_gold_as_the_readme_says(name: str, f1: float) -> None:
    path = Path(os.environ.get("NPN_DATA", ""), "gold", f"{name}.jsonl")
    if not path.is_file():
        pytest.skip("NPN_DATA does not point to the data folder")
    gold = {one.id: one for one in read_gold(path)}
    lines = COMMITTED.with_name("blind.jsonl").read_text(encoding="utf-8").splitlines()
    ours = [one for one in map(json.loads, lines) if one["gold"] == name]
    both = said = true = 0
    for one in ours:
        for step, label in zip(one["steps"], gold[one["id"]].steps, strict=True):
            if label.labelled:
                both += len(label.entities.intersection(step))
                said += len(set(step))
                true += len(label.entities)
    assert len(ours) == 20
    assert 2 * both / (said + true) == pytest.approx(f1, abs=0.0006)
