"""``ackclock evaluate``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.options import AllowCode, Executor, Several
from ackclock.code_permission import code_allowed
from ackclock.errors import InputError

_AGAINST = ("cubic", "reno_sack")
"""TCPs to compare with, unless others are named."""
_REPLICATIONS = 5


def evaluate(
    flavor: str,
    /,
    *,
    against: Several | None = None,
    parts: Several | None = None,
    full: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    replications: int = _REPLICATIONS,
    jobs: int | None = None,
    executor: Executor = "threads",
    seed: int = 1,
    out: Path | None = None,
    allow_code: AllowCode = False,
) -> None:
    """Evaluate a TCP beside others with the Common TCP Evaluation Suite.

    The suite (draft-irtf-iccrg-tcpeval-01) runs a TCP in data-centre, access, trans-oceanic,
    satellite, wireless and dial-up networks with random traffic; over five buffers; beside a first
    flow, changing datagrams, standard TCP and a flow with another RTT. The report states for each
    number whether it is better or worse than with the other TCPs. Repeat an interrupted command to
    continue it.

    Args:
        flavor: TCP under test: a flavor, or a class in a Python file such as my_tcp.py:MyControl.
        against: TCPs to compare with, separated by commas; by default cubic and reno_sack.
        parts: Run these experiments only, separated by commas: data-centre, access, trans-oceanic,
            satellite, wireless, dial-up, buffers, ramp-up, transients, impact, fairness.
        full: Run all loads (60, 85 and 110 %) with the durations of the draft; takes hours.
        replications: Number of runs of each point, each with its own seed.
        jobs: Number of runs at the same time; by default one per processor.
        executor: Where the runs are made: here, or by the workers of a dask scheduler,
            dask://HOST:PORT; the results do not depend on it.
        seed: Seed from which the seeds of all replications are derived.
        out: Folder for the tables and the report; by default out/evaluate-FLAVOR.
        allow_code: Let TCPs run that are Python code, such as my_tcp.py:MyControl; read it first.
    """
    from ackclock.campaign.executors import executor_problems
    from ackclock.campaign.files import explained_if_unwritable
    from ackclock.cli.progress import campaign_progress
    from ackclock.cli.reading import warnings_shown
    from ackclock.cli.screen import Screen
    from ackclock.cli.stopping import stopped_at_once
    from ackclock.evaluation.suite import suite
    from ackclock.evaluation.terminal import render
    from ackclock.studies.machinery.outputs import REPORT, write_files
    from ackclock.studies.machinery.reproduce import reproduce
    from ackclock.studies.machinery.request import Request
    from ackclock.studies.machinery.running import Execution
    from ackclock.studies.machinery.study import PARTS

    others = _names(against) or [each for each in _AGAINST if each != flavor]
    (tested, *others), problems = _flavors([flavor, *others])
    problems += _numbers(replications, seed)
    problems += executor_problems(executor, jobs)
    study = suite(tested, others, full=full)
    names = tuple(part.name for part in study.parts)
    chosen, wrong = _parts(names, parts)
    if problems := [*problems, *wrong]:
        raise InputError(problems)
    request = Request(study, levels={PARTS: chosen}, replications=replications, seed=seed)
    folder = out or Path("out") / f"evaluate-{flavor.rpartition('/')[2].replace(':', '-')}"
    how = Execution(folder, jobs, executor=executor)
    with (
        code_allowed(allow_code),
        stopped_at_once(),
        warnings_shown(),
        campaign_progress(as_json=False) as on_progress,
    ):
        result = reproduce(request, how._replace(on_progress=on_progress))
    from ackclock.studies.machinery.report import write_report

    with explained_if_unwritable(folder):
        write_files(result, folder, write_report)
    screen = Screen(highlight=False)
    screen.print(render(result))
    where = f"Tables are in {folder}, the report is {folder / REPORT}"
    screen.print(where, soft_wrap=True, markup=False)


def _names(given: Sequence[str] | None) -> list[str]:
    """The names of an option, each once."""
    words = (word.strip() for text in given or () for word in text.split(","))
    return list(dict.fromkeys(filter(None, words)))


def _flavors(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The TCPs of these names, and a message for each that does not exist."""
    from ackclock.results.flavors import flavor_names

    try:
        return flavor_names(words), []
    except InputError as error:
        return list(words), error.messages


def _numbers(replications: int, seed: int) -> list[str]:
    from ackclock.scenario.seed import seed_problems

    low = [f"--replications {replications}: at least 1 is needed, for example {_REPLICATIONS}"]
    return [*(low if replications < 1 else []), *seed_problems(seed)]


def _parts(names: Sequence[str], given: Sequence[str] | None) -> tuple[tuple[str, ...], list[str]]:
    from ackclock.studies.machinery.levels import choose

    return choose("--parts", names, given or [])
