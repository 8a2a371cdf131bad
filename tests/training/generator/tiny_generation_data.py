"""A few recipes of our own, as `npn.training.generator.prepare` would write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from npn.trace import STATE_TYPES
from npn.training.data.ragged import offsets_of

RECIPES = (
    (["butter", "brown sugar", "quince"], ["melt butter .", "add brown sugar .", "chill ."]),
    (["flour", "egg"], ["mix flour and egg .", "bake for 30 minutes ."]),
    (["rice", "water"], ["boil water .", "add rice .", "cover ;", "serve ."]),
    (["quince"], ["peel quince .", "slice quince ."]),
)
UNKNOWN_WORDS = ("quince", "peel")


def write_data(folder: Path, copies: int = 1) -> Path:
    """All parts hold the same recipes, `copies` times in training."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [line for names, steps in RECIPES for line in (*names, *steps)]
    spelled = dict.fromkeys(word for text in texts for word in text.split())
    words = ["<pad>", "<unk>", *(word for word in spelled if word not in UNKNOWN_WORDS), "never"]
    numbers = {word: i for i, word in enumerate([*words, *UNKNOWN_WORDS])}
    entities = ["<pad>", "<unk>", *dict.fromkeys(name for names, _ in RECIPES for name in names)]
    table = {
        "format": 1,
        "words": words,
        "forms": list(UNKNOWN_WORDS),
        "encoded": [1] * len(UNKNOWN_WORDS),
        "entities": entities,
        "end_states": {type: ["<no change>", "one", "other"] for type in STATE_TYPES},
        "source": "0" * 64,
    }
    (folder / "vocabulary.json").write_text(json.dumps(table))
    random = np.random.default_rng(0)
    save_file(
        {"words": random.normal(size=(len(words), 100)).astype(np.float16)},
        folder / "embeddings.safetensors",
    )
    for part, times in (("train", copies), ("development", 1), ("test", 1)):
        recipes = RECIPES * times
        steps = [step.split() for _, said in recipes for step in said]
        names = [name.split() for called, _ in recipes for name in called]
        rows = sum(len(called) * len(said) for called, said in recipes)
        features = np.stack([random.integers(0, 3, rows) for _ in range(8)])
        arrays: dict[str, NDArray[Any]] = {
            "recipe_sentences": offsets_of([len(said) for _, said in recipes]),
            "sentence_tokens": offsets_of([len(step) for step in steps]),
            "tokens": np.array([numbers[word] for step in steps for word in step], np.int32),
            "recipe_ingredients": offsets_of([len(called) for called, _ in recipes]),
            "ingredients": np.array(
                [entities.index(name) for called, _ in recipes for name in called], np.int32
            ),
            "ingredient_token_offsets": offsets_of([len(name) for name in names]),
            "ingredient_tokens": np.array(
                [numbers[word] for name in names for word in name], np.int32
            ),
            "features": features.astype(np.uint16),
        }
        save_file(arrays, folder / f"{part}.safetensors")
    return folder
