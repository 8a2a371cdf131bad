"""`npn next`: what to do next, and what it would do."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TextIO

import click

from npn.errors import NpnError
from npn.formats import Found, Item, Problem, read_file
from npn.formats.plain_text import read_recipe
from npn.formats.reading import decode, parse_json
from npn.recipe import Recipe
from npn.suggestions import MOST_SUGGESTED, Suggestions, suggest

LONGEST_NAME = 8  # words of a line that may be the name of an ingredient alone
END = frozenset(".!?:")  # of a sentence or a heading
LINE = "line "  # where a recipe of JSON Lines stands: "line 12"


def read_unfinished(path: str) -> Iterator[Item]:
    """As `read_file`, but a recipe may have ingredients alone, as plain text or as our JSON."""
    data = sys.stdin.buffer.read() if path == "-" else b""

    @cache
    def lines() -> list[str]:
        """Those of the file, which is read again when the first recipe without steps is met."""
        with suppress(OSError):
            decoded = decode(data if path == "-" else Path(path).read_bytes())
            return decoded.text.split("\n") if decoded else [""]
        return [""]

    try:
        for item in read_file(path, BytesIO(data)):
            if isinstance(item, Problem) and item.where.startswith(LINE):
                recipe = _begun(lines()[int(item.where.removeprefix(LINE)) - 1])
                item = Found(recipe, item.where) if recipe else item
            yield item
    except NpnError:
        recipe = _begun("\n".join(lines()))
        if recipe is None:
            raise
        yield Found(recipe)


def _begun(text: str) -> Recipe | None:
    try:
        return _from_json(text) if text.lstrip().startswith("{") else _from_text(text)
    except NpnError:
        return None


def _from_json(text: str) -> Recipe | None:
    value = parse_json(text)
    if not isinstance(value, dict) or value.get("steps", []) != []:
        return None
    recipe = Recipe.from_dict({**value, "steps": []})
    return recipe if recipe.ingredients else None


def _from_text(text: str) -> Recipe | None:
    """Read as if one step followed, which is then taken away again."""
    lines = text.strip().splitlines()
    heading = ["Ingredients:"] if _are_names(lines) else []
    recipe = read_recipe([*heading, *lines, "", "Directions:", "Begin."])
    if recipe.steps != ("Begin.",):
        return None
    return Recipe(recipe.title, recipe.ingredients, ())


def _are_names(lines: Sequence[str]) -> bool:
    """Whether the lines may be bare names of ingredients, without amounts and a title: "eggs" and
    "a little butter"; one line alone may, if it is one word."""
    if len(lines) == 1:
        return lines[0].strip().isalpha()
    return all(
        0 < len(line.split()) <= LONGEST_NAME
        and line.strip()[-1] not in END
        and not any(map(str.isdigit, line))
        for line in lines
    )


FEW = 0.5  # below this share of known words, the suggestions are not about this recipe


@click.command("next", no_args_is_help=True)
@click.argument("recipes", nargs=-1, required=True, metavar="RECIPE...")
@click.option(
    "-n", "count", type=click.IntRange(1, MOST_SUGGESTED), default=3, help="How many suggestions."
)
@click.option(
    "--after",
    type=click.IntRange(0),
    metavar="K",
    help="Suggest what follows step K, as if the rest were not there; 0 asks for a first step.",
)
@click.option(
    "--to", "form", type=click.Choice(["table", "json"]), default="table", help="What to write."
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, once all is well.")
@click.option("--model", metavar="PATH", help="A generator of your own.")
def command(
    recipes: tuple[str, ...],
    count: int,
    after: int | None,
    form: str,
    output: str | None,
    model: str | None,
) -> None:
    """Suggest the next step of a recipe that is not finished, and say what it would do.

    RECIPE is a file in any format that `npn formats` lists, or - for standard input: the
    ingredients, and the steps so far. With ingredients alone a first step is suggested.

    \b
    npn next soup.txt                          three steps that may come next
    npn next soup.txt --after 2 -n 1           the likeliest after step 2
    npn next soup.txt --to json                for programs, one line a recipe
    printf '2 eggs\\n1 tbsp butter\\n' | npn next -

    A suggestion is made by a small network that has read 25,000 recipes: a likely next step, not
    a tested one. Each is simulated by the default tracker before it is shown.
    """
    from npn.commands.files import RecipeReader, open_output
    from npn.formats.writing.wording import plain

    reading = RecipeReader(recipes, read=read_unfinished)
    with open_output(output, recipes) as out:
        for number, found in enumerate(
            reading.each(lambda recipe: suggest(recipe, count, after=after, model=model))
        ):
            if found.known < FEW:
                click.echo(
                    f"npn: {plain(reading.where)}: few words of this recipe are known: expect "
                    "little of what is suggested",
                    err=True,
                )
            if form == "json":
                out.write(json.dumps(found.to_dict(), ensure_ascii=False) + "\n")
            else:
                write_table(found, out, first=not number)
        out.flush()
        reading.finish()


def write_table(found: Suggestions, out: TextIO, *, first: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from npn.formats.writing import piles, wording
    from npn.formats.writing.table import width

    console = Console(file=out, width=width(out), highlight=False, emoji=False, markup=False)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, expand=True, pad_edge=False)
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("next step", ratio=5)
    table.add_column("takes", ratio=3, style="yellow")
    table.add_column("acts on", ratio=3, style="cyan")
    table.add_column("what changes", ratio=3, style="green")
    for place, one in enumerate(found, 1):
        names = wording.ingredient_names(one.trace)
        cells = (
            str(place),
            wording.plain(one.text),
            "\n".join(wording.taken(one.trace, names)[-1]),
            piles.acted_on(one.trace, names)[-1],
            "\n".join(piles.changed(one.trace, names)[-1]),
        )
        table.add_row(*map(Text, cells))
    with console.capture() as page:
        if not first:
            console.rule(style="dim")
        console.print(Text(_heading(found), style="bold"))
        console.print(
            Text(f"suggested by {found.model}, simulated by {found.tracker}", style="dim")
        )
        console.print()
        console.print(table)
    out.write("\n".join(line.rstrip(" ") for line in page.get().split("\n")))


def _heading(found: Suggestions) -> str:
    from npn.formats.writing.wording import plain

    title = plain(found.title) or "Untitled recipe"
    return f"{title}, {f'after step {found.after}' if found.after else 'before the first step'}"
