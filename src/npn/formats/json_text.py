"""JSON from outside: whatever is wrong with it becomes one sentence."""

from __future__ import annotations

import json
import re

from npn.errors import NpnError

_DECODER = json.JSONDecoder(strict=False)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str) -> object:
    """The value that `text` holds. Line breaks inside strings are forgiven, as many sites write
    them, and halves of a surrogate pair, which no one could print, are replaced."""
    try:
        value: object = _DECODER.decode(text)
        if "\\" in text and "\\u" in text and HALF_CHARACTER.search(text):
            rewritten = json.dumps(value, ensure_ascii=False).encode(errors="replace")
            value = json.loads(rewritten)
    except RecursionError:
        raise NpnError("the JSON is nested too deeply to be a recipe") from None
    except json.JSONDecodeError as error:
        raise NpnError(f"the JSON is broken at line {error.lineno}: {error.msg}") from None
    except ValueError:
        raise NpnError("the JSON holds a number of thousands of digits") from None
    return value


def parse_json_bytes(data: bytes) -> object:
    return parse_json(data.decode("utf-8-sig", "replace"))
