"""The mixture network says the same with NumPy and with PyTorch, whatever it is padded with."""

from dataclasses import fields

import numpy as np
import pytest
import torch
from mixture_models import to_floats

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.equations import MixtureOutcome, forward
from npn.network.mixtures.network import MixtureNetwork
from npn.network.mixtures.shapes import mixture_shapes
from npn.recipe import Ingredient
from npn.runtime.mixtures_batches import RecipeSigns, collate
from npn.runtime.mixtures_forward import segment_max
from npn.runtime.mixtures_reader import Reader
from npn.runtime.mixtures_settings import sizes_for
from npn.runtime.mixtures_signs import ENDS
from npn.training.mixtures.learning import to_floats as to_torch_floats

VOCABULARY = Vocabulary(("<pad>", "<unk>", "melt", "the", "butter", "flour", "add", "stir", "."))
RECIPES = [
    (["1 c butter", "2 c flour"], ["Melt the butter in a pan.", "Add flour to the pan and stir."]),
    (
        ["3 eggs", "1 c sugar", "1 c flour", "butter"],
        ["Beat eggs and sugar in a bowl.", "Fold in the flour.", "Grease a pan with butter.", "."],
    ),
]


def signs(number: int) -> RecipeSigns:
    ingredients, sentences = RECIPES[number]
    reader = Reader.begin(
        WeakLabeller(load_lexicon()), VOCABULARY, [Ingredient(line) for line in ingredients]
    )
    read = [reader.read(sentence) for sentence in sentences]
    return RecipeSigns(reader.names(), read, reader.first_states(), float(number))


@pytest.fixture(scope="module")
def network() -> MixtureNetwork:
    torch.manual_seed(0)
    network = MixtureNetwork(sizes_for(len(VOCABULARY)), 0.3).eval()
    with torch.no_grad():
        for p in network.parameters():  # what begins at zero would hide what it is multiplied with
            p.add_(torch.randn_like(p), alpha=0.1)
    return network


def numpy_outcome(network: MixtureNetwork, batch: MixtureBatch) -> MixtureOutcome:
    weights = {name: p.detach().numpy() for name, p in network.parameters_by_name().items()}
    return forward(weights, batch, len(ENDS), segment_max)


def tensors(batch: MixtureBatch) -> MixtureBatch:
    return to_torch_floats(batch.map(torch.from_numpy))


def test_shapes_are_those_of_the_network(network: MixtureNetwork) -> None:
    found = {name: tuple(p.shape) for name, p in network.parameters_by_name().items()}
    assert found == mixture_shapes(network.sizes)


def test_numpy_says_what_pytorch_does(network: MixtureNetwork) -> None:
    batch = collate([signs(0), signs(1)])
    ours = numpy_outcome(network, to_floats(batch))
    with torch.no_grad():
        theirs = network(tensors(batch))
    for name in ("first", "scores", "attention", "together", "places"):
        assert getattr(ours, name).dtype == np.float32
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-5)
    for one, other in zip(ours.end_states, theirs.end_states, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_padding_changes_nothing(network: MixtureNetwork) -> None:
    alone, beside = (
        numpy_outcome(network, to_floats(collate(recipes)))
        for recipes in ([signs(0)], [signs(0), signs(1)])
    )
    np.testing.assert_allclose(alone.attention[0], beside.attention[0, :2, :2], atol=1e-6)
    np.testing.assert_allclose(alone.together[0], beside.together[0, :2, :2, :2], atol=1e-6)
    assert not beside.attention[0, 2:].any()
    assert not beside.attention[0, :, 2:].any()


def test_every_input_is_read(network: MixtureNetwork) -> None:
    """Each array of a batch, changed, changes what the network says."""
    batch = to_floats(collate([signs(1)]))
    told = numpy_outcome(network, batch)
    for name in ("words", "marks", "signs", "step_signs", "names", "serving"):
        changed = {one.name: getattr(batch, one.name).copy() for one in fields(batch)}
        changed[name] = changed[name] + (1 if changed[name].max() < 2 else -1)
        changed[name] = np.clip(changed[name], 0, None)
        other = numpy_outcome(network, MixtureBatch(**changed))
        assert not np.allclose(told.attention, other.attention), name
