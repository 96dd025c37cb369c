"""Topologies whose links carry cells: a pair of cell links, or a whole network of switches."""
