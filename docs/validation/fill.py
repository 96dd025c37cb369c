"""Put the measured worth of each convention into docs/conventions.md, as `make validate` left it.

Usage, from the project's root: .venv/bin/python docs/validation/fill.py
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.studies.abr_web import sensitivity as abr_web
from ackclock.studies.osu_tasks import sensitivity as osu_tasks
from ackclock.studies.rfc2415 import sensitivity as rfc2415
from ackclock.studies.ubr_web import sensitivity as ubr_web

DOCS = Path(__file__).parents[1]
TABLES = {
    "ubr-web": ubr_web.markdown,
    "rfc2415": rfc2415.markdown,
    "abr-web": abr_web.markdown,
    "osu-tasks": osu_tasks.markdown,
}
"""How the table of each study is written, by its folder here."""


def main() -> None:
    """Write the table that stands behind each mark anew, up to the next empty line."""
    page = DOCS / "conventions.md"
    text = page.read_text(encoding="utf-8")
    for study, markdown in TABLES.items():
        table = pd.read_csv(DOCS / "validation" / study / "sensitivity.csv")
        before, mark, after = text.partition(f"<!-- sensitivity of {study} -->\n")
        _, gap, rest = after.partition("\n\n")
        text = before + mark + markdown(table) + gap[1:] + rest
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
