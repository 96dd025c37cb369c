"""Tables for a terminal of 80 columns."""

from __future__ import annotations

import pandas as pd
from rich import box
from rich.table import Table


def plain_table(*headings: str) -> Table:
    """An empty table with no more than a line under its headings."""
    return Table(*headings, box=box.SIMPLE_HEAD, show_edge=False, padding=0)


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
