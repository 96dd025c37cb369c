"""Results of runs: tables, intervals, comparisons, figures and files.

>>> import ackclock
>>> r = ackclock.run("lab.toml")  # doctest: +SKIP
>>> r.compare("tcp_flavor", baseline="reno")  # doctest: +SKIP

| module | what |
|---|---|
| ``metrics`` | the metrics of a run, from the columns of the core |
| ``pages`` | pages and files that clients fetched: their delays by several clocks |
| ``traces`` | the records of a run, as tables |
| ``results`` | ``Results``: frames, intervals, comparisons |
| ``rows`` | the metrics, factors and flows in the rows of runs |
| ``frames`` | the runs as frames: one row per run, a flow, a page |
| ``means`` | means over replications as arrays, for tables; ``summaries`` has frames |
| ``drawing`` | ``Results.plot``: figures |
| ``scenario_run`` | ``run``: from a scenario to results |
| ``emulated`` | verdicts on emulated runs, and the text of the banner above them |
| ``side_by_side`` | several campaigns compared, run by run |
| ``flavors`` | TCPs compared on the built-in dumbbell |
| ``export`` | CSV and Parquet files |

Names are imported at their first use, so that code that makes runs does not load the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.late_names import late_names

if TYPE_CHECKING:
    from ackclock.results.metrics import METRICS
    from ackclock.results.results import Results
    from ackclock.results.scenario_run import run

__all__ = ["METRICS", "Results", "run"]

_HOMES = {"METRICS": "metrics", "Results": "results", "run": "scenario_run"}


__getattr__ = late_names(__name__, _HOMES)
