"""The table of a study's claims: verdicts by the first edition of the rules, and now."""

from __future__ import annotations

from math import nan
from pathlib import Path

from ackclock.studies.machinery.claims import p_text, share_text
from tables.markdown import read, table

_VERDICTS = {"true": "holds", "false": "fails", "undecided": "undecided", "": "not run"}
_WORDS = ("id", "holds", "cause")


def claims(folder: Path) -> str:
    """Each claim with its verdicts, and why it fails, stays open or changed.

    Args:
        folder: of the page, with ``claims.csv``, ``claims-first-edition.csv`` and ``causes.csv``.
    """
    before = _by_id(folder, "claims-first-edition", "holds")
    causes = _by_id(folder, "causes", "cause")
    rows = [
        (
            f"`{row['id']}`",
            _VERDICTS[before[row["id"]]] if row["id"] in before else "",
            _VERDICTS[row["holds"]],
            p_text(row.get("p", nan)).removeprefix("p = ").removeprefix("p "),
            share_text(row.get("reached", nan)).replace("\u00a0", " "),
            causes.get(row["id"], ""),
        )
        for row in read(folder, "claims", _WORDS).to_dict("records")
    ]
    return table(("claim", "before", "now", "p", "reached", "cause"), rows)


def _by_id(folder: Path, name: str, column: str) -> dict[str, str]:
    return read(folder, name, _WORDS).set_index("id")[column].to_dict()
