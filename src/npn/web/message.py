"""What the server and its workers say to each other: a line of JSON, then bytes as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class WebJob:
    """One request: the name of a job of `jobs.JOBS`, the parameters of the address, the type of
    the body ("text/plain") and the body, which is whatever the client sent."""

    name: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    body: bytes = b""

    def to_bytes(self) -> bytes:
        return _pack(
            {"name": self.name, "parameters": dict(self.parameters), "type": self.type}, self.body
        )

    @staticmethod
    def from_bytes(data: bytes) -> WebJob:
        head, body = _unpack(data)
        return WebJob(head["name"], head["parameters"], head["type"], body)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to the client. `notes` are sentences about how the recipe was read; `file` is
    the name under which the body is to be saved, if it is a download."""

    body: bytes
    status: int = 200
    type: str = "application/json"
    notes: tuple[str, ...] = ()
    file: str | None = None

    def to_bytes(self) -> bytes:
        head = asdict(self)
        return _pack({key: head[key] for key in head if key != "body"}, self.body)

    @staticmethod
    def from_bytes(data: bytes) -> Answer:
        head, body = _unpack(data)
        return Answer(body, head["status"], head["type"], tuple(head["notes"]), head["file"])


def json_answer(value: object, status: int = 200, notes: tuple[str, ...] = ()) -> Answer:
    return Answer(json_bytes(value), status, notes=notes)


def refusal(sentence: str, status: int, **more: object) -> Answer:
    """An answer that says in one sentence why there is none."""
    return json_answer({"error": sentence} | more, status)


def json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace")


def _pack(head: Mapping[str, object], body: bytes) -> bytes:
    return json.dumps(head).encode() + b"\n" + body


def _unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    head, _, body = data.partition(b"\n")
    return json.loads(head), body
