"""Small world networks with random weights, and recipes of our own for them to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from npn.networks.common.operations import rows
from npn.networks.world.config import WorldSettings, WorldSizes
from npn.networks.world.equations import (
    WorldBatch,
    encode,
    make_cells,
    parameter_shapes,
    read_cells,
    relate,
    score_divided,
    score_places,
    score_present,
    score_together,
    score_verbs,
)
from npn.networks.world.features import Grammar
from npn.networks.world.losses import element_vectors
from npn.networks.world.prediction import (
    CellVectors,
    PortionTable,
    known_places,
    make_batch,
    predict_portions,
    together_features,
)
from npn.networks.world.reading import WordPieces, WorldInput, read_recipe
from npn.recipe import Recipe
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon

Arrays = dict[str, NDArray[Any]]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'-"
PIECES = (
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "butter", "flour", "sugar", "bowl", "stir",
    "##ing", "##s", "the", "in", *LETTERS, *(f"##{letter}" for letter in LETTERS),
)  # fmt: skip
SIZES = WorldSizes(
    len(PIECES), width=16, heads=2, layers=2, inner=24, positions=30, orders=12, sections=4,
    cell=12, cell_heads=2, blocks=2, element=8, pointer=6,
)  # fmt: skip

SHORTBREAD = Recipe.from_lists(
    "Shortbread",
    ["1 cup butter", "1/2 cup sugar, divided", "2 cups flour"],
    [
        "Cream the butter with half of the sugar in a large bowl.",
        "Stir in the flour. Press the dough into a tin and bake it.",
        "Sprinkle the remaining sugar on it and cool on a rack.",
    ],
)
PIE = Recipe.from_lists(
    "Chicken pie",
    ["2 cups flour", "1/2 cup lard", "1 chicken", "2 carrots", "1 cup stock", "1 egg"],
    [
        "Rub the lard into the flour in a bowl and chill it in the refrigerator.",
        "Simmer the chicken and the carrots in the stock in a pot until soft.",
        "Drain, and put the chicken and the carrots into a dish.",
        "Cover with the pastry, brush with the egg, and bake in the oven.",
    ],
    ["For the pastry", "For the pastry", "For the filling", "For the filling", None, None],
    ["Pastry", "Filling", "Filling", "Pie"],
)
WATER = Recipe.from_lists("Water", ["water"], ["Enjoy!"])
RECIPES = (SHORTBREAD, PIE, WATER)


@cache
def labeller() -> WeakLabeller:
    return WeakLabeller(load_lexicon())


def read(recipe: Recipe) -> tuple[WorldInput, Grammar]:
    return read_recipe(recipe, labeller(), WordPieces(PIECES), WorldSettings())


def inputs() -> list[WorldInput]:
    return [read(recipe)[0] for recipe in RECIPES]


def random_weights(seed: int = 0, sizes: WorldSizes = SIZES) -> dict[str, NDArray[np.float32]]:
    """None of them zero, so that nothing goes unseen."""
    generator = np.random.default_rng(seed)
    return {
        name: (generator.normal(size=shape) / shape[-1] ** 0.5 + name.endswith(".scale")).astype(
            np.float32
        )
        for name, shape in parameter_shapes(sizes).items()
    }


def in_torch(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(one) for name, one in weights.items()}


def some_portions(one: WorldInput) -> PortionTable:
    """Every ingredient in the first step, and the first twice more in the last."""
    line = np.array([*range(one.ingredients), 0, 0])
    last = one.steps - 1
    step = np.array([0] * one.ingredients + [last, last])
    second = np.array([0] * one.ingredients + [0, 1])
    return PortionTable(line, step, second)


@dataclass(frozen=True, slots=True)
class Row:
    """Which recipe of a batch is asked about."""

    number: int
    one: WorldInput


def scores_of(p: Mapping[str, Any], batch: WorldBatch, row: Row) -> Arrays:
    """Everything that the network says of one recipe of a batch, with NumPy or with PyTorch."""
    text = encode(p, batch, SIZES)
    cells = relate(p, batch, make_cells(p, batch, text, SIZES), SIZES)
    b, one = row.number, row.one
    steps, lines = one.steps, one.ingredients
    found = {
        name: np.asarray(value)[b, :steps, :lines] for name, value in read_cells(p, cells).items()
    }
    found["verb"] = np.asarray(score_verbs(p, batch, text))[b, : len(one.verb_pieces)]
    places = rows(text, batch.place_pieces)[b, : len(one.place_pieces)]
    mine = cells[b, :steps, :lines]
    portions = some_portions(one)
    if isinstance(cells, np.ndarray):
        vectors = CellVectors(mine, places, found["verb"])
        predicted = predict_portions(p, one, vectors, portions.line, portions.step, portions.second)
        found |= {"together": predicted.together, "present": predicted.present}
        found |= {"divided": predicted.divided}
        found["place"] = predicted.place
        return found
    return found | _portion_scores_in_torch(p, one, mine, places, portions)


def _portion_scores_in_torch(
    p: Mapping[str, torch.Tensor],
    one: WorldInput,
    cells: torch.Tensor,
    places: torch.Tensor,
    portions: PortionTable,
) -> Arrays:
    """As the losses compute them."""
    table = np.stack([portions.line, portions.step, portions.second], 1)
    elements = element_vectors(p, cells[None], torch.from_numpy(table)[None])
    features = together_features(one, portions.line, portions.step)
    known = torch.from_numpy(known_places(one))[None]
    about = torch.from_numpy(one.place_features[:, portions.line].astype(np.float32))[None]
    place = score_places(p, "place", elements, places[None], about, known)
    return {
        "together": score_together(p, elements, torch.from_numpy(features)[None])[0].numpy(),
        "present": score_present(p, elements)[0].numpy(),
        "divided": score_divided(p, elements)[0].numpy(),
        "place": place[0].softmax(-1).numpy(),
    }


def numpy_scores(
    weights: Mapping[str, NDArray[np.float32]], batched: Sequence[WorldInput], number: int
) -> Arrays:
    return scores_of(weights, make_batch(batched, SIZES), Row(number, batched[number]))


def torch_scores(
    weights: Mapping[str, NDArray[np.float32]], batched: Sequence[WorldInput], number: int
) -> Arrays:
    batch = make_batch(batched, SIZES)
    tensors = {f.name: torch.from_numpy(getattr(batch, f.name)) for f in fields(batch)}
    with torch.no_grad():
        return scores_of(in_torch(weights), WorldBatch(**tensors), Row(number, batched[number]))


RUNTIMES = {"numpy": numpy_scores, "torch": torch_scores}


def assert_close(found: Arrays, wanted: Arrays, atol: float = 1e-4) -> None:
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        np.testing.assert_allclose(found[name], value, atol=atol, err_msg=name)
