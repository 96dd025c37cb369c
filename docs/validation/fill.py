"""Put the measured worth of each convention into docs/conventions.md, as `make validate` left it.

Says of which study the worth has not been measured, and leaves its table as it is.

Usage, from the project's root: .venv/bin/python docs/validation/fill.py
"""

from __future__ import annotations

from itertools import dropwhile
from pathlib import Path

import pandas as pd

from ackclock.studies.abr_web import sensitivity as abr_web
from ackclock.studies.newreno import sensitivity as newreno
from ackclock.studies.osu_tasks import sensitivity as osu_tasks
from ackclock.studies.rfc2415 import sensitivity as rfc2415
from ackclock.studies.ubr_web import sensitivity as ubr_web

DOCS = Path(__file__).parents[1]
TABLES = {
    "ubr-web": ubr_web.markdown,
    "rfc2415": rfc2415.markdown,
    "newreno": newreno.markdown,
    "abr-web": abr_web.markdown,
    "osu-tasks": osu_tasks.markdown,
}
"""How the table of each study is written, by its folder here."""


def with_table(text: str, study: str, table: str) -> str:
    """A page with a table behind the mark of a study, in place of what table is there.

    Args:
        text: of the page.
        study: by its folder here.
        table: lines in Markdown.
    """
    before, mark, after = text.partition(f"<!-- sensitivity of {study} -->\n")
    rest = dropwhile(lambda line: line.startswith("|"), after.splitlines(keepends=True))
    return before + mark + table + "".join(rest)


def main() -> None:
    """Write the tables of all studies that have been measured."""
    page = DOCS / "conventions.md"
    text = page.read_text(encoding="utf-8")
    for study, markdown in TABLES.items():
        measured = DOCS / "validation" / study / "sensitivity.csv"
        if measured.exists():
            text = with_table(text, study, markdown(pd.read_csv(measured)))
        else:
            print(f"{study}: not measured; make validate does it")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
