"""ackclock: a TCP performance laboratory."""

__version__ = "0.1.0"
