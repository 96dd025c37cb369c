"""How much each open convention matters: what the modules ``sensitivity`` of the studies share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

import pandas as pd

from ackclock.campaign.processors import processors

DEFAULTS = "(defaults)"


def sets_of(setting: str) -> tuple[str, ...]:
    """What is set for a row: nothing for the defaults; several settings stand with semicolons."""
    return () if setting == DEFAULTS else tuple(each.strip() for each in setting.split(";"))


def name_of(setting: str) -> str:
    """A setting as a table in Markdown shows it."""
    return "*defaults*" if setting == DEFAULTS else f"`{setting}`"


def write_rows(tables: Callable[[int, int], Iterable[pd.DataFrame]], replications: int) -> None:
    """Write tables to standard output as CSV, each as it is done.

    Args:
        tables: of (replications, jobs).
        replications: if the command line does not say how many.
    """
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else replications
    for number, table in enumerate(tables(asked, processors())):
        sys.stdout.write(table.to_csv(index=False, header=number == 0, float_format="%.4f"))
        sys.stdout.flush()
