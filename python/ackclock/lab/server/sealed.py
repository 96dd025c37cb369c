"""Reports in a frame of the page: a frame cannot send the token, so its address has a seal.

A seal is made of the token and the id of a campaign. It opens the report of that campaign and
nothing else, and only while this server runs.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from ackclock.lab.endpoints import NotThereError
from ackclock.lab.settings import Settings

FRAMED: Mapping[str, str] = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""Headers of such a report: it has its own styles and pictures, nothing of it runs, it asks for
nothing, and only the page may show it."""


def seal(settings: Settings, name: str) -> str:
    """What opens the report of a campaign in a frame."""
    return hmac.new(settings.token.encode(), f"report {name}".encode(), hashlib.sha256).hexdigest()


def check_seal(settings: Settings, name: str, given: str) -> None:
    """Refuse what is not the seal of a campaign.

    Raises:
        NotThereError: in the words for an address that is not there, so that nobody learns which
            campaigns there are.
    """
    if not hmac.compare_digest(seal(settings, name).encode(), given.encode()):
        raise NotThereError("page", "reports", ["/"])
