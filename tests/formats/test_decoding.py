"""Text in the encodings that recipes come in."""

from __future__ import annotations

import codecs

import pytest

from npn.formats.reading import decode

SENTENCES = [
    "Sauté ½ onion in crème fraîche at 180°C.",
    "Bake at 350°F for 1½ hours.",
    "Jalapeño and purée: add ¼ cup.",
    "SAUTÉ THE PÂTÉ, THEN CHILL.",
]


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_needs_no_guess(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (text, "")


@pytest.mark.parametrize("text", [s for s in SENTENCES if "Â" not in s])
def test_cp437_is_told_from_latin_1(text: str) -> None:
    decoded = decode(text.encode("cp437"))
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (text, "CP437 (DOS)")


@pytest.mark.parametrize("text", [*SENTENCES, "Don’t stir – “rest” the dough…"])
def test_windows_1252_is_told_from_cp437(text: str) -> None:
    decoded = decode(text.encode("cp1252"))
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (text, "Windows-1252 (Latin-1)")


def test_boxes_are_a_sign_of_cp437() -> None:
    decoded = decode(("─ Mail " + "─" * 60).encode("cp437"))
    assert decoded is not None
    assert decoded.text.startswith("─ Mail ─")


def test_one_broken_character_does_not_spoil_the_others() -> None:
    decoded = decode("Sauté the purée of jalapeño".encode() + b"\xff.")
    assert decoded is not None
    assert decoded.text == "Sauté the purée of jalapeño\ufffd."
    assert "broken" in decoded.encoding


def test_the_end_mark_of_a_dos_file_is_left_out() -> None:
    decoded = decode(b"2 eggs\r\n\x1a")
    assert decoded is not None
    assert decoded.text == "2 eggs\r\n"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        bytes(range(256)),
        b"\x01\x02\x03\x04" * 9,
        codecs.BOM_UTF16_LE + b"\0\0\0\0",
        b"text\0text",
    ],
)
def test_binary_is_no_text(data: bytes) -> None:
    assert decode(data) is None
