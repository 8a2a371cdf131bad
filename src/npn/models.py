"""Every tracker by its name. Nothing is imported before it is asked for."""

from __future__ import annotations

from pathlib import Path

from npn.errors import NpnError
from npn.tracker import Tracker

DEFAULT = "mixtures"
TRACKERS = {
    "mention": "the ingredients the sentence names",
    "previous": "the same, or else those of the sentence before",
    "first-mention": "every ingredient from its first mention on",
    "weak-labels": "verb look-up, references and explicit mixtures: what the networks learn from",
}
NO_SERVING = "only a mixture model can be told that serving acts on food"
MODELS = Path(__file__).parent / "runtime" / "models"
SHIPPED = {path.stem: path for path in sorted(MODELS.glob("*.safetensors"))}


def load_tracker(
    name: str | Path | None = None, lexicon: str | Path | None = None, *, serving: bool = False
) -> Tracker:
    """The tracker called `name` (the shipped default, unless told), or the one in a model file.
    `lexicon` is a folder with another actions.toml and end_states.toml. With `serving`, a mixture
    model takes serving food for an action on it."""
    if name is not None and not isinstance(name, str | Path):
        raise TypeError(f"a tracker is given by its name or the path of its file, not by {name!r}")
    name = str(name or DEFAULT)
    if serving and (name in TRACKERS or Path(name).is_dir()):
        raise NpnError(f'{NO_SERVING}, and "{name}" is none')
    if name == "weak-labels":
        from npn.knowledge.labeller import WeakLabeller
        from npn.knowledge.lexicon import load_lexicon, load_lexicon_folder

        return WeakLabeller(load_lexicon_folder(Path(lexicon)) if lexicon else load_lexicon())
    if lexicon is not None:
        raise NpnError(f'the tracker "{name}" uses no lexicon; --lexicon serves weak-labels')
    if name in TRACKERS:
        from npn.rules.selection import RULES, RuleTracker

        return RuleTracker(name, RULES[name])
    if name in SHIPPED:
        return _load_model(SHIPPED[name], serving)
    if name.endswith(".safetensors") or Path(name).is_file():
        return _load_model(Path(name), serving)
    if Path(name).is_dir():
        return _load_run(Path(name))
    known = ", ".join((*TRACKERS, *SHIPPED))
    raise NpnError(
        f'there is no tracker called "{name}"; choose from {known}, or name a file, or the folder '
        "of a training run"
    )


def _load_run(folder: Path) -> Tracker:
    try:
        from npn.training.torch_tracker import load_run_tracker
    except ModuleNotFoundError as error:
        raise NpnError(
            f"{folder} is a folder: the network of a training run needs {error.name}, "
            "which comes with pip install 'npn[train]'"
        ) from error
    return load_run_tracker(folder)


def _load_model(path: Path, serving: bool) -> Tracker:
    from npn.runtime.model_file import read_model

    model = read_model(path)
    if serving and model.architecture != "mixtures":
        raise NpnError(f"{NO_SERVING}, and {path.name} is none")
    if model.architecture == "paper":
        from npn.runtime.paper import PaperTracker

        return PaperTracker(model, path)
    if model.architecture == "mixtures":
        from npn.runtime.mixtures import MixtureTracker

        return MixtureTracker(model, path, serving=serving)
    raise NpnError(f'{path} is of a kind this version does not know: "{model.architecture}"')
