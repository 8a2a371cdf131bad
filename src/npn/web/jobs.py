"""What the server can be asked for, each as a function from a request to its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from npn.asking import ask
from npn.corrections import Corrections
from npn.errors import NpnError
from npn.formats import formats
from npn.models import load_tracker
from npn.recipe import Recipe
from npn.rules.explanation import explain
from npn.suggestions import suggest
from npn.trace import Trace
from npn.web.comparing import compare
from npn.web.correcting import correct
from npn.web.downloads import downloads, file_name, media_type
from npn.web.labels import from_labels, to_labels
from npn.web.message import Answer, WebJob, json_answer
from npn.web.request import Request, recipe_of
from npn.web.view import kitchen_view

WARM_UP = (
    "Toast\n\n2 slices bread\n1 tbsp butter\n\n1. Toast the bread.\n2. Butter it for 1 minute.\n"
)


class Kitchen:
    """The tracker, loaded once, and the answers that it can give."""

    def __init__(self, model: str | None = None) -> None:
        self.tracker = load_tracker(model)

    def warm_up(self) -> None:
        """Answer once for nobody, so that the first to ask does not wait for what is loaded on
        first use."""
        self.answer(WebJob("view", {}, "text/plain", WARM_UP.encode()))

    def answer(self, job: WebJob) -> Answer:
        return JOBS[job.name](self, Request.of(job))

    def track(self, recipe: Recipe) -> Trace:
        return self.tracker.track(recipe)

    def correct(self, trace: Trace, corrections: Corrections, *, labelled: bool) -> Trace:
        """The trace with the corrections as given. What follows them is simulated again, unless the
        trace is what a person has labelled or the tracker cannot: then they are carried forward."""
        if self.tracker.simulates_corrections and not labelled:
            return self.tracker.track_corrected(recipe_of(trace), corrections)
        return correct(trace, corrections)


def track_job(kitchen: Kitchen, request: Request) -> Answer:
    recipe = request.recipe()
    corrections = _corrections(request)
    if corrections and kitchen.tracker.simulates_corrections:
        trace = kitchen.tracker.track_corrected(recipe, corrections)
    else:
        trace = correct(kitchen.track(recipe), corrections)
    body = trace.to_json().encode(errors="backslashreplace")
    return Answer(body, notes=tuple(request.notes))


def _corrections(request: Request) -> Corrections:
    return Corrections.from_list(request.fields.get("corrections") or [])


def view_job(kitchen: Kitchen, request: Request) -> Answer:
    """A trace with all that the page shows of it, and how much the recipe makes where its source
    says so: {"quantity": 4, "of": "servings"}."""
    trace = request.trace(kitchen.track)
    view = kitchen_view(trace, request.factor())
    made = None if "trace" in request.fields else trace.yields
    yields = {"quantity": made.quantity, "of": made.of} if made else None
    answer = {"trace": trace.to_dict(), "view": view, "yields": yields}
    return json_answer(answer, notes=tuple(request.notes))


def next_job(kitchen: Kitchen, request: Request) -> Answer:
    recipe = request.recipe(unfinished=True)
    count = request.number("n", 3, least=1, most=20) or 3
    found = suggest(recipe, count, after=request.number("after", None))
    return json_answer(found.to_dict(), notes=tuple(request.notes))


def explain_job(kitchen: Kitchen, request: Request) -> Answer:
    """Why each step, or the one asked for, acts on what it acts on."""
    trace = request.trace(kitchen.track)
    only = request.number("step", None)
    if only is not None and only >= len(trace.steps):
        raise NpnError(f"there is no step {only}: there are {len(trace.steps)}, from 0")
    steps: list[dict[str, Any]] = [
        {
            "step": number,
            "text": step.text,
            "actions": [action.name for action in step.actions],
            "reasons": [
                {"ingredient": i, "reason": explain(trace, number, i)} for i in step.entities
            ],
        }
        for number, step in enumerate(trace.steps)
        if only in (None, number)
    ]
    return json_answer({"title": trace.title, "model": trace.model, "steps": steps})


def ask_job(kitchen: Kitchen, request: Request) -> Answer:
    question = request.text("question")
    trace = request.trace(kitchen.track)
    return json_answer(ask(trace, question, request.number("after", None)).to_dict())


def compare_job(kitchen: Kitchen, request: Request) -> Answer:
    """What differs between the trace sent as "before" and the one sent as anything else."""
    before = Trace.from_dict(request.fields.get("before") or {})
    after = request.trace(kitchen.track)
    return json_answer({"trace": after.to_dict(), **compare(before, after)})


def correct_job(kitchen: Kitchen, request: Request) -> Answer:
    trace = request.trace(kitchen.track)
    labelled = request.fields.get("labelled") is True
    trace = kitchen.correct(trace, _corrections(request), labelled=labelled)
    view = kitchen_view(trace, request.factor())
    return json_answer({"trace": trace.to_dict(), "view": view})


def labels_job(kitchen: Kitchen, request: Request) -> Answer:
    """A trace as labels, or, where labels are sent too, the trace with what they say."""
    trace = request.trace(kitchen.track)
    if "labels" not in request.fields:
        return json_answer(to_labels(trace, request.text("id", "")))
    trace = from_labels(trace, request.fields["labels"])
    view = kitchen_view(trace, request.factor())
    return json_answer({"trace": trace.to_dict(), "view": view})


def agreement_job(kitchen: Kitchen, request: Request) -> Answer:
    """How well several annotators agree, and what the majority says."""
    from npn.web.agreement import agreement  # which needs NumPy, as nothing else here does

    return json_answer(agreement(request.fields.get("annotators")))


def formats_job(kitchen: Kitchen, request: Request) -> Answer:
    return json_answer(
        {
            "reads": [
                {"name": one.name, "about": one.about, "extensions": list(one.extensions)}
                for one in formats()
            ],
            "writes": [
                {"name": one.name, "about": one.about, "extension": one.extension}
                for one in downloads().values()
            ],
            "model": kitchen.tracker.name,
        }
    )


def write_job(kitchen: Kitchen, request: Request) -> Answer:
    """A trace in any format that is written, as a file to save."""
    name = request.text("to")
    known = downloads()
    if name not in known:
        raise NpnError(f'there is no format "{name}" to write: choose from {", ".join(known)}')
    trace = request.trace(kitchen.track)
    writer = known[name]
    file = file_name(trace.title, writer.extension)
    return Answer(writer.file(trace), type=media_type(writer.extension), file=file)


JOBS: dict[str, Callable[[Kitchen, Request], Answer]] = {
    "track": track_job,
    "view": view_job,
    "next": next_job,
    "explain": explain_job,
    "ask": ask_job,
    "compare": compare_job,
    "correct": correct_job,
    "labels": labels_job,
    "agreement": agreement_job,
    "formats": formats_job,
    "write": write_job,
}
