"""Put the measured worth of each convention into docs/conventions.md, as `make validate` left it.

Says of which study the worth has not been measured, and leaves its table as it is.

Usage, from the project's root: .venv/bin/python docs/validation/fill.py
"""

from __future__ import annotations

from itertools import dropwhile
from pathlib import Path

import pandas as pd

from ackclock.studies import STUDIES, study_of
from ackclock.studies.machinery.sensitivity import FILE

DOCS = Path(__file__).parents[1]


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
    for study in map(study_of, STUDIES):
        measured = DOCS / "validation" / study.name / FILE
        if study.sensitivity and measured.exists():
            text = with_table(text, study.name, study.sensitivity.markdown(pd.read_csv(measured)))
        else:
            print(f"{study.name}: not measured; make validate does it")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
