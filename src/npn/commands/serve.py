"""`npn serve`: the kitchen on a page."""

from __future__ import annotations

import os
import signal
import socket
import sys

import click

from npn.errors import NpnError

PORT = 8383
LOOPBACK = "127.0.0.1"
FINISH = 30  # seconds for what is under way when the server is told to stop


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT)
@click.option(
    "--host",
    default=LOOPBACK,
    metavar="ADDRESS",
    help="Listen here. Others on the network can use the server if this is not your own machine's.",
)
@click.option("--model", metavar="NAME|PATH", help="Who tracks; the default, unless told.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, help="Recipes at a time.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A name the server goes by.")
@click.option(
    "--allow-origin", multiple=True, metavar="URL", help="A page elsewhere that may use the API."
)
@click.option(
    "--browser/--no-browser",
    default=True,
    show_default=False,
    help="Open the page, where there is one.",
)
def command(
    port: int,
    host: str,
    model: str | None,
    workers: int,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    browser: bool,
) -> None:
    """Show recipes on a page: see, step by step, what is where in the kitchen; cook from it, ask
    it, correct it. The same as an API for programs.

    \b
    npn serve                                  http://127.0.0.1:8383
    npn serve --port 9000 --no-browser
    curl --data-binary @soup.txt http://127.0.0.1:8383/api/track

    Nothing that is sent is written to disk, and the page asks nobody else for anything.
    """
    import uvicorn

    from npn.web.app import create_app
    from npn.web.worker_pool import ServerLimits

    if model is not None:
        from npn.models import load_tracker

        load_tracker(model)  # to say now what is wrong with it
    listening = _listen(host, port)
    app = create_app(ServerLimits(workers=workers), model, [host, *allow_host], allow_origin)
    address = _address(host, listening.getsockname()[1])
    config = uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        date_header=False,
        access_log=False,
        limit_concurrency=1_000,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=FINISH,
        h11_max_incomplete_event_size=1 << 17,
        http="h11",
        ws="none",
    )
    click.echo(f"npn is at {address} (Ctrl-C ends it)")
    if sys.stdout is not None:
        sys.stdout.flush()
    if browser:
        _open_browser(address)
    _hear_hang_up()
    uvicorn.Server(config).run(sockets=[listening])


def _hear_hang_up() -> None:
    """Let SIGHUP end the server as SIGTERM does: what is under way is finished first."""
    import uvicorn.server

    number = getattr(signal, "SIGHUP", None)  # Windows has none
    if number is not None and signal.getsignal(number) != signal.SIG_IGN:
        handled = (*uvicorn.server.HANDLED_SIGNALS, number)
        uvicorn.server.HANDLED_SIGNALS = handled  # type: ignore[assignment]


def _listen(host: str, port: int) -> socket.socket:
    """The open port; requests wait there until the server is up."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(256)
    except socket.gaierror:
        raise NpnError(f"{host} is no address of this machine: leave --host out") from None
    except OSError as error:
        raise NpnError(
            f"cannot listen at {host}, port {port}: {error.strerror or error}; choose another "
            "with --port"
        ) from error
    return listening


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _open_browser(address: str) -> None:
    """Only where there is a screen: a browser in the terminal would be in the way."""
    screen = os.name == "nt" or sys.platform == "darwin"
    if screen or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        import webbrowser

        webbrowser.open(address)
