"""The mathematics of the world network, once, for NumPy and PyTorch alike.

In the order in which data meets it: `encode` gives every piece of the text a vector that knows the
whole recipe; `make_cells` gives every ingredient in every step a vector; `relate` lets the cells of
an ingredient's steps, and of a step's ingredients, look at each other; the heads read decisions off
them.

Shapes: B recipes, T pieces, S steps, I ingredients, L pieces of a step, C place words, V verbs,
E portions, D the encoder's width, d the width of a cell. `p` holds the parameters by name. `drop`
is dropout while training and nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from npn.networks.common.operations import (
    NEVER,
    Array,
    attend,
    concatenate,
    embed,
    gelu,
    heads_first,
    heads_last,
    layer_norm,
    linear,
    repeat,
    rows,
)
from npn.networks.world.config import END_STATES, FRACTIONS, WorldSizes
from npn.networks.world.features import Column, Mark
from npn.networks.world.reading import PLACE_FEATURES, Kind

Parameters: TypeAlias = Mapping[str, Array]
Drop: TypeAlias = Callable[[Array], Array]
USES = 3  # a step takes none, one or two portions of an ingredient
STEP_DISTANCES = 17  # from 8 steps before to 8 after
PAIR_FEATURES = 3  # what is known of two portions besides their vectors


def keep(x: Array) -> Array:
    """No dropout."""
    return x


@dataclass(slots=True)
class WorldBatch:
    """Recipes side by side, padded. Index arrays point into the pieces of a recipe.

    pieces, kinds, orders, sections, positions: [B, T]; marks: [B, T, marks]; piece_mask: [B, T].
    line_starts: [B, I]; step_starts: [B, S]; step_pieces: [B, S, L] with step_mask beside it.
    matches: [B, S, I, L], whether a piece of the step is part of a mention of the ingredient.
    pairs: [B, S, I, columns]. cell_mask: [B, S, I]. place_pieces: [B, C]. verb_pieces: [B, V],
    verb_by_rules: [B, V, 1]. Masks are 1 where something is, as floats."""

    pieces: Array
    kinds: Array
    orders: Array
    sections: Array
    positions: Array
    marks: Array
    piece_mask: Array
    line_starts: Array
    step_starts: Array
    step_pieces: Array
    step_mask: Array
    matches: Array
    pairs: Array
    line_mask: Array  # [B, I]
    step_exists: Array  # [B, S]
    distances: Array  # [S, S], of steps, as numbers of STEP_DISTANCES
    place_pieces: Array
    verb_pieces: Array
    verb_by_rules: Array


def parameter_shapes(sizes: WorldSizes) -> dict[str, tuple[int, ...]]:
    """Every parameter of the network and its shape."""
    width, d = sizes.width, sizes.cell
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.pieces": (sizes.pieces, width),
        "embeddings.positions": (sizes.positions, width),
        "embeddings.kinds": (len(Kind), width),
        "embeddings.lines": (sizes.orders, width),
        "embeddings.steps": (sizes.orders, width),
        "embeddings.sections": (sizes.sections, width),
        "embeddings.marks": (len(Mark), width),
        **_norm("embeddings.norm", width),
    }
    for n in range(sizes.layers):
        shapes |= _block(f"encoder.{n}", width, sizes.inner)
    shapes |= {
        **_linear("cells.step", d, width),
        **_linear("cells.line", d, width),
        **_linear("cells.features", d, len(Column)),
        **_linear("cells.query", d, width),
        **_linear("cells.key", d, width),
        **_linear("cells.value", d, width),
        **_linear("cells.out", d, d),
        "cells.match": (sizes.cell_heads,),
        **_norm("cells.norm", d),
    }
    for n in range(sizes.blocks):
        shapes |= _attention(f"grid.{n}.steps", d)
        shapes |= {f"grid.{n}.distances": (sizes.cell_heads, STEP_DISTANCES)}
        shapes |= _attention(f"grid.{n}.lines", d)
        shapes |= _feed(f"grid.{n}", d, 2 * d)
    e, k = sizes.element, sizes.pointer
    shapes |= {
        **_linear("act", 1, d),
        **_linear("use", USES, d),
        **_linear("fraction", len(FRACTIONS) + 1, d),
        **_linear("states", sum(map(len, END_STATES.values())) + len(END_STATES), d),
        **_linear("element.now", d, d),
        **_linear("element.use", d, d),
        "element.portion": (2, d),
        "element.same_step": (2, d),
        **_linear("element.hidden", d, d),
        **_linear("together.vector", e, d),
        "together.features": (PAIR_FEATURES,),
        "together.bias": (1,),
        **_linear("present", 1, d),
        **_linear("divided", 1, d),
        **_linear("place.query", k, d),
        **_linear("place.none", 1, d),
        **_linear("place.key", k, width),
        "place.features": (PLACE_FEATURES,),
        **_linear("location.query", k, d),
        **_linear("location.none", 1, d),
        **_linear("location.key", k, width),
        "location.features": (PLACE_FEATURES,),
        **_linear("verb.hidden", d, width),
        **_linear("verb.out", 1, d),
        "verb.by_rules": (1,),
    }
    return shapes


def _linear(name: str, outputs: int, inputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str, size: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.scale": (size,), f"{name}.shift": (size,)}


def _attention(name: str, size: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for part in ("query", "key", "value", "out"):
        shapes |= _linear(f"{name}.{part}", size, size)
    return shapes | _norm(f"{name}.norm", size)


def _feed(name: str, size: int, inner: int) -> dict[str, tuple[int, ...]]:
    return {
        **_linear(f"{name}.inner", inner, size),
        **_linear(f"{name}.outer", size, inner),
        **_norm(f"{name}.norm", size),
    }


def _block(name: str, size: int, inner: int) -> dict[str, tuple[int, ...]]:
    return _attention(f"{name}.attention", size) | _feed(name, size, inner)


# -- The encoder: a transformer over all the pieces of a recipe


def encode(p: Parameters, batch: WorldBatch, sizes: WorldSizes, drop: Drop = keep) -> Array:
    """A vector for every piece: [B, T, D]."""
    is_step = (batch.kinds >= int(Kind.STEP_HEADING))[..., None]
    is_line = (batch.kinds == int(Kind.LINE))[..., None]
    x = embed(p["embeddings.pieces"], batch.pieces)
    x = x + embed(p["embeddings.positions"], batch.positions)
    x = x + embed(p["embeddings.kinds"], batch.kinds)
    x = x + embed(p["embeddings.sections"], batch.sections)
    x = x + embed(p["embeddings.steps"], batch.orders) * is_step
    x = x + embed(p["embeddings.lines"], batch.orders) * is_line
    x = x + batch.marks @ p["embeddings.marks"]
    x = drop(layer_norm(x, p["embeddings.norm.scale"], p["embeddings.norm.shift"]))
    bias = None  # one recipe alone has no padding
    if len(x) > 1:
        bias = ((1.0 - batch.piece_mask) * NEVER)[:, None, None, :]
    for n in range(sizes.layers):
        x = _self_attention(p, f"encoder.{n}.attention", x, sizes.heads, bias, drop)
        x = _feed_forward(p, f"encoder.{n}", x, drop)
    return x


def _self_attention(
    p: Parameters, name: str, x: Array, heads: int, bias: Array | None, drop: Drop
) -> Array:
    """x and what its vectors see of each other, along the last dimension but one."""
    query, key, value = (
        heads_first(linear(x, p[f"{name}.{part}.weight"], p[f"{name}.{part}.bias"]), heads)
        for part in ("query", "key", "value")
    )
    seen = heads_last(attend(query, key, value, bias))
    seen = drop(linear(seen, p[f"{name}.out.weight"], p[f"{name}.out.bias"]))
    return layer_norm(x + seen, p[f"{name}.norm.scale"], p[f"{name}.norm.shift"])


def _feed_forward(p: Parameters, name: str, x: Array, drop: Drop) -> Array:
    inner = gelu(linear(x, p[f"{name}.inner.weight"], p[f"{name}.inner.bias"]))
    outer = drop(linear(inner, p[f"{name}.outer.weight"], p[f"{name}.outer.bias"]))
    return layer_norm(x + outer, p[f"{name}.norm.scale"], p[f"{name}.norm.shift"])


# -- The cells: an ingredient in a step


def make_cells(
    p: Parameters, batch: WorldBatch, text: Array, sizes: WorldSizes, drop: Drop = keep
) -> Array:
    """A vector for every ingredient in every step, from both, from the words of the step that the
    ingredient attends to, and from the rules' features: [B, S, I, d]."""
    steps, lines = rows(text, batch.step_starts), rows(text, batch.line_starts)
    shape = batch.step_pieces.shape  # [B, S, L]
    words = rows(text, batch.step_pieces.reshape(len(text), -1)).reshape(*shape, -1)
    heads = sizes.cell_heads
    query = heads_first(linear(lines, p["cells.query.weight"], p["cells.query.bias"]), heads)
    key = heads_first(linear(words, p["cells.key.weight"], p["cells.key.bias"]), heads)
    value = heads_first(linear(words, p["cells.value.weight"], p["cells.value.bias"]), heads)
    match = p["cells.match"][:, None, None] * batch.matches[:, :, None]  # [B, S, heads, I, L]
    bias = match + ((1.0 - batch.step_mask) * NEVER)[:, :, None, None, :]
    seen = heads_last(attend(repeat(query, shape[1]), key, value, bias))
    cells = (
        linear(steps, p["cells.step.weight"], p["cells.step.bias"])[:, :, None]
        + linear(lines, p["cells.line.weight"], p["cells.line.bias"])[:, None]
        + linear(batch.pairs, p["cells.features.weight"], p["cells.features.bias"])
        + linear(seen, p["cells.out.weight"], p["cells.out.bias"])
    )
    return drop(layer_norm(cells, p["cells.norm.scale"], p["cells.norm.shift"]))


def relate(
    p: Parameters, batch: WorldBatch, cells: Array, sizes: WorldSizes, drop: Drop = keep
) -> Array:
    """The cells after they have looked at the other steps of their ingredient and at the other
    ingredients of their step: [B, S, I, d]."""
    no_step, no_line = 0.0, None
    if len(cells) > 1:
        no_step = ((1.0 - batch.step_exists) * NEVER)[:, None, None, None, :]
        no_line = ((1.0 - batch.line_mask) * NEVER)[:, None, None, None, :]
    for n in range(sizes.blocks):
        near = p[f"grid.{n}.distances"][:, batch.distances]  # [heads, S, S]
        turned = cells.swapaxes(1, 2)  # [B, I, S, d]
        turned = _self_attention(
            p, f"grid.{n}.steps", turned, sizes.cell_heads, near + no_step, drop
        )
        cells = turned.swapaxes(1, 2)
        cells = _self_attention(p, f"grid.{n}.lines", cells, sizes.cell_heads, no_line, drop)
        cells = _feed_forward(p, f"grid.{n}", cells, drop)
    return cells


# -- The heads


def read_cells(p: Parameters, cells: Array) -> dict[str, Array]:
    """The scores of what happens to an ingredient in a step: whether it is acted on, how many
    portions of it are taken, how much that is, and how its states change."""
    return {
        "act": linear(cells, p["act.weight"], p["act.bias"])[..., 0],
        "use": linear(cells, p["use.weight"], p["use.bias"]),
        "fraction": linear(cells, p["fraction.weight"], p["fraction.bias"]),
        "states": linear(cells, p["states.weight"], p["states.bias"]),
    }


def make_elements(p: Parameters, now: Array, use: Array, portion: Array, same_step: Array) -> Array:
    """The vector of a portion after a step, from its ingredient's cell in that step (`now`), the
    one in the step that took it (`use`), both [B, S, E, d], which portion of that step it is, and
    whether the two steps are one, both [B, S, E] of 0 and 1."""
    mixed = (
        linear(now, p["element.now.weight"], p["element.now.bias"])
        + linear(use, p["element.use.weight"], p["element.use.bias"])
        + embed(p["element.portion"], portion)
        + embed(p["element.same_step"], same_step)
    )
    return linear(gelu(mixed), p["element.hidden.weight"], p["element.hidden.bias"])


def score_together(p: Parameters, elements: Array, features: Array) -> Array:
    """The score of two portions being in one pile: [B, S, E, E]. `features` [B, S, E, E, 3] say
    whether the rules have them together, whether one step took both, and whether they are portions
    of one ingredient."""
    vectors = linear(elements, p["together.vector.weight"], p["together.vector.bias"])
    products = vectors @ vectors.swapaxes(-1, -2) / vectors.shape[-1] ** 0.5
    return products + features @ p["together.features"] + p["together.bias"]


def score_present(p: Parameters, elements: Array) -> Array:
    """The score of a portion still lying about after a step: [B, S, E]."""
    return linear(elements, p["present.weight"], p["present.bias"])[..., 0]


def score_divided(p: Parameters, elements: Array) -> Array:
    """The score of a portion lying in several piles after a step, because a mixture that it is part
    of was divided: [B, S, E]."""
    return linear(elements, p["divided.weight"], p["divided.bias"])[..., 0]


def score_places(
    p: Parameters, name: str, vectors: Array, places: Array, features: Array, known: Array
) -> Array:
    """The scores of "nowhere" and of every place word for what is at `vectors` [B, S, E, d]:
    [B, S, E, 1 + C]. `places` [B, C, D] are the words' vectors; `features` [B, S, E, C, 5] is what
    the rules know; a word is `known` [B, S, C] from its step on. `name` is "place", where a portion
    lies, or "location", where an ingredient is moved."""
    query = linear(vectors, p[f"{name}.query.weight"], p[f"{name}.query.bias"])
    key = linear(places, p[f"{name}.key.weight"], p[f"{name}.key.bias"])
    scores = query @ key[:, None].swapaxes(-1, -2) / key.shape[-1] ** 0.5
    scores = scores + features @ p[f"{name}.features"] + ((1.0 - known) * NEVER)[:, :, None]
    nowhere = linear(vectors, p[f"{name}.none.weight"], p[f"{name}.none.bias"])
    return concatenate([nowhere, scores])


def score_verbs(p: Parameters, batch: WorldBatch, text: Array) -> Array:
    """The score of a verb being an action that is carried out: [B, V]."""
    verbs = rows(text, batch.verb_pieces)
    hidden = gelu(linear(verbs, p["verb.hidden.weight"], p["verb.hidden.bias"]))
    scores = linear(hidden, p["verb.out.weight"], p["verb.out.bias"])[..., 0]
    return scores + batch.verb_by_rules * p["verb.by_rules"]
