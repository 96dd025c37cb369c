"""The identity of a run, and the seed of a replication."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ackclock import __version__


def run_identity(plan_hash: str, seed: int, code: str = "", version: str = __version__) -> str:
    """Return the identity of a run, hexadecimal: equal identities give equal rows.

    Args:
        plan_hash: hash of the plan.
        seed: of the run.
        code: digest of the source files, which distinguishes builds of one version.
        version: of ackclock.
    """
    return hashlib.sha256(f"{plan_hash}/{seed}/{version}/{code}".encode()).hexdigest()


def replication_seed(seed: int, replication: int) -> int:
    """Return the first 8 bytes, big-endian, of SHA-256 of "ackclock/SEED/NUMBER" as a seed.

    The seed does not depend on the point. In one replication all points have the same traffic
    (common random numbers), so differences between points are not differences in load.
    """
    digest = hashlib.sha256(f"ackclock/{seed}/{replication}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def code_digest(files: Iterable[Path]) -> str:
    """Return a digest of the files on which rows depend; another digest makes new runs."""
    return hashlib.sha256(b"".join(_sha256(path) for path in files)).hexdigest()


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
