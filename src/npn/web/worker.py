"""The life of one worker process: load the tracker once, then answer job after job."""

from __future__ import annotations

import signal
import sys
import traceback
from multiprocessing.connection import Connection

from npn.errors import NpnError
from npn.web.message import Answer, WebJob, refusal

FAULT = "this could not be answered: that is a fault of npn, and its terminal says more"


def work(pipe: Connection, model: str | None) -> None:
    """Answer until the server closes the pipe. Signals are the server's business: what is under
    way is finished."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    from npn.web.jobs import Kitchen  # here, in the process that pays for it

    kitchen = Kitchen(model)
    kitchen.warm_up()
    while True:
        try:
            job = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        answered = answer(kitchen, WebJob.from_bytes(job)).to_bytes()
        try:
            pipe.send_bytes(answered)
        except OSError:  # the server is gone
            return


def answer(kitchen: object, job: WebJob) -> Answer:
    from npn.web.jobs import Kitchen, SeveralRecipesError

    assert isinstance(kitchen, Kitchen)
    try:
        return kitchen.answer(job)
    except SeveralRecipesError as several:
        return refusal(str(several), 422, recipes=several.titles)
    except NpnError as error:
        return refusal(str(error), 422)
    except RecursionError:
        return refusal("this is nested too deeply to be a recipe", 422)
    except MemoryError:
        return refusal("this needs more memory than there is: shorten the recipe", 503)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return refusal(FAULT, 500)
