"""How large a buffer must be (Appenzeller et al. 2004, Spang et al. 2021); see ``study``."""
