"""How far the printed numbers lie from the results of a study under several conventions.

A convention that a paper leaves open is decided by these distances, over all of its numbers at
once.

Usage, from the project's root, with folders of `ackclock reproduce STUDY --set ... --out FOLDER`:

    .venv/bin/python docs/validation/alternatives.py STUDY LABEL=FOLDER LABEL=FOLDER ...

writes docs/validation/STUDY/alternatives.csv: a row for each label and group of printed numbers,
and one for all of them. Columns:

- label, group, metric; n, how many printed numbers;
- error, rms, bias: mean and root mean square of abs(simulated - published), mean of simulated -
  published; relative: mean of the error over the printed number, of those that are not 0;
- distance: mean of the error in half-widths of the 95 % prediction interval of one run (the mean
  over the labels, so that a convention is not better because its runs scatter more);
- inside: how many printed numbers lie in that interval;
- starved, starved_most: of WWW over UBR+ with the smallest buffer, servers of which not one byte
  arrived, mean over the runs and most in one run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

HERE = Path(__file__).parent
TABLES = {
    "ubr-web": ("comparison",),
    "rfc2415": ("comparison", "half_and_half"),
    "abr-web": ("comparison",),
}
"""By study: its files with printed numbers beside simulated ones."""
GROUP = {"ubr-web": "link", "rfc2415": "table"}
"""By study: the column that tells groups of numbers apart; "" if there is none."""
HALF_AND_HALF = 6
"""The RFC's number of the table whose file has no such column."""
ALL = "all"


def alternatives(study: str, folders: Mapping[str, Path]) -> pd.DataFrame:
    """The table; see above."""
    tables = {label: _printed(study, folder) for label, folder in folders.items()}
    half = sum((each["run_hi"] - each["run_lo"]) / 2 for each in tables.values()) / len(tables)
    rows: list[dict[str, Any]] = []
    for label, its in tables.items():
        starved = _starved(folders[label])
        for name, chosen in _groups(its):
            rows.append({"label": label, **name, **_distances(its[chosen], half[chosen])})
            rows[-1] |= starved.get(name["group"], {}) if name["metric"] == ALL else {}
    return pd.DataFrame(rows)


def _printed(study: str, folder: Path) -> pd.DataFrame:
    """All printed numbers beside those of a folder, without the misprinted ones."""
    frames = []
    for name in TABLES[study]:
        its = pd.read_csv(folder / f"{name}.csv")
        group = its.get(GROUP.get(study, ""), HALF_AND_HALF if name == "half_and_half" else ALL)
        frames.append(its.assign(group=group))
    found = pd.concat(frames, ignore_index=True)
    return found[found["misprinted"].isna()] if "misprinted" in found else found


def _groups(its: pd.DataFrame) -> Iterator[tuple[dict[str, Any], pd.Series]]:
    for group in its["group"].unique():
        here = its["group"] == group
        for metric in its.loc[here, "metric"].unique():
            yield {"group": group, "metric": metric}, here & (its["metric"] == metric)
        yield {"group": group, "metric": ALL}, here
    yield {"group": ALL, "metric": ALL}, pd.Series(True, index=its.index)


def _distances(its: pd.DataFrame, half: pd.Series) -> dict[str, float]:
    delta, published = its["delta"], its["published"]
    error = delta.abs()
    return {
        "n": len(its),
        "error": error.mean(),
        "rms": (error**2).mean() ** 0.5,
        "bias": delta.mean(),
        "distance": (error / half).mean(),
        "inside": int(published.between(its["run_lo"], its["run_hi"]).sum()),
        "relative": (error / published.abs())[published != 0].mean(),
    }


def _starved(folder: Path) -> dict[str, dict[str, float]]:
    """Of each link, if the study counts them."""
    results = pd.read_csv(folder / "results.csv")
    if "starved_servers" not in results:
        return {}
    small = results[results["buffer_rtt"] == results["buffer_rtt"].min()]
    return {
        link: {
            "starved": rows["starved_servers"].mean(),
            "starved_most": rows["starved_servers_most"].max(),
        }
        for link, rows in small.groupby("link")
    }


def main(study: str, *labels: str) -> None:
    """Write the table of a study."""
    folders = {label: Path(folder) for label, _, folder in (each.partition("=") for each in labels)}
    path = HERE / study / "alternatives.csv"
    alternatives(study, folders).to_csv(path, index=False, float_format="%.4f", lineterminator="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
