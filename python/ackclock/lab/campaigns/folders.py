"""The campaigns in the user's folder: which there are, and the results of each.

An id is made of the place, so that it stays the same; a place is never made of an id: what is not
found in the folder does not exist.
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
"""That are looked into."""
_DEEPEST = 8
_NOT_SEARCHED = {"traces", "node_modules", "__pycache__", "target"}
_MOST_OPEN = 8
"""Campaigns whose results are kept in memory."""
_LETTERS = re.compile(r"[^a-z0-9]+")
_MOST_LETTERS = 60


class Found(NamedTuple):
    """The campaigns in a folder.

    Attributes:
        root: the folder.
        places: of each, by its id; the newest first.
        note: what was left out, as a sentence; empty if nothing was.
    """

    root: Path
    places: dict[str, Path]
    note: str


class Stamp(NamedTuple):
    """A campaign as it was at some time: what was read of it holds until something is added.

    Attributes:
        place: its folder.
        size: of its journal, bytes.
        changed: when something was added to that, ns.
        designed: when its design was written, ns.
        written: when its scenario was, ns.
    """

    place: Path
    size: int
    changed: int
    designed: int
    written: int


class Opened(NamedTuple):
    """A campaign that was read.

    Attributes:
        results: of its runs.
        warnings: what to check before they are trusted.
    """

    results: Results
    warnings: tuple[str, ...]


def campaign_id(root: Path, place: Path) -> str:
    """The id of the campaign in a place below the user's folder."""
    inside = place.relative_to(root).as_posix()
    letters = _LETTERS.sub("-", inside.lower()).strip("-")[-_MOST_LETTERS:].strip("-")
    return f"{letters or 'campaign'}-{hashlib.sha256(inside.encode()).hexdigest()[:8]}"


def found(settings: Settings) -> Found:
    """The campaigns in the user's folder; links are not followed."""
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
    """Where the campaign of an id is.

    Raises:
        NotThereError: there is none.
    """
    places = found(settings).places
    if name not in places:
        raise NotThereError("campaign", name, places)
    return places[name]


def when(place: Path) -> str:
    """When a run of a campaign ended last, as in "2026-01-31T10:00:00+00:00"."""
    return datetime.fromtimestamp(_changed(place), UTC).isoformat(timespec="seconds")


def journal_bytes(place: Path) -> int:
    """Size of the journal of a campaign; 0 if it is there no more."""
    try:
        return (place / JOURNAL).stat().st_size
    except OSError:
        return 0


def opened(place: Path) -> Opened:
    """A campaign, read again only if something was added to it.

    Raises:
        InputError: it cannot be read, or no run of it has ended well.
    """
    return _opened(stamp_of(place))


@lru_cache(maxsize=_MOST_OPEN)
def _opened(stamp: Stamp) -> Opened:
    with caught() as said:
        results = Results.open(stamp.place)
    return Opened(results, tuple(each.removeprefix(f"{stamp.place}: ") for each in said))


def campaign_of(place: Path) -> Campaign:
    """A campaign of which perhaps no run has ended well.

    Raises:
        InputError: it cannot be read.
    """
    return _campaign(stamp_of(place))


@lru_cache(maxsize=_MOST_OPEN)
def _campaign(stamp: Stamp) -> Campaign:
    with caught():
        return Campaign.open(stamp.place)


class Counts(NamedTuple):
    """The runs of a campaign.

    Attributes:
        ended: runs that have, failed ones among them.
        failed: those.
        missing: runs that are not made yet.
    """

    ended: int
    failed: int
    missing: int


def counts(place: Path) -> Counts:
    """The runs of a campaign, counted again only if something was added to it.

    Raises:
        InputError: it cannot be read.
    """
    return _counts(stamp_of(place))


@lru_cache(maxsize=MOST_CAMPAIGNS)
def _counts(stamp: Stamp) -> Counts:
    its = _campaign(stamp)
    failed = len(its.failures)
    return Counts(len(its.runs) + failed, failed, its.missing)


@contextmanager
def caught() -> Iterator[list[str]]:
    """The warnings of campaigns and of input, once the block has ended.

    One thread at a time: what is done with warnings is the same for all threads.
    """
    said: list[str] = []
    with _lock, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", CampaignWarning)
        warnings.simplefilter("always", InputWarning)
        yield said
        said += [str(each.message) for each in heard]


_lock = RLock()


class _Search:
    """The folders of campaigns below a folder."""

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
    """Whether a file of a campaign is a link, which could lead anywhere."""
    return any(each.is_symlink() for each in place.iterdir())


def _changed(place: Path) -> float:
    try:
        return (place / JOURNAL).stat().st_mtime
    except OSError:
        return 0.0


def stamp_of(place: Path) -> Stamp:
    """A campaign as it is now.

    Raises:
        InputError: it cannot be read.
    """
    try:
        journal, design, text = ((place / name).stat() for name in (JOURNAL, DESIGN, SCENARIO))
    except OSError as error:
        raise InputError(f"{place.name}: cannot be read ({error.strerror})") from error
    changed = (each.st_mtime_ns for each in (journal, design, text))
    return Stamp(place, journal.st_size, *changed)
