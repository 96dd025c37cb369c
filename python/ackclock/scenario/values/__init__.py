"""Kinds of values of a scenario's keys: what may be written, and what it is for the laboratory."""
