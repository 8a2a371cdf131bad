"""npn: understand a procedure by simulating it.

>>> model = npn.load()
>>> trace = model.track(npn.Recipe.from_text(text))
>>> trace.steps[3].entities
>>> npn.suggest(npn.Recipe.from_text(text), after=3)  # what may come next, and what it would do
"""

from npn.corrections import Corrections
from npn.errors import NpnError
from npn.models import load_tracker as load
from npn.recipe import Amount, Ingredient, Recipe
from npn.suggestions import Suggestion, Suggestions, suggest
from npn.trace import Pile, Portion, SelectedAction, StateChange, StepTrace, Trace, Use
from npn.tracker import Simulation, Tracker

__version__ = "0.1.0"
__all__ = [
    "Amount",
    "Corrections",
    "Ingredient",
    "NpnError",
    "Pile",
    "Portion",
    "Recipe",
    "SelectedAction",
    "Simulation",
    "StateChange",
    "StepTrace",
    "Suggestion",
    "Suggestions",
    "Trace",
    "Tracker",
    "Use",
    "load",
    "suggest",
]
