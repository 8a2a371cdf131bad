"""Model files and lexicons with random changes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from fuzz_files import REPOSITORY, tracker
from mutations import alter, mutate

from npn.errors import NpnError
from npn.models import load_tracker
from npn.networks.common.files import KIND, content_hash, write_tensors
from npn.networks.generator.batch import FeatureNames
from npn.networks.generator.config import GeneratorConfig
from npn.networks.generator.config import parameter_shapes as generator_shapes
from npn.networks.generator.generator import KIND as GENERATOR
from npn.networks.generator.generator import load_generator
from npn.networks.paper.config import NetworkConfig, NetworkOptions, VocabularySizes
from npn.networks.paper.config import parameter_shapes as paper_shapes
from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import parameter_shapes as world_shapes
from npn.recipe import Recipe
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon
from npn.trace import STATE_TYPES

EGG = Recipe.from_lists("", ["1 egg"], ["Mix the egg. Cut and bake it."])
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'-"
PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + one for one in LETTERS))
WORLD = WorldSizes(
    len(PIECES), width=8, heads=2, layers=1, inner=8, positions=30, orders=12, sections=4,
    cell=8, cell_heads=2, blocks=1, element=4, pointer=4,
)  # fmt: skip
PAPER = NetworkOptions(word_size=8, hidden_size=6, memory_size=4)
Tensors = Mapping[str, Any]


@cache
def small_models() -> dict[str, tuple[dict[str, Any], Tensors]]:
    """Headers without their hash, and weights, of networks of a few kilobytes."""
    paper = NetworkConfig(VocabularySizes(4, 4, 4, (3,) * 6), PAPER)
    words = ["<pad>", "<unk>", "egg", "mix"]
    vocabulary = {
        "words": words,
        "entities": words,
        "actions": ["<no change>", "mix", "cut", "bake"],
        "end_states": {type: ["<no change>", "one", "two"] for type in STATE_TYPES},
    }
    sizes = {"words": 4, "entities": 4, "actions": 4, "end_states": [3] * 6}
    configs: dict[str, dict[str, Any]] = {
        "paper": {"sizes": sizes, "options": asdict(PAPER)},
        "world": {"sizes": asdict(WORLD)},
    }
    vocabularies = {"paper": vocabulary, "world": {**vocabulary, "words": list(PIECES)}}
    shapes = {"paper": paper_shapes(paper), "world": world_shapes(WORLD)}
    trackers = {
        name: (
            {
                "kind": KIND,
                "name": name,
                "architecture": name,
                "config": configs[name],
                "vocabulary": vocabularies[name],
            },
            {key: _weights(key, shape) for key, shape in shapes[name].items()},
        )
        for name in configs
    }
    return trackers | {"next": _small_generator()}


def _small_generator() -> tuple[dict[str, Any], Tensors]:
    words = ["<pad>", "<unk>", "mix", "the", "egg", "."]
    end_states = {type: ["<no change>", "one", "two"] for type in STATE_TYPES}
    sizes = FeatureNames.of(end_states).sizes
    config = GeneratorConfig("world", len(words) + 2, features=sizes, word_size=4, hidden_size=4)
    header = {
        "kind": GENERATOR,
        "name": "next",
        "config": asdict(config),
        "words": words,
        "end_states": end_states,
        "decoding": {"beam": 3, "longest": 8},
    }
    shapes = generator_shapes(config)
    return header, {key: _weights(key, shape) for key, shape in shapes.items()}


def _weights(name: str, shape: tuple[int, ...]) -> Any:
    generator = np.random.default_rng(len(name))
    return generator.normal(size=shape).astype(np.float32)


def draw_model(chance: Random) -> bytes:
    """A change to the header or to the weights, with the right hash, or to single bytes."""
    name = chance.choice(sorted(small_models()))
    kind = chance.random()
    if kind < 0.3:
        changes = [[chance.randrange(9_000), chance.randrange(256)] for _ in range(3)]
        return json.dumps({"model": name, "bytes": changes}).encode()
    if kind < 0.5:
        tensor = chance.choice(sorted(small_models()[name][1]))
        how = chance.choice(["nan", "large", "gone", "flat", "half", "whole", "bytes", "empty"])
        return json.dumps({"model": name, "tensor": [tensor, how]}).encode()
    return json.dumps({"model": name, "header": alter(small_models()[name][0], chance)}).encode()


def check_model(data: bytes) -> None:
    change = json.loads(data)
    header, tensors = small_models()[change.get("model", "paper")]
    if "tensor" in change:
        tensors = _changed(tensors, *change["tensor"])
    header = dict(header)
    if "header" in change:
        header = change["header"] if isinstance(change["header"], dict) else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        write_tensors(path, tensors, {**header, "hash": content_hash(header, tensors)})
        if "bytes" in change:
            whole = bytearray(path.read_bytes())
            for at, byte in change["bytes"]:
                whole[at % len(whole)] = byte
            path.write_bytes(whole)
        try:
            _use(path, generates=change.get("model") == "next")
        except NpnError as error:
            assert "\n" not in str(error), "a sentence is one line"


def _use(path: Path, generates: bool) -> None:
    if not generates:
        load_tracker(path).track(EGG)
        return
    trace = tracker("weak-labels").track(EGG)
    load_generator(path).suggest(trace.ingredients, trace.steps, 3)


def _changed(tensors: Tensors, name: str, how: str) -> Tensors:
    one = tensors[name]
    changed = {
        "nan": one * np.float32("nan"),
        "large": one * np.float32(1e30),
        "flat": one.reshape(-1),
        "half": one.astype(np.float16),
        "whole": one.astype(np.int16),
        "bytes": one.astype(np.int8),
        "empty": one[:0],
    }
    return {k: v for k, v in {**tensors, name: changed.get(how)}.items() if v is not None}


ENDS = b"#end_states.toml\n"
ACTIONS = b"""[mix]\ncombines = true\nwords = ["mix", "blend"]\n\n[bake]\ncookedness = "cooked"
temperature = "hot"\nlocation = "oven"\n\n[cut]\nshape = "separated"\n"""


@cache
def lexicon_files() -> tuple[bytes, bytes]:
    folder = REPOSITORY / "src" / "npn" / "rules" / "lexicon"
    actions = (folder / "actions.toml").read_bytes()
    return actions[:3_000], (folder / "end_states.toml").read_bytes()


def draw_lexicon(chance: Random) -> bytes:
    """Another file of actions; or, after the mark ENDS, another file of end states."""
    actions, ends = lexicon_files()
    others = [ACTIONS, actions, ends]
    if chance.random() < 0.5:
        return mutate(chance.choice([ACTIONS, actions]), chance, others)
    return ENDS + mutate(ends, chance, others)


def check_lexicon(data: bytes) -> None:
    actions, ends = (ACTIONS, data.removeprefix(ENDS)) if data.startswith(ENDS) else (data, b"")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "actions.toml").write_bytes(actions)
        (Path(folder) / "end_states.toml").write_bytes(ends or lexicon_files()[1])
        try:
            labeller = WeakLabeller(load_lexicon(Path(folder)))
        except NpnError:
            return
        labeller.track(EGG)
