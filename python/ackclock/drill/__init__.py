"""Scripts in packetdrill's language: run by the core, their code blocks evaluated here.

``run_script`` runs one; ``rendering`` formats its result. ``docs/reference/drill.md`` describes
scripts.
"""

from __future__ import annotations

from ackclock.drill.run import Failure, Outcome, run_script
from ackclock.drill.subject import Subject, subject

__all__ = ["Failure", "Outcome", "Subject", "run_script", "subject"]
