"""Tables for a terminal: of 80 columns they fill one, and are in parts on a narrower one."""

from __future__ import annotations

import pandas as pd

from ackclock.terminal import DENSE, TerminalTable


def plain_table(*headings: str, keys: int | None = None) -> TerminalTable:
    """An empty table with no more than a line under its headings.

    Args:
        headings: of its first columns.
        keys: how many of them name a row; by default all of these.
    """
    return TerminalTable(*headings, keys=len(headings) if keys is None else keys, look=DENSE)


def claims_line(
    claims: pd.DataFrame, missing: str = "levels that were not run", whose: str = "the paper's"
) -> str:
    """How many claims hold, and which do not.

    Args:
        claims: see ``StudyResult``.
        missing: what the claims need that cannot be decided.
        whose: whose claims they are.
    """
    decided = claims[claims["holds"] != ""]
    failed = list(decided.loc[decided["holds"] == "false", "id"])
    line = f"{len(decided) - len(failed)} of {whose} {len(claims)} claims hold"
    if len(decided) < len(claims):
        line += f"; {len(claims) - len(decided)} need {missing}"
    return line + (f"; not: {', '.join(failed)}" if failed else "") + "."
