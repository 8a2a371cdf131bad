"""`python -m npn` is `npn`."""

from npn.cli import main

main()
