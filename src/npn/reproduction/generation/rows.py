"""What is reproduced: the rows of the paper's table 5, the numbers printed there, and a fifth."""

from __future__ import annotations

from dataclasses import dataclass

from npn.reproduction.rows import PAPER_LABELS, Wanted


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
FIFTH = GeneratorRow("world", "World generator (ours)", None)
BASELINES = (VANILLA, ATTENTIVE, ENTNET)
TABLE_5 = (*BASELINES, NPN, NPN_OURS, FIFTH)
COLUMNS = {"bleu": "BLEU", "rouge_l": "ROUGE-L", "verb_f1": "VF1", "state_f1": "SF1"}


@dataclass(frozen=True, slots=True)
class WantedGenerator:
    """One training run."""

    row: GeneratorRow
    seed: int

    @property
    def folder(self) -> str:
        return f"{self.row.kind}-{self.seed}"


def wanted_runs(seeds: int) -> list[WantedGenerator]:
    """`seeds` of every row, the first seeds first, so that a report can be made before the end."""
    return [WantedGenerator(row, seed) for seed in range(1, seeds + 1) for row in TABLE_5]
