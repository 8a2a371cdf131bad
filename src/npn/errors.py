"""The one exception a caller has to know."""


class NpnError(Exception):
    """Something the user gave us cannot be used. The message is one clear sentence for a person:
    what is wrong with which file or argument, and what to do. The command line prints it and
    exits with status 2."""
