"""`npn`, and `python -m npn`: the program, from its first import on."""

import sys


def main() -> None:
    """Ctrl-C is answered in one line also while the program is still being loaded."""
    try:
        from npn.signals import end_at_once

        end_at_once()
    except KeyboardInterrupt:
        sys.stderr.write("npn: stopped\n")
        sys.exit(130)
    from npn.cli import main as run

    run()


if __name__ == "__main__":
    main()
