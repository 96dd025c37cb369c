"""The campaigns in the user's folder, and the results of each.

An id is derived from the path of a campaign, so it is constant. A path is never derived from an id:
only campaigns found in the folder exist.
"""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from ackclock.campaign import Campaign, CampaignWarning
from ackclock.campaign.design import DESIGN
from ackclock.campaign.journal import JOURNAL
from ackclock.campaign.store import SCENARIO
from ackclock.errors import InputError, InputWarning
from ackclock.lab.errors import NotThereError
from ackclock.lab.settings import JOBS, Settings
from ackclock.results import Results

MOST_CAMPAIGNS = 1000
MOST_FOLDERS = 20_000
"""Largest number of folders to search."""
_DEEPEST = 8
_NOT_SEARCHED = {"traces", "node_modules", "__pycache__", "target"}
_MOST_OPEN = 8
"""Number of campaigns whose results are kept in memory."""
_LETTERS = re.compile(r"[^a-z0-9]+")
_MOST_LETTERS = 60


class Found(NamedTuple):
    """The campaigns in a folder.

    Attributes:
        root: the folder.
        places: paths of the campaigns, by id; the newest first.
        note: sentence about campaigns that were left out; may be empty.
    """

    root: Path
    places: dict[str, Path]
    note: str


class Stamp(NamedTuple):
    """The version of a campaign: cached results are valid until it changes.

    Attributes:
        place: folder of the campaign.
        size: size of the journal, bytes.
        changed: time of the journal's last change, ns.
        designed: time when the design was written, ns.
        written: time when the scenario was written, ns.
    """

    place: Path
    size: int
    changed: int
    designed: int
    written: int


class Opened(NamedTuple):
    """The results of a campaign with warnings.

    Attributes:
        results: results of the runs.
        warnings: problems to check before you trust the results.
    """

    results: Results
    warnings: tuple[str, ...]


def campaign_id(root: Path, place: Path) -> str:
    """Return the id of the campaign in a folder below the user's folder."""
    inside = place.relative_to(root).as_posix()
    letters = _LETTERS.sub("-", inside.lower()).strip("-")[-_MOST_LETTERS:].strip("-")
    return f"{letters or 'campaign'}-{hashlib.sha256(inside.encode()).hexdigest()[:8]}"


def found(settings: Settings) -> Found:
    """Find the campaigns in the user's folder; links are not followed."""
    root = settings.folder.resolve()
    search = _Search(root)
    places = sorted(search, key=_changed, reverse=True)
    note = ""
    if search.ended_early:
        note = (
            f"The folder holds more than {MOST_FOLDERS} folders or {MOST_CAMPAIGNS} campaigns;"
            " some are left out"
        )
    return Found(root, {campaign_id(root, place): place for place in places}, note)


def place_of(settings: Settings, name: str) -> Path:
    """Return the folder of the campaign with an id.

    Raises:
        NotThereError: no campaign has this id.
    """
    places = found(settings).places
    if name not in places:
        raise NotThereError("campaign", name, places)
    return places[name]


def when(place: Path) -> str:
    """Return the time when the last run ended, for example "2026-01-31T10:00:00+00:00"."""
    return datetime.fromtimestamp(_changed(place), UTC).isoformat(timespec="seconds")


def journal_bytes(place: Path) -> int:
    """Return the size of a campaign's journal, bytes; 0 if it was removed."""
    try:
        return (place / JOURNAL).stat().st_size
    except OSError:
        return 0


def opened(place: Path) -> Opened:
    """Return the results of a campaign; read it again only if it has changed.

    Raises:
        InputError: the campaign cannot be read, or has no successful run.
    """
    return _opened(stamp_of(place))


@lru_cache(maxsize=_MOST_OPEN)
def _opened(stamp: Stamp) -> Opened:
    with caught() as said:
        results = Results.open(stamp.place)
    return Opened(results, tuple(each.removeprefix(f"{stamp.place}: ") for each in said))


def campaign_of(place: Path) -> Campaign:
    """Return a campaign, which may have no successful run.

    Raises:
        InputError: the campaign cannot be read.
    """
    return _campaign(stamp_of(place))


@lru_cache(maxsize=_MOST_OPEN)
def _campaign(stamp: Stamp) -> Campaign:
    with caught():
        return Campaign.open(stamp.place)


class Counts(NamedTuple):
    """The numbers of runs of a campaign.

    Attributes:
        ended: number of ended runs, including failed ones.
        failed: number of failed runs.
        missing: number of runs that are not made yet.
    """

    ended: int
    failed: int
    missing: int


def counts(place: Path) -> Counts:
    """Return the numbers of runs; count them again only if the campaign has changed.

    Raises:
        InputError: the campaign cannot be read.
    """
    return _counts(stamp_of(place))


@lru_cache(maxsize=MOST_CAMPAIGNS)
def _counts(stamp: Stamp) -> Counts:
    its = _campaign(stamp)
    failed = len(its.failures)
    return Counts(len(its.runs) + failed, failed, its.missing)


@contextmanager
def caught() -> Iterator[list[str]]:
    """Collect the warnings of campaigns and of input in a block.

    Only one thread at a time, because the filters of warnings apply to all threads.
    """
    said: list[str] = []
    with _lock, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", CampaignWarning)
        warnings.simplefilter("always", InputWarning)
        yield said
        said += [str(each.message) for each in heard]


_lock = RLock()


class _Search:
    """Iterator over the folders of campaigns below a folder."""

    def __init__(self, root: Path) -> None:
        self.ended_early = False
        self._root = root

    def __iter__(self) -> Iterator[Path]:
        campaigns = 0
        for folders, (folder, inside, files) in enumerate(os.walk(self._root), start=1):
            place = Path(folder)
            depth = len(place.relative_to(self._root).parts)
            inside[:] = sorted(filter(_is_searched, inside)) if depth < _DEEPEST else []
            if DESIGN in files and JOURNAL in files and not _leads_out(place):
                campaigns += 1
                yield place
            if folders == MOST_FOLDERS or campaigns == MOST_CAMPAIGNS:
                self.ended_early = True
                return


def _is_searched(name: str) -> bool:
    return name == JOBS or not (name.startswith(".") or name in _NOT_SEARCHED)


def _leads_out(place: Path) -> bool:
    """Return whether a file of a campaign is a link, which could lead outside of the folder."""
    return any(each.is_symlink() for each in place.iterdir())


def _changed(place: Path) -> float:
    try:
        return (place / JOURNAL).stat().st_mtime
    except OSError:
        return 0.0


def stamp_of(place: Path) -> Stamp:
    """Return the present version of a campaign.

    Raises:
        InputError: the campaign cannot be read.
    """
    try:
        journal, design, text = ((place / name).stat() for name in (JOURNAL, DESIGN, SCENARIO))
    except OSError as error:
        raise InputError(f"{place.name}: cannot be read ({error.strerror})") from error
    changed = (each.st_mtime_ns for each in (journal, design, text))
    return Stamp(place, journal.st_size, *changed)
