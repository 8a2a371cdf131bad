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
    from npn.formats.writing import binary_writers, writers

    reads = [(f.name, f.about, f.extensions) for f in formats()]
    writes = [(w.name, w.about, (w.extension,)) for w in writers().values()]
    writes += [(w.name, w.about, (w.extension,)) for w in binary_writers().values()]
    width = max(len(name) for name, _, _ in reads + writes)
    for heading, rows in (("Reads:", reads), ("\nWrites (npn track --to NAME):", writes)):
        click.echo(heading)
        for name, about, extensions in rows:
            line = f"  {name:<{width}}  {about} ({' '.join(extensions)})"
            click.echo(click.wrap_text(line, 80, subsequent_indent=" " * (width + 4)))
