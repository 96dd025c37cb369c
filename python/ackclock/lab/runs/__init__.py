"""Runs that somebody looks at: what is recorded, in slices, as curves, numbers and files."""
