"""Scripts in packetdrill's language: run by the core, their code blocks evaluated here.

``run_script`` runs one; ``rendering`` says what came of it. What a script may contain is in
``docs/reference/drill.md``.
"""

from __future__ import annotations

from ackclock.drill.running import Failure, Outcome, run_script
from ackclock.drill.subject import Subject, subject

__all__ = ["Failure", "Outcome", "Subject", "run_script", "subject"]
