"""What is reproduced: the rows of the paper's table 5, the numbers printed there, and a fifth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Printed:
    """A row as the paper prints it, in percent, measured on its own test recipes."""

    bleu: float
    rouge_l: float
    verb_f1: float
    state_f1: float


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of generator, under the paper's name for it. `tracker` is the kind of tracking run
    whose entity states it reads; the fifth reads what the default tracker says."""

    kind: str
    label: str
    printed: Printed | None
    tracker: str = ""

    @property
    def experiment(self) -> str:
        """Its name in `npn train`."""
        return "next" if self.kind == "mixtures" else f"next_{self.kind}"


VANILLA = Row("vanilla", "Vanilla seq2seq", Printed(2.81, 33.00, 16.17, 40.21))
ATTENTIVE = Row("attentive", "Attentive seq2seq", Printed(2.83, 33.18, 16.97, 41.43))
ENTNET = Row("entnet", "EntNet generator", Printed(2.30, 32.71, 17.53, 42.43), "entnet")
NPN = Row("npn", "NPN generator", Printed(3.74, 35.64, 20.12, 43.40), "paper")
FIFTH = Row("mixtures", "Mixtures generator (ours)", None)
BASELINES = (VANILLA, ATTENTIVE, ENTNET)
TABLE_5 = (*BASELINES, NPN, FIFTH)
COLUMNS = {"bleu": "BLEU", "rouge_l": "ROUGE-L", "verb_f1": "VF1", "state_f1": "SF1"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One training run."""

    row: Row
    seed: int

    @property
    def folder(self) -> str:
        return f"{self.row.kind}-{self.seed}"


def wanted_runs(seeds: int) -> list[Wanted]:
    """`seeds` of every row, the first seeds first, so that a report can be made before the end."""
    return [Wanted(row, seed) for seed in range(1, seeds + 1) for row in TABLE_5]
