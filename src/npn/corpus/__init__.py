"""Many recipes: tracked by several processes or on a Ray cluster, written as tables."""

from npn.corpus.run import CorpusOptions, Summary, track_corpus

__all__ = ["CorpusOptions", "Summary", "track_corpus"]
