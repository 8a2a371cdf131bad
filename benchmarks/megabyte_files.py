"""Files of a megabyte, of many kinds: text, recipes, pages, archives, models, lexicons."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

from npn.recipe import Recipe

MEGABYTE = 1_000_000
FOODS = "egg flour sugar butter milk salt onion carrot garlic rice bean lemon".split()
LIST = "".join(f"1 cup {food}\n" for food in FOODS)
STEP = "Mix the egg with the flour in a bowl, then add the milk and stir until smooth. "
SMALL = {"title": "Batter", "ingredients": ["1 egg", "1 cup flour", "1 cup milk"], "steps": [STEP]}
SCHEMA = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Batter",
    "recipeIngredient": SMALL["ingredients"],
    "recipeInstructions": [{"@type": "HowToStep", "text": STEP}],
}
MEAL_MASTER = """MMMMM----- Recipe via Meal-Master (tm) v8.05

      Title: Batter
 Categories: Cakes
      Yield: 4 servings

      1    egg
      1 c  flour
      1 c  milk

  Mix the egg with the flour in a bowl, then add the milk and stir.

MMMMM

"""
COOKLANG = "Mix the @egg{1} with the @flour{1%cup} in a #bowl{} for ~{5%minutes}.\n\n"
RULES = '[verb{0}]\nwords = ["verb{0}", "verbs{0}"]\ncookedness = "cooked"\n\n'


def filled(piece: str) -> bytes:
    """A megabyte of one piece, again and again."""
    return (piece * (MEGABYTE // len(piece.encode()))).encode()


def numbered(piece: str) -> bytes:
    count = MEGABYTE // len(piece.encode())
    return "".join(piece.replace("{0}", str(n)) for n in range(count)).encode()[:MEGABYTE]


def packed(members: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return data.getvalue()


def bomb() -> bytes:
    """Almost a gigabyte of brackets, which a megabyte holds."""
    data = io.BytesIO()
    with (
        zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.json", "w") as member,
    ):
        for _ in range(900):
            member.write(b"[" * MEGABYTE)
    return data.getvalue()


def mealie() -> bytes:
    """A Mealie export of small recipes."""
    from npn.formats.writing import binary_writers
    from npn.models import load_tracker

    recipe = Recipe.from_dict({**SMALL, "steps": [STEP * 4]})
    data = io.BytesIO()
    trace = load_tracker("mention").track(recipe)
    binary_writers()["mealie"].write(iter([trace] * 600), data)
    return data.getvalue()


def page(inside: bytes) -> bytes:
    return b"<html><body>" + inside + b"</body></html>"


def safetensors(header: bytes, body: bytes = b"") -> bytes:
    return len(header).to_bytes(8, "little") + header + body


def _random() -> bytes:
    return random.Random(18).randbytes(MEGABYTE)


# What is one thing, or none: it is answered at once.
FILES: dict[str, Callable[[], bytes]] = {
    "nothing.txt": lambda: b"",
    "zeros.bin": lambda: bytes(MEGABYTE),
    "random.bin": _random,
    "one-word.txt": lambda: b"x" * MEGABYTE,
    "one-line.txt": lambda: filled("mix the egg well and "),
    "many-lines.txt": lambda: filled("Mix the egg.\n"),
    "empty-lines.txt": lambda: b"\n" * MEGABYTE,
    "long-step.txt": lambda: (LIST + "\n").encode() + filled(STEP),
    "long-clauses.txt": lambda: f"{LIST}\nStir".encode() + filled(" and mix the egg well"),
    "many-steps.txt": lambda: (LIST + "\n").encode() + filled(STEP + "\n"),
    "many-ingredients.txt": lambda: filled("1 cup flour\n") + b"\nMix the flour.\n",
    "long-line.txt": lambda: b"1 cup " + filled("fine ") + b"flour\n\nMix the flour.\n",
    "brackets.txt": lambda: f"{LIST}\nMix ".encode() + b"(" * MEGABYTE,
    "deep.json": lambda: b"[" * MEGABYTE,
    "deep-objects.json": lambda: filled('{"a":'),
    "long-string.json": lambda: json.dumps({**SMALL, "steps": ["x" * MEGABYTE]}).encode(),
    "numbers.json": lambda: b"[" + filled("1e309,") + b"0]",
    "long-number.json": lambda: b'{"ingredients": ' + b"9" * MEGABYTE + b"}",
    "many-keys.json": lambda: b"{" + numbered('"k{0}": 1, ') + b'"z": 1}',
    "one-recipe.json": lambda: json.dumps({**SMALL, "steps": [STEP] * 12_000}).encode(),
    "tags.html": lambda: page(filled("<div>")),
    "prose.html": lambda: page(filled("<p>Mix the egg.</p>")),
    "entities.html": lambda: page(filled("&amp;&#65;")),
    "attributes.html": lambda: page(b"<p " + filled("a=b ") + b">"),
    "comments.html": lambda: page(filled("<!--")),
    "one-recipe.cook": lambda: filled(COOKLANG),
    "marks.cook": lambda: filled("@a{"),
    "bomb.zip": bomb,
    "random.zip": lambda: packed({"recipe.json": _random()}),
    "text.zip": lambda: packed({"soup.txt": (LIST + "\n").encode() + filled(STEP)}),
    "broken.zip": lambda: packed({"recipe.json": _random()})[: MEGABYTE // 2],
    "header.safetensors": lambda: safetensors(filled('{"a":')),
    "tensors.safetensors": lambda: safetensors(b"{}" + b" " * 6, bytes(MEGABYTE)),
    "actions.toml": lambda: numbered(RULES),
    "deep.toml": lambda: b"a = " + b"[" * MEGABYTE,
    "gold.jsonl": lambda: filled(json.dumps({"id": "1", "steps": [{"entities": [0]}]}) + "\n"),
}

# Many recipes: there is honest work for each. What is promised is the first one, and the memory.
MANY: dict[str, Callable[[], bytes]] = {
    "many.jsonl": lambda: filled(json.dumps(SMALL) + "\n"),
    "many.json": lambda: b"[" + filled(json.dumps(SMALL) + ",") + json.dumps(SMALL).encode() + b"]",
    "many.mmf": lambda: filled(MEAL_MASTER),
    "many.html": lambda: page(
        filled(f'<script type="application/ld+json">{json.dumps(SCHEMA)}</script>')
    ),
    "many-schema.json": lambda: (
        b"[" + filled(json.dumps(SCHEMA) + ",") + json.dumps(SCHEMA).encode() + b"]"
    ),
    "many.zip": mealie,
}


def write_files(folder: Path, names: list[str]) -> list[Path]:
    paths = []
    for name in names:
        path = folder / name
        path.write_bytes({**FILES, **MANY}[name]())
        paths.append(path)
    return paths
