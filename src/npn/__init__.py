"""npn: understand a procedure by simulating it."""

__version__ = "0.1.0"
