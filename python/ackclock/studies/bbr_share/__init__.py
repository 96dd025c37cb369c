"""One BBR flow beside loss-based flows (Ware et al. 2019); see ``study``."""
