"""`npn lexicon`: look up and check what is known about actions."""

from __future__ import annotations

from pathlib import Path

import click

from npn.rules.lexicon import (
    FLAGS,
    SHIPPED_END_STATES,
    Action,
    load_lexicon,
    read_end_states,
    read_lexicon,
)
from npn.rules.lexicon.seen import describe_seen, load_seen


class ActionGroup(click.Group):
    """`npn lexicon bake` is `npn lexicon show bake`: what is not a subcommand is an action."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


takes_lexicon = click.option(
    "--lexicon",
    "folder",
    metavar="DIR",
    type=Path,
    help="A folder with your own actions.toml and end_states.toml.",
)


@click.group("lexicon", cls=ActionGroup, no_args_is_help=True)
def command() -> None:
    """Look up and check what is known about actions.

    \b
    npn lexicon bake                                what baking does to food
    npn lexicon find --type temperature --end cold  which actions make food cold
    npn lexicon check chemistry/actions.toml        is my own lexicon right?
    npn lexicon dissolve --lexicon chemistry        look it up there
    """


@command.command("show")
@click.argument("actions", nargs=-1, required=True, metavar="ACTION...")
@takes_lexicon
def show(actions: tuple[str, ...], folder: Path | None) -> None:
    """Show what an action changes. `npn lexicon bake` does the same.

    Below its entry stands how the network sees it: how often the action comes in recipes of both
    corpora, and how often each end state follows. A lexicon of your own has only entries.
    """
    lexicon = load_lexicon(folder)
    known = [lexicon.expect_action(name) for name in actions]
    seen = load_seen() if folder is None else {}
    described = [
        describe(action) + (f"\n{describe_seen(seen[action.name])}" if action.name in seen else "")
        for action in known
    ]
    click.echo("\n\n".join(described))


@command.command("find")
@click.option("--type", required=True, metavar="TYPE", help="A type of state change: temperature.")
@click.option("--end", metavar="STATE", help="The end state it must come to: cold.")
@takes_lexicon
def find(type: str, end: str | None, folder: Path | None) -> None:
    """List the actions that change a type of state, or that bring about an end state."""
    for action in load_lexicon(folder).find(type, end):
        click.echo(action.name)


@command.command("check")
@click.argument("file", type=Path)
@takes_lexicon
def check(file: Path, folder: Path | None) -> None:
    """Check a lexicon of one's own: FILE is an actions.toml, an end_states.toml, or a folder that
    holds both.

    Actions are checked against the end states in the --lexicon folder, else against the
    end_states.toml beside FILE, else against those that ship.
    """
    if file.name == "end_states.toml":
        states, _ = read_end_states(file)
        click.echo(f"{file} is right: " + ", ".join(f"{len(s)} of {t}" for t, s in states.items()))
        return
    if file.is_dir():
        lexicon, beside = load_lexicon(file), file / "end_states.toml"
    else:
        beside = (folder or file.parent) / "end_states.toml"
        if folder is None and not beside.exists():
            beside = SHIPPED_END_STATES
        lexicon = read_lexicon(file, beside)
    against = "the end states that ship" if beside is SHIPPED_END_STATES else beside
    changing = [action for action in lexicon.actions.values() if action.changes]
    several = sum(len(action.changes) > 1 for action in changing)
    click.echo(
        f"{file} is right, checked against {against}: {len(lexicon.actions)} actions, "
        f"{len(changing)} with a state change, {several} with several"
    )


def describe(action: Action) -> str:
    """What is known about an action, for a person to read."""
    rows = []
    for type, end in action.changes.items():
        default = action.defaults.get(type)
        what = end or "what the sentence names" + (f", else {default}" if default else "")
        rows.append((type, what + (" (rarely in practice)" if type in action.doubtful else "")))
    rows += [
        (type, f"{end}, where the sentence names none")
        for type, end in action.defaults.items()
        if type not in action.changes
    ]
    width = max((len(type) for type, _ in rows), default=0)
    lines = [action.name, *(f"  {type:<{width}}  {what}" for type, what in rows)]
    if not rows:
        lines.append("  changes nothing")
    lines += [f"  {text}" for flag, text in FLAGS.items() if getattr(action, flag)]
    if action.also:
        lines.append(f"  also: {', '.join(action.also)}")
    return "\n".join(lines)
