"""Training of the paper's network, its ablations and the baselines."""
