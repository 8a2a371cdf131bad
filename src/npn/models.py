"""Every tracker by its name. Nothing is imported before it is asked for."""

from __future__ import annotations

import os
from pathlib import Path

from npn.errors import NpnError
from npn.tracker import Tracker

DEFAULT = "world"
TRACKERS = {
    "mention": "the ingredients the sentence names",
    "previous": "the same, or else those of the sentence before",
    "first-mention": "every ingredient from its first mention on",
    "paper-labels": "the paper's labels: names in the sentence, end states of its verbs",
    "weak-labels": "verb look-up, references and explicit mixtures: what the networks learn from",
}
LABELLERS = ("paper-labels", "weak-labels")  # which read the lexicon
NETWORKS = Path(__file__).parent / "networks"
BASELINES = ("entity-recognizer", "gru", "entnet")  # architectures that run with PyTorch alone
SHIPPED = {name: NETWORKS / name / f"{name}.safetensors" for name in ("world", "paper")}


def load_tracker(name: str | Path | None = None, lexicon: str | Path | None = None) -> Tracker:
    """Load the tracker called `name` (by default, the one that ships as the default), or the one in
    a model file. `lexicon` is a folder with another actions.toml and end_states.toml."""
    if name is not None and not isinstance(name, str | Path):
        raise TypeError(f"a tracker is given by its name or the path of its file, not by {name!r}")
    name = str(name or DEFAULT)
    if name in LABELLERS:
        from npn.rules.labeller import WeakLabeller
        from npn.rules.lexicon import load_lexicon
        from npn.rules.paper_labels import PaperLabeller

        kind = WeakLabeller if name == "weak-labels" else PaperLabeller
        return kind(load_lexicon(Path(lexicon) if lexicon else None))
    if lexicon is not None:
        known = " and ".join(LABELLERS)
        raise NpnError(f'the tracker "{name}" uses no lexicon; --lexicon serves {known}')
    if name in TRACKERS:
        from npn.rules.selection import RuleTracker

        return RuleTracker(name)
    if name in SHIPPED:
        return _load_model(SHIPPED[name])
    if name.endswith(".safetensors") or os.path.isfile(name):
        return _load_model(Path(name))
    if os.path.isdir(name):
        return _load_run(Path(name))
    known = ", ".join((*TRACKERS, *SHIPPED))
    raise NpnError(
        f'there is no tracker called "{name}"; choose from {known}, or name a file, or the folder '
        "of a training run"
    )


def _load_run(folder: Path) -> Tracker:
    try:
        from npn.training.trained import load_run_tracker
    except ModuleNotFoundError as error:
        raise NpnError(
            f"{folder} is a folder: the network of a training run needs {error.name}, "
            "which comes with pip install 'npn[train]'"
        ) from error
    return load_run_tracker(folder)


def _load_model(path: Path) -> Tracker:
    from npn.networks.common.files import read_model

    model = read_model(path)
    if model.architecture == "paper":
        from npn.networks.paper.tracker import PaperTracker

        return PaperTracker(model, path)
    if model.architecture == "world":
        from npn.networks.world.tracker import WorldTracker

        return WorldTracker(model, path)
    if model.architecture not in BASELINES:
        raise NpnError(f'{path} is of a kind this version does not know: "{model.architecture}"')
    try:
        from npn.training.trained import torch_tracker
    except ModuleNotFoundError as error:
        raise NpnError(
            f"{path} is one of the paper's baselines, which needs {error.name}: it comes with "
            "pip install 'npn[train]'"
        ) from error
    return torch_tracker(model, path)
