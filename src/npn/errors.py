"""The one exception a caller has to know, and the one that ends the program."""


class NpnError(Exception):
    """Something the user gave us cannot be used. The message is one clear sentence for a person:
    what is wrong with which file or argument, and what to do. The command line prints it and
    exits with status 2."""


class Stopped(KeyboardInterrupt):
    """A signal asks the program to end, as Ctrl-C does."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number
