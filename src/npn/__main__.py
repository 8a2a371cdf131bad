"""`npn`, and `python -m npn`: the program, from its first import on."""

import sys


def main() -> None:
    """Ctrl-C is answered in one line also while the program is still being loaded."""
    try:
        from npn.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("npn: stopped\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
