"""Scripts in packetdrill's language: the core runs them, this package evaluates code blocks.

``run_script`` runs a script; ``rendering`` formats its result. ``docs/reference/drill.md``
describes the language.
"""

from __future__ import annotations

from ackclock.drill.run import Failure, Outcome, run_script
from ackclock.drill.subject import Subject, subject

__all__ = ["Failure", "Outcome", "Subject", "run_script", "subject"]
