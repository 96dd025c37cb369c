"""``ackclock reproduce``: published studies, re-run.

The options of each study follow from its declaration; see ``ackclock.studies.machinery.study``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from ackclock.cli.options import Executor, Several
from ackclock.cli.output import say
from ackclock.errors import InputError
from ackclock.plurals import listed
from ackclock.studies import STUDIES, study_of

if TYPE_CHECKING:
    from ackclock.campaign import Event, OnProgress
    from ackclock.results.emulated import Banner
    from ackclock.studies.machinery.request import Request
    from ackclock.studies.machinery.running import Execution
    from ackclock.studies.machinery.study import Study

app = App(
    name="reproduce",
    help="Re-run a published study, and compare with its results.",
    help_format="markdown",
)
Switch = Annotated[bool, Parameter(negative=(), show_default=False)]

_INVALID = 1
_RESUMES = "Repeat an interrupted command to continue it."
_HOW = ("replications", "jobs", "executor", "seed", "out", "sensitivity")
"""Options that say how a study is run, and not what of it."""


def _options(study: Study) -> dict[str, tuple[Any, Any, str]]:
    """All options of a study: by name the type, the default and the help."""
    few = next((part.fewer for part in study.parts if part.fewer), None)
    fewer = f"; points {few.name} get {few.rule}" if few else ""
    where = " in all parts that have it" if len(study.files) > 1 else ""
    return {
        "replications": (int, 1, f"Number of runs of each point, each with its own seed{fewer}."),
        "jobs": (
            int | None,
            None,
            "Number of runs at the same time; by default one per processor.",
        ),
        "executor": (
            Executor,
            "threads",
            "Where the runs are made: here, or by the workers of a dask scheduler,"
            " dask://HOST:PORT; the results do not depend on it.",
        ),
        "seed": (int, 1, "Seed from which the seeds of all replications are derived."),
        "set": (
            Several | None,
            None,
            f"Change a setting{where}: KEY=VALUE; may be repeated; see --list-settings.",
        ),
        "out": (Path, Path("out") / study.name, "Folder for the tables and the report."),
        **{each.option: (Several | None, None, each.help) for each in study.choices},
        **{each.name: (each.type, each.default, each.help) for each in study.options},
        "sensitivity": (
            bool,
            False,
            "Measure the effect of each open convention on the whole study; write sensitivity.csv.",
        ),
        "list-settings": (
            bool,
            False,
            "List all settings with their defaults, units and meanings, without running anything.",
        ),
    }


def __getattr__(name: str) -> Callable[..., int]:
    """The command of a study, by its name: its declaration is imported when it is called."""
    if name not in STUDIES:
        raise AttributeError(name)
    study = study_of(name)

    def command(**given: Any) -> int:
        values = {
            name: given.get(_identifier(name), default) for name, (_, default, _) in options.items()
        }
        if values["list-settings"]:
            _list_settings(study)
            return 0
        if values["sensitivity"]:
            _refuse_choices({name: values[name] != options[name][1] for name in options})
            return _measure_conventions(*_checked(study, values))
        return _reproduce(*_checked(study, values))

    options = _options(study)
    parameters = [
        inspect.Parameter(
            _identifier(name),
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[type_, _parameter(name, type_, help)],
        )
        for name, (type_, default, help) in options.items()
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    more = " ".join(filter(None, [_RESUMES, study.more_help]))
    command.__doc__ = f"{STUDIES[name].help}\n\n{more}"
    return command


def _refuse_choices(given: Mapping[str, bool]) -> None:
    """Options that ``--sensitivity`` would ignore are wrong.

    Args:
        given: of each option, whether its value is not the default.
    """
    ignored = [f"--{name}" for name, is_given in given.items() if is_given and name not in _HOW]
    if ignored:
        raise InputError(f"--sensitivity measures the whole study; remove {listed(ignored)}")


def _parameter(name: str, type_: Any, help: str) -> Parameter:
    shown = {"show_default": False} if type_ is bool else {}
    return Parameter(name=f"--{name}", help=help, negative=(), **shown)


def _identifier(option: str) -> str:
    return option.replace("-", "_")


@app.default
def all_studies(*, list: Switch = False, json: Switch = False) -> None:
    """Re-run a published study, and compare with its results.

    Args:
        list: List all studies: what each asks, the time of a replication, and what was found.
        json: Print the list as one JSON array.
    """
    if not list and not json:
        app.help_print()
        return
    from ackclock.studies.machinery.listing import rows

    if json:
        from dataclasses import asdict

        from ackclock.cli.json_output import say_json

        say_json([asdict(row) for row in rows()])
        return
    from rich.text import Text

    from ackclock.cli.reading import console
    from ackclock.terminal import EDGELESS, TerminalTable

    table = TerminalTable("Study", "Time", look=EDGELESS, parts=False)
    for heading in ("Question", "What was found"):
        table.add_column(heading, prose=True)
    for row in rows():
        table.add_row(*map(Text, (row.name, row.time, row.question, row.found)))
    console().print(table)
    say("Time is that of one replication on one processor.")


for _name, _listed in STUDIES.items():
    app.command(f"{__name__}:{_name}", name=_name, help=_listed.help)


def _checked(study: Study, values: Mapping[str, Any]) -> tuple[Request, Execution]:
    """What is asked for, or all that is wrong with it.

    Raises:
        InputError: with all that is wrong.
    """
    from ackclock.campaign.executors import executor_problems
    from ackclock.scenario.seed import seed_problems
    from ackclock.studies.machinery.levels import choose
    from ackclock.studies.machinery.request import Request
    from ackclock.studies.machinery.running import Execution, chosen_points
    from ackclock.studies.machinery.settings import main_scenario

    problems = executor_problems(values["executor"], values["jobs"])
    if values["replications"] < 1:
        problems.append(
            f"--replications {values['replications']}: at least 1 is needed, for example 30"
        )
    wrong_seed = seed_problems(values["seed"])
    problems += wrong_seed
    levels = {}
    for choice in study.choices:
        wanted = values[choice.option] or []
        known, unknown = choose(f"--{choice.option}", choice.levels, wanted)
        # With a name that is no level the rest of the command is still checked.
        levels[choice.option] = choice.levels if unknown else known
        problems += unknown
    request = Request(
        study,
        tuple(values["set"] or ()),
        levels,
        values["replications"],
        0 if wrong_seed else values["seed"],
        {option.name: values[option.name] for option in study.options},
    )
    try:
        # Settings are checked even where no part has runs.
        main_scenario(request)
        chosen_points(request)
    except InputError as error:
        problems += error.messages
    problems += study.problems(request)
    if problems:
        raise InputError(problems)
    return request, Execution(values["out"], values["jobs"], executor=values["executor"])


def _reproduce(request: Request, how: Execution) -> int:
    """Run a study, write its files, show its tables; the exit code."""
    from ackclock.campaign.files import explained_if_unwritable
    from ackclock.cli.progress import campaign_progress
    from ackclock.cli.reading import warnings_shown
    from ackclock.cli.screen import Screen
    from ackclock.cli.stopping import stopped_at_once
    from ackclock.studies.machinery.outputs import REPORT, write_files
    from ackclock.studies.machinery.reproduce import reproduce
    from ackclock.studies.machinery.terminal import render

    drawing = request.study.report.partition(":")[0]
    with stopped_at_once(), warnings_shown(), campaign_progress(as_json=False) as on_progress:
        described = _importing_meanwhile(drawing, on_progress)
        result = reproduce(request, how._replace(on_progress=described))
    from ackclock.studies.machinery.report import write_report

    with explained_if_unwritable(how.folder):
        # A part without runs has made no folder.
        how.folder.mkdir(parents=True, exist_ok=True)
        write_files(result, how.folder, write_report)
    console = Screen(highlight=False)
    console.print(render(result))
    where = f"Tables are in {how.folder}, the report is {how.folder / REPORT}"
    console.print(where, soft_wrap=True, markup=False)
    return _print_banner(result.banner)


def _print_banner(banner: Banner | None) -> int:
    """Print on standard error which emulated runs are not valid; the exit code that follows."""
    if banner is None:
        return 0
    for line in (banner.headline, *banner.reasons):
        say(f"ackclock: {line}", err=True)
    return _INVALID if banner.verdict == "invalid" else 0


def _measure_conventions(request: Request, how: Execution) -> int:
    """Run a study with each alternative of each open convention, and write their table."""
    from ackclock.campaign.files import explained_if_unwritable
    from ackclock.cli.progress import campaign_progress
    from ackclock.cli.reading import warnings_shown
    from ackclock.cli.screen import Screen
    from ackclock.cli.stopping import stopped_at_once
    from ackclock.studies.machinery.sensitivity import sensitivity, write_table

    study, tables = request.study, []
    if study.sensitivity is None:
        raise InputError(f"--sensitivity: {study.name} has no alternatives to its conventions")
    total = len(study.sensitivity.alternatives)
    with stopped_at_once(), warnings_shown(), campaign_progress(as_json=False) as on_progress:
        variants = sensitivity(
            study, request.replications, request.seed, how._replace(on_progress=on_progress)
        )
        for number, (variant, rows) in enumerate(variants, 1):
            tables.append(rows)
            with explained_if_unwritable(how.folder):
                path = write_table(tables, how.folder)
            say(f"{number} of {total}: {' '.join([*variant.parts, variant.setting])}", err=True)
    Screen(highlight=False).print(f"The table is {path}", soft_wrap=True, markup=False)
    return 0


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


def _list_settings(study: Study) -> None:
    """Show all settings of a study with their defaults."""
    from rich.text import Text

    from ackclock.cli.screen import Screen
    from ackclock.studies.machinery.settings import all_settings
    from ackclock.terminal import TerminalTable

    table = TerminalTable("Key", parts=False)
    for heading in ("Default", "Meaning", "Values"):
        table.add_column(heading, prose=True)
    for setting in all_settings(study):
        table.add_row(*map(Text, (setting.key, setting.value, setting.meaning, setting.accepts)))
    Screen(highlight=False).print(table)
