"""Suggestions and the steps that came, word by word: sacrebleu's and rouge-score's own counts."""

from __future__ import annotations

from collections.abc import Container, Iterable

from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from npn.evaluation.generation import Overlap
from npn.language.tokens import words

ROUGE_SIGNATURE = "rouge-score rougeL F-measure, no stemming, mean over steps"


class WordOverlap:
    """`known` are the training sentences, as `normal` spells them. Case does not count: the
    generators write lower case and are capitalised for print."""

    def __init__(self, known: Container[str]) -> None:
        # Counts of one sentence are all we take, and effective order has no part in them.
        self._bleu = BLEU(lowercase=True, effective_order=True)
        self._rouge = RougeScorer(["rougeL"])
        self._known = known

    def __call__(self, candidate: str, reference: str) -> Overlap:
        bleu = self._bleu.sentence_score(candidate, [reference])
        return Overlap(
            tuple(bleu.counts),
            tuple(bleu.totals),
            bleu.sys_len,
            bleu.ref_len,
            self._rouge.score(reference, candidate)["rougeL"].fmeasure,
            normal(candidate) in self._known,
        )


def bleu_signature(candidate: str, reference: str) -> str:
    """What sacrebleu says of how corpus BLEU is computed."""
    bleu = BLEU(lowercase=True)
    bleu.corpus_score([candidate], [[reference]])
    return str(bleu.get_signature())


def normal(sentence: str) -> str:
    """A sentence as its words alone: marks and case do not make a copy another sentence."""
    return " ".join(word for word in words(sentence) if word[0].isalnum())


def training_sentences(sentences: Iterable[str]) -> frozenset[str]:
    return frozenset(map(normal, sentences))
