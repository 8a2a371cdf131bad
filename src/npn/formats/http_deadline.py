"""Connections that are cut after a time, however slowly the other side goes on sending.

A socket's own time limit begins anew with every byte that comes; a server that sends a byte now and
then could keep it for ever."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import Any
from urllib.request import HTTPHandler, HTTPSHandler, Request


class Deadline:
    """Cuts the connections that were opened under it once the time is over."""

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._sockets: list[socket.socket] = []
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def watch(self, connected: socket.socket) -> None:
        self._sockets.append(connected)

    def _cut(self) -> None:
        self.over = True
        for one in self._sockets:
            with suppress(OSError):  # it is closed already
                one.shutdown(socket.SHUT_RDWR)


class _Connection(HTTPConnection):
    deadline: Deadline

    def connect(self) -> None:
        super().connect()
        self.deadline.watch(self.sock)


class _SecureConnection(HTTPSConnection):
    deadline: Deadline

    def connect(self) -> None:
        super().connect()
        self.deadline.watch(self.sock)


class TimedHTTP(HTTPHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self.deadline = deadline

    def http_open(self, req: Request) -> HTTPResponse:
        def connection(host: str, **options: Any) -> HTTPConnection:
            new = _Connection(host, **options)
            new.deadline = self.deadline
            return new

        return self.do_open(connection, req)


class TimedHTTPS(HTTPSHandler):
    """Certificates are checked."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__(context=_certificates())
        self.deadline = deadline

    def https_open(self, req: Request) -> HTTPResponse:
        def connection(host: str, **options: Any) -> HTTPConnection:
            new = _SecureConnection(host, context=_certificates(), **options)
            new.deadline = self.deadline
            return new

        return self.do_open(connection, req)


@cache
def _certificates() -> ssl.SSLContext:
    """The certificates that this machine trusts: reading them takes longer than many a request."""
    return ssl.create_default_context()
