"""Join labels of worlds and of states with the recipes that they are of.

A recipe is looked for by the name that its label gives: "web/12" is line 12, from 0, of
web.jsonl.gz in the folder of corpora; "world_train/ID" is the recipe with that id in
world_train.jsonl in the folder of gold; "corpora/web/12" is line 12 of web.jsonl.gz too, but
cleaned and split into sentences, as labels/corpora.jsonl has it; "own_recipes/own/12" is the recipe
"own/12" of labels/own_recipes.jsonl, whatever the folder of gold has under that name. What does not
fit its recipe is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus_labels import RECIPE, cleaned_recipe, corpus_lines, parse_recipe
from label_lines import text_digest
from state_labels import StateLabel
from world_labels import WorldLabel

from npn.errors import NpnError
from npn.evaluation.gold import gold_recipe

# Sources whose recipes are lines of any corpus: cleaned and split, to be labelled sentence by
# sentence, or as they stand there. Those held out were read twice.
CLEANED = ("corpora", "held_out_sentences")
AS_THEY_STAND = ("held_out_states", "held_out_worlds")
OWN_RECIPES = Path(__file__).with_name("own_recipes.jsonl")
KEPT = ("title", "ingredients", "ingredient_sections", "steps", "step_sections")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where recipes are: the folder of CORPUS.jsonl.gz and that of GOLD.jsonl, or None."""

    corpora: Path | None
    gold: Path | None

    def recipes(self, source: str, ids: Set[str]) -> dict[str, Mapping[str, Any]]:
        """The recipes of a corpus with these lines, or of a gold file with these ids. Those that
        are not there are left out."""
        if source in (*CLEANED, *AS_THEY_STAND):
            return self._of_corpora(ids, cleaned=source in CLEANED)
        if source == OWN_RECIPES.stem:
            return {id: one for id, one in _gold_recipes(OWN_RECIPES) if id in ids}
        if self.gold is not None and (path := self.gold / f"{source}.jsonl").is_file():
            return {id: one for id, one in _gold_recipes(path) if id in ids}
        if self.corpora is not None and (path := self.corpora / f"{source}.jsonl.gz").is_file():
            return {
                str(number): parse_recipe(line, path, number + 1)
                for number, line in enumerate(corpus_lines(path))
                if str(number) in ids
            }
        raise NpnError(
            f"recipes of {source} are labelled, but there is no {source}.jsonl.gz or "
            f"{source}.jsonl; name its folder with --corpus or --gold"
        )

    def _of_corpora(self, ids: Set[str], *, cleaned: bool) -> dict[str, Mapping[str, Any]]:
        """The recipes of corpora with these names, like "web/12"."""
        lines: dict[str, set[str]] = {}
        for id in ids:
            place = RECIPE.fullmatch(id)
            if place is None:
                raise NpnError(
                    f"corpora/{id} names no line of a corpus; a label of cleaned recipes is of "
                    '"corpora/web/12" or the like'
                )
            lines.setdefault(place[1], set()).add(place[2])
        return {
            f"{corpus}/{line}": found
            for corpus, numbers in lines.items()
            for line, recipe in Sources(self.corpora, None).recipes(corpus, numbers).items()
            if (found := cleaned_recipe(recipe) if cleaned else recipe) is not None
        }


def join_labels(
    labels: Sequence[WorldLabel] | Sequence[StateLabel], sources: Sources
) -> list[dict[str, Any]]:
    """The labelled recipes in gold format, in the order of the labels."""
    by_source: dict[str, set[str]] = {}
    for label in labels:
        by_source.setdefault(label.source, set()).add(label.id)
    found = {source: sources.recipes(source, ids) for source, ids in by_source.items()}
    return [_joined(label, found[label.source].get(label.id)) for label in labels]


def _joined(label: WorldLabel | StateLabel, recipe: Mapping[str, Any] | None) -> dict[str, Any]:
    if recipe is None:
        raise NpnError(
            f"{label.recipe} is labelled, but is not there; bring what the labels were made for"
        )
    if text_digest(recipe["ingredients"], recipe["steps"]) != label.digest:
        raise NpnError(
            f"{label.recipe} is not the recipe that was labelled: its text has changed"
            f"{', or how it is cleaned and split' if label.source in CLEANED else ''}; bring what "
            "the labels were made for, or label it anew"
        )
    if len(label.steps) != len(recipe["steps"]):
        raise NpnError(
            f"{label.recipe} has {len(recipe['steps'])} steps, but labels for {len(label.steps)}; "
            "correct the label"
        )
    id = label.recipe if label.id.isdecimal() else label.id
    kept = {key: recipe[key] for key in KEPT if recipe.get(key) is not None}
    try:
        joined = {"id": id, **kept, **label.gold(recipe)}
        gold_recipe(joined, id)
    except NpnError as error:
        raise NpnError(
            f"{label.recipe} does not fit its label: {error}; correct the label"
        ) from error
    return joined


def _gold_recipes(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise NpnError(f"{path}: cannot be read as gold ({error})") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            recipe = parse_recipe(line, path, number)
            yield str(recipe.get("id")), recipe
