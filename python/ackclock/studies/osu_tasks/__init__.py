"""The seven TCP-over-UBR tasks (Goyal, Jain and others, 1997 to 1999); see ``study``."""
