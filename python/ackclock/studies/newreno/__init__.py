"""Throughput of TCP NewReno (Parvez, Mahanti, Williamson): all experiments, and the formulas."""
