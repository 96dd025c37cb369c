"""How much each open convention matters: parts with the defaults and with each alternative.

Usage: python -m ackclock.studies.osu_tasks.sensitivity [REPLICATIONS] > sensitivity.csv

Every variant runs with the same seeds. A row shows what the claims say of it: those that hold with
the defaults and not with the alternative, or the other way round, are what depends on a convention.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ackclock.studies.common.sensitivity import DEFAULTS, name_of, sets_of, write_rows
from ackclock.studies.osu_tasks.analysis import analyses, results_table
from ackclock.studies.osu_tasks.claims import claims_table
from ackclock.studies.osu_tasks.levels import BUFFERED, BURSTY, POLICIES, RETRANSMIT
from ackclock.studies.osu_tasks.levels_ubr_class import GUARANTEED_RATE
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import Request, Selection
from ackclock.studies.osu_tasks.runs import run_all


class Alternative(NamedTuple):
    """A variant of a part.

    Attributes:
        part: its name.
        setting: what is set; several with semicolons between. All else keeps its default.
    """

    part: str
    setting: str


_LONGER = "variables.warm_up_rtts=300; variables.measured_rtts=900"
_FROM_THE_START = "variables.warm_up_rtts=0; variables.measured_rtts=73"
"""40 s on the GEO link, slow start and its end included."""
ALTERNATIVES = (
    *(
        Alternative(POLICIES.name, setting)
        for setting in (
            DEFAULTS,
            "clock.phase=common",
            "clock.phase=uniform 100 ms",
            "tcp.sws_avoidance=false",
            "tcp.min_rto=400 ms",
            "tcp.ssthresh_from=flight_size",
            "tcp.historic.additive_constant=true",
            "tcp.initial_ssthresh=65535 B",
            "variables.threshold=0.8",
            "variables.fba_threshold=0.9",
            "topology.port.eom=drop",
            "workload.start_spread=1 s",
        )
    ),
    *(
        Alternative(BUFFERED.name, setting)
        for setting in (
            DEFAULTS,
            _LONGER,
            "variables.threshold=0.8",
            "variables.fba_threshold=0.9",
            "topology.port.z=1",
            "tcp.sws_avoidance=false",
            "workload.start_spread=10 s",
        )
    ),
    *(
        Alternative(GUARANTEED_RATE.name, setting)
        for setting in (DEFAULTS, "variables.vbr_peak=124.42 Mbit/s")
    ),
    *(
        Alternative(BURSTY.name, setting)
        for setting in (DEFAULTS, "tcp.sws_avoidance=true", "clock.phase=uniform 100 ms")
    ),
    *(
        Alternative(RETRANSMIT.name, setting)
        for setting in (
            DEFAULTS,
            _FROM_THE_START,
            _LONGER,
            "topology.port.policy=tail",
            "topology.port.r=0.8",
        )
    ),
)
"""Each part's defaults, then its alternatives."""
COLUMNS = ("part", "setting", "efficiency", "fairness", "holding", "failing")
_BETWEEN = " "
_VERDICTS = ("true", "false")


def row_of(part: str, runs: pd.DataFrame) -> tuple[float, float, str, str]:
    """What a variant of a part gives.

    Args:
        part: its name.
        runs: of the part, see ``runs.run_all``.

    Returns:
        Mean efficiency and fairness over all points; the ids of the claims on this part that hold,
        and of those that do not, with spaces between.
    """
    found = {part: analyses(PARTS[part], results_table(PARTS[part], runs))}
    claims = claims_table({part: runs}, found)
    described = [_BETWEEN.join(claims.loc[claims["holds"] == holds, "id"]) for holds in _VERDICTS]
    points = runs.groupby(PARTS[part].columns, sort=False)
    means = points[["efficiency", "fairness"]].mean().mean()
    return float(means["efficiency"]), float(means["fairness"]), described[0], described[1]


def sensitivity(replications: int, jobs: int) -> Iterator[pd.DataFrame]:
    """A row for each part's defaults, and one for each alternative."""
    for part, setting in ALTERNATIVES:
        request = Request(sets_of(setting), Selection((part,)), replications)
        with tempfile.TemporaryDirectory() as folder:
            runs = run_all(request, Path(folder), jobs, lambda event: None)
        yield pd.DataFrame([(part, setting, *row_of(part, runs[part]))], columns=list(COLUMNS))


def markdown(table: pd.DataFrame) -> str:
    """All rows as one table in Markdown."""
    headings = ("part", "setting", "efficiency", "fairness", "claims that do not hold")
    lines = [f"| {' | '.join(headings)} |", "|---" * len(headings) + "|"]
    for row in table.fillna("").itertuples(index=False):
        failing = ", ".join(f"`{each}`" for each in row.failing.split())
        cells = (
            row.part,
            name_of(row.setting),
            f"{row.efficiency:.3f}",
            f"{row.fairness:.3f}",
            failing or "none",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the rows to standard output, as CSV."""
    write_rows(sensitivity, 3)


if __name__ == "__main__":
    main()
