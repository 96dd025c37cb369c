"""Put the measured worth of each convention into docs/conventions.md, as `make validate` left it.

Usage, from the project's root: .venv/bin/python docs/validation/fill.py
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.studies.ubr_web.sensitivity import markdown

DOCS = Path(__file__).parents[1]
MARK = "<!-- sensitivity -->\n"


def main() -> None:
    """Write what stands behind the mark anew, to the end of the page."""
    page = DOCS / "conventions.md"
    table = pd.read_csv(DOCS / "validation" / "ubr-web" / "sensitivity.csv")
    before, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    page.write_text(before + mark + markdown(table), encoding="utf-8")


if __name__ == "__main__":
    main()
