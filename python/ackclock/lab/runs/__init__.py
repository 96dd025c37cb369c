"""Live runs: records in slices, as curves, numbers and files."""
