"""Increased initial windows (RFC 2415): 12 scenarios, 4 windows, 2 versions of HTTP, and more.

Source: RFC 2415, Simulation Studies of Increased Initial TCP Window Size, 1998.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.study import Choice, Option, Part, Study
from ackclock.studies.rfc2415.analysis import CLOCK, METRICS, by_the_chosen_clock, tables
from ackclock.studies.rfc2415.claims import CLAIMS, Evidence
from ackclock.studies.rfc2415.levels import (
    FTPS,
    HALF,
    HALF_SWEEP,
    HTTPS,
    IWS,
    RED,
    RED_SWEEP,
    REVERSE,
    REVERSE_FTP,
    REVERSE_SWEEP,
    TABLES,
    WEBS,
    Point,
    of_half,
    of_scenarios,
)
from ackclock.studies.rfc2415.sensitivity import SENSITIVITY
from ackclock.studies.rfc2415.terminal import terminal

_FILE = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    {
        "webs": ("", "Web clients."),
        "ftps": ("", "Ftp clients."),
        "iw": ("", "Initial window of every connection, segments."),
        "split": ("a whole number", "How many of the web clients use new_iw instead."),
        "new_iw": ("a whole number", "Initial window of these, segments."),
        "reverse": ("a whole number", "Ftp clients on the servers' side: data the other way."),
        "red_min_thresh": ("a number of packets", "RED: mean queue where drops begin."),
        "red_max_thresh": ("a number of packets", "RED: mean queue where drops reach red_max_p."),
        "red_max_p": ("a share", "RED: drops at red_max_thresh, a share of the packets."),
        "red_weight": ("a share", "RED: weight of a packet's arrival in the mean queue."),
    },
    decided=("topology.clients_per_server",),
    sweep_stays=True,
)
_part = partial(
    Part,
    file=_FILE,
    point=Point,
    measure="ackclock.studies.rfc2415.metrics:measure",
    metrics=METRICS,
)

STUDY = Study(
    name="rfc2415",
    title="Increased initial windows",
    source="Poduri, Nichols, RFC 2415, 1998",
    question="What do larger initial windows gain for users of the web, and what do they cost?",
    parts=(
        _part(TABLES, point_of=partial(of_scenarios, TABLES, "")),
        _part(HALF, own_sets=(HALF_SWEEP,), point_of=of_half, fixed=("webs", "ftps", "http", "iw")),
        _part(
            REVERSE,
            own_sets=("variables.reverse=1", REVERSE_SWEEP),
            point_of=partial(of_scenarios, REVERSE, REVERSE_FTP),
            fixed=("http",),
        ),
        _part(
            RED,
            own_sets=(RED_SWEEP,),
            point_of=partial(of_scenarios, RED, ""),
            fixed=("http",),
        ),
    ),
    levels=(
        Choice("webs", WEBS, "Run these numbers of web clients only: 8, 16, 32.", "webs"),
        Choice("ftps", FTPS, "Run these numbers of ftp clients only: 0, 1, 2, 3.", "ftps"),
        Choice("iw", IWS, "Run these initial windows only: 1, 2, 3, 4 segments.", "iw"),
        Choice("http", HTTPS, "Run these versions of HTTP only: 1.0, 1.1.", "http"),
    ),
    options=(
        Option(
            CLOCK,
            Literal["no_setup", "request", "open"],
            "no_setup",
            "How to measure page delay: without handshakes, from first request, or from first SYN.",
        ),
    ),
    evidence=Evidence,
    claims=tuple(CLAIMS),
    tables=tables,
    terminal=terminal,
    report="ackclock.studies.rfc2415.report:PAGE",
    printed="ackclock.studies.rfc2415.printed:PRINTED",
    derived=by_the_chosen_clock,
    missing="points that were not run",
    runs_a_cell=1,
    sensitivity=SENSITIVITY,
)
