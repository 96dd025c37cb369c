"""Keep what a study found: its tables beside its page, and a line in the list of studies.

Copies the tables of results, comparisons and claims from the folder that `ackclock reproduce` wrote
to the folder of the page. Counts the verdicts and the time of the runs, and puts them into
python/ackclock/studies/measured.csv, from which `ackclock reproduce --list` is made.

Usage, from the project's root: .venv/bin/python docs/validation/keep.py bbr-share out/bbr-share
"""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ackclock.studies import STUDIES
from ackclock.studies.machinery.listing import MEASURED

HERE = Path(__file__).parent
KEPT = ("*results.csv", "*comparison.csv", "claims.csv")
COLUMNS = ("study", "replications", "processor_s", "true", "false", "undecided", "exploratory")


def journals(out: Path) -> Iterator[dict[str, object]]:
    """The lines about runs in all journals of a study's folder."""
    for path in sorted(out.rglob("journal.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if "run" in entry:
                yield entry


def measured(study: str, out: Path) -> dict[str, str]:
    """The line of a study in the list."""
    runs = list(journals(out))
    claims = pd.read_csv(out / "claims.csv", dtype=str)["holds"].value_counts()
    replications = 1 + max(int(str(run["replication"])) for run in runs)
    spent = sum(float(str(run["duration_s"])) for run in runs)
    verdicts = {name: str(claims.get(name, 0)) for name in COLUMNS[3:]}
    return {
        "study": study,
        "replications": str(replications),
        "processor_s": f"{spent:.0f}",
        **verdicts,
    }


def write_line(line: dict[str, str]) -> None:
    """Put a line into the list, in the order of the studies."""
    with MEASURED.open(newline="", encoding="utf-8") as file:
        lines = {row["study"]: row for row in csv.DictReader(file)}
    lines[line["study"]] = line
    with MEASURED.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[name] for name in STUDIES if name in lines)


def main(study: str, out: Path) -> None:
    """Keep the tables of a study, and its line in the list."""
    if study not in STUDIES:
        sys.exit(f"{study} is not a study; choose from {', '.join(STUDIES)}")
    folder = HERE / study
    folder.mkdir(exist_ok=True)
    for pattern in KEPT:
        for path in sorted(out.glob(pattern)):
            shutil.copyfile(path, folder / path.name)
    write_line(measured(study, out))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
