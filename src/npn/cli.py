"""The `npn` program: finds the command, and turns whatever goes wrong into one sentence."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import click

from npn import __version__
from npn.commands import COMMANDS
from npn.errors import NpnError, Stopped
from npn.signals import STOP_LINE, STOPPED, nothing_to_stop, stop_cleanly

# NumPy's threads would wait for each other longer than they multiply. PyTorch has its own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BAD_INPUT = 2
EXTRAS = {
    "train": {"torch", "gensim", "matplotlib", "sacrebleu", "rouge_score", "tensorboard"},
    "corpus": {"pyarrow"},
    "cluster": {"ray"},
    "web": {"fastapi", "uvicorn"},
}


class Commands(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"npn.commands.{name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            hint = f"; to track a recipe: npn track {args[0]}" if os.path.exists(args[0]) else ""
            raise NpnError(f'there is no command "{args[0]}"; choose from {known}{hint}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    epilog="npn COMMAND --help says more about each.",
)
@click.version_option(__version__, prog_name="npn", message="%(prog)s %(version)s")
def cli() -> None:
    """Understand a recipe by simulating it: which ingredients each step acts on, also when it
    names none, and what becomes of them.

    \b
    npn track soup.txt                         a table, to read
    npn track page.html --to markdown          a table, to paste
    npn track many.jsonl --to json -o out.jsonl
    cat soup.txt | npn track -
    """


def main() -> None:
    stop_cleanly()
    try:
        status = run(sys.argv[1:])
    except KeyboardInterrupt as stop:  # a second one, while the first was being answered
        status = stopped(stop)
    nothing_to_stop()
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """The exit status: 0, or 2 with a sentence on standard error about what cannot be used."""
    try:
        status = invoke(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a full disk or a closed pipe can still be answered
    except NpnError as error:
        return complain(str(error))
    except click.UsageError as error:
        return misused(error)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as stop:
        return stopped(stop)
    except BrokenPipeError:
        return leave_closed_pipe()
    except MemoryError:
        return complain("there is not enough memory; give fewer or smaller recipes at once")
    except RecursionError:
        return complain("what was read is nested too deeply: is it the right file?")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return complain(f"{where}{error.strerror or error}")
    except ModuleNotFoundError as error:
        extra = next((name for name, libraries in EXTRAS.items() if error.name in libraries), None)
        if extra is None:
            raise
        return complain(f"this needs {error.name}: install it with pip install 'npn[{extra}]'")
    return status if isinstance(status, int) else 0


def invoke(arguments: Sequence[str]) -> object:
    """What the command returns. As `cli.main` does it, but without its empty line on Ctrl-C."""
    try:
        with cli.make_context("npn", list(arguments)) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as leave:
        return leave.exit_code


def stopped(stop: BaseException) -> int:
    """Say in one line that the program was stopped, with what the command notes of it."""
    with suppress(OSError):  # a terminal that has hung up
        click.echo("; ".join([STOP_LINE, *getattr(stop, "__notes__", ())]), err=True)
    return STOPPED + (stop.signal if isinstance(stop, Stopped) else signal.SIGINT)


def misused(error: click.UsageError) -> int:
    """One line about a wrong option or argument; a command without any shows its help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return error.exit_code
    command = error.ctx.command_path if error.ctx else "npn"
    message = " ".join(error.format_message().split()).rstrip(".")
    return complain(f"{message[:1].lower()}{message[1:]} ({command} --help says more)")


def complain(sentence: str) -> int:
    click.echo(f"npn: {sentence}", err=True)
    return BAD_INPUT


def leave_closed_pipe() -> int:
    """Whoever read our output has enough: go quietly, and let nothing be flushed on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
