"""One module a command. `npn NAME` is `npn/commands/NAME.py`, whose `command` is a click command;
`COMMANDS` holds each one's line in `npn --help`, so that nothing is imported before it is used."""

COMMANDS = {
    "track": "Say what happens to every ingredient in every step of a recipe.",
    "corpus": "Track a corpus of recipes, and report on it.",
    "next": "Suggest the next step of a recipe, and say what it would do.",
    "link": "Link a Mealie or Tandoor library: which step takes what.",
    "explain": "Say why each step acts on what it acts on.",
    "serve": "Show recipes on a page: see, cook, ask, correct.",
    "formats": "List what can be read and written.",
    "lexicon": "Look up and check what is known about cooking actions.",
    "evaluate": "Score trackers against gold labels.",
    "prepare": "Turn a corpus of recipes into training data.",
    "train": "Train a network.",
    "export": "Turn a checkpoint into a model file that NumPy runs.",
    "reproduce": "Run the paper's experiments and set its numbers beside ours.",
}
