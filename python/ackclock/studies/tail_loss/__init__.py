"""Loss repair: probes, reordering, rate reduction, spurious time-outs; see ``study``."""
