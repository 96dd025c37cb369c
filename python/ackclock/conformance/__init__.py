"""Does the simulated TCP follow the RFCs? Rules, the scripts that check them, and the verdicts.

A rule is a sentence of an RFC in our own words, with the scripts that would fail if an endpoint
broke it; a deviation is a rule that a flavor breaks on purpose, and is checked too: its scripts
must fail. ``python -m ackclock.conformance docs/conformance.md`` runs everything and writes the
page; ``docs/howto/add-a-rule.md`` says how a rule is added.
"""

from ackclock.conformance.rules import Deviation, Document, Rule, Suite, read
from ackclock.conformance.verdicts import Kind, Run, Verdict, complaints, judge

__all__ = [
    "Deviation",
    "Document",
    "Kind",
    "Rule",
    "Run",
    "Suite",
    "Verdict",
    "complaints",
    "judge",
    "read",
]
