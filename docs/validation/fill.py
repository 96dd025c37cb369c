"""Put the tables into the pages, from what `make validate` measured.

The mark `<!-- table NAME -->` of a page here has its table from the page's folder, by a function of
`tables`; `<!-- sensitivity of NAME -->` in docs/conventions.md has the measured worth of each
convention. Says of which study the worth has not been measured, and leaves its table as it is.

Usage, from the project's root: .venv/bin/python docs/validation/fill.py
"""

from __future__ import annotations

from itertools import dropwhile
from pathlib import Path

import pandas as pd
from tables import abr_web, modern, newreno, osu_tasks, rfc2415, ubr_web

from ackclock.studies import STUDIES, study_of
from ackclock.studies.machinery.sensitivity import FILE

HERE = Path(__file__).parent
CONVENTIONS = HERE.parent / "conventions.md"
CLASSIC = {
    "ubr-web": ubr_web.TABLES,
    "rfc2415": rfc2415.TABLES,
    "newreno": newreno.TABLES,
    "abr-web": abr_web.TABLES,
    "osu-tasks": osu_tasks.TABLES,
}
PAGES = CLASSIC | {
    name: modern.tables_of(study_of(name), HERE / name) for name in STUDIES if name not in CLASSIC
}
"""By page: the functions of its tables, by the names in the marks."""


def with_table(text: str, name: str, table: str) -> str:
    """A page with a table behind a mark, in place of what table is there.

    Args:
        text: of the page.
        name: in the mark, for example "table claims".
        table: lines in Markdown.

    Raises:
        ValueError: the page does not have the mark.
    """
    before, mark, after = text.partition(f"<!-- {name} -->\n")
    if not mark:
        raise ValueError(f"no line <!-- {name} --> in the page")
    rest = dropwhile(lambda line: line.startswith("|"), after.splitlines(keepends=True))
    return before + mark + table + "".join(rest)


def page_of(name: str) -> str:
    """The page of a study with all of its tables.

    Args:
        name: of the page and of its folder.
    """
    text = (HERE / f"{name}.md").read_text(encoding="utf-8")
    for table, make in PAGES[name].items():
        text = with_table(text, f"table {table}", make(HERE / name))
    return text


def conventions() -> str:
    """The page of conventions with the tables of all studies that have been measured."""
    text = CONVENTIONS.read_text(encoding="utf-8")
    for study in map(study_of, STUDIES):
        if study.sensitivity is None:
            continue
        measured = HERE / study.name / FILE
        if measured.exists():
            table = study.sensitivity.markdown(pd.read_csv(measured))
            text = with_table(text, f"sensitivity of {study.name}", table)
        else:
            print(f"{study.name}: not measured; make validate does it")
    return text


def main() -> None:
    """Write all pages."""
    for name in PAGES:
        (HERE / f"{name}.md").write_text(page_of(name), encoding="utf-8")
    CONVENTIONS.write_text(conventions(), encoding="utf-8")


if __name__ == "__main__":
    main()
