"""What is reproduced: the rows of the paper's tables, the numbers printed there, and rows of our
own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

# Every row is trained on both: the paper's labels (string matches of names, the verbs' own end
# states) and ours.
OUR_LABELS, PAPER_LABELS = "", "paper"
LABEL_TITLES = {PAPER_LABELS: "the paper's labels", OUR_LABELS: "our labels"}
LABELS = tuple(LABEL_TITLES)

TEST, STATES = "npn_entities_test", "states_dev"
REPORTED = (TEST, "curd_dev", STATES)  # never tuned on
GOLD = {
    TEST: "the paper's test recipes",
    "curd_dev": "CURD dev",
    STATES: "states dev",
    "npn_entities_dev": "the paper's dev recipes",
    "curd_train": "CURD train",
    "states_train": "states train",
}
SURE = 0.05  # below this p a difference is called real

# -- Tables 2 and 8. The paper measured its state change columns on labels that are not public: they
# cannot be compared with ours.

Printed = Mapping[str, float | None]  # a row as the paper prints it, in percent, by metric
PRINTED = ("entity_f1", "uncombined_recall", "combined_recall", "state_f1", "state_accuracy")


def printed(*values: float) -> Printed:
    """Those of PRINTED, of which a row may lack the last."""
    return dict(zip_longest(PRINTED, values))


@dataclass(frozen=True, slots=True)
class Row:
    """An experiment that ships, under the paper's name for it, with what is printed there; nothing
    is for a row of our own."""

    experiment: str
    label: str
    printed: Printed | None = field(default=None, hash=False)


FULL = Row("paper", "Full model", printed(55.39, 74.88, 20.45, 44.65, 55.07))
BASELINES = (
    Row("entity_recognizer", "2-layer LSTM entity recognizer", printed(50.98, 74.03, 13.33)),
    Row("gru", "Adapted GRU", printed(45.94, 67.69, 7.74, 41.16, 52.69)),
    Row("entnet", "Adapted Recurrent Entity Network", printed(48.57, 71.88, 9.87, 42.32, 53.47)),
)
ABLATIONS = (
    Row(
        "no_recurrent_attention",
        "− recurrent attention",
        printed(48.91, 72.32, 12.67, 42.14, 50.48),
    ),
    Row("no_coverage", "− coverage loss", printed(55.18, 73.98, 20.23, 44.44, 55.20)),
    Row(
        "no_action_connections", "− action connections", printed(54.85, 73.54, 20.03, 44.05, 54.81)
    ),
    Row(
        "no_pretraining",
        "− action selector pretraining",
        printed(54.91, 73.87, 20.30, 44.28, 55.00),
    ),
    Row(
        "action_embeddings",
        "+ pretrained action embeddings",
        printed(55.16, 74.02, 20.32, 44.02, 55.03),
    ),
    Row(
        "frozen_action_embeddings",
        "− action embedding updates",
        printed(53.79, 70.77, 18.60, 44.27, 55.02),
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
    25: Row("labels_25", "25 % of labels", printed(54.34, 75.71, 21.17, 2.52, 50.23)),
    50: Row("labels_50", "50 % of labels", printed(55.12, 76.04, 19.05, 36.34, 54.66)),
    75: Row("labels_75", "75 % of labels", printed(56.64, 76.03, 21.00, 48.86, 57.62)),
    100: Row("paper", "100 % of labels", printed(56.84, 74.98, 21.14, 50.56, 57.87)),
}
# Where the full model of table 2 had many more epochs than the other points, a run of it with
# about as many as they is kept under this name and stands for all labels in their curve.
ALL_LABELS = Row("labels_100", LABEL_CURVE[100].label, LABEL_CURVE[100].printed)

# Figure 3: networks with a state for each ingredient, which can be compared.
COMPARED = {"paper": "Full model", "entnet": "EntNet"}


def run_key(experiment: str, labels: str) -> str:
    return f"{labels}-{experiment}" if labels else experiment


@dataclass(frozen=True, slots=True)
class Wanted:
    """One training run; its `labels` are ours, unless they are called otherwise."""

    experiment: str
    seed: int
    labels: str = ""

    @property
    def key(self) -> str:
        """The experiment and its labels."""
        return run_key(self.experiment, self.labels)

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


# -- Table 5.

GENERATION_COLUMNS = {"bleu": "BLEU", "rouge_l": "ROUGE-L", "verb_f1": "VF1", "state_f1": "SF1"}


def printed_generation(*values: float) -> Printed:
    """In percent, measured on the paper's own test recipes."""
    return dict(zip(GENERATION_COLUMNS, values, strict=True))


@dataclass(frozen=True, slots=True)
class GeneratorRow:
    """A kind of generator, under the paper's name for it. `tracker` is the tracking run whose
    entity states it reads, by its experiment and labels; the fifth reads what the default tracker
    says."""

    kind: str
    label: str
    printed: Printed | None = None
    tracker: Wanted | None = None

    @property
    def experiment(self) -> str:
        """Its name in `npn train`."""
        return "next" if self.kind == "world" else f"next_{self.kind}"


VANILLA = GeneratorRow("vanilla", "Vanilla seq2seq", printed_generation(2.81, 33.00, 16.17, 40.21))
ATTENTIVE = GeneratorRow(
    "attentive", "Attentive seq2seq", printed_generation(2.83, 33.18, 16.97, 41.43)
)
ENTNET = GeneratorRow(
    "entnet",
    "EntNet generator",
    printed_generation(2.30, 32.71, 17.53, 42.43),
    Wanted("entnet", 1, PAPER_LABELS),
)
NPN = GeneratorRow(
    "npn",
    "NPN generator",
    printed_generation(3.74, 35.64, 20.12, 43.40),
    Wanted("paper", 1, PAPER_LABELS),
)
NPN_OURS = GeneratorRow("npn_ours", "NPN generator, our labels", tracker=Wanted("paper", 1))
WORLD = GeneratorRow("world", "World generator (ours)")
GENERATOR_BASELINES = (VANILLA, ATTENTIVE, ENTNET)
TABLE_5 = (*GENERATOR_BASELINES, NPN, NPN_OURS, WORLD)
