"""npn: understand a procedure by simulating it.

>>> model = npn.load()
>>> trace = model.track(npn.Recipe.from_text(text))
>>> trace.steps[3].entities
>>> npn.suggest(npn.Recipe.from_text(text), after=3)  # what may come next, and what it would do
"""

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all that is here
if TYPE_CHECKING:
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

if not TYPE_CHECKING:
    # Each name is loaded when it is asked for: before that the program must be able to answer
    # Ctrl-C, which may come at any moment.
    _MODULES = {
        "corrections": ("Corrections",),
        "errors": ("NpnError",),
        "models": ("load",),
        "recipe": ("Amount", "Ingredient", "Recipe"),
        "suggestions": ("Suggestion", "Suggestions", "suggest"),
        "trace": ("Pile", "Portion", "SelectedAction", "StateChange", "StepTrace", "Trace", "Use"),
        "tracker": ("Simulation", "Tracker"),
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in _MODULES.items():
            if name in names:
                inside = "load_tracker" if name == "load" else name
                found = getattr(import_module(f"npn.{module}"), inside)
                globals()[name] = found
                return found
        raise AttributeError(f"module 'npn' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
