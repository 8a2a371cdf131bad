"""The mathematics of the mixture network, once, for NumPy and PyTorch alike.

The paper's five modules (sentence encoder, action and entity selector, simulation, state
predictors), with open matching in place of entity embeddings, and a memory C of which ingredients
are together. Shapes: B recipes, T sentences, I ingredients, P words, D the size of a word, H of a
pair of sentence and ingredient, E of an entity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from npn.network.equations import Array, Drop, keep, library, linear, relu, softmax, times
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.columns import parts
from npn.network.mixtures.encoder import encode, rows
from npn.network.mixtures.packed import PackedBatch
from npn.network.mixtures.rectified import rectified
from npn.network.mixtures.simulation import Memory, Parameters, first_memory, simulate

SegmentMax: TypeAlias = Callable[[Array, MixtureBatch], Array]


@dataclass(frozen=True, slots=True)
class MixtureOutcome:
    """Logits: of the entities' first and final scores (B, T, I), of each type's end states
    (B, T, I, ...), of the places (B, T, I, 1 + K), whose first is "stays". `together` is C after
    each sentence."""

    first: Array
    scores: Array
    attention: Array
    together: Array
    end_states: tuple[Array, ...]
    places: Array
    memory: Memory


# -- Names: open matching in place of entity embeddings


def name_vectors(p: Parameters, batch: MixtureBatch) -> Array:
    """(B, I, D): the average of the vectors of the names' words; zero for a name of none."""
    xp = library(p["words"])
    there = (batch.names > 0)[..., None]
    total = (rows(p["words"], batch.names) * there).sum(axis=-2)
    return total / xp.asarray(xp.clip(there.sum(axis=-2), 1, None), dtype=total.dtype)


# -- Action selector: what the sentence does, before anyone is chosen


def step_vectors(p: Parameters, batch: MixtureBatch, summary: Array) -> Array:
    """(B, T, D) from the sentence summaries (N + 1, D) and the step's signs."""
    signs = times(batch.step_signs, p["action.W_signs"])
    serving = (batch.serving[:, None] * p["action.w_serving"])[:, None]
    return relu(linear(rows(summary, batch.rows), p["action.W"], p["action.b"]) + signs + serving)


# -- Entity selector, the part that needs no memory


def sign_products(p: Parameters, batch: MixtureBatch, types: int) -> list[Array]:
    """What the signs (B, T, I, F) give to the query, to the pairs and to the end states of the
    first so many types, in one product."""
    matrices = [p["entity.W_query"], p["entity.W_signs"]]
    return products(batch.signs, matrices + [p[f"states.W_signs_{s}"] for s in range(types)])


def products(x: Array, matrices: Sequence[Array]) -> list[Array]:
    """The products with several matrices, in one."""
    return parts(times(x, library(x).concatenate(matrices)), matrices)


def pair_vectors(
    p: Parameters,
    batch: MixtureBatch,
    context: Array,
    steps: Array,
    last: Array,
    names: Array,
    signs: Sequence[Array],
    drop: Drop,
) -> Array:
    """(B, T, I, H): what the sentence says of each ingredient. `last` (B, D) is what the sentence
    before the first does; `signs` are the signs' products with the query and with the pairs."""
    xp = library(context)
    W_attended, W_mention, W_verb = (
        p["entity.W_words"][:, k * context.shape[1] : (k + 1) * context.shape[1]] for k in range(3)
    )
    # A word is multiplied once, whoever it is said of.
    matrices = [p["entity.W_key"], W_attended, W_mention, W_verb]
    keys, attended, mentions, verbs = products(drop(context), matrices)
    query = signs[0] + (times(names, p["entity.W_query_name"]) + p["entity.b_query"])[:, None]
    scores = xp.matmul(query, xp.swapaxes(rows(keys, batch.keys), -1, -2))  # (B, T, I, 8)
    scores -= 1e4 * xp.asarray(batch.keys == 0, dtype=scores.dtype)[..., None, :]
    pairs = xp.matmul(softmax(scores), rows(attended, batch.keys))
    pairs += signs[1]
    before = xp.concatenate([last[:, None], steps[:, :-1]], axis=1)
    whole = linear(xp.concatenate([steps, before], axis=-1), p["entity.W_step"], p["entity.b"])
    pairs += whole[..., None, :]
    pairs = pairs + times(names, p["entity.W_name"])[:, None]
    pairs += rows(mentions, batch.near[..., 0])
    pairs += rows(mentions, batch.near[..., 1])
    pairs += rows(verbs, batch.near[..., 2])
    return pairs


# -- State predictors


def end_state_logits(
    p: Parameters,
    h: Array,
    signs: Sequence[Array],
    drop: Drop = keep,
    types: Sequence[int] | None = None,
) -> tuple[Array, ...]:
    """For each ingredient; the first class of every type is "no change". `signs` are the signs'
    products with each type, of all types unless told."""
    xp = library(h)
    y = rectified(linear(drop(h), p["states.W"], p["states.b"]))
    types = range(len(signs)) if types is None else types
    matrices = [p[f"states.W_{s}"] for s in types]
    biases = [p[f"states.b_{s}"] for s in types]
    product = linear(y, xp.concatenate(matrices), xp.concatenate(biases))
    return tuple(a + b for a, b in zip(parts(product, matrices), signs, strict=True))


def place_logits(
    p: Parameters, batch: MixtureBatch | PackedBatch, context: Array, h: Array, drop: Drop = keep
) -> Array:
    """(B, T, I, 1 + K): whether each ingredient stays, or where it goes."""
    xp = library(h)
    place = linear(rows(context, batch.place_words), p["places.W_word"], p["places.b"])
    place = place + times(batch.places, p["places.W_signs"])  # (B, T, K, L)
    pair = times(batch.place_pairs, p["places.W_pairs"])  # (B, T, K, I, L)
    own = times(drop(h), p["places.W_h"])  # (B, T, I, L)
    seen = relu(pair + place[..., None, :] + own[..., None, :, :])
    going = linear(seen, p["places.w"], p["places.b_w"])[..., 0]  # (B, T, K, I)
    going = going + times(batch.place_pairs, p["places.w_pairs"])[..., 0]
    going = going - 1e4 * (1 - batch.place_present)[..., None]
    stays = linear(h, p["places.w_stay"], p["places.b_stay"])  # (B, T, I, 1)
    return xp.concatenate([stays, xp.swapaxes(going, -1, -2)], axis=-1)


# -- All modules, one after the other


def forward(
    p: Parameters,
    batch: MixtureBatch,
    types: int,
    segment_max: SegmentMax,
    drop: Drop = keep,
) -> MixtureOutcome:
    """What the network says of a batch, with so many types of end states."""
    context = encode(p, batch, drop)
    names = name_vectors(p, batch)
    steps = step_vectors(p, batch, segment_max(context, batch))
    signs = sign_products(p, batch, types)
    memory = first_memory(p, names)
    pairs = pair_vectors(p, batch, context, steps, memory.step, names, signs[:2], drop)
    first, scores, attention, h, together, memory = simulate(p, batch, pairs, memory, drop)
    return MixtureOutcome(
        first,
        scores,
        attention,
        together,
        end_state_logits(p, h, signs[2:], drop),
        place_logits(p, batch, context, h, drop),
        replace(memory, step=steps[:, -1]),
    )
