"""`npn formats`: what can be read and written."""

from __future__ import annotations

import click


@click.command("formats")
def command() -> None:
    """List what can be read and written.

    A format is found from the content and the name of a file; there is nothing to choose.

    \b
    npn formats
    npn track page.html --to markdown
    """
    from npn.formats import formats
    from npn.formats.writing import writers

    reads = [(f.name, " ".join(f.extensions), f.about) for f in formats()]
    writes = [(w.name, w.extension, w.about) for w in writers().values()]
    first, second = (max(len(row[column]) for row in reads + writes) for column in (0, 1))
    for heading, rows in (("Reads:", reads), ("Writes (npn track --to NAME):", writes)):
        click.echo(heading)
        for name, extensions, about in rows:
            indent = " " * (first + second + 6)
            line = f"  {name:<{first}}  {extensions:<{second}}  {about}"
            click.echo(click.wrap_text(line, 80, subsequent_indent=indent))
        click.echo()
