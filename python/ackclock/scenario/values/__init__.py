"""Kinds of values of a scenario's keys: their written form, and their exact value."""
