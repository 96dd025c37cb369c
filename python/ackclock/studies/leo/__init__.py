"""TCP over a satellite in low orbit and over LTE; see ``study``."""
