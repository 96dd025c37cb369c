"""WWW traffic over UBR+ with limited buffers; see ``study``."""
