"""Training of the next-step generators."""
