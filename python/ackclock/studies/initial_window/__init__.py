"""Initial windows of 3, 4 and 10 segments (RFC 6928); see ``study``."""
