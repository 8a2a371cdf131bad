"""Small generators and contexts of our own."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import torch

from npn.networks.generator.batch import Context, ContextExample, collate, example
from npn.networks.generator.config import GeneratorConfig, Kind
from npn.networks.generator.forward import GeneratorStepper, numpy_stepper
from npn.networks.generator.network import GeneratorNetwork

WORDS = (
    "<pad> <unk> . , and the add mix bake butter flour sugar salt melt in bowl oven cake pan for "
    "30 minutes chill"
).split()
VOCABULARY = {word: i for i, word in enumerate(WORDS)}
V = len(WORDS) + 2
START, END = V - 2, V - 1
FEATURES = (5, 3, 4, 3, 5, 4, 3, 3)
STATE_SIZE = 6


def config(kind: Kind, *, dropout: float = 0.0) -> GeneratorConfig:
    return GeneratorConfig(
        kind,
        V,
        STATE_SIZE if kind in ("entnet", "npn") else 0,
        FEATURES if kind == "world" else (),
        word_size=8,
        hidden_size=12,
        dropout=dropout,
    )


def encode(word: str) -> int:
    return VOCABULARY.get(word, 1)


def context_of(seed: int, sentences: str, names: str) -> ContextExample:
    """Sentences and names, parted by bars, with states and features at random."""
    said = [one.split() for one in sentences.split("|") if one.strip()]
    called = [one.split() for one in names.split("|") if one.strip()]
    random = np.random.default_rng(seed)
    features = np.stack([random.integers(0, size, len(called)) for size in FEATURES], axis=1)
    states = random.normal(size=(len(called), STATE_SIZE)).astype(np.float32)
    return example(VOCABULARY, said, called, features, states)


def examples() -> list[ContextExample]:
    return [
        context_of(1, "melt butter in the pan . | add flour and mix .", "butter | flour"),
        context_of(2, "", "sugar | ghee | brown salt"),
        context_of(3, "mix the quince and ghee .", "quince | ghee | cake flour | salt"),
        context_of(4, "bake .", ""),
    ]


def batch() -> Context:
    return collate(examples())


def to_torch(context: Context) -> Context:
    arrays = {field.name: getattr(context, field.name) for field in fields(context)}
    on_the_host = ("lengths", "ingredients")
    return Context(**{k: v if k in on_the_host else torch.from_numpy(v) for k, v in arrays.items()})


def generator(kind: Kind, seed: int = 0) -> GeneratorNetwork:
    torch.manual_seed(seed)
    return GeneratorNetwork(config(kind)).eval()


def in_numpy(model: GeneratorNetwork) -> GeneratorStepper:
    arrays = {name: p.detach().numpy() for name, p in model.named_parameters()}
    return numpy_stepper(model.config, arrays)
