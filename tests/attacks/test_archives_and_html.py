"""Zip bombs, hostile pages and endless nesting: each is answered soon, with a recipe or one of our
own errors, and never with anything else."""

from __future__ import annotations

import gzip
import io
import json
import struct
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npn.errors import NpnError
from npn.formats import (
    archive,
    cooklang,
    mealie,
    nextcloud,
    paprika,
    read_file,
    read_text,
    schema_org,
    tandoor,
)
from npn.formats.reading import Found, Item, Problem, Source

SECONDS = 10  # of the processor: far above what any of these takes, far below quadratic readers
KB, MB = 1 << 10, 1 << 20
LOWER = "abcdefghijklmnopqrstuvwxyz"

RECIPE = {
    "@type": "Recipe",
    "name": "Toast",
    "slug": "toast",
    "recipeIngredient": ["1 slice of bread"],
    "recipeInstructions": ["Toast the bread."],
}
MEALIE = {key: value for key, value in RECIPE.items() if key != "@type"}
FORMATS = [module.FORMAT for module in (cooklang, mealie, nextcloud, paprika, schema_org, tandoor)]


@contextmanager
def soon() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < SECONDS


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as written:
        for name, data in members.items():
            written.writestr(name, data)
    return file.getvalue()


def read_zip(data: bytes) -> list[Item]:
    source = Source("export.zip", data, "")
    assert mealie.FORMAT.sniff(source)
    return list(mealie.FORMAT.read(source))


def read_anyhow(source: Source) -> list[Item]:
    """What each format makes of a source that it takes for its own."""
    items: list[Item] = []
    for one in FORMATS:
        if one.sniff(source):
            try:
                items += one.read(source)
            except NpnError as error:
                items.append(Problem(one.name, str(error)))
    return items


def read_page(text: str) -> str:
    """The complaint about a page, or "" if it holds a recipe."""
    try:
        list(schema_org.FORMAT.read(Source("a.html", text.encode(errors="replace"), text)))
    except NpnError as error:
        return str(error)
    return ""


# Archives


def test_a_member_that_unpacks_to_more_than_a_recipe_is_refused() -> None:
    good = json.dumps(MEALIE).encode()
    data = zipped({"a/a.json": good, "bomb.json": b" " * (40 * MB), "z/z.json": good})
    assert len(data) < MB
    with soon():
        first, bomb, last = read_zip(data)
    assert isinstance(first, Found)
    assert isinstance(bomb, Problem)
    assert bomb == Problem("bomb.json", "it holds more than 32 MB, which is no recipe")
    assert isinstance(last, Found)


def test_many_members_that_together_unpack_to_too_much_stop_the_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archive, "MOST_IN_ALL", 4 * MB)
    good = json.dumps(MEALIE).encode()
    data = zipped({"a.json": good} | {f"{number}.json": b" " * MB for number in range(8)})
    with soon(), pytest.raises(NpnError, match="zip bomb"):
        read_zip(data)


def test_archives_in_an_archive_that_together_unpack_to_too_much_stop_the_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archive, "MOST_IN_ALL", 40 * MB)  # enough for one of them
    good = b'{"name": "Toast", "steps": [{"instruction": "", "show_as_header": false}]}'
    bomb = zipped({"recipe.json": good + b" " * (30 * MB)})
    source = Source("export.zip", zipped({f"{number}.zip": bomb for number in range(40)}), "")
    with soon():
        assert tandoor.FORMAT.sniff(source)
        with pytest.raises(NpnError, match="zip bomb"):
            list(tandoor.FORMAT.read(source))


def test_a_size_that_lies_is_not_believed() -> None:
    data = zipped({"a.json": json.dumps(MEALIE).encode(), "bomb.json": b" " * (40 * MB)})
    true, false = struct.pack("<I", 40 * MB), struct.pack("<I", 10)
    assert data.count(true) == 2  # in the member's header and in the directory
    with soon():
        first, bomb = read_zip(data.replace(true, false))
    assert isinstance(first, Found)
    assert isinstance(bomb, Problem)


def test_a_gzip_bomb_inside_an_archive_is_refused() -> None:
    good = gzip.compress(json.dumps({"name": "Toast"}).encode())
    bomb = gzip.compress(b" " * (64 * MB))
    data = zipped({"a.paprikarecipe": good, "b.paprikarecipe": bomb, "c.paprikarecipe": good})
    with soon():
        items = list(paprika.FORMAT.read(Source("all.paprikarecipes", data, "")))
    assert [type(item) for item in items] == [Found, Problem, Found]


def test_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_MEMBERS", 1_000)
    names = {"a.json": json.dumps(MEALIE).encode()}
    data = zipped(names | {f"{number}": b"" for number in range(1_000)}, zipfile.ZIP_STORED)
    source = Source("export.zip", data, "")
    with pytest.raises(NpnError, match="more than 1,000 members"):
        list(mealie.FORMAT.read(source))
    assert not mealie.FORMAT.sniff(source)


def test_an_encrypted_member_is_a_problem_and_the_others_go_on() -> None:
    good = json.dumps(MEALIE).encode()
    file = bytearray(zipped({"a.json": good, "b.json": good}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = file.rindex(signature)
        file[at + offset] |= 1
    first, second = read_zip(bytes(file))
    assert isinstance(first, Found)
    assert second == Problem("b.json", "it is encrypted: export it without a password")


def test_a_damaged_member_is_a_problem_and_the_others_go_on() -> None:
    good = json.dumps(MEALIE).encode()
    file = bytearray(zipped({"a.json": good, "b.json": good}))
    at = file.rindex(b"b.json", 0, file.index(b"PK\x01\x02")) + len("b.json")
    file[at : at + 20] = bytes(20)
    first, second = read_zip(bytes(file))
    assert isinstance(first, Found)
    assert isinstance(second, Problem)
    assert second.where == "b.json"


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_methods_that_can_ask_for_any_memory_are_not_read(method: int) -> None:
    data = zipped({"a.json": json.dumps(MEALIE).encode()}, method)
    (item,) = mealie.FORMAT.read(Source("a.zip", data, ""))
    assert isinstance(item, Problem)
    assert "compressed in a way" in item.message


@pytest.mark.parametrize(
    "name", ["../../up.json", "/etc/up.json", "C:\\up.json", "é" * 9000 + ".json"]
)
def test_names_are_only_names(name: str) -> None:
    (item,) = read_zip(zipped({name: json.dumps(MEALIE).encode()}))
    assert isinstance(item, Found)


@pytest.mark.parametrize("cut", [4, 30, 100, -1, -10, -30])
def test_a_torn_archive(cut: int) -> None:
    data = zipped({"a.json": json.dumps(MEALIE).encode()})[:cut]
    source = Source("a.zip", data, "")
    assert not any(one.sniff(source) for one in FORMATS)
    with pytest.raises(NpnError, match="damaged"):
        list(mealie.FORMAT.read(source))


def test_a_member_whose_name_is_no_letter_long_is_passed_over() -> None:
    members = {"a.json": json.dumps(MEALIE).encode(), "b.json": json.dumps(MEALIE).encode()}
    damaged = zipped(members).replace(b"a.json", b"\0.json")  # a name ends at a zero
    assert [type(one).__name__ for one in mealie.FORMAT.read(Source("a.zip", damaged, ""))] == [
        "Found"
    ]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_flipped_byte_escapes(data: st.DataObject) -> None:
    members = {"a.json": json.dumps(MEALIE).encode(), "b/recipe.json": json.dumps(RECIPE).encode()}
    file = bytearray(zipped(members))
    for _ in range(3):
        at = data.draw(st.integers(0, len(file) - 1))
        file[at] = data.draw(st.integers(0, 255))
    read_anyhow(Source("a.zip", bytes(file), ""))


# Pages

HOSTILE = {
    "deep nesting": "<div>" * 50_000,
    "deep microdata": '<p itemscope itemprop="a">' * 20_000,
    "deep values": "<i itemscope>" + '<b itemprop="name">x' * 20_000,
    "unmatched ends": "<div>" * 20_000 + "</p>" * 50_000,
    "crossed tags": "<b><p>" * 20_000 + "</b></p>" * 20_000,
    "a huge attribute": '<div class="' + "x" * (5 * MB) + '">',
    "an endless attribute": "<div class='" + "x" * (5 * MB),
    "many attributes": "<div " + " ".join(f"a{n}=1" for n in range(100_000)) + ">",
    "open quotes": "<a b='" * 100_000,
    "crossed quotes": "<a\"='<a\"='" * 50_000,
    "open brackets": "<" * MB,
    "open tags": "<a " * 200_000,
    "open comments": "<!--" * 200_000,
    "open declarations": "<!" * 300_000,
    "open scripts": "<script>" * 100_000,
    "scripts of nothing": '<script type="application/ld+json"></script>' * 10_000,
    "scripts of brackets": '<script type="application/ld+json">' + "[" * 300_000,
    "broken scripts": '<script type="application/ld+json">{"@type": "Recipe",' + "/*" * 100_000,
    "entities": "<p itemscope><b itemprop=name>" + "&amp" * 99_000 + "&#" + "9" * 99_000 + ";</b>",
    "spaces": "<p " + " " * MB,
    "equals": "<p" + " =" * 200_000,
    "null characters": "<p>\0" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_answered_soon(name: str) -> None:
    page = "<html>" + HOSTILE[name]
    with soon():
        assert "copy the recipe itself" in read_page(page)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_recipe_is_found_before_hostile_markup(name: str) -> None:
    script = f'<script type="application/ld+json">{json.dumps(RECIPE)}</script>'
    with soon():
        assert read_page("<html>" + script + HOSTILE[name]) == ""


GROUPS = {
    "headings in one place": '<b class="wprm-recipe-group-name">x</b>' * 10_000,
    "lines in one place": '<h4 class="wprm-recipe-group-name">x</h4>'
    + '<li class="wprm-recipe-ingredient">1 egg</li>' * 10_000,
    "lines within lines": '<li class="tasty-recipes-ingredients">x' * 20_000,
    "headings within headings": '<div class="tasty-recipes-ingredients"><h4>' * 20_000,
}


@pytest.mark.parametrize(
    ("name", "site"),
    [
        *((name, "pinchofyum.com") for name in [*HOSTILE, *GROUPS]),
        *((name, "allrecipes.com") for name in GROUPS),
    ],
)
def test_a_known_site_makes_a_hostile_page_no_worse(name: str, site: str) -> None:
    address = f'<link rel="canonical" href="https://www.{site}/toast">'
    script = f'<script type="application/ld+json">{json.dumps(RECIPE)}</script>'
    with soon():
        assert read_page(f"<html>{address}{script}{(HOSTILE | GROUPS)[name]}") == ""


def test_a_page_of_links_is_asked_once_more_and_no_longer() -> None:
    link = '<a class="wprm-recipe-group-name" href="https://www.allrecipes.com/">x</a>'
    with soon():
        assert "copy the recipe itself" in read_page("<html>" + link * 12_000)


def test_a_page_that_is_nested_too_deeply_says_so() -> None:
    assert "nested too deeply" in read_page("<html>" + "<div>" * 50_000)


@pytest.mark.parametrize("address", ["https://[", "https://[x]/", "https://\\", "http://:0x/"])
def test_an_address_that_is_none_is_passed_over(address: str) -> None:
    script = f'<script type="application/ld+json">{json.dumps(RECIPE)}</script>'
    assert read_page(f'<html><link rel="canonical" href="{address}">{script}') == ""


def test_a_page_cannot_make_the_reader_call_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a page opened a connection")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    page = (
        '<!DOCTYPE html [<!ENTITY x SYSTEM "http://127.0.0.1/x">]><html><head>'
        '<link rel="canonical" href="https://www.allrecipes.com/recipe/1">'
        '<script type="application/ld+json" src="http://127.0.0.1/y">{"@context": '
        '"http://127.0.0.1/context.json", "@type": "Recipe",}</script></head>&x;</html>'
    )
    assert read_page(page)


# JSON


def nested(depth: int) -> Iterator[str]:
    yield "[" * depth
    yield "[" * depth + "]" * depth
    yield '{"@graph":' * depth + "1" + "}" * depth
    for key in ("recipeInstructions", "recipeIngredient", "name"):
        inner = "[" * depth + '"x"' + "]" * depth
        yield json.dumps({**RECIPE, key: "HERE"}).replace('"HERE"', inner)
    steps = '{"@type": "HowToSection", "itemListElement": [' * depth + '"x"' + "]}" * depth
    yield json.dumps({**RECIPE, "recipeInstructions": "HERE"}).replace('"HERE"', steps)


@pytest.mark.parametrize("depth", [100, 450, 900, 5_000, 100_000])
def test_nested_json_ld(depth: int) -> None:
    for text in nested(depth):
        with soon():
            read_anyhow(Source("a.json", text.encode(), text))
            read_page(f'<html><script type="application/ld+json">{text}</script></html>')


def test_deep_json_says_what_is_wrong() -> None:
    text = json.dumps({**RECIPE, "x": "HERE"}).replace('"HERE"', "[" * 100_000)
    with pytest.raises(NpnError, match="nested too deeply"):
        list(schema_org.FORMAT.read(Source("a.json", text.encode(), text)))


ROW = {"food": {"name": "egg"}}
MANY: dict[str, dict[str, object]] = {
    "rows of one food": {
        "name": "x",
        "steps": [{"instruction": "", "show_as_header": False, "ingredients": [ROW] * 40_000}],
    },
    "rows of one food in several steps": {
        "name": "x",
        "steps": [
            {"instruction": "", "show_as_header": False, "ingredients": [ROW] * count}
            for count in (4_900, *[1] * 40_000)
        ],
    },
    "names of items": {
        "recipes": [
            {
                "name": "x",
                "description": "Mix.\n" + "· 1 egg a\n@egg_b\n" * 30_000,
                "yields": 4,
                "items": [{"name": f"egg {n:x}", "optional": False} for n in range(30_000)],
            }
        ]
    },
    "headings among the directions": {
        "name": "x",
        "ingredients": "1 egg",
        "nutritional_info": "",
        "directions": "\n".join(f"Egg{'x' * (n % 40)}{chr(97 + n % 26)}:" for n in range(40_000)),
    },
}


@pytest.mark.parametrize("what", MANY)
def test_a_megabyte_of_the_same_is_soon_read(what: str) -> None:
    text = json.dumps(MANY[what])
    with soon(), suppress(NpnError):
        read_text(text, "a.json")


def test_many_headings_in_one_paragraph_are_soon_read() -> None:
    headings = (f"{a}{b}{c}:" for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for b in LOWER for c in LOWER)
    text = "Soup\n\n1 egg\n2 leeks\n\nMix the egg with the leeks. Boil them.\n\n"
    with soon():
        assert read_text(text + "\n".join(headings)).ingredients


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "@type",
                    "@value",
                    "text",
                    "name",
                    "item",
                    "itemListElement",
                    "value",
                    "unitText",
                    "food",
                    "note",
                ]
            ),
            inner | st.sampled_from(["HowToStep", "HowToSection", "PropertyValue"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(VALUES, VALUES, VALUES)
def test_no_json_ld_makes_a_reader_raise(name: object, lines: object, steps: object) -> None:
    given_values = {"name": name, "recipeIngredient": lines, "recipeInstructions": steps}
    for recipe in (RECIPE, MEALIE):
        text = json.dumps({**recipe, **given_values})
        for item in read_anyhow(Source("a.json", text.encode(), text)):
            assert isinstance(item, Found)
            assert all(line.text.strip() for line in item.recipe.ingredients)
            assert all(step.strip() for step in item.recipe.steps)
            str(item.recipe.to_dict()).encode()


MARKUP = st.text(
    st.sampled_from("<>!-/='\"&;{}[]@#~%()\\ \n\tabcitemscopriptl0129\0é"), max_size=60
)


@settings(max_examples=500, deadline=None)
@given(MARKUP, st.sampled_from(["a.cook", "a.html", "a.json", "a"]))
def test_no_text_makes_a_reader_raise(text: str, name: str) -> None:
    read_anyhow(Source(name, text.encode(), text))


# Cooklang

WORST = [
    *("@a{", "@a{%", "@a{}(", "@a b ", "#", "~{", "--", "[-", "- ", ">", "=", "1/", "1 / ", "{}"),
    *(" ", "\n", "a", "@-", "@&(", "@a-", "(@a{}) ", "(@a{}, "),
]


@pytest.mark.parametrize("worst", WORST)
def test_cooklang_is_linear(worst: str) -> None:
    text = worst * (256 * KB // len(worst))
    with soon():
        read_anyhow(Source("a.cook", text.encode(), text))


# Archives that no format finds anything in


def archive_of(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def why_refused(path: Path) -> str:
    with pytest.raises(NpnError) as error:
        list(read_file(str(path)))
    return str(error.value)


def test_an_empty_archive(tmp_path: Path) -> None:
    assert "the zip archive is empty" in why_refused(archive_of(tmp_path / "soup.zip"))


def test_an_archive_of_somebody_else(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "soup.zip", photo=b"a leek")
    assert "holds no recipes of a program that is read (photo is" in why_refused(path)


def test_an_encrypted_archive(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "soup.zip", recipes=b"{}")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag of the directory at the end
    path.write_bytes(data)
    assert "the zip archive is encrypted" in why_refused(path)


def test_half_an_archive(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "soup.zip", recipes=b"{}" * 99)
    path.write_bytes(path.read_bytes()[:100])
    assert "the zip archive is damaged" in why_refused(path)


@pytest.mark.parametrize("text", ["[null]", "[1, 2]", "[ true ]", "[-1.5]"])
def test_a_list_of_what_are_no_recipes(text: str, tmp_path: Path) -> None:
    path = tmp_path / "soup.json"
    path.write_text(text)
    items = list(read_file(str(path)))
    assert all(isinstance(item, Problem) for item in items)
    assert "this JSON is not a recipe" in str(items[0])
