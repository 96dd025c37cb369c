"""The campaigns in the user's folder: means, runs, traces, comparisons, reports."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.campaign import Campaign, Failure, Run
from ackclock.campaign.journal import as_json
from ackclock.errors import InputError
from ackclock.lab.campaigns.comparisons import compared
from ackclock.lab.campaigns.folders import (
    MOST_CAMPAIGNS,
    Opened,
    Stamp,
    campaign_of,
    caught,
    found,
    journal_bytes,
    opened,
    place_of,
    stamp_of,
    when,
)
from ackclock.lab.campaigns.run_states import state
from ackclock.lab.campaigns.summaries import metric_of, summary
from ackclock.lab.campaigns.traces import trace
from ackclock.lab.endpoints import NotThereError
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.settings import Settings
from ackclock.plots.quantities import level_texts
from ackclock.results import Results
from ackclock.results.emulated import described_of, is_emulated

MOST_LISTED_BYTES = 200_000_000
"""Largest total size of journals to read for a list, bytes; the rest have only names."""
MOST_RUNS = 2000
"""Largest number of runs in an answer; the parameter ``from`` requests the next ones."""


class Ended(NamedTuple):
    """An ended run.

    Attributes:
        number: number among all ended runs, by point and replication.
        point: number of the point.
        run: successful run; none if it has failed.
        failure: failure of the run; none if it has succeeded.
    """

    number: int
    point: int
    run: Run | None
    failure: Failure | None


def campaigns(settings: Settings) -> list[dict[str, Any]]:
    """Return all campaigns, the newest first."""
    there, left, listed = found(settings), MOST_LISTED_BYTES, []
    root = settings.folder.resolve()
    for name, place in there.places.items():
        left -= journal_bytes(place)
        head = {"id": name, "folder": place.relative_to(root).as_posix(), "when": when(place)}
        listed.append({**head, **(_described(place) if left >= 0 else _named(place, _TOO_LARGE))})
    return listed


_TOO_LARGE = "too large to read for this list; open it"


def _described(place: Path) -> dict[str, Any]:
    """Return the list entry of a campaign; with the reason if it cannot be read."""
    try:
        return _read(stamp_of(place))
    except InputError as error:
        return _named(place, _without(place, error))


@lru_cache(maxsize=MOST_CAMPAIGNS)
def _read(stamp: Stamp) -> dict[str, Any]:
    with caught():
        campaign = Campaign.open(stamp.place)
        its = Results(campaign)
    return {
        "title": its.title,
        "description": its.description,
        "runs": len(campaign.runs),
        "failed": len(campaign.failures),
        "missing": campaign.missing,
        "points": len(campaign.design.points),
        "factors": list(its.factors),
        "metrics": [metric_of(its, name) for name in its.shown_metrics],
        "version": campaign.design.version,
        "emulated": is_emulated(campaign),
        "problem": None,
    }


def _named(place: Path, problem: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("runs", "failed", "missing", "points", "version"))
    lists: dict[str, Any] = {"factors": [], "metrics": []}
    words = {"title": place.name, "description": "", "emulated": False, "problem": problem}
    return {**words, **nothing, **lists}


def _without(place: Path, error: InputError) -> str:
    """Return an error without the path of the campaign, for which the page uses an id."""
    return " ".join(error.messages).replace(f"{place}/", "").replace(f"{place}: ", "")


def open_campaign(settings: Settings, name: str) -> Opened:
    """Return the results of a campaign.

    Raises:
        NotThereError: no campaign has this id.
        InputError: the campaign cannot be read, or has no successful run.
    """
    place = place_of(settings, name)
    try:
        return opened(place)
    except InputError as error:
        raise InputError(_without(place, error)) from error


def means(settings: Settings, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """Return means with intervals; ``metric`` and ``by`` select metrics and factors by commas."""
    its = open_campaign(settings, name)
    made = summary(its.results, _names(query, "metric"), _names(query, "by"))
    return {**made, "notes": [*its.warnings, *made["notes"]]}


def _names(query: Mapping[str, str], name: str) -> list[str]:
    return [each.strip() for each in query.get(name, "").split(",") if each.strip()]


def ended(campaign: Campaign) -> list[Ended]:
    """Return the ended runs of a campaign, by point and replication."""
    points = {as_json(each.levels): at for at, each in enumerate(campaign.design.points)}
    both: list[tuple[int, int, Run | None, Failure | None]] = [
        *((run.point, run.replication, run, None) for run in campaign.runs),
        *(
            (points[as_json(each.levels)], each.replication, None, each)
            for each in campaign.failures
        ),
    ]
    both.sort(key=lambda each: each[:2])
    return [Ended(number, each[0], *each[2:]) for number, each in enumerate(both)]


def runs(settings: Settings, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the ended runs of a campaign, from a given one on.

    Returns:
        total; runs: at most ``MOST_RUNS``. A seed is a text, because it has more digits than a
        number in JavaScript.
    """
    campaign = campaign_of(place_of(settings, name))
    every = ended(campaign)
    first = _number(query.get("from", "0"), "from")
    shown = every[first : first + MOST_RUNS]
    return {"total": len(every), "runs": [_run(campaign, each) for each in shown]}


def _run(campaign: Campaign, its: Ended) -> dict[str, Any]:
    levels = campaign.design.points[its.point].levels
    one = its.run or its.failure
    assert one is not None
    emulation = described_of(its.run.row) if its.run else None
    recorded = its.run is not None and any(each.path.is_file() for each in its.run.traces.values())
    return {
        "number": its.number,
        "point": its.point,
        "levels": [level_texts(name, [level])[0] for name, level in levels.items()],
        "replication": one.replication,
        "seed": str(one.seed),
        "recorded": recorded,
        "failed": its.failure.reason if its.failure else None,
        "verdict": emulation["verdict"] if emulation else None,
    }


def one_run(campaign: Campaign, number: str) -> Ended:
    """Return the run with a number.

    Raises:
        NotThereError: there is no such run.
    """
    every = ended(campaign)
    if not number.isdecimal() or int(number) >= len(every):
        raise NotThereError("run", number, [f"0 to {len(every) - 1}"])
    return every[int(number)]


def run_state(settings: Settings, name: str, number: str) -> dict[str, Any]:
    """Return the state of the lab that repeats a run."""
    campaign = campaign_of(place_of(settings, name))
    its = one_run(campaign, number)
    one = its.run or its.failure
    assert one is not None
    return state(campaign, its.point, one.replication)


def run_trace(settings: Settings, name: str, number: str, query: Mapping[str, str]) -> bytes:
    """Return the records of a run as a frame.

    Raises:
        NotThereError: there is no such campaign or run.
        InputError: the run has failed, or nothing was recorded in it.
    """
    place = place_of(settings, name)
    campaign = campaign_of(place)
    its = one_run(campaign, number)
    if its.run is None:
        assert its.failure is not None
        raise InputError(f"this run has failed: {its.failure.reason}")
    if not all(
        each.path.resolve().is_relative_to(place.resolve()) for each in its.run.traces.values()
    ):
        raise InputError("a file of this run is outside of the campaign's folder")
    asked: dict[str, Any] = {"flows": _names(query, "flows") or None, "link": query.get("link")}
    if "show" in query:
        asked["show"] = _names(query, "show")
    if "width" in query:
        asked["width"] = _number(query["width"], "width")
    if "from" in query and "to" in query:
        asked["window"] = [_real(query["from"], "from"), _real(query["to"], "to")]
    return trace(campaign, its.run, PictureRequest.read(asked))


def comparison(settings: Settings, name: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the comparison of the levels of a factor with a baseline.

    Args:
        settings: settings of the server.
        name: id of the campaign.
        asked: by (the factor), baseline (by default its first level), metric (by default the first
            shown one), pooled.
    """
    its = open_campaign(settings, name).results
    by, metric = asked.get("by"), asked.get("metric") or its.shown_metrics[0]
    if not isinstance(by, str) or not isinstance(metric, str):
        raise InputError(f"by: name a factor to compare: {', '.join(its.factors) or 'none'}")
    return compared(its, by, asked.get("baseline"), metric, pooled=bool(asked.get("pooled")))


def report(settings: Settings, name: str) -> str:
    """Return the report of a campaign as a self-contained page."""
    open_campaign(settings, name)
    return _report(stamp_of(place_of(settings, name)))


@lru_cache(maxsize=4)
def _report(stamp: Stamp) -> str:
    # Imported here: it imports matplotlib, which takes half a second.
    from ackclock.report.campaigns import write_report

    results = opened(stamp.place).results
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        with caught():
            write_report([results], path)
        return path.read_text(encoding="utf-8")


def _number(text: str, name: str) -> int:
    if not text.isdecimal():
        raise InputError(f"{name}: {text}: expected a whole number, like 0")
    return int(text)


def _real(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name}: {text}: expected a time in s, like 2.5") from None
