"""Training of the world network: from gold labels and the corpora to weights."""
