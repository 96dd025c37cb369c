"""CoDel on static and changing links (Nichols and Jacobson 2012); see ``study``."""
