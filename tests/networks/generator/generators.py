"""A small generator with weights drawn at random, in a file as it would ship."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

from npn.language.vocabulary import PAD, UNKNOWN
from npn.networks.generator.batch import FeatureNames
from npn.networks.generator.config import GeneratorConfig, parameter_shapes
from npn.networks.generator.generator import GeneratorFile, write_generator
from npn.rules.lexicon import load_lexicon
from npn.trace import STATE_TYPES

WORDS = (
    PAD,
    UNKNOWN,
    *"bake mix stir the flour sugar butter in a bowl oven until done . , and chill serve".split(),
)


def small_generator(seed: int = 0) -> GeneratorFile:
    states = load_lexicon().end_states
    end_states = {type: ("no change", *states[type]) for type in STATE_TYPES}
    config = GeneratorConfig(
        "world",
        len(WORDS) + 2,
        features=FeatureNames.of(end_states).sizes,
        word_size=6,
        hidden_size=8,
    )
    random = np.random.default_rng(seed)
    weights = {
        name: random.normal(0, 0.5, shape).astype(np.float32)
        for name, shape in parameter_shapes(config).items()
    }
    weights["b_o"][config.end] = 1.0  # so that sentences end
    return GeneratorFile("npn-next-test", asdict(config), WORDS, end_states, {"beam": 3}, weights)


def write_small_generator(folder: Path, seed: int = 0) -> Path:
    path = folder / "small.safetensors"
    write_generator(path, small_generator(seed))
    return path
