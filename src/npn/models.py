"""Every tracker by its name. Nothing is imported before it is asked for."""

from __future__ import annotations

from pathlib import Path

from npn.errors import NpnError
from npn.tracker import Tracker

DEFAULT = "first-mention"
TRACKERS = {
    "mention": "the ingredients the sentence names",
    "previous": "the same, or else those of the sentence before",
    "first-mention": "every ingredient from its first mention on",
    "weak-labels": "verb look-up, references and explicit mixtures: what the networks learn from",
}


def load_tracker(name: str | None = None, lexicon: str | None = None) -> Tracker:
    """The tracker called `name` (the shipped default, unless told), or the one in a model file.
    `lexicon` is a folder with another actions.toml and end_states.toml."""
    name = name or DEFAULT
    if name == "weak-labels":
        from npn.knowledge.labeller import WeakLabeller
        from npn.knowledge.lexicon import load_lexicon, load_lexicon_folder

        return WeakLabeller(load_lexicon_folder(Path(lexicon)) if lexicon else load_lexicon())
    if lexicon is not None:
        raise NpnError(f'the tracker "{name}" uses no lexicon; --lexicon serves weak-labels')
    if name in TRACKERS:
        from npn.rules.selection import RULES, RuleTracker

        return RuleTracker(name, RULES[name])
    known = ", ".join(TRACKERS)
    if name.endswith(".safetensors") or Path(name).exists():
        raise NpnError(f"{name} is not a model file this version can run; known trackers: {known}")
    raise NpnError(f'there is no tracker called "{name}"; choose from {known}')
