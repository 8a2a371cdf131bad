"""The mixture network: the paper's modules, with a memory of what is together."""
