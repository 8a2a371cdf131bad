"""Many recipes: tracked by several processes or on a Ray cluster, written as tables."""

from npn.corpus.run import CorpusOptions, CorpusSummary, track_corpus

__all__ = ["CorpusOptions", "CorpusSummary", "track_corpus"]
