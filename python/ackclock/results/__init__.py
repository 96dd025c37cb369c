"""What runs gave, and everything that is done with it.

>>> import ackclock
>>> r = ackclock.run("lab.toml")  # doctest: +SKIP
>>> r.compare("tcp_flavor", baseline="reno")  # doctest: +SKIP

| module | what |
|---|---|
| ``metrics`` | the metrics of a run, from the columns of the core |
| ``pages`` | pages and files that clients fetched: their delays by several clocks |
| ``traces`` | what was recorded, as tables |
| ``results`` | ``Results``: frames, intervals, comparisons |
| ``drawing`` | ``Results.plot``: figures |
| ``making`` | ``run``: from a scenario to results |
| ``emulated`` | verdicts on emulated runs, and the words of the banner above them |
| ``side_by_side`` | several campaigns compared, run by run |
| ``flavors`` | TCPs compared on the built-in dumbbell |
| ``export`` | CSV and Parquet files |

Names are imported at their first use: code that makes runs needs no figures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.results.metrics import METRICS
    from ackclock.results.results import Results
    from ackclock.results.scenario_run import run

__all__ = ["METRICS", "Results", "run"]

_HOMES = {"METRICS": "metrics", "Results": "results", "run": "making"}


def __getattr__(name: str) -> Any:
    """A name of this package, imported now."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
