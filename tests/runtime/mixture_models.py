"""A mixture model with random weights, and recipes to track with it."""

from dataclasses import asdict, replace

import numpy as np

import npn
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.config import MixtureSizes
from npn.network.mixtures.shapes import mixture_shapes
from npn.runtime.mixtures_settings import MixtureConfig, MixtureSettings, sizes_for, vocabulary_of
from npn.runtime.model_file import Model

WORDS = ("<pad>", "<unk>", "melt", "the", "butter", "flour", "add", "stir", ".", "egg", "bowl")
RECIPES = [
    npn.Recipe.from_lists(
        "Roux", ["1 c butter", "2 c flour"], ["Melt the butter in a pan. Add flour.", "Stir."]
    ),
    npn.Recipe.from_lists("Dust", ["gizmo dust"], ["Stir the gizmo dust.", "", "Frobnicate it."]),
    npn.Recipe.from_lists(
        "Cake",
        ["butter", "flour", "2 eggs", "1 c sugar"],
        [
            "Cream butter and sugar in a bowl. Beat in the eggs.",
            "Sift the flour in another bowl and add it to the mixture.",
            "Pour the batter into a pan and bake it.",
            "Cool on a rack.",
        ],
    ),
    npn.Recipe.from_lists("Two", ["salt", "pepper"], ["Mix salt and pepper."]),
]


def sizes() -> MixtureSizes:
    return sizes_for(len(WORDS))


def make_model(seed: int = 0, settings: MixtureSettings | None = None) -> Model:
    random = np.random.default_rng(seed)
    weights = {
        name: (random.normal(size=shape) / np.sqrt(shape[-1])).astype(np.float32)
        for name, shape in mixture_shapes(sizes()).items()
    }
    config = asdict(MixtureConfig(sizes(), settings or MixtureSettings()))
    return Model("npn-test", "mixtures", config, vocabulary_of(WORDS), weights)


def to_floats(batch: MixtureBatch) -> MixtureBatch:
    """Signs and presence as numbers to multiply with, as training makes them with PyTorch."""
    names = ("signs", "step_signs", "present", "steps", "places", "place_pairs", "place_present")
    return replace(batch, **{name: getattr(batch, name).astype(np.float32) for name in names})
