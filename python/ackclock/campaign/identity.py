"""What makes two runs the same run, and the seed of a replication."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ackclock import __version__


def run_identity(plan_hash: str, seed: int, code: str = "", version: str = __version__) -> str:
    """Identity of a run, hexadecimal: the plan, the seed and the version decide its row.

    Args:
        plan_hash: of the plan.
        seed: of the run.
        code: digest of what the version does not distinguish, such as a build in development.
        version: of ackclock.
    """
    return hashlib.sha256(f"{plan_hash}/{seed}/{version}/{code}".encode()).hexdigest()


def replication_seed(seed: int, replication: int) -> int:
    """Seed of a replication: the first 8 bytes, big-endian, of SHA-256 of "ackclock/SEED/NUMBER".

    It does not depend on the point: in one replication every point sees the same traffic (common
    random numbers), so that differences between points are not differences in load.
    """
    digest = hashlib.sha256(f"ackclock/{seed}/{replication}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def code_digest(files: Iterable[Path]) -> str:
    """A digest of files on which rows depend: a row outlives only what leaves it unchanged."""
    return hashlib.sha256(b"".join(_sha256(path) for path in files)).hexdigest()


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
