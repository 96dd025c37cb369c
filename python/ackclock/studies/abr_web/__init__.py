"""WWW over ABR with ERICA+; see ``study``."""
