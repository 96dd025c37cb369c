"""What the commands of all published studies do: check the request, run, write, report.

A study is found by the name of its package; ``ackclock.studies`` says what is in one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ackclock.campaign.processors import processors
from ackclock.cli.output import say
from ackclock.errors import InputError

if TYPE_CHECKING:
    from ackclock.campaign import Event, OnProgress
    from ackclock.results.emulated import Banner

_INVALID = 1


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line.

    Attributes:
        replications, seed, jobs, out: numbers and folder, as they were given.
        sets: texts ``key=value``.
        levels: names of levels, by the attributes of the study's ``Selection``.
        more: further attributes of the study's ``Request``.
        how: further arguments of the study's ``reproduce``; its ``problems`` checks them.
    """

    replications: int
    seed: int
    jobs: int | None
    out: Path
    sets: list[str] | None
    levels: Mapping[str, list[str] | None]
    more: Mapping[str, Any] = field(default_factory=dict)
    how: Mapping[str, Any] = field(default_factory=dict)


def run_study(package: str, asked: Asked) -> Any:
    """Run a study, write its files, and show its tables.

    Args:
        package: of the study, in ``ackclock.studies`` and ``ackclock.report``.
        asked: what was asked for.

    Returns:
        The study's result.

    Raises:
        InputError: with all that is wrong with it.
    """
    from ackclock.campaign.files import explained_if_unwritable
    from ackclock.cli.progress import campaign_progress
    from ackclock.cli.reading import warnings_shown
    from ackclock.cli.screen import Screen
    from ackclock.cli.stopping import stopped_at_once
    from ackclock.studies.common.outputs import REPORT

    jobs = processors() if asked.jobs is None else asked.jobs
    request, out = _request(package, asked, jobs), asked.out
    report_module = f"ackclock.report.{package}"
    with stopped_at_once(), warnings_shown(), campaign_progress(as_json=False) as on_progress:
        described = _importing_meanwhile(report_module, on_progress)
        result = _module(package, "study").reproduce(request, out, jobs, described, **asked.how)
    report = import_module(report_module)
    with explained_if_unwritable(out):
        # A part without runs has made no folder.
        out.mkdir(parents=True, exist_ok=True)
        _module(package, "outputs").write_files(result, out, report.write_report)
    console = Screen(highlight=False)
    console.print(_module(package, "tables").render(result))
    where = f"Tables are in {out}, the report is {out / REPORT}"
    console.print(where, soft_wrap=True, markup=False)
    return result


def print_banner(banner: Banner | None) -> int:
    """Print on standard error which emulated runs are not valid; the exit code that follows."""
    if banner is None:
        return 0
    for line in (banner.headline, *banner.reasons):
        say(f"ackclock: {line}", err=True)
    return _INVALID if banner.verdict == "invalid" else 0


def _importing_meanwhile(module: str, on_progress: OnProgress) -> OnProgress:
    """Shows the progress of a campaign, and imports a module while the first one makes its runs.

    The report draws with matplotlib, which takes about half a second to import; this thread only
    waits for runs, and they do not hold the interpreter's lock.
    """
    importing: list[Thread] = []

    def described(event: Event) -> None:
        if not importing:
            # A daemon: an interrupted command does not wait for it.
            importing.append(Thread(target=import_module, args=(module,), daemon=True))
            importing[0].start()
        on_progress(event)

    return described


def list_settings(package: str) -> None:
    """Show all settings of a study with their defaults."""
    from rich.text import Text

    from ackclock.cli.screen import Screen
    from ackclock.terminal import TerminalTable

    study = _module(package, "settings")
    its = study.study_scenario(_module(package, "result").Request())
    table = TerminalTable("Key", parts=False)
    for heading in ("Default", "Meaning", "Values"):
        table.add_column(heading, prose=True)
    for setting in study.STUDY.settings(its):
        table.add_row(*map(Text, (setting.key, setting.value, setting.meaning, setting.accepts)))
    Screen(highlight=False).print(table)


def _request(package: str, asked: Asked, jobs: int) -> Any:
    """What is asked for, or all that is wrong with it."""
    from ackclock.scenario.seed import seed_problems
    from ackclock.studies.common.levels import choose

    problems = []
    if asked.replications < 1:
        problems.append(
            f"--replications {asked.replications}: at least 1 is needed, for example 30"
        )
    if jobs < 1:
        problems.append(f"--jobs {jobs}: at least 1 is needed, for example {processors()}")
    wrong_seed = seed_problems(asked.seed)
    problems += wrong_seed
    everything, chosen = _module(package, "result").Request().selection, {}
    options = _module(package, "study").CHOICES
    for name, wanted in asked.levels.items():
        chosen[name], unknown = choose(options[name], getattr(everything, name), wanted or [])
        problems += unknown
    request = _module(package, "result").Request(
        tuple(asked.sets or ()),
        type(everything)(**chosen),
        asked.replications,
        0 if wrong_seed else asked.seed,
        **asked.more,
    )
    try:
        _module(package, "settings").study_scenario(request)
    except InputError as error:
        problems += error.messages
    if asked.how:
        problems += _module(package, "study").problems(request, **asked.how)
    if problems:
        raise InputError(problems)
    return request


def _module(package: str, name: str) -> ModuleType:
    return import_module(f"ackclock.studies.{package}.{name}")
