"""What is reproduced: the rows of the paper's tables, the numbers printed there, and rows of our
own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Printed:
    """A row as the paper prints it, in percent. The state change columns were measured on labels
    that are not public: they cannot be compared with ours."""

    entity_f1: float
    uncombined_recall: float
    combined_recall: float
    state_f1: float | None = None
    state_accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An experiment that ships, under the paper's name for it, with what is printed there; nothing
    is for a row of our own."""

    experiment: str
    label: str
    printed: Printed | None = None


FULL_PRINTED = Printed(55.39, 74.88, 20.45, 44.65, 55.07)
FULL = Row("paper", "Full model", FULL_PRINTED)
BASELINES = (
    Row("entity_recognizer", "2-layer LSTM entity recognizer", Printed(50.98, 74.03, 13.33)),
    Row("gru", "Adapted GRU", Printed(45.94, 67.69, 7.74, 41.16, 52.69)),
    Row("entnet", "Adapted Recurrent Entity Network", Printed(48.57, 71.88, 9.87, 42.32, 53.47)),
)
ABLATIONS = (
    Row(
        "no_recurrent_attention",
        "− recurrent attention",
        Printed(48.91, 72.32, 12.67, 42.14, 50.48),
    ),
    Row("no_coverage", "− coverage loss", Printed(55.18, 73.98, 20.23, 44.44, 55.20)),
    Row(
        "no_action_connections", "− action connections", Printed(54.85, 73.54, 20.03, 44.05, 54.81)
    ),
    Row(
        "no_pretraining",
        "− action selector pretraining",
        Printed(54.91, 73.87, 20.30, 44.28, 55.00),
    ),
    Row(
        "action_embeddings",
        "+ pretrained action embeddings",
        Printed(55.16, 74.02, 20.32, 44.02, 55.03),
    ),
    Row(
        "frozen_action_embeddings",
        "− action embedding updates",
        Printed(53.79, 70.77, 18.60, 44.27, 55.02),
    ),
)
TABLE_2 = (*BASELINES, *ABLATIONS, FULL)
# The entity network begins with keys made of names' words, the full model with skip-gram vectors:
# here each has the other's.
KEYS = (
    Row("entnet_skipgram_keys", "Adapted Recurrent Entity Network, skip-gram keys"),
    Row("name_keys", "Full model, keys from names"),
)

# Table 8, on the paper's development set.
LABEL_CURVE = {
    25: Row("labels_25", "25 % of labels", Printed(54.34, 75.71, 21.17, 2.52, 50.23)),
    50: Row("labels_50", "50 % of labels", Printed(55.12, 76.04, 19.05, 36.34, 54.66)),
    75: Row("labels_75", "75 % of labels", Printed(56.64, 76.03, 21.00, 48.86, 57.62)),
    100: Row("paper", "100 % of labels", Printed(56.84, 74.98, 21.14, 50.56, 57.87)),
}
# Where the full model of table 2 had many more epochs than the other points, a run of it with
# about as many as they is kept under this name and stands for all labels in their curve.
ALL_LABELS = Row("labels_100", LABEL_CURVE[100].label, LABEL_CURVE[100].printed)

# Figure 3: networks with a state for each ingredient, which can be compared.
COMPARED = {"paper": "Full model", "entnet": "EntNet"}

# Every row is trained on both: the paper's labels (string matches of names, the verbs' own end
# states) and ours.
OUR_LABELS, PAPER_LABELS = "", "paper"
LABELS = (PAPER_LABELS, OUR_LABELS)
LABEL_TITLES = {PAPER_LABELS: "the paper's labels", OUR_LABELS: "our labels"}

# Trackers that ship, beside the networks.
TRACKERS = {
    "mention": "Rule: named in the sentence",
    "previous": "Rule: named, else the previous step's",
    "first-mention": "Rule: from its first mention on",
    "paper-labels": "The paper's labels, which its rows learn from",
    "weak-labels": "Our labels, which our rows learn from",
}
EVERYTHING = "everything"
EVERYTHING_LABEL = "Rule: every ingredient, at every step"

SURE = 0.05  # below this p a difference is called real
TEST, STATES = "npn_entities_test", "states_dev"
REPORTED = (TEST, "curd_dev", STATES)  # never tuned on
TUNED = ("npn_entities_dev", "curd_train", "states_train")
GOLD = (*REPORTED, *TUNED)
SETS = {
    "npn_entities_test": "the paper's test recipes",
    "npn_entities_dev": "the paper's dev recipes",
    "curd_dev": "CURD dev",
    "curd_train": "CURD train",
    "states_dev": "states dev",
    "states_train": "states train",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One training run; its `labels` are ours, unless they are called otherwise."""

    experiment: str
    seed: int
    labels: str = ""

    @property
    def key(self) -> str:
        """The experiment and its labels."""
        return f"{self.labels}-{self.experiment}" if self.labels else self.experiment

    @property
    def folder(self) -> str:
        return f"{self.key}-{self.seed}"

    @property
    def settings(self) -> tuple[str, ...]:
        """What it changes in the experiment."""
        return (f"labels={self.labels}",) if self.labels else ()


def wanted_runs(seeds: int) -> list[Wanted]:
    """Every run of the report, what matters most first: table 2 on both kinds of labels, seed after
    seed, then the rows with other keys, then the label curve."""
    runs = [
        Wanted(row.experiment, seed, labels)
        for seed in range(1, seeds + 1)
        for labels in LABELS
        for row in reversed(TABLE_2)
    ]
    curve = [row for row in LABEL_CURVE.values() if row.experiment != FULL.experiment]
    runs += [
        Wanted(row.experiment, seed, labels)
        for rows in (KEYS, curve)
        for labels in LABELS
        for seed in range(1, seeds + 1)
        for row in rows
    ]
    return runs


# -- Table 5


@dataclass(frozen=True, slots=True)
class PrintedGeneration:
    """A row as the paper prints it, in percent, measured on its own test recipes."""

    bleu: float
    rouge_l: float
    verb_f1: float
    state_f1: float


@dataclass(frozen=True, slots=True)
class GeneratorRow:
    """A kind of generator, under the paper's name for it. `tracker` is the tracking run whose
    entity states it reads, by its experiment and labels; the fifth reads what the default tracker
    says."""

    kind: str
    label: str
    printed: PrintedGeneration | None
    tracker: Wanted | None = None

    @property
    def experiment(self) -> str:
        """Its name in `npn train`."""
        return "next" if self.kind == "world" else f"next_{self.kind}"


VANILLA = GeneratorRow("vanilla", "Vanilla seq2seq", PrintedGeneration(2.81, 33.00, 16.17, 40.21))
ATTENTIVE = GeneratorRow(
    "attentive", "Attentive seq2seq", PrintedGeneration(2.83, 33.18, 16.97, 41.43)
)
ENTNET = GeneratorRow(
    "entnet",
    "EntNet generator",
    PrintedGeneration(2.30, 32.71, 17.53, 42.43),
    Wanted("entnet", 1, PAPER_LABELS),
)
NPN = GeneratorRow(
    "npn",
    "NPN generator",
    PrintedGeneration(3.74, 35.64, 20.12, 43.40),
    Wanted("paper", 1, PAPER_LABELS),
)
NPN_OURS = GeneratorRow("npn_ours", "NPN generator, our labels", None, Wanted("paper", 1))
WORLD = GeneratorRow("world", "World generator (ours)", None)
GENERATOR_BASELINES = (VANILLA, ATTENTIVE, ENTNET)
TABLE_5 = (*GENERATOR_BASELINES, NPN, NPN_OURS, WORLD)
GENERATION_COLUMNS = {"bleu": "BLEU", "rouge_l": "ROUGE-L", "verb_f1": "VF1", "state_f1": "SF1"}


@dataclass(frozen=True, slots=True)
class WantedGenerator:
    """One training run."""

    row: GeneratorRow
    seed: int

    @property
    def folder(self) -> str:
        return f"{self.row.kind}-{self.seed}"


def wanted_generators(seeds: int) -> list[WantedGenerator]:
    """`seeds` of every row, the first seeds first, so that a report can be made before the end."""
    return [WantedGenerator(row, seed) for seed in range(1, seeds + 1) for row in TABLE_5]
