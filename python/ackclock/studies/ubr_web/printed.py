"""Tables 4 to 12 of 98-0876, for the lab: results by link, allocation, main effects."""

from __future__ import annotations

from ackclock.studies.machinery.printed import (
    Cell,
    Column,
    Ends,
    Numbers,
    OwnFile,
    Printed,
    Table,
    arranged,
    as_printed,
    compared,
)
from ackclock.studies.ubr_web.analysis import METRICS, published
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, LINKS, RUNS, Point

_OWN = compared(("link", "drop_policy", "tcp_flavor", "buffer_rtt", "metric"))
_SHARES = ("ss_efficiency", "ss_fairness", "pct_efficiency", "pct_fairness")
_ALLOCATION = OwnFile("allocation", ("link", "component"), {name: Ends(name) for name in _SHARES})
_EFFECTS = OwnFile(
    "main_effects",
    ("link", "factor", "level"),
    {name: Ends(f"effect_{name}", f"ci_low_{name}", f"ci_high_{name}") for name in METRICS},
)


def _tables(numbers: Numbers) -> list[Table]:
    shares = {name: _share(name, *name.split("_", 1)) for name in _SHARES}
    effects = {name: Column(name.capitalize(), name, "1") for name in METRICS}
    return [
        *(_results(link, numbers) for link in LINKS),
        as_printed(
            "allocation", "Allocation of variation", published("allocation"), _ALLOCATION, shares
        ),
        as_printed(
            "main-effects",
            "Main effects",
            published("main_effects"),
            _EFFECTS,
            effects,
            published="effect_{}",
        ),
    ]


def _results(link: str, numbers: Numbers) -> Table:
    columns = {
        (metric, buffer): Column(f"{metric.capitalize()}, {buffer:g} RTT", metric, "1")
        for metric in METRICS
        for buffer in BUFFERS_RTT
    }
    frame = published("results")
    cells = []
    for row in frame[frame["link"] == link].to_dict("records"):
        point = Point(link, row["drop_policy"], row["tcp_flavor"], row["buffer_rtt"])
        for metric in METRICS:
            cell = Cell(row[metric], _OWN.key(*point, metric), numbers[RUNS, point])
            cells.append(((point.drop_policy, point.tcp_flavor), (metric, point.buffer_rtt), cell))
    heads = ("Drop policy", "TCP flavor")
    return arranged(f"results-{link.lower()}", f"{link}: results", heads, columns, cells)


def _share(name: str, what: str, metric: str) -> Column:
    if what == "ss":
        return Column(f"{metric.capitalize()}, sum of squares", name, "1")
    return Column(f"{metric.capitalize()}, share", name, "%")


PRINTED = Printed((_OWN, _ALLOCATION, _EFFECTS), _tables)
