"""``ackclock reproduce``: published studies, re-run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from ackclock.campaign.processors import processors
from ackclock.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from ackclock.studies.ubr_web.result import Request

app = App(name="reproduce", help="Re-run a published study and compare.")

Several = Annotated[list[str], Parameter(consume_multiple=True, negative=())]
_LARGEST_SEED = 2**64 - 1
_INTERRUPTED = 130


@app.command(name="ubr-web")
def ubr_web(
    *,
    replications: int = 1,
    jobs: int | None = None,
    seed: int = 1,
    set: Several | None = None,
    out: Path = Path("out/ubr-web"),
    links: Several | None = None,
    policies: Several | None = None,
    flavors: Several | None = None,
    buffers: Several | None = None,
    list_settings: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """WWW traffic over UBR+ (ATM Forum 98-0876): 3 links, 2 drop policies, 4 TCPs, 3 buffers.

    An interrupted command goes on where it was when it is given again.

    Args:
        replications: Runs of each point, each with a seed of its own.
        jobs: Runs at the same time; by default one for each processor.
        seed: From which the seeds of all replications are derived.
        set: Change settings: key=value; see --list-settings.
        out: Folder for the tables and the report.
        links: Run these links only: WAN, MEO, GEO.
        policies: Run these drop policies only: EPD, SD.
        flavors: Run these TCPs only: Vanilla, Reno, NewReno, SACK.
        buffers: Run these buffers only: 0.5, 1, 2 RTT.
        list_settings: List all settings with their defaults, units and meanings, and run nothing.
    """
    from rich.console import Console

    console = Console(highlight=False)
    if list_settings:
        _list_settings(console)
        return
    jobs = processors() if jobs is None else jobs
    levels = {
        "links": links,
        "drop_policies": policies,
        "tcp_flavors": flavors,
        "buffers_rtt": buffers,
    }
    _run_study(_request(replications, seed, set or [], levels, jobs), jobs, out, console)


def _request(
    replications: int,
    seed: int,
    pairs: Sequence[str],
    levels: dict[str, list[str] | None],
    jobs: int,
) -> Request:
    """What is asked for, or all that is wrong with it."""
    from ackclock.studies.ubr_web.levels import Selection, choose
    from ackclock.studies.ubr_web.result import Request
    from ackclock.studies.ubr_web.settings import study_scenario
    from ackclock.studies.ubr_web.study import SELECTION_OPTIONS

    problems = []
    if replications < 1:
        problems.append(f"--replications {replications}: at least 1 is needed, for example 30")
    if jobs < 1:
        problems.append(f"--jobs {jobs}: at least 1 is needed, for example {processors()}")
    if not 0 <= seed <= _LARGEST_SEED:
        problems.append(f"--seed {seed}: must lie between 0 and {_LARGEST_SEED}, for example 1")
        seed = 0
    everything, chosen = Selection(), {}
    for name, wanted in levels.items():
        available = getattr(everything, name)
        chosen[name], unknown = choose(SELECTION_OPTIONS[name], available, wanted or [])
        problems += unknown
    request = Request(tuple(pairs), Selection(**chosen), replications, seed)
    try:
        study_scenario(request)
    except InputError as error:
        problems += error.messages
    if problems:
        raise InputError(problems)
    return request


def _run_study(request: Request, jobs: int, out: Path, console: Console) -> None:
    from ackclock.campaign import StoppedAtOnce
    from ackclock.campaign.files import told_if_unwritable
    from ackclock.cli.progress import campaign_progress
    from ackclock.cli.reading import warnings_told
    from ackclock.studies.ubr_web.outputs import REPORT, write_files
    from ackclock.studies.ubr_web.study import reproduce
    from ackclock.studies.ubr_web.tables import render

    try:
        with warnings_told(), campaign_progress(as_json=False) as on_progress:
            result = reproduce(request, out, jobs, on_progress)
    except StoppedAtOnce as interrupt:
        # The usual end would wait for the threads that are still at work.
        print(f"ackclock: stopped. {interrupt}", file=sys.stderr, flush=True)
        os._exit(_INTERRUPTED)
    from ackclock.report.ubr_web import write_report

    with told_if_unwritable(out):
        write_files(result, out, write_report)
    console.print(render(result))
    told = f"Tables are in {out}, the report is {out / REPORT}"
    console.print(told, soft_wrap=True, markup=False)


def _list_settings(console: Console) -> None:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from ackclock.studies.ubr_web.result import Request
    from ackclock.studies.ubr_web.settings import study_scenario, study_settings

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Key", no_wrap=True)
    for heading in ("Default", "Meaning", "Values"):
        table.add_column(heading, overflow="fold")
    for setting in study_settings(study_scenario(Request())):
        table.add_row(*map(escape, (setting.key, setting.value, setting.meaning, setting.accepts)))
    console.print(table)
