"""Delay under load behind drop-tail, CoDel, PIE, FQ-CoDel, CAKE and RED; see ``study``."""
