"""Who gets what at one bottleneck: RTTs, mixes, delay-based TCPs; see ``study``."""
